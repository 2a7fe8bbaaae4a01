"""What a rule asks to see: a view, a range and whom it counts; or to feel, by rays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Whom = Literal["everyone", "mates", "friends"]
"""Mates are all that a group does not hunt or flee: a flock does not flock with its quarry.

Friends are the group's own units.
"""
WHOM: tuple[str, ...] = get_args(Whom)


@dataclass(frozen=True)
class Sight:
    """One way of looking at the world, shared by all rules that ask for the same.

    `view` and `range` (in lengths of the one who looks) are None where the group's own view
    decides. `each` asks for every neighbour one by one, and not for their means.
    """

    view: str | None = None
    range: float | None = None
    whom: Whom = "everyone"
    each: bool = False


@dataclass(frozen=True)
class Feel:
    """Rays ahead, parallel to the keel: a unit's swept width, felt at some places across it.

    They reach `lengths` of the hull plus what the unit now travels in `seconds`. Either may be the
    name of one of the rule's own parameters, and so may `units`: whether other units are felt, or
    solids only.
    """

    abreast: tuple[float, ...] = (-0.5, 0.0, 0.5)
    """How far to starboard of the keel each ray runs, hull widths."""
    lengths: float | str = 0.0
    seconds: float | str = 0.0
    units: bool | str = False

    @property
    def names(self) -> set[str]:
        """The parameters it goes by."""
        return {n for n in (self.lengths, self.seconds, self.units) if isinstance(n, str)}

    def of(self, parameters: Mapping[str, float | bool]) -> Feel:
        """The same with the values that a group has given to the parameters named."""
        lengths, seconds, units = (
            parameters[each] if isinstance(each, str) else each
            for each in (self.lengths, self.seconds, self.units)
        )
        return Feel(self.abreast, float(lengths), float(seconds), bool(units))
