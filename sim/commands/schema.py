"""`python -m sim schema`: the scenario format as JSON Schema, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.record.files import atomic, check_target

Out = Annotated[Path | None, typer.Option(metavar="OUT.json", help="Write it there.")]


def command(out: Out = None) -> None:
    """Print the JSON Schema of scenario files, which editors check and complete keys by.

    It is made from the code that reads scenario files, so it is of this version.
    """
    from sim.scenario.json_schema import json_schema  # late: it brings in every rule

    if out is not None:
        check_target(out)
    text = json.dumps(json_schema(), indent=2, allow_nan=False)
    if out is None:
        print(text)
        return
    with atomic(out, "w") as file:
        file.write(f"{text}\n")
    print(f"wrote {out}")
