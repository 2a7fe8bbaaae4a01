"""Keys of groups that may be set while a scenario runs are checked beforehand."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sim.core.errors import BadInput, printable, suggest
from sim.living.deeds import KEYS
from sim.scenario.messages import lines, refusals
from sim.scenario.overrides import put, steps_of

if TYPE_CHECKING:
    from sim.scenario.schema import Scenario


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
            if len(steps) > 5:
                raise BadInput(f"{where}: {steps[4]} must be set as a whole")
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
