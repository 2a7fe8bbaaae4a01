"""What a rule asks to see: a view, a range and which units count; or to feel, by rays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from sim.core.own import Amount

Whom = Literal["everyone", "mates", "friends"]
"""Mates are all that a group does not hunt or flee: a flock does not flock with its quarry.

Friends are the group's own units.
"""
WHOM: tuple[str, ...] = get_args(Whom)


@dataclass(frozen=True)
class Sight:
    """One way of looking at the world, shared by all rules that ask for the same.

    `view` and `range` (in hull lengths) are None where the group's own view
    decides. `each` asks for every neighbour one by one, and not for their means; `nearest` for no
    more than this number of them (0: all). `of` is the rule whose units each have a range of their
    own, of which `range` is the greatest; "" where all have one.
    """

    view: str | None = None
    range: float | None = None
    whom: Whom = "everyone"
    each: bool = False
    nearest: int = 0
    of: str = ""


@dataclass(frozen=True)
class Weighed:
    """Has a rule that looks at a summary weigh each neighbour itself: it then reads no means."""

    by: str
    """The parameter of the rule: where it is above 0."""


@dataclass(frozen=True)
class Hunting:
    """How a rule goes after its quarry."""

    led: bool = True
    """Whether it goes by ways round what is solid while no quarry is in straight free sight."""
    engage: str | None = None
    """The parameter of the rule that says from how far off, in hull lengths, each unit gets a
    quarry of its own where there are enough; None for a rule that does not pair units off."""


@dataclass(frozen=True)
class Feel:
    """Rays ahead, parallel to the keel: a unit's swept width, felt at some places across it.

    They reach `lengths` of the hull plus what the unit now travels in `seconds`. Either may be the
    name of one of the rule's own parameters, and so may `beside`, `joins` and `units`.
    """

    abreast: tuple[float, ...] = (-0.5, 0.0, 0.5)
    """How far to starboard of the keel each ray runs, hull widths."""
    thick: float = 0.0
    """How far each feels to either side, hull widths."""
    lengths: Amount | str = 0.0
    seconds: Amount | str = 0.0
    beside: Amount | str = 0.0
    """The room to leave beside the hull, hull widths: of what leaves none to pass between, as far
    as it stands still,"""
    joins: Amount | str = 0.0
    """the nearest places of which are as far off but for this many lengths, all counts as one."""
    units: bool | str = False
    """Whether other units are felt, or solids only."""

    @property
    def names(self) -> set[str]:
        """The parameters it goes by."""
        return set(self._named.values())

    @property
    def aside(self) -> float:
        """How far from the keel anything is felt, hull widths."""
        return max(map(abs, self.abreast)) + self.thick

    def of(self, parameters: Mapping[str, Any]) -> Feel:
        """The same with what a group has given to the parameters named: amounts, true or false."""
        return replace(self, **{name: parameters[of] for name, of in self._named.items()})

    @property
    def _named(self) -> dict[str, str]:
        """The fields that are names of parameters, and these."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in given.items() if isinstance(value, str)}
