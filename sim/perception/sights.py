"""What a rule asks to see: a view, a range and whom it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Whom = Literal["everyone", "mates"]
"""Mates are all that a group does not hunt or flee: a flock does not flock with its quarry."""


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
