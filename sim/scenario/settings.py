"""Keys of groups that may be set while a scenario runs: checked beforehand, applied in time."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from math import radians
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sim.core.errors import BadInput, printable, suggest
from sim.scenario.drawn import drawn
from sim.scenario.messages import lines, refusals
from sim.scenario.overrides import put, steps_of

if TYPE_CHECKING:
    from sim.roster import Roster
    from sim.scenario.schema import Scenario

KEYS = ("speed", "view", "view_angle", "view_radius", "color", "behaviours")
READ: dict[str, Callable[[Any], Any]] = {"view_angle": radians, "speed": drawn}
"""How what a file says is read, where it is not taken as it is."""


def check_settings(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Raise `BadInput` for keys that an event cannot set, and values that they cannot have."""
    from sim.models import check_composition

    for number, event in enumerate(scenario.events):
        for key, value in (event.set or {}).items():
            where = f"{file}: events[{number}].set: {printable(key)}"
            steps = steps_of(key, document)
            if len(steps) < 3 or steps[0] != "groups" or steps[2] not in KEYS:
                named = steps[2] if len(steps) > 2 else key
                raise BadInput(
                    f"{where}: must be groups.NAME.KEY, KEY one of {', '.join(KEYS)}; "
                    f"{suggest(named, KEYS)}"
                )
            if len(steps) > 3 and steps[2] != "behaviours":
                raise BadInput(f"{where}: {steps[2]} must be set as a whole")
            changed = deepcopy(document)
            changed.pop("events")
            try:
                put(changed, steps, value)
                whole = type(scenario).model_validate(changed)
                for group in whole.groups:
                    check_composition(group.model, group.behaviours)
            except ValidationError as errors:
                said = lines(file, changed, refusals(errors)).removeprefix(f"{file}: ")
                raise BadInput(f"{where}: {said}") from None
            except BadInput as bad:
                raise BadInput(f"{where}: {printable(str(bad))}") from None


def apply(world: Roster, key: str, value: Any) -> None:
    """Set a key of a group that has been checked."""
    names = {"groups": [{"name": group.name} for group in world.groups]}
    _, name, kind, *rest = steps_of(key, names)
    group = world.group(name)
    if kind != "behaviours":
        setattr(group, kind, READ[kind](value) if kind in READ else value)
    elif len(rest) == 2:
        group.configure(rest[0], **{rest[1]: value})
    else:
        for rule, said in ({rest[0]: value} if rest else value).items():
            if isinstance(said, bool):
                asked = group.model.compose({rule: True})[rule]
                group.configure(rule, weight=asked.weight if said else 0.0)
            else:
                group.configure(rule, **said)
