"""`python -m sim demo [NAME]`: list the demos, or run one."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.core.errors import BadInput, suggest
from sim.core.resources import folder

CONTEXT = {"allow_extra_args": True, "allow_interspersed_args": False}
"""What follows a demo's name is for the demo to read."""


def command(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A demo; all are listed without a name.")
    ] = None,
) -> None:
    """List the demos, or run one; what follows the name goes to the demo (try --help after it)."""
    demos = scripts()
    if name is None:
        widest = max(map(len, demos), default=0) + 2
        for each, script in demos.items():
            title, _, _ = (ast.get_docstring(code_of(script)) or "").partition("\n")
            print(f"{each:<{widest}}{title}")
        return
    if name not in demos:
        raise BadInput(f"demo {name!r}: no such demo; {suggest(name, demos)}")
    sys.argv = [str(demos[name]), *context.args]
    runpy.run_path(str(demos[name]), run_name="__main__")


def scripts() -> dict[str, Path]:
    """Every demo script by name."""
    return {path.stem: path for path in sorted(folder("demos").glob("[!_]*.py"))}


def code_of(script: Path) -> ast.Module:
    """A demo as Python parses it."""
    return ast.parse(script.read_text(encoding="utf-8"))
