"""What the units of a group have each for themselves, drawn as they enter: speeds, radii, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

import numpy as np

from sim.behaviours import Setting
from sim.behaviours.setting import RANGE, WEIGHT
from sim.core.arrays import Floats, Ints, filled
from sim.core.draws import Each, Spread, drawn, spread_of
from sim.core.errors import BadInput, suggest
from sim.core.hull import Sizes, sizes
from sim.core.limits import LARGEST, check_text
from sim.core.relay import NEW, Relay
from sim.core.units import Units, read_only
from sim.group.members import Members
from sim.orders.goal import FOLLOW
from sim.steering.craft import Crafts, Drive, Helm, TurnsInPlace

BETWEEN_STEPS = {"helm", "speed", "view", "view_angle", "view_radius", "schedule", "script"}
"""What is set of a group between two steps only: all units of a step decide by the same."""

STOPS = "gap", "distance", "reserve"
"""Parameters of rules that say how far off a unit that it pursues one stops, hull lengths."""


class Varied(Members):
    """Members that may differ.

    They are numbered as they enter the group, 0, 1 and so on, and a number is never used again.
    What a unit draws follows from its number and the run's seed alone: not from when it enters, nor
    from units that have left. A unit that joins another group enters there, and draws anew.
    """

    columns: ClassVar = {
        **Members.columns, "_number": NEW, "_speeds": np.nan, "_radii": np.nan, "_drawn": np.nan,
    }  # fmt: skip
    helm: Helm
    _spread: Spread | None

    def __setattr__(self, name: str, value: object) -> None:
        if name not in BETWEEN_STEPS:
            super().__setattr__(name, value)
            return
        with self._change(name):
            super().__setattr__(name, value)

    def __init__(self, *given: Any, settings: dict[str, Setting]) -> None:
        super().__init__(*given)
        self.settings = settings
        self._of_rules = drawn_of(settings)
        self._drawn = np.full((len(self), len(self._of_rules)), np.nan)
        self._entered = 0
        self._number = np.full(len(self), NEW)
        self._speeds, self._radii = np.full((2, len(self)), np.nan)
        self._spread = None

    @property
    def speed(self) -> float:
        """Desired speed, world units / s: what full thrust ends at.

        Where speeds are drawn it is the middle of them. Settable: to a number, a distribution
        (`Normal`, `Uniform`), or a list with a number for each unit, in the order of `ids`.
        """
        return self.helm.terminal_speed(self.hull.length)

    @speed.setter
    def speed(self, speed: float | Spread | list[float]) -> None:
        given = spread_of(speed, "speed", len(self))
        self._spread = None if isinstance(given, float) else given
        typical = given if isinstance(given, float) else given.typical
        self.helm = self.helm.for_speed(typical, self.hull.length)
        if isinstance(given, Each) and len(self):
            self._speeds = np.array(given.values)
        else:
            self._draw(np.arange(len(self)))

    @property
    def speeds(self) -> Floats:
        """(n,) the desired speed of each unit on plain ground, world units / s. Read-only."""
        return read_only(self.each_speed())

    def each_speed(self) -> Floats:
        """The same, to be written to: a kernel would be compiled once more for read-only arrays."""
        return filled(len(self), self.speed) if self._spread is None else self._speeds.copy()

    @property
    def speed_spread(self) -> Spread | None:
        """By what the speeds are drawn; None where all units have the same."""
        return self._spread

    def stops(self, kind: str) -> Floats:
        """(n,) how far off the middle of one that it pursues each stops, world units.

        Units that `follow` or `approach` do, by the parameters of the rules that serve this kind.
        """
        rules = [s for s in self.settings.values() if kind in s.rule.serves and not s.off]
        each = [self.parameter(s.rule.name, p) for s in rules for p in STOPS if p in s.parameters]
        behind = 1.0 if kind == FOLLOW else 0.0
        return (behind + sum(each, np.zeros(len(self)))) * self.hull.length

    @property
    def fastest(self) -> float:
        """The highest desired speed that any unit of the group may ever have, world units / s."""
        return self.speed if self._spread is None else self._spread.bounds[1]

    def rearrange(self, relay: Relay) -> None:
        """Carry all columns to new rows; units that have just come get their numbers, and draw."""
        super().rearrange(relay)
        fresh = np.flatnonzero(self._number == NEW)
        self._radii[fresh] = self.coming(len(fresh)).radius
        self._number[fresh] = self._entered + np.arange(len(fresh))
        self._entered += len(fresh)
        self._draw(fresh)
        for column in range(len(self._of_rules)):
            self._draw_for_rule(column, fresh)

    @property
    def radii(self) -> Floats:
        """(n,) the radius of each unit's hull, world units. Read-only."""
        return read_only(self._radii.copy())

    @property
    def same_size(self) -> bool:
        """Whether all its hulls are alike."""
        return self.hull.spread is None

    def coming(self, count: int) -> Sizes:
        """How large the hulls of the next `count` units that enter will be."""
        spread, radius = self.hull.spread, np.full(count, self.hull.radius)
        if spread is not None:
            number = self._entered + np.arange(count)
            radius = drawn(spread, self._home.rng(f"radii of {self.name}"), number)
        return sizes([self.hull], np.zeros(count, np.int64), radius)

    def crafts(self, speeds: Floats, own: Floats) -> Crafts:
        """The units as the helm moves them; (N,) desired speeds, here and on plain ground."""
        made_for = self.model.helm.terminal_speed(self.hull.length)
        found = Crafts.alike(self.hull, speeds[self.rows], own[self.rows], made_for)
        if self.hull.spread is None:
            return found
        share = self._radii / self.hull.radius
        bow = self._radii.copy() if self.hull.shape == "disc" else share * self.hull.bow
        return found._replace(moment=found.moment * np.square(share), bow=bow)

    def steer(
        self, units: Units, crafts: Crafts, turns: Floats | None, dt: float, forces: Floats
    ) -> None:
        """Write the forces and torques that the command takes into the rows of `forces` (N, 3).

        `turns` (n,) are how far units turn in place, if any do.
        """
        drive = Drive(units, self.rows, self._decided[1], crafts, dt, forces)
        self.helm.steer(drive)
        self.keep(acting=partial(self.helm.parts, drive))
        if turns is not None and isinstance(self.helm, TurnsInPlace):
            self.helm.turn(drive, turns)

    def _draw(self, members: Ints) -> None:
        """Some members (k,) draw their speeds, if there is anything to draw."""
        if self._spread is not None:
            rng = self._home.rng(f"speeds of {self.name}")
            self._speeds[members] = drawn(self._spread, rng, self._number[members])

    def own(self, setting: Setting) -> Setting:
        """A rule of the group with what each unit has drawn for it; the same where none differ."""
        if not setting.drawn:
            return setting
        return setting.of_units(
            {name: self._column(f"{setting.rule.name}.{name}") for name in setting.drawn}
        )

    def parameter(self, rule: str, name: str = WEIGHT) -> Floats:
        """(n,) what each unit has of a parameter of a rule, of its weight, or of its own range.

        Read-only. Raises `BadInput` for a rule or a parameter that the group does not have.
        """
        check_text(rule, "rule")
        check_text(name, "parameter")
        if rule not in self.settings:
            raise BadInput(f"{rule}: no rule of the group; {suggest(rule, self.settings)}")
        setting = self.settings[rule]
        known = setting.given if setting.range is None else {RANGE: setting.range} | setting.given
        if name not in known:
            raise BadInput(f"{rule}.{name}: unknown parameter; {suggest(name, known)}")
        if name in setting.drawn:
            return read_only(self._column(f"{rule}.{name}"))
        return read_only(np.full(len(self), known[name], dtype=float))

    def ranges(self, rule: str) -> Floats:
        """(n,) how far each looks by a rule whose range they differ in, world units."""
        return self.parameter(rule, RANGE) * self.hull.length

    def follow_rule(self, setting: Setting) -> None:
        """Have the units follow a rule as this says from now on; they draw what has changed.

        Raises `BadInput` for a list that has not a number for each of them.
        """
        rule, before = setting.rule.name, dict(zip(self._of_rules, self._drawn.T, strict=True))
        old = self.settings[rule].drawn if rule in self.settings else {}
        anew = {name for name, spread in setting.drawn.items() if old.get(name) != spread}
        for name in anew:
            spread_of(setting.drawn[name], f"behaviours.{rule}.{name}", len(self), -LARGEST)
        self.keep(settings={**self.settings, rule: setting})
        self._of_rules = drawn_of(self.settings)
        self._drawn = np.full((len(self), len(self._of_rules)), np.nan)
        for column, key in enumerate(self._of_rules):
            of, _, name = key.partition(".")
            if of != rule or name not in anew:
                self._drawn[:, column] = before[key]
            elif isinstance(given := setting.drawn[name], Each) and len(self):
                self._drawn[:, column] = given.values
            else:
                self._draw_for_rule(column, np.arange(len(self)))

    def _column(self, key: str) -> Floats:
        return np.ascontiguousarray(self._drawn[:, self._of_rules.index(key)])

    def _draw_for_rule(self, column: int, members: Ints) -> None:
        """Some members (k,) draw what a column of `_drawn` holds."""
        key = self._of_rules[column]
        rule, _, name = key.partition(".")
        rng = self._home.rng(f"{key} of {self.name}")
        spread = self.settings[rule].drawn[name]
        self._drawn[members, column] = drawn(spread, rng, self._number[members])

    @contextmanager
    def _change(self, what: str) -> Iterator[None]:
        """Within, how the units move or decide is changed. Raises `BadInput` amid a step."""
        with self._home.change(f"group {self.name!r}: {what} cannot be changed"):
            yield
            self._changed()

    def _changed(self) -> None:
        """Whatever was worked out from this group is worked out anew."""
        raise NotImplementedError


def drawn_of(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """The parameters that units draw for these rules, as RULE.PARAMETER."""
    return tuple(f"{rule}.{name}" for rule, each in settings.items() for name in each.drawn)
