"""What a tuning may change, and how far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, isfinite
from typing import Any

from sim.behaviours import Setting
from sim.core.errors import BadInput, suggest
from sim.scenario.overrides import value_of
from sim.scenario.schema import PLAYER
from sim.study.sweep import NUMBER, split
from sim.world import World

FACTOR = 3.0
"""Where nothing is said: from a third of what stands to three times that."""
DIGITS = 6
"""Significant digits of what is tried: the values told are the values run."""
KINDS = ("log", "whole")


@dataclass(frozen=True)
class Range:
    """A key and the values it may take: an interval, or `choices` as texts of TOML."""

    key: str
    low: float = 0.0
    high: float = 0.0
    kind: str = ""
    choices: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[str, ...]:
        """The least and the greatest value, or all choices, as texts."""
        if self.choices:
            return self.choices
        if self.kind == "whole":
            return str(int(self.low)), str(int(self.high))
        return repr(self.low), repr(self.high)

    def suggest(self, trial: Any) -> str:
        """A value that Optuna's trial proposes, as text."""
        if self.choices:
            return str(trial.suggest_categorical(self.key, self.choices))
        if self.kind == "whole":
            return str(trial.suggest_int(self.key, int(self.low), int(self.high)))
        value = trial.suggest_float(self.key, self.low, self.high, log=self.kind == "log")
        return repr(float(f"{value:.{DIGITS}g}"))

    def holds(self, value: Any) -> bool:
        """Whether a value lies within."""
        if self.choices:
            return value in self.choices
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and self.low <= value <= self.high

    def text(self) -> str:
        """As `--range` says it."""
        if self.choices:
            return f"{self.key}={','.join(self.choices)}"
        return f"{self.key}={self.low:g}:{self.high:g}" + (f":{self.kind}" if self.kind else "")


def ranges_of(settings: Sequence[str], world: World) -> list[Range]:
    """The ranges that are declared; where only a key stands, its own; without any, all own ones.

    Raises `BadInput` that begins with "--range".
    """
    own = own_ranges(world)
    if not settings:
        return own
    found: list[Range] = []
    for setting in settings:
        if "=" in setting:
            found.append(declared(setting))
            continue
        mine = [each for each in own if f"{each.key}.".startswith(f"{setting.strip()}.")]
        if not mine:
            heads = {each.key.rpartition(".")[0] for each in own}
            allowed = [*sorted(heads), *(each.key for each in own)]
            raise BadInput(
                f"--range {setting}: no number of it is in use; {suggest(setting, allowed)}"
            )
        found += mine
    return found


def declared(setting: str) -> Range:
    """Read KEY=LOW:HIGH, KEY=LOW:HIGH:log, KEY=LOW:HIGH:whole or KEY=ONE,ANOTHER.

    Raises `BadInput` that begins with "--range".
    """
    key, _, spec = (part.strip() for part in setting.partition("="))
    said = f"--range {setting}"
    if not key or not spec:
        raise BadInput(f"{said}: must be KEY=LOW:HIGH, such as groups.east.speed=1:2, or KEY=A,B")
    if key == "seed":
        raise BadInput(f"{said}: the seed is no parameter; --seeds N runs N seeds")
    if span := re.fullmatch(f"{NUMBER}:{NUMBER}(?::(.*))?", spec):
        return _interval(said, key, *span.groups())
    choices = tuple(dict.fromkeys(split(spec)))
    if len(choices) < 2 or not all(choices):
        raise BadInput(f"{said}: must be LOW:HIGH, two numbers, or two values or more with commas")
    return Range(key, choices=choices)


def _interval(said: str, key: str, first: str, last: str, kind: str | None) -> Range:
    low, high, kind = float(first), float(last), (kind or "").strip()
    if not (isfinite(low) and isfinite(high) and low < high):
        raise BadInput(f"{said}: the first number must be less than the second")
    if kind not in ("", *KINDS):
        raise BadInput(f"{said}: what follows the numbers must be one of {', '.join(KINDS)}")
    if kind == "log" and low <= 0:
        raise BadInput(f"{said}: a logarithmic range must lie above 0")
    if kind == "whole" and not (low == int(low) and high == int(high)):
        raise BadInput(f"{said}: the ends of a whole range must be whole numbers")
    return Range(key, low, high, kind)


def own_ranges(world: World) -> list[Range]:
    """A range for every number of every rule that groups of this world ask, within its bounds.

    Each goes from a third of what it is set to to three times that, by its logarithm. Switches,
    what is 0 and what is below it stay as they are.
    """
    return [
        Range(f"groups.{group.name}.behaviours.{setting.rule.name}.{parameter}", low, high, "log")
        for group in world.groups
        if group.model.name != PLAYER
        for setting in group.active
        for parameter, (low, high) in _spans(setting).items()
    ]


def _spans(setting: Setting) -> dict[str, tuple[float, float]]:
    bounds: dict[str, tuple[float, float]] = {"weight": (0.0, float("inf"))}
    if setting.range is not None:
        bounds["range"] = (0.0, 1e6)
    for name, parameter in setting.rule.parameters.items():
        if not isinstance(parameter.default, bool):
            bounds[name] = (parameter.within.low, parameter.within.high)
    found = {}
    for name, (low, high) in bounds.items():
        value = _now(setting, name)
        ends = max(low, value / FACTOR), min(high, value * FACTOR)
        if value > 0 and ends[0] < ends[1] and name not in setting.drawn:
            found[name] = ends
    return found


def _now(setting: Setting, name: str) -> float:
    value = getattr(setting, name) if name in ("weight", "range") else setting.parameters[name]
    return float(value)


def standing(world: World, ranges: Sequence[Range]) -> dict[str, Any]:
    """What the keys of some ranges are set to now, as far as that is known and lies within."""
    found = {}
    for each in ranges:
        value = _setting(world, each.key)
        if each.choices:
            value = next((text for text in each.choices if value_of(text) == value), None)
        if value is not None and each.holds(value):
            found[each.key] = value
    return found


def _setting(world: World, key: str) -> Any:
    """What a key of a group's is set to, by the file or by its model; None for other keys."""
    for group in world.groups:
        head = f"groups.{group.name}."
        rule, _, name = key.removeprefix(f"{head}behaviours.").rpartition(".")
        if key.startswith(f"{head}behaviours.") and rule in group.settings:
            setting = group.settings[rule]
            return None if name in setting.drawn else setting.told.get(name)
        if key.startswith(head):
            known = {
                "speed": group.speed, "view": group.view,
                "view_angle": degrees(group.view_angle), "view_radius": group.view_radius,
            }  # fmt: skip
            return known.get(key.removeprefix(head))
    return None
