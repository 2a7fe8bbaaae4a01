"""Numbers of all of numpy's kinds, given to the Python interface: a value, or a refusal."""

import warnings
from contextlib import suppress

import numpy as np
import pytest

from sim import (
    BadInput,
    Box,
    Disc,
    Formation,
    Goal,
    Hull,
    Normal,
    Points,
    Polygon,
    Region,
    Ring,
    Stop,
    Uniform,
    Wall,
    World,
)
from sim.living.sources import Source

WIDTHS = "f2", "f4", ">f8", "g"
"""Floats of other widths, and of another order of bytes: as good as any."""
OTHERS = "u8", "?", "c8", "M8[s]", "m8[s]", "U3", "S3", "O", "i4,f8", "V5"
PLACES = [(5, 6), (10, 20), (30, 40), (50, 50)]


def along(world, **options):
    """The only group of a world goes along a route."""
    world.groups[0].goal = Goal.along(PLACES, **options)


def starts(world, at=((1, 1), (9, 9)), **options):
    """A group enters."""
    world.add_group("b", at, **options)


def enters(world, spawn=None, **options):
    """Units are to enter."""
    world.agenda.sources.append(Source("a", spawn or Region(1, 1, 50, 50), **options))


def changes(name, value):
    """What sets an attribute of the only group."""
    return lambda world, kind: setattr(world.groups[0], name, kind(value))


def steers(name, value):
    """What sets the controls, or the script, of a group that takes them."""

    def set_it(world, kind):
        world.add_group("b", [(1, 1)], model="player")
        setattr(world.groups[1], name, kind(value))

    return set_it


CALLS = {
    "bounds": lambda _, kind: World(bounds=kind((0, 0, 60, 60)), edges="wrap"),
    "discs": lambda _, kind: World(discs=kind([(5, 5, 1)])),
    "walls": lambda _, kind: World(walls=kind([(5, 5, 7, 8)])),
    "time_step": lambda _, kind: World(time_step=kind(0.0625)),
    "seed": lambda _, kind: World(seed=kind(3)),
    "points": lambda world, kind: starts(world, kind(PLACES)),
    "Points": lambda world, kind: starts(world, Points(kind(PLACES))),
    "Region": lambda world, kind: starts(world, Region(*kind((1, 1, 50, 50))), count=3),
    "Ring": lambda world, kind: starts(world, Ring(*kind((30, 30, 10))), count=3),
    "count": lambda world, kind: starts(world, Region(1, 1, 50, 50), count=kind(3)),
    "heading": lambda world, kind: starts(world, heading=kind(1)),
    "facing": lambda world, kind: starts(world, facing=kind((1, 1))),
    "speed": lambda world, kind: starts(world, speed=kind(1)),
    "speeds": lambda world, kind: starts(world, speed=kind((1, 1))),
    "Uniform": lambda world, kind: starts(world, speed=Uniform(kind(1), kind(2))),
    "Normal": lambda world, kind: starts(world, speed=Normal(kind(2), kind(1), kind((1, 3)))),
    "Hull": lambda world, kind: starts(world, hull=Hull("box", kind(2), kind(1), kind(1))),
    "Hull.disc": lambda world, kind: starts(world, hull=Hull.disc(kind((1, 1)))),
    "Hull.box": lambda world, kind: starts(world, hull=Hull.box(kind((2, 2)), kind(1))),
    "view": lambda world, kind: starts(world, view_angle=kind(1), view_radius=kind(9)),
    "weight": lambda world, kind: world.groups[0].configure("cohesion", weight=kind(1)),
    "weights": lambda world, kind: world.groups[0].configure("cohesion", weight=kind((1,) * 4)),
    "range": lambda world, kind: world.groups[0].configure("cohesion", range=kind(9)),
    "set speeds": changes("speed", (2, 3, 4, 5)),
    "set view_angle": changes("view_angle", 2),
    "controls": steers("controls", (1, 1, 1)),
    "script": steers("script", [(0, 1, 1, 1), (1, 0, 0, 0)]),
    "go_to": lambda world, kind: world.groups[0].go_to(kind((5, 5)), tolerance=kind(2)),
    "along": lambda world, kind: setattr(world.groups[0], "goal", Goal.along(kind(PLACES))),
    "loop": lambda world, kind: along(world, loop=kind(1)),
    "across": lambda world, kind: setattr(world.groups[0], "goal", Goal.across(kind((30, 30)))),
    "into": lambda world, kind: setattr(world.groups[0], "goal", Goal.into(kind((1, 1, 9, 9)))),
    "Stop": lambda world, kind: setattr(
        world.groups[0], "goal", Goal.along([Stop(kind(3), kind(4), wait=kind(1)), (5, 5)])
    ),
    "Formation": lambda world, kind: setattr(
        world.groups[0], "goal",
        Goal.to((20, 20), formation=Formation("line", spacing=kind(2), facing=kind(1))),
    ),
    "offsets": lambda world, kind: setattr(
        world.groups[0], "goal", Goal.to((20, 20), formation=Formation(offsets=kind(PLACES)))
    ),
    "add": lambda world, kind: world.groups[0].add(kind(PLACES)),
    "remove": lambda world, kind: world.remove(kind([1, 2])),
    "select": lambda world, kind: world.select(kind([1, 2])).go_to(kind((5, 5))),
    "rays": lambda world, kind: world.queries.rays(kind(PLACES), kind(PLACES[::-1]), own=kind(0)),
    "overlaps": lambda world, kind: world.queries.overlaps(Hull.disc(1), kind(PLACES), kind(1)),
    "pick": lambda world, kind: world.queries.pick(kind((5, 5)), kind(1)),
    "Box": lambda world, kind: world.add_solid(Box(*kind((1, 1, 2, 2)))),
    "Disc": lambda world, kind: world.add_solid(Disc(*kind((1, 1, 2)))),
    "Wall": lambda world, kind: world.add_solid(Wall(*kind((1, 1, 2, 2)))),
    "Polygon": lambda world, kind: world.add_solid(Polygon(kind([(1, 1), (5, 1), (3, 4)]))),
    "path": lambda world, kind: world.add_solid(
        Box(1, 1, 2, 2), path=kind([(0, 0, 0), (1, 2, 2), (2, 0, 0)]), loop=True
    ),
    "velocity": lambda world, kind: setattr(
        world.add_solid(Box(1, 1, 2, 2)), "velocity", kind((1, 1))
    ),
    "area": lambda world, kind: world.add_area(Box(1, 1, 9, 9), speed=kind(0.5), cost=kind(2)),
    "way": lambda world, kind: world.path(kind((1, 1)), kind((9, 9)), kind(1)),
    "at": lambda world, kind: world.at(kind(0), print),
    "rate": lambda world, kind: enters(world, rate=kind(20), total=kind(2)),
    "times": lambda world, kind: enters(world, times=kind((0, 0)), start=kind(0), end=kind(20)),
}  # fmt: skip
"""What takes numbers, each with a world of one group, and what makes numbers of a kind."""


def taken(call, kind: str, *, of_each: bool) -> bool:
    """Whether a call takes numbers of a kind: an array, or one by one. It may refuse, or go on."""

    def made(values):
        array = np.zeros(np.shape(values), kind)
        with suppress(TypeError, ValueError):  # of what has no numbers there are zeros
            array = np.array(values).astype(kind)
        return array if not of_each else array[()] if not array.shape else tuple(array)

    world = World(seed=1, bounds=(0, 0, 60, 60), edges="wrap")
    world.add_group("a", Region(0, 0, 60, 60), count=4, model="flock")
    try:
        call(world, made)
        world.step()
    except BadInput:
        return False
    return True


def multiplied(values, by: int):
    """Numbers in lists and tuples of any depth, times a whole number."""
    if isinstance(values, list | tuple):
        return type(values)(multiplied(each, by) for each in values)
    return int(2 * values) * by


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("zeros", [18, 400, 5000])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_without_bound(call, sign: int, zeros: int):
    """Python's grow beyond 64 bits, beyond floats, and beyond what Python writes out."""
    world = World(seed=1, bounds=(0, 0, 60, 60), edges="wrap")
    world.add_group("a", Region(0, 0, 60, 60), count=4, model="flock")
    with suppress(BadInput):
        call(world, lambda values: multiplied(values, sign * 10**zeros))
        world.step()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("of_each", [False, True], ids=["array", "each"])
def test_numbers_of_any_kind(call, of_each: bool):
    """They are taken or refused without a warning; floats are, whatever their width, as any."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in OTHERS:
            taken(call, kind, of_each=of_each)
        wanted = taken(call, "f8", of_each=of_each)
        assert [taken(call, kind, of_each=of_each) for kind in WIDTHS] == [wanted] * len(WIDTHS)
