"""The documentation: its code runs, all pages are listed, and it builds without warnings."""

import importlib.util
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from PIL import Image

from sim.behaviours import RULES
from sim.commands.app import app
from sim.models import MODELS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
CODE = [
    (page.name, code)
    for page in PAGES
    for code in re.findall(
        r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]


@pytest.fixture
def tables() -> Iterator[None]:
    """What a page adds to the tables of rules and models is taken out again."""
    kept = [(table, dict(table)) for table in (RULES, MODELS)]
    yield
    for table, before in kept:
        table.clear()
        table.update(before)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(("page", "code"), CODE, ids=[page for page, _ in CODE])
def test_code_runs(page: str, code: str, tmp_path, monkeypatch, capsys, play):
    """Each block of Python runs by itself, from any folder, and prints something or draws.

    Blocks that start workers on a cluster are only compiled: there is none here.
    """
    if "pygame.event.get" in code:
        play(code, tmp_path)
        return
    monkeypatch.chdir(tmp_path)
    compiled = compile(code, page, "exec")
    if re.search("^from dask_", code, re.MULTILINE):
        return
    exec(compiled, {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()


PRESS_F = """
import pygame

pygame.display.init()
pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_f))
"""


def test_the_game_films_itself(tmp_path, play):
    """The last step of the tutorial: F begins a film, which is whole when the window is closed."""
    (code,) = (code for page, code in CODE if page == "tutorial-game.md" and "K_f" in code)
    play(PRESS_F + code, tmp_path)
    with Image.open(tmp_path / "game.gif") as film:
        assert film.size == (720, 540)
        assert film.n_frames == 10


def test_every_page_is_listed():
    """The first page lists every other page once."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = [
        line
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
        for line in tree.split()
        if line not in (":caption:", ":maxdepth:") and (DOCS / f"{line}.md").exists()
    ]
    assert sorted(listed) == sorted(page.stem for page in PAGES if page.stem != "index")


@pytest.mark.parametrize("name", ["rules", "modules"])
def test_pages_are_those_of_the_code(name: str):
    """The pages of rules and of files are what the scripts beside them write, whole."""
    made = runpy.run_path(str(DOCS / f"make_{name}.py"))["page"]()
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == made


def test_every_option_is_on_the_page_of_options():
    """Those of all commands, with what each says of itself."""
    text = (DOCS / "options.md").read_text(encoding="utf-8")
    about = dict(
        re.findall(r"^## `python -m sim (.*?)`\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    )
    commands = typer.main.get_command(app).commands
    assert list(about) == list(commands)
    for name, command in commands.items():
        for option in command.params:
            names = ", ".join(option.opts) if option.param_type_name == "option" else ""
            assert names in about[name]
            assert str(option.help) in about[name]


def test_every_public_name_is_on_the_api_page():
    """All names that `import sim` gives are on the page of the Python reference."""
    import sim

    text = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in sim.__all__ if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.slow
def test_site_builds(tmp_path):
    """Sphinx builds the pages, and warnings are errors."""
    if importlib.util.find_spec("sphinx") is None or importlib.util.find_spec("furo") is None:
        pytest.skip("needs the extra docs")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", DOCS, tmp_path / "site"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "index.html").exists()
