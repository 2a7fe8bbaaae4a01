"""`python -m sim gallery [NAMES]`: a small film of every demo, and the page that shows them."""

from __future__ import annotations

import ast
import contextlib
import io
import runpy
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.demo import code_of, scripts
from sim.core.errors import BadInput, suggest
from sim.core.files import atomic
from sim.core.resources import folder
from sim.scenario.load import load
from sim.screen.camera import picture_size
from sim.study.journal import writing

PAGE, PICTURES = Path("demos/README.md"), Path("docs/gallery")
"""Where they go; the films are not among the demos, which every wheel brings along."""
BOX = (400, 300)
"""Films fit into this."""
FLAGS = ("--ways", "--views")
"""Options without a value."""
USUAL = "--film-fps 12.5 --film-to 24 --film-speed 2"
"""How demos are filmed that do not say it themselves, by a text FILM of options."""
LARGEST = 400_000
"""Bytes of a film."""
HEAD = """# Gallery

All demos, and what to look for in them. Most films play at twice the speed of the demos.
`python3 -m sim gallery` makes them and this page, `python3 -m sim gallery NAME` some of them.
"""


def command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES...", help="Demos to film; all without.")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help=f"Where {PAGE} and {PICTURES} go.")
    ] = Path(),
) -> None:
    """Film the demos, small, and write the page that shows them all."""
    demos = scripts()
    for name in names or []:
        if name not in demos:
            raise BadInput(f"demo {name!r}: no such demo; {suggest(name, demos)}")
    for folder_of in (out / PICTURES, (out / PAGE).parent):
        with writing(f"--out {out}"):
            folder_of.mkdir(parents=True, exist_ok=True)
    for name in names or demos:
        if not plays(demos[name]):
            continue
        target = out / PICTURES / f"{name}.gif"
        film(demos[name], target)
        size = target.stat().st_size
        print(f"wrote {target}, {size / 1000:.0f} kB{': too large' * (size > LARGEST)}")
    with atomic(out / PAGE, "w") as file:
        file.write(page(demos))
    print(f"wrote {out / PAGE}")


def plays(script: Path) -> bool:
    """Whether a demo plays a scenario; others print something."""
    return _scenario(script).exists()


def film(script: Path, target: Path) -> None:
    """Run a demo with the options that it is filmed with."""
    plan = load(_scenario(script))
    asked = [*shlex.split(USUAL), *_own_options(script)]
    valued = [each for each in asked if each not in FLAGS]
    given = dict(zip(valued[::2], valued[1::2], strict=True))
    shown = plan.map.bounds if plan.tiles is None else plan.tiles.bounds
    if "--film-region" in given:
        left, top, right, bottom = map(float, given["--film-region"].split(","))
        shown = left, top, right, bottom
    width, height = picture_size(shown, BOX, least=90)
    seconds = min(plan.duration, float(given["--film-to"]))
    asked += ["--film-size", f"{width}x{height}", "--seconds", f"{seconds}"]
    before = sys.argv
    sys.argv = [str(script), "--film", str(target), *asked]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.argv = before


def page(demos: Mapping[str, Path]) -> str:
    """The page: for each demo its film, what to look for, and the command."""
    return "\n".join([HEAD, *(_section(name, script) for name, script in demos.items())])


def _section(name: str, script: Path) -> str:
    text = ast.get_docstring(code_of(script)) or ""
    title, _, about = text.partition("\n\n")
    picture = f"![{title}](../{PICTURES.as_posix()}/{name}.gif)\n\n" if plays(script) else ""
    return f"## {title}\n\n{picture}{about}\n\n```console\npython3 -m sim demo {name}\n```\n"


def _own_options(script: Path) -> Sequence[str]:
    """What the demo says of how it is to be filmed."""
    for node in code_of(script).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FILM":
            return shlex.split(ast.literal_eval(node.value))
    return []


def _scenario(script: Path) -> Path:
    return folder("maps") / f"{script.stem}.toml"
