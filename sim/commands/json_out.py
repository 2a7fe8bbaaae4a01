"""JSON that a command prints, or writes to the file that is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.core.files import atomic

Out = Annotated[Path | None, typer.Option(metavar="OUT.json", help="Write it there.")]


def put_json(value: Any, out: Path | None) -> None:
    """Print a value, or write it to a file, whole or not at all. Raises `BadInput` if it cannot."""
    text = json.dumps(value, indent=2, allow_nan=False)
    if out is None:
        print(text)
        return
    with atomic(out, "w") as file:
        file.write(f"{text}\n")
    print(f"wrote {out}")
