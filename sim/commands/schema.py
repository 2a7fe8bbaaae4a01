"""`python -m sim schema`: the scenario format as JSON Schema, for editors."""

from __future__ import annotations

from sim.commands.options import Out, put_json
from sim.core.files import check_target


def command(out: Out = None) -> None:
    """Print the JSON Schema of scenario files, which editors check and complete keys by.

    It is made from the code that reads scenario files, so it is of this version.
    """
    from sim.scenario.json_schema import json_schema  # late: it brings in every rule

    if out is not None:
        check_target(out)
    put_json(json_schema(), out)
