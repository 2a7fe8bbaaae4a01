"""Groups: the unit of intent. One hull, model, view, set of rules and goal for all its members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.behaviours import Setting, lookup
from sim.core.arrays import Ints
from sim.core.errors import BadInput, hint, shortened
from sim.core.guarded import shown
from sim.core.hull import Hull
from sim.core.limits import check_flag, check_kind
from sim.core.spawn import Region, Spawn
from sim.core.units import Units
from sim.group.home import Home
from sim.group.varied import Varied
from sim.models import Model
from sim.orders.formation import Formation
from sim.orders.goal import GO, Goal
from sim.perception.sights import Sight
from sim.perception.views import view as view_named
from sim.steering.arbiter import Asked, decide, winners


class Group(Varied):
    """Some units with one intent; `World.add_group` makes one.

    What is set counts from the next step; `add` and `remove` act at once.
    """

    muted: Set[str] = shown()
    note: str
    """What there is to say of its goal, where that is not quite what was asked for; or ""."""
    cut_off: bool
    """Whether that is that no way leads to a group that it pursues."""
    schedule: Sequence[tuple[float, ArrayLike]] = shown()
    """Orders to come: time (s) and where to, by time; each is given when its time has come."""
    _goal: Goal | None

    def __init__(
        self,
        name: str,
        index: int,
        model: Model,
        rows: slice,
        hull: Hull,
        settings: dict[str, Setting],
        home: Home,
    ) -> None:
        super().__init__(name, home, rows, hull, settings=settings)
        self.index, self.model = index, model
        self.keep(helm=model.helm, schedule=[])
        self.color = model.color
        self.muted = set()
        self._view = view_named(model.view)
        self._goal = None
        self.sent = False
        """Whether the goal has been taken down since it changed."""
        self.part_kinds: frozenset[str] = frozenset()
        """Kinds of what its units are after, since some had orders of their own; else empty."""
        self.say("")
        self._ranked: tuple[tuple[str, ...], ...] | None = None
        self._seal(Group)

    @property
    def view(self) -> str:
        """The field of view: "wide", "limited", "narrow" or "all"."""
        return self._view.name

    @view.setter
    def view(self, name: str) -> None:
        self._view = view_named(name)

    @property
    def view_angle(self) -> float:
        """How much of the circle the group's view is, radians; `view` sets it to that of its name.

        Settable, above 0 and up to 2 pi.
        """
        return self._view.angle

    @view_angle.setter
    def view_angle(self, angle: float) -> None:
        self._view = self._view.with_angle(angle)

    @property
    def view_radius(self) -> float:
        """How far the group sees, hull lengths; `view` sets it to that of its name. Settable."""
        return self._view.radius

    @view_radius.setter
    def view_radius(self, radius: float) -> None:
        self._view = self._view.with_radius(radius)

    @property
    def goal(self) -> Goal | None:
        """What the group is after, if anything."""
        return self._goal

    @goal.setter
    def goal(self, goal: Goal | None) -> None:
        check_kind(goal, Goal, "goal", "Goal.to((3, 4))")
        if goal is not None:
            self.check_kind(goal)
        self._home.check_goal(self, goal)
        self._goal = goal
        self.say("")
        self.keep(sent=False, part_kinds=frozenset())
        self._changed()

    def say(self, note: str, cut_off: bool = False) -> None:
        """Have this be the `note` from now on, and whether that is that it is `cut_off`."""
        self.keep(note=note, cut_off=cut_off)

    def check_kind(self, goal: Goal) -> None:
        """Raise `BadInput` for a goal that no rule serves, and where the group pursues itself."""
        able = sorted(frozenset().union(*(s.rule.serves for s in self.settings.values())))
        if goal.kind not in able:
            raise BadInput(
                f"goal.{goal.kind}: model {self.model.name!r} cannot do that yet; it can: "
                f"{', '.join(able) or 'nothing'}{hint(goal.kind, able)}"
            )
        if goal.kind != GO and goal.target == self.name:
            raise BadInput(f"goal.{goal.kind}: group {self.name!r} cannot {goal.kind} itself")

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of what the group is after, all of it or some."""
        return self.part_kinds or frozenset(() if self._goal is None else (self._goal.kind,))

    @property
    def standing_goal(self) -> Goal | None:
        """What units that join are after: the goal, unless it names a place for each of others."""
        return self._goal if self._goal is not None and self._goal.for_all else None

    def go_to(
        self, points: ArrayLike | Region, *, tolerance: float | None = None,
        nearest: bool = False, formation: Formation | None = None,
    ) -> None:  # fmt: skip
        """Order all to one point (2,), each to its own (n, 2), or all into a `Region`; from now on.

        With a `formation` each has a place of its own round the one point.
        `tolerance` is how near is there (one hull radius where None). Raises `BadInput` for a group
        of a model that goes nowhere, for points that do not fit the group, and for those to which
        no way leads; with `nearest` it then goes to the nearest place that can be reached, and
        `note` says so.
        """
        self.goal = Goal.to(points, tolerance=tolerance, nearest=nearest, formation=formation)

    def add(
        self,
        spawn: Spawn | ArrayLike,
        *,
        count: int | None = None,
        heading: float | str | ArrayLike | None = None,
        facing: ArrayLike | None = None,
    ) -> Ints:
        """Add units to the group, which go where it is sent, and return their ids (k,).

        As in `World.add_group`. A goal that names a place for each unit has none for these: they
        stand until they are ordered somewhere. Raises `BadInput` where there is no room.
        """
        return self._home.add(self, spawn, count=count, heading=heading, facing=facing)

    def remove(self, ids: ArrayLike) -> None:
        """Take units of this group out of the world for good. Raises `BadInput` for others."""
        self._home.remove(ids, self)

    def configure(self, rule: str, **parameters: Any) -> None:
        """Change a rule of this group or add one: `group.configure("cohesion", weight=0.2)`."""
        found = lookup(rule, f"behaviours.{rule}")
        with self._change("its rules"):
            old = self.settings.get(rule)
            if old is not None:
                parameters = old.told | parameters
            self.follow_rule(self.model.fitting(found.configure(parameters, f"behaviours.{rule}")))

    def switch(self, family: str, on: bool) -> None:
        """Switch a family of rules ("flocking", "pursuit", "obstacles") on or off."""
        families = {s.rule.family for s in self.settings.values()}
        if not (isinstance(family, str) and family in families):
            raise BadInput(
                f"family {shortened(family)}: must be one of {', '.join(sorted(families))}"
            )
        check_flag(on, "on")
        with self._change("its rules"):
            self.keep(muted=set(self.muted - {family} if on else self.muted | {family}))

    @property
    def active(self) -> tuple[Setting, ...]:
        """The rules that are asked: not switched off, weight not 0, serving a goal of any unit.

        Rules that amend what the others want come last.
        """
        heard = [s for s in self.settings.values() if s.rule.family not in self.muted]
        asked = [s for s in heard if s.rule.answers(self.kinds)]
        asked = [s for s in asked if not s.off]
        return tuple(sorted(asked, key=lambda s: s.rule.amends))

    def led(self, kind: str) -> bool:
        """Whether a rule that serves this kind of goal follows a way that is planned."""
        return any(s.rule.led for s in self.active if kind in s.rule.serves)

    @property
    def ranked(self) -> tuple[tuple[str, ...], ...]:
        """Names of rules, rank by rank: the model's families of priority, then all others."""
        if self._ranked is None:
            first = self.model.priority
            families = {name: s.rule.family for name, s in self.settings.items()}
            ranks = [[n for n, f in families.items() if f == one] for one in first]
            ranks.append([n for n, f in families.items() if f not in first])
            self._ranked = tuple(map(tuple, ranks))
        return self._ranked

    @property
    def winner(self) -> NDArray[np.str_]:
        """(n,) the rule that had the most say in each unit's command at the last step; "": none."""
        amending = [name for name, s in self.settings.items() if s.rule.amends]
        return winners(self.terms, self.ranked, len(self), amending)

    @property
    def leader_sight(self) -> Sight | None:
        """How a unit tells that it leads. Without flocking there is no unit to follow: all lead."""
        return self.model.leader if any(s.rule.family == "flocking" for s in self.active) else None

    def resolve(self, sight: Sight) -> tuple[int, float, float]:
        """View shape, view factor and reach in world units of a sight of this group."""
        chosen = view_named(sight.view) if sight.view else self._view
        lengths = chosen.radius if sight.range is None else sight.range
        return chosen.shape, chosen.factor, lengths * self.hull.length

    def decide(self, percepts: Iterable[Asked], units: Units) -> None:
        """Ask the active rules, each by what it perceives, and note what they come to."""
        self._note(decide(percepts, self.ranked, units.present[self.rows]))

    def _changed(self) -> None:
        """Whatever was worked out from this group is worked out anew."""
        self._ranked = None
        self._home.forget()

    def follow_schedule(self, time: float) -> None:
        """Give the orders that are due at `time` (s), to the nearest place that can be reached."""
        coming = vars(self)["schedule"]
        while coming and coming[0][0] <= time + 1e-9:
            self.go_to(coming.pop(0)[1], nearest=True)
