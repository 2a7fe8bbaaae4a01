"""A selection: any units of any groups, ordered and watched together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput, shortened
from sim.core.guarded import Guarded
from sim.core.limits import check_flag
from sim.core.spawn import Region
from sim.core.units import read_only
from sim.group import Group
from sim.living import ordering
from sim.living.lookup import group_of
from sim.living.roster import Roster
from sim.orders import Formation, Goal

CHANGED_BY = {
    "ids": "select others (world.select)", "goal": "use order",
    **dict.fromkeys(("speed", "view", "color", "helm"), "set that of their groups"),
}  # fmt: skip
"""What changes what cannot be set."""
OWN_GROUP = "world.regroup(ids, world.add_group(NAME, [], model=MODEL))"
"""How units come to be a whole group."""

Values = TypeVar("Values", Floats, Bools)


class Selection(Guarded, changed_by=CHANGED_BY, alone=True):
    """Some n units, by their ids. `World.select` makes one; orders are for those still there.

    With `queue` an order is taken up by each unit when it has done all before. Orders raise
    `BadInput` for units of a model that cannot do that, and for places to which no way leads.
    """

    def __init__(self, roster: Roster, ids: ArrayLike | Group) -> None:
        self._roster = roster
        self.ids: Ints = read_only(roster.ids[roster.people.rows_of(ids)])
        """(n,) in the order given. Read-only."""
        self._seal(Selection)

    def __len__(self) -> int:
        return len(self.ids)

    def go_to(
        self, points: ArrayLike | Region, *, tolerance: float | None = None,
        nearest: bool = False, queue: bool = False, formation: Formation | None = None,
    ) -> None:  # fmt: skip
        """Send all to one point (2,), each to its own (n, 2), or into a `Region`: `Group.go_to`.

        A formation is that of all together, whatever their groups.
        """
        goal = Goal.to(points, tolerance=tolerance, nearest=nearest, formation=formation)
        self.order(goal, queue=queue)

    def go_along(
        self, route: ArrayLike, *, loop: bool = False, queue: bool = False,
        formation: Formation | None = None,
    ) -> None:  # fmt: skip
        """Send all along a route (k, 2), in a formation if there is one."""
        self.order(Goal.along(route, loop=loop, formation=formation), queue=queue)

    def patrol(
        self, route: ArrayLike, *, queue: bool = False, formation: Formation | None = None
    ) -> None:
        """Have all walk a route (k, 2) to and fro, until they are ordered elsewhere."""
        self.order(Goal.patrol(route, formation=formation), queue=queue)

    def stop(self) -> None:
        """Have all forget where they were sent, and come to rest; craft, which cannot, fly on."""
        for group, rows, _ in self._parts():
            ordering.order(self._roster, group, rows, None, queue=False)

    def hold(self) -> None:
        """Have each keep the place where it is now: pushed off, it comes back.

        A unit whose body is out of the space is nowhere: it keeps its orders.
        """
        places = self.position
        there = ~np.isnan(places[:, 0])
        if there.any():
            held = Selection(self._roster, self.ids[there])
            held.order(Goal.to(places[there]), queue=False)

    def follow(self, group: Group | str, *, queue: bool = False) -> None:
        """Have all follow another group, until they are ordered elsewhere or it has gone."""
        self._pursue("follow", group, queue)

    def chase(self, group: Group | str, *, queue: bool = False) -> None:
        """Have all chase another group, until they are ordered elsewhere or it has gone."""
        self._pursue("chase", group, queue)

    def order(self, goal: Goal, *, queue: bool = False) -> None:
        """Give all a goal, or each its own if the goal has one for each of the n units."""
        check_flag(queue, "queue")
        if not isinstance(goal, Goal):
            raise BadInput(f"goal = {shortened(goal)}: must be a Goal, such as Goal.to((3, 4))")
        _, here = self._rows()
        if not goal.for_all and len(goal.routes) not in (len(self), int(here.sum())):
            raise BadInput(f"goal: has {len(goal.routes)} for {len(self)} units")
        those = np.flatnonzero(here) if len(goal.routes) == len(self) else np.arange(here.sum())
        parts = list(self._parts())
        for group, _, _ in parts:
            ordering.check_order(self._roster, group, goal)
        for group, rows, members in parts:
            own = goal if goal.for_all else goal.part(those[members].tolist())
            ordering.order(self._roster, group, rows, own, queue)

    @property
    def position(self) -> Floats:
        """(n, 2) where they are; NaN for units that have left."""
        return self._of(self._roster.units.position, np.nan)

    @property
    def velocity(self) -> Floats:
        """(n, 2) world units a second; NaN for units that have left."""
        return self._of(self._roster.units.velocity, np.nan)

    @property
    def heading(self) -> Floats:
        """(n, 2) which way they face, of length 1; NaN for units that have left."""
        return self._of(self._roster.units.heading, np.nan)

    @property
    def moving(self) -> Bools:
        """(n,) whether each is on its way."""
        return self._of(self._roster.orders_now().minds.moving, False)

    @property
    def arrived(self) -> Bools:
        """(n,) whether each has been where it was sent last."""
        return self._of(self._roster.orders_now().minds.arrived, False)

    @property
    def stuck(self) -> Bools:
        """(n,) units on their way that have not got a hull length further in the last 10 s."""
        return self._of(self._roster.orders_now().minds.stuck, False)

    def _of(self, values: Values, left: float) -> Values:
        """Values (N, ...) of the units by rows as (n, ...) of these; `left` of ones that left."""
        rows, here = self._rows()
        found: Values = np.full((len(self), *values.shape[1:]), left, values.dtype)
        found[here] = values[rows]
        return read_only(found)

    def _rows(self) -> tuple[Ints, Bools]:
        """The rows of the present units, in the order of the ids; and (n,) which are present."""
        rows = self._roster.people.rows_now(self.ids)
        return rows[rows >= 0], rows >= 0

    def _parts(self) -> Iterator[tuple[Group, Ints, Ints]]:
        """Each group that some are of, their rows, ascending, and numbers among those there."""
        rows, _ = self._rows()
        groups = self._roster.people.group_of[rows]
        for index in np.unique(groups).tolist():
            members = np.flatnonzero(groups == index)
            members = members[np.argsort(rows[members])]
            yield self._roster.groups[index], rows[members], members

    def _pursue(self, kind: str, group: Group | str, queue: bool) -> None:
        if isinstance(group, Selection):
            raise BadInput(
                f"{kind}: takes a group or its name, no selection: have those units join a group "
                f"of their own, {OWN_GROUP}"
            )
        self.order(Goal(kind, group_of(self._roster.groups, group).name), queue=queue)
