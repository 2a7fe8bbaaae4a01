"""What the README and the documents say is so: commands and code run, and names exist."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
SCENARIOS = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
SET_UP = [
    "python3 -m pip install -e . && python3 demos/flocking.py",
    'python3 -m pip install -e ".[test]" && python3 -m pytest',
]
"""The only two commands that a fresh machine needs."""


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(text: str = README) -> list[str]:
    """Every line of the console blocks."""
    return [line.strip() for block in blocks("console", text) for line in block.splitlines()]


PAGES_WITH_COMMANDS = [
    page for page in DOCUMENTS if "```console\npython3 -m sim " in page.read_text(encoding="utf-8")
]


def test_set_up_is_two_commands():
    """Exactly these two install anything."""
    assert [line for line in commands() if "pip" in line] == SET_UP


def test_every_command_is_tested():
    """Each line of a console block is one of the set-up, or runs below."""
    assert [line for line in commands() if not line.startswith("python3 -m sim ")] == SET_UP
    assert len(set(commands())) == len(commands())


LATER = ("--film-from", "--at")
"""Options after which something has yet to come."""


def shortened(words: list[str]) -> list[str]:
    """What makes a command of the documents take little time."""
    kind = words[0]
    if kind in ("run", "demo"):
        begin = max((words[words.index(o) + 1] for o in LATER if o in words), default=0, key=float)
        return ["--seconds", str(float(begin) + 0.2)]
    if kind == "bench":
        return ["--units", "50", "--steps", "10"]
    if kind == "verify":
        return ["NIST 4.1", "--workers", "1"]
    if kind in ("sweep", "tune"):
        short = ["--set", "duration=0.2", "--seeds", "1", "--jobs", "1"]
        return [*short, "--trials", "2", "--held-out", "1"] if kind == "tune" else short
    return []


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: page.name)
def test_commands_run(cli, page: Path, tmp_path, monkeypatch):
    """The commands of a page do what they say, in their order, from an empty folder; cut short."""
    monkeypatch.chdir(tmp_path)
    for line in commands(page.read_text(encoding="utf-8")):
        words = shlex.split(line)[3:]
        if not line.startswith("python3 -m sim ") or words == ["replay", "flock.npz"]:
            continue  # what installs, and what opens a window
        if any(".mp4" in word for word in words) and not shutil.which("ffmpeg"):
            continue
        said = cli(*words, *shortened(words))
        assert said.status == 0, f"{line}: {said.err}"
        for word in words:
            if re.fullmatch(r"[\w.]+\.(json|npz|txt|gif|webp|mp4|html)", word):
                assert (tmp_path / word).stat().st_size, line


def test_game_block(tmp_path, play):
    """The lines that put a flock into a game run, draw, and end when the window is closed."""
    (game,) = (block for block in blocks("python") if "pygame" in block)
    assert len(game.splitlines()) <= 13
    play(game, tmp_path)


@pytest.mark.parametrize("code", [block for block in blocks("python") if "pygame" not in block])
def test_code_blocks(code: str, tmp_path, run_python):
    """All other code runs as it stands, and prints."""
    assert run_python(code, tmp_path).strip()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path):
    """Local links and images exist."""
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_files_exist(document: Path):
    """So do the files and folders that the text names."""
    text = document.read_text(encoding="utf-8")
    for name in re.findall(r"(?<![\w/.])(?:sim|maps|demos|docs|tests)/[\w./-]*\w", text):
        if "NAME" not in name:
            assert (ROOT / name).exists(), name


def test_every_demo_is_listed():
    """The table of demos has all of them and no others."""
    table = (ROOT / "docs" / "demos.md").read_text(encoding="utf-8")
    listed = {
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    there = {path.stem for path in (ROOT / "demos").glob("[!_]*.py")}
    assert listed - {"views"} == there - {"views"}
    assert ("views" in there) <= ("views" in listed)


def test_options_exist(cli):
    """Every option that the documents name is one of some command's."""
    commands = ("run", "bench", "maps", "score", "replay", "sweep", "tune")
    known = "".join(cli(command, "--help").out for command in commands)
    for option in set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])", README + OPTIONS)):
        assert option in known, option


def test_every_metric_is_told(cli, scenario, tmp_path):
    """The document on scenario files explains every figure that a run gives."""
    import json

    target = tmp_path / "m.json"
    assert cli("run", scenario(), "--metrics", target).status == 0
    for key in json.loads(target.read_text()):
        assert f"`{key}`" in SCENARIOS, key


def test_every_rule_is_told():
    """The document on scenario files names every rule and every parameter of it."""
    from sim.behaviours import RULES

    rows = SCENARIOS.partition("## Behaviours")[2].partition("\n## ")[0].splitlines()
    for rule in RULES.values():
        about = [row for row in rows if f"`{rule.name}`" in row]
        assert about, rule.name
        for parameter in rule.parameters:
            assert any(f"`{parameter}`" in row for row in about), f"{rule.name}.{parameter}"


def test_models_are_told():
    """The README or the changelog names every model."""
    from sim.models import MODELS

    told = README + (ROOT / "CHANGELOG.md").read_text(encoding="utf-8") + SCENARIOS
    assert all(f"`{name}`" in told or f'"{name}"' in told for name in MODELS)
