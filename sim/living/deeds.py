"""What events of a scenario do to a world, as data: so they can be saved with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sim.core.errors import BadInput, NoRoom, NotDone
from sim.living import changes, ordering
from sim.living.agenda import Due
from sim.living.parts import Part
from sim.orders import Goal

if TYPE_CHECKING:
    from sim.living.roster import Roster

WAITS = "waits for room"
"""How the note of a group begins whose units are to join another, with larger hulls."""
Setting = tuple[tuple[str, ...], Any]
"""The name of a group, one of its keys, for behaviours perhaps a rule and a parameter; a value."""


class Acted(Protocol):
    """What a deed needs of a world."""

    roster: Roster

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts of its ground, by name."""


@dataclass(frozen=True, eq=False)
class Deed:
    """Something that can be done to a world: what the `act` of an event may be.

    `action` is one of `ACTIONS`; `name` the group or the part that it is done to, `to` the group
    that units join, `where` what messages begin with, `units` how many units the goal is for, None
    where it serves any number.
    """

    action: str
    name: str = ""
    goal: Goal | None = None
    queue: bool = False
    to: str = ""
    settings: tuple[Setting, ...] = ()
    where: str = ""
    units: int | None = None

    def __call__(self, world: Acted) -> None:
        """Do it. Raises `NotDone` where it cannot be done."""
        try:
            ACTIONS[self.action](world, self)
        except BadInput as error:
            raise NotDone(f"{self.where}: {error}" if self.where else str(error)) from None


def _order(world: Acted, deed: Deed) -> None:
    group = world.roster.group(deed.name)
    rows = ordering.rows_there(world.roster, group)
    if deed.units not in (None, len(rows)):
        raise BadInput(f"has {deed.units} for {len(rows)} units; must be one a unit")
    ordering.order(world.roster, group, rows, deed.goal, queue=deed.queue)


def _hold(world: Acted, deed: Deed) -> None:
    """The units stop where they stand, as by `Selection.stop`: soldiers march on no more."""
    group = world.roster.group(deed.name)
    rows = ordering.rows_there(world.roster, group)
    ordering.order(world.roster, group, rows, None, queue=False)


def _remove(world: Acted, deed: Deed) -> None:
    changes.remove(world.roster, _ids(world.roster, deed.name))


def _regroup(world: Acted, deed: Deed) -> None:
    """Units whose new hulls have no room change their group at the first step at which all have.

    Until then the group's `note` says so.
    """
    roster = world.roster
    group = roster.group(deed.name)
    try:
        changes.regroup(roster, _ids(roster, deed.name), deed.to)
    except NoRoom:
        group.say(f"{WAITS} to join {deed.to!r}")
        roster.agenda.add(Due(roster.time + roster.time_step, deed, deed.action))
    else:
        if group.note.startswith(WAITS):
            group.say("")


def _set(world: Acted, deed: Deed) -> None:
    for (name, key, *rest), value in deed.settings:
        group = world.roster.group(name)
        if key != "behaviours":
            setattr(group, key, value)
        elif len(rest) == 2:
            group.configure(rest[0], **{rest[1]: value})
        else:
            for rule, said in ({rest[0]: value} if rest else value).items():
                if isinstance(said, bool):
                    asked = group.model.compose({rule: True})[rule]
                    group.configure(rule, weight=asked.weight if said else 0.0)
                else:
                    group.configure(rule, **said)


def _open(world: Acted, deed: Deed) -> None:
    world.parts[deed.name].open()


def _close(world: Acted, deed: Deed) -> None:
    world.parts[deed.name].close()


def _ids(roster: Roster, name: str) -> list[int]:
    """The units of a group that are there."""
    found: list[int] = roster.ids[ordering.rows_there(roster, roster.group(name))].tolist()
    return found


ACTIONS: dict[str, Callable[[Acted, Deed], None]] = {
    "order": _order, "hold": _hold, "remove": _remove, "regroup": _regroup, "set": _set,
    "open": _open, "close": _close,
}  # fmt: skip
"""By name: does it."""
KEYS = ("speed", "view", "view_angle", "view_radius", "color", "behaviours")
"""What may be set of a group."""
