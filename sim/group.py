"""Groups: the unit of intent. One hull, model, view, set of rules and goal for all its members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arrays import Bools, Floats
from sim.behaviours import Setting, Terms, lookup
from sim.errors import BadInput, shortened
from sim.hull import Hull
from sim.limits import check_kind, positive, thrusters
from sim.models import Model
from sim.orders.goal import Goal
from sim.perception.sights import Sight
from sim.perception.views import view as view_named
from sim.steering.arbiter import winners
from sim.steering.craft import Forces, Helm, nothing


class Group:
    """Some units with one intent. `World.add_group` makes one; changes count from the next step."""

    def __init__(
        self,
        name: str,
        index: int,
        model: Model,
        rows: slice,
        hull: Hull,
        settings: dict[str, Setting],
        changed: Callable[[], None],
        check: Callable[[Group, Goal | None], None],
    ) -> None:
        self.name, self.index, self.model, self.rows = name, index, model, rows
        self.hull, self.settings = hull, settings
        self.helm: Helm = model.helm
        self.color = model.color
        self.muted: set[str] = set()
        self._view = view_named(model.view)
        self._goal: Goal | None = None
        self.sent = False
        """Whether the goal has been taken down since it changed."""
        self.note = ""
        """What there is to say of its goal, where that is not quite what was asked for."""
        self._forget, self._check = changed, check
        self._ranked: list[list[str]] | None = None
        n = len(self)
        self.terms: dict[str, Terms] = {}
        """Every weighted term of the last step by name, each (n, 2) in (ahead, starboard)."""
        self.figures: dict[str, Mapping[str, Floats]] = {}  # what these came from, as `Told`
        self.command: Terms = np.zeros((n, 2))
        """Their sum, as the helm got it."""
        self.acting: Callable[[], Forces] = partial(nothing, n, hull.bow)
        """Takes apart what the helm did at the last step, when `forces` is asked for."""
        self._leads: Bools | None = np.zeros(n, np.bool_)
        self._who_leads: Callable[[], Bools] = lambda: np.zeros(n, np.bool_)
        self._controls = np.zeros((n, 3))
        self.script: Floats | None = None
        """(k, 4) rows of time, port, starboard, thrust; each holds until the next."""
        self.schedule: list[tuple[float, ArrayLike]] = []
        """Orders to come: time (s) and where to, by time; each is given when its time has come."""

    def __len__(self) -> int:
        return int(self.rows.stop - self.rows.start)

    @property
    def view(self) -> str:
        """The field of view: "wide", "limited", "narrow" or "all"."""
        return self._view.name

    @view.setter
    def view(self, name: str) -> None:
        self._view = view_named(name)
        self._changed()

    @property
    def view_angle(self) -> float:
        """How much of the circle the group's view is, radians; `view` sets it to that of its name.

        Settable, above 0 and up to 2 pi.
        """
        return self._view.angle

    @view_angle.setter
    def view_angle(self, angle: float) -> None:
        self._view = self._view.with_angle(angle)
        self._changed()

    @property
    def view_radius(self) -> float:
        """How far the group sees, hull lengths; `view` sets it to that of its name. Settable."""
        return self._view.radius

    @view_radius.setter
    def view_radius(self, radius: float) -> None:
        self._view = self._view.with_radius(radius)
        self._changed()

    @property
    def goal(self) -> Goal | None:
        """What the group is after, if anything."""
        return self._goal

    @goal.setter
    def goal(self, goal: Goal | None) -> None:
        check_kind(goal, Goal, "goal", "Goal.to((3, 4))")
        able = sorted(frozenset().union(*(s.rule.serves for s in self.settings.values())))
        if goal is not None and goal.kind not in able:
            raise BadInput(
                f"goal.{goal.kind}: model {self.model.name!r} cannot do that yet; it can: "
                f"{', '.join(able) or 'nothing'}"
            )
        self._check(self, goal)
        self._goal, self.sent, self.note = goal, False, ""
        self._changed()

    @property
    def controls(self) -> Floats:
        """(n, 3) thrusters of a steered group: port, starboard, thrust, each 0 to 1.

        It may be written to; what no thruster can do is refused when it is set, or by the step.
        """
        return self._controls

    @controls.setter
    def controls(self, values: ArrayLike) -> None:
        self._controls[:] = thrusters(values, len(self))

    def go_to(
        self, points: ArrayLike, *, tolerance: float | None = None, nearest: bool = False
    ) -> None:
        """Order all to one point (2,), or each to its own (n, 2), world units; from now on.

        `tolerance` is how near is there (one hull radius where None). Raises `BadInput` for a group
        of a model that goes nowhere, for points that do not fit the group, and for those to which
        no way leads; with `nearest` it then goes to the nearest place that can be reached, and
        `note` says so.
        """
        self.goal = Goal.to(points, tolerance=tolerance, nearest=nearest)

    @property
    def speed(self) -> float:
        """Desired speed in world units / s: what full thrust ends at."""
        return self.helm.terminal_speed(self.hull.length)

    @speed.setter
    def speed(self, speed: float) -> None:
        self.helm = self.helm.for_speed(positive(speed, "speed"), self.hull.length)
        self._changed()

    def configure(self, rule: str, **parameters: Any) -> None:
        """Change a rule of this group or add one: `group.configure("cohesion", weight=0.2)`."""
        found = lookup(rule, f"behaviours.{rule}")
        old = self.settings.get(rule)
        if old is not None:
            known = {"weight": old.weight, "view": old.view, "range": old.range, **old.parameters}
            if old.sight is not None:
                known["whom"] = old.whom
            parameters = {k: v for k, v in known.items() if v is not None} | parameters
        self.settings[rule] = self.model.fitting(found.configure(parameters, f"behaviours.{rule}"))
        self._changed()

    def switch(self, family: str, on: bool) -> None:
        """Switch a family of rules ("flocking", "pursuit", "obstacles") on or off."""
        families = {s.rule.family for s in self.settings.values()}
        if not (isinstance(family, str) and family in families):
            raise BadInput(
                f"family {shortened(family)}: must be one of {', '.join(sorted(families))}"
            )
        (self.muted.discard if on else self.muted.add)(family)
        self._changed()

    @property
    def active(self) -> list[Setting]:
        """The rules that are asked: not switched off, weight not 0, serving the goal if any.

        Those that amend what the others want come last.
        """
        kind = self._goal.kind if self._goal else None
        heard = [s for s in self.settings.values() if s.rule.family not in self.muted]
        asked = [s for s in heard if s.weight != 0 and (not s.rule.serves or kind in s.rule.serves)]
        return sorted(asked, key=lambda s: s.rule.amends)

    @property
    def leads(self) -> Bools:
        """(n,) who led at the last step: nobody of its own ahead. Looked up when asked for."""
        if self._leads is None:
            self._leads = self._who_leads()
        return self._leads

    def ask_who_leads(self, who_leads: Callable[[], Bools]) -> None:
        """How `leads` is to be looked up from now on: of this step's snapshot."""
        self._leads, self._who_leads = None, who_leads

    @property
    def forces(self) -> Forces:
        """What acted where at the last step: thrust, steering force at the bow, grip."""
        return self.acting()

    @property
    def ranked(self) -> list[list[str]]:
        """Names of rules, a list a rank: the model's families of priority, then all others."""
        if self._ranked is None:
            first = self.model.priority
            families = {name: s.rule.family for name, s in self.settings.items()}
            ranks = [[n for n, f in families.items() if f == one] for one in first]
            self._ranked = [*ranks, [n for n, f in families.items() if f not in first]]
        return self._ranked

    @property
    def winner(self) -> NDArray[np.str_]:
        """(n,) the rule that had the most say in each unit's command at the last step; "": none."""
        return winners(self.terms, self.ranked, len(self))

    @property
    def leader_sight(self) -> Sight | None:
        """How a unit tells that it leads. Without flocking there is nobody to follow: all lead."""
        return None if "flocking" in self.muted else self.model.leader

    def resolve(self, sight: Sight) -> tuple[int, float, float]:
        """View shape, view factor and reach in world units of a sight of this group."""
        chosen = view_named(sight.view) if sight.view else self._view
        lengths = chosen.radius if sight.range is None else sight.range
        return chosen.shape, chosen.factor, lengths * self.hull.length

    def _changed(self) -> None:
        """Whatever was worked out from this group is worked out anew."""
        self._ranked = None
        self._forget()

    def follow_script(self, time: float) -> None:
        """Set the controls from the script: the last row at or before `time` (s).

        Raises `BadInput` for controls that no thruster can follow.
        """
        if self.script is not None and len(self.script):
            row = int(np.searchsorted(self.script[:, 0], time + 1e-9, side="right")) - 1
            self._controls[:] = self.script[row, 1:] if row >= 0 else 0.0
        if self._controls.any():
            thrusters(self._controls, len(self), self.name)

    def follow_schedule(self, time: float) -> None:
        """Give the orders that are due at `time` (s), to the nearest place that can be reached."""
        while self.schedule and self.schedule[0][0] <= time + 1e-9:
            self.go_to(self.schedule.pop(0)[1], nearest=True)
