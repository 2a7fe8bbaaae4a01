"""Changes of a scenario's document, done to its world while that runs."""

from __future__ import annotations

from collections.abc import Callable

from sim.core.errors import BadInput
from sim.core.shapes import Box, Disc, Shape, Wall
from sim.scenario.build import add_group, start_of
from sim.scenario.editing import Edit
from sim.scenario.ground import AreaSpec, PartSpec, add_area, add_part, area_of
from sim.scenario.schema import Group
from sim.world import World

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
