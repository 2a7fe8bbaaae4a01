"""Changes of a scenario's document, one by one: each knows its reverse, and can be done live."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import reduce
from typing import Any

from sim.core.arrays import Bools
from sim.core.draws import Each
from sim.core.errors import BadInput
from sim.core.shapes import Box, Disc, Shape, Wall
from sim.scenario.build import add_group, start_of
from sim.scenario.ground import AreaSpec, PartSpec, add_area, add_part, area_of
from sim.scenario.overrides import steps_of
from sim.scenario.schema import Group
from sim.world import World

Document = dict[str, Any]
VIEW_KEYS = ("view", "view_angle", "view_radius")
"""What of a group says how it looks."""


@dataclass(frozen=True)
class Edit:
    """One change: at a place of the document, a key or a number of a list gets another value.

    `old` is None where it is put in, `new` where it is taken out.
    """

    place: tuple[str | int, ...]
    key: str | int
    old: Any
    new: Any

    @property
    def reverse(self) -> Edit:
        """The change that takes this one back."""
        return Edit(self.place, self.key, self.new, self.old)

    def applied(self, document: Mapping[str, Any]) -> Document:
        """The document with this change; the one given stays as it is."""
        made: Any = deepcopy(dict(document))
        table = made
        for number, step in enumerate(self.place):
            if isinstance(table, dict) and step not in table:
                last = number == len(self.place) - 1
                table[step] = [] if last and isinstance(self.key, int) else {}
            table = table[step]
        if self.new is None:
            del table[self.key]
        elif self.old is None and isinstance(self.key, int):
            table.insert(self.key, deepcopy(self.new))
        else:
            table[self.key] = deepcopy(self.new)
        changed: Document = made
        return changed


def added(document: Mapping[str, Any], place: tuple[str, ...], value: Any) -> Edit:
    """The change that puts a value at the end of a list of the document."""
    return Edit(place, len(_table(document, place)), None, value)


def free_name(document: Mapping[str, Any], place: tuple[str, ...], word: str) -> str:
    """`word` with the least number that makes it a name that no table at a place has."""
    table = _table(document, place)
    taken = set(table) if isinstance(table, Mapping) else {each.get("name") for each in table}
    number = 1
    while f"{word} {number}" in taken:
        number += 1
    return f"{word} {number}"


def _table(document: Any, place: tuple[str, ...]) -> Any:
    """What stands at a place of the document; an empty table where nothing does."""
    return reduce(lambda table, step: table.get(step, {}), place, document)


ONE_A_UNIT = ("each", "points", "routes", "offsets")
"""Keys of lists that have a value for each unit of a group."""


def thinned(value: Any, stay: Bools) -> Any:
    """What is said of a group, without what its lists say of units that do not `stay` (n,).

    Where none stays a number for each becomes the typical one.
    """
    if not isinstance(value, Mapping):
        return value
    if "each" in value and not stay.any():
        return for_any(value)
    return {
        key: [one for one, stays in zip(each, stay, strict=True) if stays]
        if key in ONE_A_UNIT and len(each) == len(stay)
        else thinned(each, stay)
        for key, each in value.items()
    }


def thinned_event(
    document: Mapping[str, Any], event: Mapping[str, Any], stays: Mapping[str, Bools]
) -> Document | None:
    """An event without what it says of units that do not stay; `stays` has groups by name.

    None for an order that has a place for each unit, where none stays.
    """
    made = dict(event)
    stay = stays.get(event.get("order", ""))
    if stay is not None:
        made["goal"] = thinned(event["goal"], stay)
        if not stay.any() and made["goal"] != event["goal"]:
            return None
    for key, value in event.get("set", {}).items():
        name = steps_of(key, dict(document))[1]
        if name in stays:
            made["set"] = made["set"] | {key: thinned(value, stays[name])}
    return made


def for_any(value: Any) -> Any:
    """What is said of a group, with the typical value in place of one for each unit."""
    if not isinstance(value, Mapping):
        return value
    if "each" in value:
        return Each(tuple(value["each"])).typical
    return {key: for_any(each) for key, each in value.items()}


def with_settings(
    document: Mapping[str, Any], then: Mapping[str, Any], now: Mapping[str, Any]
) -> Document:
    """The document with what sliders and switches have changed in its groups.

    `then` and `now` are the groups' tables by name as the document makes them, and as they are
    (see `sim.scenario.snippet`).
    """
    made = deepcopy(dict(document))
    for table in made["groups"]:
        name = table["name"]
        if name in then and name in now and then[name] != now[name]:
            _take(table, VIEW_KEYS, then[name], now[name])
            rules, before = (each.get("behaviours", {}) for each in (now[name], then[name]))
            own = table.pop("behaviours", {})
            _take(own, {**before, **rules}, before, rules, each=True)
            table |= {"behaviours": own} if own else {}
    return made


def _take(
    table: Document, keys: Iterable[str], then: Mapping[str, Any], now: Mapping[str, Any],
    each: bool = False,
) -> None:  # fmt: skip
    """Give a table the values of keys as they are now, if they have changed: all, or `each`."""
    changed = [key for key in keys if then.get(key) != now.get(key)]
    for key in changed if each or not changed else keys:
        table.pop(key, None)
        table |= {key: now[key]} if key in now else {}


FROM_THE_START = "is there from the start: go back to the start (R) to change it"


def change(world: World, edit: Edit) -> None:
    """Do to a world what a change does to its scenario.

    What stands still for good in a file is a part of the ground here: the ways are planned anew.
    Raises `BadInput` for what cannot be changed while it runs.
    """
    handler = HANDLERS.get(edit.place)
    if handler is None:
        raise BadInput(f"{edit.place[0]}: can be changed before the run starts: go back (R)")
    handler(world, edit)


def _solid(shape: Callable[..., Shape], word: str) -> Callable[[World, Edit], None]:
    """A handler for a list of solids; each is a part that is named after its row."""

    def handle(world: World, edit: Edit) -> None:
        if edit.old is not None:
            _take_away(world, f"{word} {list(edit.old)}", word)
        if edit.new is not None:
            world.add_solid(shape(*edit.new), name=f"{word} {list(edit.new)}")

    return handle


def _part(world: World, edit: Edit) -> None:
    name = str(edit.key)
    if edit.old is None:
        add_part(world, name, PartSpec(**edit.new))
    elif edit.new is None:
        _take_away(world, name, "part")
    elif name in world.parts:
        part = world.parts[name]
        (part.open if edit.new.get("open") else part.close)()


def _area(world: World, edit: Edit) -> None:
    if edit.old is not None:
        world.remove_area(area_of(world, AreaSpec(**edit.old)))
    if edit.new is not None:
        add_area(world, AreaSpec(**edit.new))


def _group(world: World, edit: Edit) -> None:
    if edit.new is None:
        group = world.group(edit.old["name"])
        world.remove(group.ids[world.units.present[group.rows]])
        return
    if edit.old is not None:
        raise BadInput(f"group {edit.old['name']!r}: {FROM_THE_START}")
    group_spec = Group(**edit.new)
    known = [group for group in world.groups if group.name == group_spec.name]
    if known:  # all its units were taken out
        known[0].add(start_of(group_spec.spawn, world.map), count=group_spec.size)
    else:
        add_group(world, group_spec, {}, None)


def _take_away(world: World, name: str, word: str) -> None:
    if name not in world.parts:
        raise BadInput(f"{word}: {FROM_THE_START}")
    world.parts[name].remove()


HANDLERS: dict[tuple[str | int, ...], Callable[[World, Edit], None]] = {
    ("map", "boxes"): _solid(Box, "box"),
    ("map", "circles"): _solid(Disc, "disc"),
    ("map", "walls"): _solid(Wall, "wall"),
    ("map", "parts"): _part,
    ("areas",): _area,
    ("groups",): _group,
}
"""By place of the document."""
