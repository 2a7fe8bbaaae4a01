"""What a world hands out, walked through from end to end: nothing of its own can be written to."""

import numpy as np
import pytest

from sim import Box, Goal, Polygon, Region, World
from sim.behaviours import rule
from sim.core.errors import BadInput

WORKINGS = {"roster", "site", "looking"}
"""Of a world: what docs/concepts.md calls its parts. docs/reliability.md says they are its own."""
SETTABLE = {"controls"}
"""Arrays that are there to be written to."""
AGAIN = {"shown"}
"""What shows the same once more, and that the same again."""
MOST = 9
"""Of a list, so many are looked at."""
STEPS = 10
"""More than what is planned takes to come, so that units are led."""


def rich() -> World:
    """Groups that are led, queued, chased and steered, among solids, parts and areas."""
    world = World(
        seed=1, bounds=(0, 0, 100, 80), edges="wall", discs=[(50, 50, 5)],
        boxes=[(30, 30, 40, 35)], walls=[(60, 0, 60, 30)],
    )  # fmt: skip
    path = [(0, 0, 0), (5, 0, 12), (10, 0, 0)]
    world.add_solid(Box(80, 10, 84, 12), name="lift", path=path, loop=True)
    world.add_solid(Polygon([(60, 30), (62, 30), (62, 80), (60, 80)]), name="door")
    world.add_area(Box(10, 60, 20, 70), speed=0.5)
    world.add_group("led", Region(5, 10, 20, 25), count=5, goal=Goal.to((90, 40)))
    world.add_group("crowd", Region(5, 40, 25, 55), count=6, model="crowd")
    world.add_group("flock", Region(70, 50, 95, 75), count=6, model="flock")
    world.add_group("hunters", [(5, 75), (9, 75)], model="soldiers", goal=Goal("chase", "crowd"))
    world.add_group("steered", [(95, 5)], model="player")
    world.select(world.ids[:5]).go_to((10, 60), queue=True)
    return world


def parts_of(value):
    """What is to be had of a value in a step, with how it is asked for."""
    if hasattr(value, "keys") and hasattr(value, "items"):
        yield from ((f"[{key!r}]", lambda of, key=key: of[key]) for key in list(value))
    elif isinstance(value, list | tuple):
        for k in range(min(len(value), MOST)):
            yield f"[{k}]", lambda of, k=k: of[k]
    if type(value).__module__.startswith("sim."):
        for name in dir(value):
            if not name.startswith("_") and name not in WORKINGS | SETTABLE | AGAIN:
                yield f".{name}", lambda of, name=name: getattr(of, name)


def arrays_of(whole):
    """All arrays that public attributes lead to: path, array, and how it is asked for."""
    known, left = {}, [("", (), whole)]
    while left:
        path, way, value = left.pop()
        for name, ask in parts_of(value):
            try:
                found = ask(value)
            except (AttributeError, BadInput):
                continue  # not there as yet
            if isinstance(found, np.ndarray):
                yield path + name, found, (*way, ask)
            elif not callable(found) and id(found) not in known:
                known[id(found)] = found
                left.append((path + name, (*way, ask), found))


def open_to_writing(whole) -> list[str]:
    """The paths to arrays that are the world's own, and not copies, and can be written to."""
    found = []
    for path, array, way in arrays_of(whole):
        again = whole
        for ask in way:
            again = ask(again)
        if array.flags.writeable and np.shares_memory(array, again):
            found.append(path)
    return found


@pytest.mark.parametrize("steps", [0, STEPS])
def test_no_attribute_leads_to_an_array_that_can_be_written_to(steps: int):
    """Of worlds, groups, parts, orders and selections, also of what is worked out when asked."""
    world = rich()
    for _ in range(steps):
        world.step()
    assert sum(1 for _ in arrays_of(world)) > 300  # 500 and more: the walk gets everywhere
    assert open_to_writing(world) == []
    assert open_to_writing(world.select(world.ids)) == []


def test_a_state_does_not_show_what_its_world_is_made_of():
    """To write to what a state says of its world changes neither."""
    world = rich()
    ground = world.save().ground
    assert not ground["added"].discs.flags.writeable
    ground["plane"].origin[:] = 7
    assert world.plane.origin.tolist() == [0, 0]
    with pytest.raises(TypeError, match="assignment"):
        ground["seed"] = 5
    assert world.seed == 1


@pytest.mark.usefixtures("own_rules")
def test_a_rule_is_told_of_solids_in_arrays_of_no_use_for_writing():
    """Rows of solids, and the cells that list them, by which kernels go: an index there is one."""
    tried = []

    @rule("own")
    def greedy(me):
        """Write to all that is known of solids."""
        for near in (me.discs, me.faces):
            for array in (near.rows, *near.within(5.0)):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 10**6
                tried.append(array)
        return me.velocity

    world = World(seed=1, discs=[(50, 50, 10)], boxes=[(0, 20, 10, 30)])
    world.add_group("a", [(0, 0)], behaviours={"greedy": True})
    world.step()
    assert len(tried) == 2 * 7  # rows, and the six arrays of `Places`
    assert world.percepts(world.groups[0])["greedy"].discs.rows.flags.writeable is False
