"""Keys of groups that may be set while a scenario runs are checked beforehand."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sim.core.errors import BadInput, printable, suggest
from sim.living.deeds import KEYS
from sim.scenario.messages import lines, refusals
from sim.scenario.overrides import put, steps_of, table_of

if TYPE_CHECKING:
    from sim.scenario.schema import Scenario


SOMEWHERE = {"region": [0, 0, 1, 1]}


def check_settings(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Raise `BadInput` for keys that an event cannot set, and values that they cannot have."""
    from sim.models import check_composition

    known: set[tuple[str, str]] = set()
    for number, event in enumerate(scenario.events):
        for key, value in (event.set or {}).items():
            if (key, repr(value)) in known:
                continue
            known.add((key, repr(value)))
            where = f"{file}: events[{number}].set: {printable(key)}"
            steps = steps_of(key, document)
            _check_steps(where, key, steps)
            try:
                changed = _group_alone(document, scenario, steps)
                put(changed, steps, value)
                whole = type(scenario).model_validate(changed)
                for group in whole.groups:
                    check_composition(group.model, group.behaviours)
            except ValidationError as errors:
                said = lines(file, changed, refusals(errors)).removeprefix(f"{file}: ")
                raise BadInput(f"{where}: {said}") from None
            except BadInput as bad:
                raise BadInput(f"{where}: {printable(str(bad))}") from None


def _check_steps(where: str, key: str, steps: list[str]) -> None:
    """Raise `BadInput` that begins with `where` for what is no key that may be set."""
    if len(steps) < 3 or steps[0] != "groups" or steps[2] not in KEYS:
        named = steps[2] if len(steps) > 2 else key
        raise BadInput(
            f"{where}: must be groups.NAME.KEY, KEY one of {', '.join(KEYS)}; "
            f"{suggest(named, KEYS)}"
        )
    if len(steps) > 3 and steps[2] != "behaviours":
        raise BadInput(f"{where}: {steps[2]} must be set as a whole")
    if len(steps) > 5:
        raise BadInput(f"{where}: {steps[4]} must be set as a whole")


def _group_alone(document: dict[str, Any], scenario: Scenario, steps: list[str]) -> dict[str, Any]:
    """A document of the group that the steps lead to, with its size and what may be set of it.

    All else has been checked, and is long in some files.
    """
    table = table_of(document, steps)[0]
    size = next(group.size for group in scenario.groups if group.name == table["name"])
    held = {key: deepcopy(table[key]) for key in ("name", "model", *KEYS) if key in table}
    return {"title": "x", "duration": 1, "groups": [{**held, "count": size, "spawn": SOMEWHERE}]}
