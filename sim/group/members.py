"""The units of a group: what is known of each, row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from sim.behaviours import Setting, Terms
from sim.core.arrays import Bools, Floats, Ints
from sim.core.colors import check_color
from sim.core.columns import Columns
from sim.core.errors import BadInput
from sim.core.guarded import Guarded, shown
from sim.core.hull import Hull
from sim.core.limits import schedule, script, thrusters
from sim.core.relay import Relay, both
from sim.core.units import read_only
from sim.group.home import Home
from sim.steering.arbiter import Decision
from sim.steering.craft import Forces, nothing, relaid

BY_ROW = frozenset({"rows", "figures", "acting", "_leads", "_decided", "_before"})
"""What has a row for each unit, or follows from what has, besides columns."""
OTHER_GROUP = "add another group, and have units join it (world.regroup)"
BY_STEPS = "it follows from the steps taken"
CHANGED_BY = {
    **dict.fromkeys(("name", "index", "model", "hull"), OTHER_GROUP),
    **dict.fromkeys(("terms", "figures", "command", "acting", "note", "cut_off"), BY_STEPS),
    **dict.fromkeys(("rows", "sent", "part_kinds"), BY_STEPS),
    **dict.fromkeys(("settings", "behaviours"), "use configure"),
    "muted": "use switch", "ids": "use add and remove", "position": "use go_to",
    "velocity": "use go_to, or controls", "speeds": "set speed", "moving": "use go_to",
}  # fmt: skip
"""What changes what cannot be set."""

STEERED = "thrusters"
"""The one rule of the package that reads controls."""


class Members(Columns, Guarded, changed_by=CHANGED_BY, alone=True):
    """The n units of a group, in rows that follow one another; `ids` tells which units they are."""

    columns: ClassVar = {"_controls": 0.0}
    handed_out: ClassVar = frozenset({"_controls"})
    settings: Mapping[str, Setting] = shown()
    figures: Mapping[str, Mapping[str, Floats]] = shown()
    """What these came from, by rule: see `Told`."""
    _script: Floats | None

    def __getattr__(self, name: str) -> Any:
        """What has a row for each unit and was put aside: by now there are other rows."""
        if name in self._by_row():
            self._home.tidy()
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        waits = name in BY_ROW and name not in vars(self)
        if waits and self._home is not None:  # one made to check a file has no world
            self._home.tidy()
        if name == "color":
            check_color(value)
        if name == "schedule":
            value = schedule(value)
        super().__setattr__(name, value)

    def __init__(self, name: str, home: Home, rows: slice, hull: Hull) -> None:
        self.name, self._home, self.rows, self.hull = name, home, rows, hull
        n = len(self)
        self.figures = {}
        self._decided: tuple[dict[str, Terms], Terms] = {}, np.zeros((n, 2))
        """The terms and the command of the last step."""
        self._before: Ints | None = None
        """(n,) the number that each unit had when that was decided, if some have moved since."""
        self.acting: Callable[[], Forces] = partial(nothing, n)
        """Takes apart what the helm did at the last step, when `forces` is asked for."""
        self._leads: Bools | None = read_only(np.zeros(n, np.bool_))
        self._who_leads: Callable[[], Bools] = lambda: np.zeros(n, np.bool_)
        self._controls = np.zeros((n, 3))
        self._script = None

    def __len__(self) -> int:
        return int(self.rows.stop - self.rows.start)

    @property
    def ids(self) -> Ints:
        """(n,) which units these are; an id is never used again."""
        return self._home.ids[self.rows]

    @property
    def terms(self) -> Mapping[str, Terms]:
        """Every weighted term of the last step by name, each (n, 2) in (ahead, starboard)."""
        return MappingProxyType({n: read_only(term) for n, term in self._wanted()[0].items()})

    @property
    def command(self) -> Terms:
        """(n, 2) their sum, as the helm got it."""
        return read_only(self._wanted()[1])

    @property
    def position(self) -> Floats:
        """(n, 2) where they are, world units; NaN for units that have left. Read-only."""
        return self._home.units.position[self.rows]

    @property
    def velocity(self) -> Floats:
        """(n, 2) world units a second; NaN for units that have left. Read-only."""
        return self._home.units.velocity[self.rows]

    @property
    def heading(self) -> Floats:
        """(n, 2) which way they face, of length 1; NaN for units that have left. Read-only."""
        return self._home.units.heading[self.rows]

    @property
    def moving(self) -> Bools:
        """(n,) whether each is on its way; the others have stopped, were never sent, or left."""
        return read_only(self._home.orders_now().minds.moving[self.rows].copy())

    @property
    def arrived(self) -> Bools:
        """(n,) whether each has been where it was sent."""
        return read_only(self._home.orders_now().minds.arrived[self.rows].copy())

    @property
    def stuck(self) -> Bools:
        """(n,) units on their way that have not got a hull length further in the last 10 s."""
        return read_only(self._home.orders_now().minds.stuck[self.rows])

    @property
    def controls(self) -> Floats:
        """(n, 3) thrusters of a steered group: port, starboard, thrust, each 0 to 1.

        It may be written to. Refused, when it is set or by the step: what no thruster can do, and
        any of a group of which no rule reads them, as `thrusters` of model "player" does.
        """
        return self._controls.view()

    @controls.setter
    def controls(self, values: ArrayLike) -> None:
        self._check_steered("controls")
        self._controls[:] = thrusters(values, len(self))

    @property
    def script(self) -> Floats | None:
        """(k, 4) rows of time, port, starboard, thrust; each holds until the next. Settable."""
        return self._script

    @script.setter
    def script(self, rows: ArrayLike | None) -> None:
        if rows is not None:
            self._check_steered("script")
        self._script = None if rows is None else script(rows)

    def _check_steered(self, what: str) -> None:
        """Raise `BadInput` for what no rule of the group reads."""
        rules = [setting.rule for setting in self.settings.values()]
        if all(rule.of_ours and rule.name != STEERED for rule in rules):
            said = f"no rule of it reads them; {STEERED!r} does, which model 'player' has"
            raise BadInput(f"group {self.name!r}: {what}: {said}")

    def follow_script(self, time: float) -> None:
        """Set the controls from the script: the last row at or before `time` (s).

        Raises `BadInput` for controls that no thruster can follow, or no rule reads.
        """
        if self.script is not None and len(self.script):
            row = int(np.searchsorted(self.script[:, 0], time + 1e-9, side="right")) - 1
            self._controls[:] = self.script[row, 1:] if row >= 0 else 0.0
        if np.count_nonzero(self._controls):
            self._check_steered("controls")
            thrusters(self._controls, len(self), self.name)

    @property
    def leads(self) -> Bools:
        """(n,) whether each led at the last step: saw no mate ahead.

        Looked up when it is asked for, of the snapshot of that step: it takes a tenth of a step.
        """
        if self._leads is None:
            self._leads = read_only(self._who_leads())
        return self._leads

    def ask_who_leads(self, who_leads: Callable[[], Bools]) -> None:
        """How `leads` is to be looked up from now on: of this step's snapshot."""
        self.keep(_leads=None, _who_leads=who_leads)

    @property
    def forces(self) -> Forces:
        """What acted where at the last step: thrust, steering force at the bow, grip.

        Zeros for units that have come since.
        """
        self._lay_anew()
        return read_only(self.acting())

    @classmethod
    def _by_row(cls) -> Set[str]:
        """The names of what has a row for each unit, or follows from what has."""
        return BY_ROW | cls.columns.keys()

    def put_aside(self) -> dict[str, Any]:
        """Have the rows be laid anew before anything is read that has them, which is returned.

        What others may hold is theirs from now on.
        """
        for name in self.handed_out:
            vars(self)[name] = vars(self)[name].copy()
        return {name: vars(self).pop(name) for name in self._by_row()}

    def take_rows(self, rows: slice, relay: Relay) -> None:
        """The units are in these rows now; the relay has their numbers in the group."""
        leads = np.zeros(len(self), np.bool_) if self._leads is None else self._leads
        self.keep(rows=rows)
        self.rearrange(relay)
        self._leads, old = read_only(relay.anew(leads, False)), relay.old_rows
        self._before = old if self._before is None else both(self._before, old)
        self.keep(figures={})

    def _note(self, decision: Decision) -> None:
        """What the units that there are now want; what acted on them is laid with their rows."""
        if self._before is not None:
            self.keep(acting=partial(relaid, self.acting, self._before))
        terms, command, figures = decision
        self.keep(_decided=(terms, command), _before=None, figures=figures)

    def _wanted(self) -> tuple[dict[str, Terms], Terms]:
        """The terms of the last step and what they came to, of the units that there are now."""
        self._lay_anew()
        return self._decided

    def _lay_anew(self) -> None:
        """What is kept of the last step has the rows of the units that there are now."""
        if self._before is not None:
            relay, (terms, command) = Relay(self._before), self._decided
            laid = {name: relay.anew(term, 0.0) for name, term in terms.items()}
            acted = partial(Forces, *relaid(self.acting, self._before))
            self.keep(_decided=(laid, relay.anew(command, 0.0)), acting=acted, _before=None)
