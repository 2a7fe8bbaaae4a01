"""Units of a group that has lost some: their rows are laid anew when one asks for any of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.core.columns import Columns

BY_ROWS = ("rows", "figures", "acting", "_decided", "_before", "_leads", "_who_leads")
"""What else is known of units, row by row."""


class PutBy(Columns):
    """What keeps rows of units, and can be told that they are to be laid anew when asked for."""

    def put_by(self) -> None:
        """Some units have gone: their rows will go when what is known of any is asked for."""
        mine = vars(self)
        if "_by" not in mine:
            kind: Any = type(self)
            mine["_by"] = kind, {name: mine.pop(name) for name in (*self.columns, *BY_ROWS)}
            for name in self.handed_out:  # what others write to it from now on is of no unit
                mine["_by"][1][name] = mine["_by"][1][name].copy()
            object.__setattr__(self, "__class__", _late(kind))

    def take_up(self) -> None:
        """The rows are being laid anew."""
        if "_by" in vars(self):
            kind, mine = vars(self).pop("_by")
            object.__setattr__(self, "__class__", kind)
            vars(self).update(mine)


class Late:
    """Of members whose rows are to be laid anew: that is done when one asks for what was put by.

    They are of this class just as long: with it, whatever is asked of them takes longer.
    """

    def __getattr__(self, name: str) -> object:
        """What was put by, as the rows are then."""
        by = vars(self).get("_by", (None, ()))[1]
        if name in by:
            vars(self)["_home"].lay_rows()
        return object.__getattribute__(self, name)


@cache
def _late(kind: type) -> type:
    """The class of members of some class whose rows are to be laid anew."""
    return type(
        kind.__name__, (Late, kind), {"__doc__": kind.__doc__, "__module__": kind.__module__}
    )
