"""Where units start: whole hulls, clear of each other and of everything solid."""

from math import inf, nan, pi

import numpy as np
import pytest

from sim import BadInput, Hull, Points, Region, Ring, World
from sim.core.plane import Plane
from sim.core.scatter import Taken, clear_of
from sim.core.solids import Solids

DISC, WEDGE, BOX = Hull.disc(0.5), Hull("wedge", 4, 2, 10), Hull("box", 3, 2)
INSIDE = "starts inside a solid or outside the walls"


def refusal(world: World, spawn, **options) -> str:
    """What is said when a group is refused; nobody of it is left in the world."""
    bodies = len(world.space.bodies)
    with pytest.raises(BadInput) as caught:
        world.add_group("a", spawn, **options)
    assert not world.groups
    assert len(world.space.bodies) == bodies
    assert len(world.units) == 0
    return str(caught.value)


def gaps(world: World) -> np.ndarray:
    """Distances between all pairs of units, by nearest image; infinite to oneself."""
    at = world.units.position
    away = world.plane.nearest(at[:, None] - at[None])
    distance = np.hypot(away[..., 0], away[..., 1])
    np.fill_diagonal(distance, inf)
    return distance


@pytest.mark.parametrize("hull", [DISC, WEDGE, BOX], ids=lambda hull: hull.shape)
@pytest.mark.parametrize("seed", [0, 7])
def test_region_is_clear(hull: Hull, seed: int):
    """Whole hulls inside, clear of each other, of the groups before, and of solids."""
    solids = {"discs": [(10, 10, 3)], "boxes": [(20, 5, 24, 9)], "walls": [(2, 25, 28, 25)]}
    world = World(seed=seed, **solids)
    world.add_group("first", Region(0, 0, 30, 30), model="flock", count=6, hull=hull)
    world.add_group("second", Region(0, 0, 30, 30), model="flock", count=6, hull=hull)
    at = world.units.position
    assert (at >= hull.reach).all()
    assert (at <= 30 - hull.reach).all()
    assert gaps(world).min() >= 2 * hull.reach
    assert (world.solids.depth(at, world.plane) <= -hull.reach).all()


def test_region_inside_walls():
    """Where a region reaches beyond the walls of the plane, nobody starts there."""
    world = World(bounds=(0, 0, 20, 20), edges="wall")
    world.add_group("a", Region(-50, -50, 50, 50), model="flock", count=10, hull=DISC)
    at = world.units.position
    assert (at >= 0.5).all()
    assert (at <= 19.5).all()


def test_region_is_clear_across_the_seam():
    """On a torus a full column at one edge leaves no room beyond the opposite one."""
    column = [[0, 2 * row] for row in range(10)]
    strip = Region(18, 0, 20, 20)
    flat = World(bounds=(0, 0, 20, 20), edges="open")
    flat.add_group("column", column, model="flock", hull=Hull.disc(1), heading=0)
    flat.add_group("a", strip, model="flock", count=2, hull=Hull.disc(1))
    torus = World(bounds=(0, 0, 20, 20), edges="wrap")
    torus.add_group("column", column, model="flock", hull=Hull.disc(1), heading=0)
    said = r"^spawn\.region = \[18, 0, 20, 20\]: room for 0 hulls was found at random.*; it seems"
    with pytest.raises(BadInput, match=said):
        torus.add_group("a", strip, model="flock", count=2, hull=Hull.disc(1))


def test_region_is_the_seeds():
    """The same seed and name give the same places and headings; another of either does not."""

    def state(seed: int, name: str) -> list[float]:
        world = World(seed=seed)
        world.add_group(name, Region(0, 0, 50, 50), model="flock", count=5)
        return [*world.units.position.ravel().tolist(), *world.units.angle.tolist()]

    assert state(3, "a") == state(3, "a")
    assert not set(state(3, "a")) & set(state(4, "a"))
    assert not set(state(3, "a")) & set(state(3, "b"))


def test_region_does_not_hang_on_other_groups():
    """A group far from all others starts at the same places with and without them."""
    alone, among = World(seed=1), World(seed=1)
    among.add_group("others", Region(500, 500, 600, 600), model="flock", count=5)
    for world in (alone, among):
        world.add_group("a", Region(0, 0, 50, 50), model="flock", count=5)
    assert (alone.units.position == among.units.position[5:]).all()
    assert (alone.units.angle == among.units.angle[5:]).all()


def clear_by_pairs(darts, standing, reaches, own, plane) -> list[bool]:
    """Which darts are clear, asking everybody: the slow and obvious form."""
    taken, kept = list(zip(standing, reaches, strict=True)), []
    for dart, reach in zip(darts, own, strict=True):
        off = [(plane.nearest(dart - at), far) for at, far in taken]
        kept.append(not any(x * x + y * y < (reach + far) ** 2 for (x, y), far in off))
        if kept[-1]:
            taken.append((dart, reach))
    return kept


@pytest.mark.parametrize("size", [(9.0, 9.0), (9.0, 2.3), (3.5, 40.0), (0.9, 0.9)])
@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize("seed", range(4))
def test_darts_are_kept_as_if_all_were_asked(size, edges, seed):
    """Cells find whoever is in the way, on narrow toruses too, and of hulls of other sizes."""
    rng = np.random.default_rng(seed)
    plane = Plane((0.0, 0.0, *size), edges)
    darts, standing = (rng.uniform(-1, 1.2, (n, 2)) * size for n in (80, 12))
    reaches = rng.uniform(0.1, 0.9, 12) * (seed > 0)
    some = rng.uniform(size=12) < 0.5
    taken = [Taken(standing[each], reaches[each], plane.size) for each in (some, ~some)]
    own = rng.uniform(0.1, 0.5, 80) if seed > 1 else np.full(80, 0.4)
    kept = clear_of(darts, taken, own)
    assert kept.tolist() == clear_by_pairs(darts, standing, reaches, own, plane)


def test_ring_faces_its_centre():
    """Evenly spaced from angle 0, clockwise on screen, heading for the middle."""
    world = World()
    world.add_group("a", Ring(10, 20, 5), model="flock", count=4, hull=DISC)
    assert np.allclose(world.units.position, [(15, 20), (10, 25), (5, 20), (10, 15)])
    assert np.allclose(world.units.heading, [(-1, 0), (0, -1), (1, 0), (0, 1)])


def test_points_are_taken_as_they_are():
    """One unit a point, in order; bare coordinates will do; touching is allowed."""
    places = [[0, 0], [1, 0], [1, 1]]
    for spawn in (places, np.array(places), Points(np.array(places, dtype=float))):
        world = World()
        group = world.add_group("a", spawn, model="flock", hull=DISC, heading=0)
        assert len(group) == 3
        assert world.units.position.tolist() == places


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"heading": 0}, [0, 0]),
        ({"heading": pi / 2}, [pi / 2, pi / 2]),
        ({"heading": np.int64(1)}, [1, 1]),
        ({"heading": [0.5, -2]}, [0.5, -2]),
        ({"heading": np.array([0.5, 3.0])}, [0.5, 3.0]),
        ({"facing": (0, 10)}, [pi / 2, 3 * pi / 4]),
        ({"heading": 1.0, "facing": (0, 10)}, [1, 1]),
    ],
)
def test_headings(options, expected):
    """As asked for all, or for each; else toward the point they face."""
    world = World()
    world.add_group("a", [[0, 0], [10, 0]], **options)
    assert np.allclose(world.units.angle, expected)


def test_facing_across_the_seam():
    """On a torus units face the nearest image of a point."""
    world = World(bounds=(0, 0, 100, 100), edges="wrap")
    world.add_group("a", [[5, 50]], model="flock", facing=(95, 50))
    assert abs(world.units.angle[0]) == pytest.approx(pi)


@pytest.mark.parametrize("heading", [None, "random"])
def test_random_headings(heading):
    """Without a goal, or where asked for, each unit has a heading of its own from the seed."""
    world = World(seed=2)
    facing = None if heading is None else (0, 0)
    world.add_group(
        "a", Region(0, 0, 99, 99), model="flock", count=20, heading=heading, facing=facing
    )
    assert len(set(world.units.angle.tolist())) == 20


@pytest.mark.parametrize(
    ("spawn", "options", "said"),
    [
        ((Region, 0, 0, 20, 20), {"count": 20}, "spawn.region = [0, 0, 20, 20]: room for 1"),
        (
            (Region, 0, 0, 20, 20),
            {"count": 10**6},
            "spawn.region = [0, 0, 20, 20]: room for 23 hulls at the very most, not for 1000000",
        ),
        (
            (Region, 0, 0, 1, 20),
            {"count": 1},
            "spawn.region = [0, 0, 1, 20]: too small for one hull that reaches",
        ),
        (
            (Region, 9, 0, -9, 9),
            {"count": 1},
            "spawn.region = (9, 0, -9, 9): must have left < right",
        ),
        ((Region, nan, 0, 9, 9), {"count": 1}, "spawn.region = (nan, 0, 9, 9): must have left <"),
        ((Region, 0, 0, inf, 9), {"count": 1}, "spawn.region = (0, 0, inf, 9): must have left <"),
        ((Region, 0, 0, 9, 9), {}, "count: required unless spawn gives the points"),
        ((Region, 0, 0, 9, 9), {"count": -1}, "count = -1: must be a whole number, 0 or greater"),
        ((Region, 0, 0, 9, 9), {"count": 1.5}, "count = 1.5: must be a whole number, 0 or greater"),
        ((Ring, 0, 0, -5), {"count": 2}, "spawn.circle = (0, 0, -5): must be finite numbers"),
        ((Ring, nan, 0, 5), {"count": 2}, "spawn.circle = (nan, 0, 5): must be finite numbers"),
        ([[0, 0]], {"count": 2}, "spawn.points = 1 points: must be one for each of 2 units"),
        ([[0, 0], [nan, 1]], {}, "spawn: unit 1 at (nan, 1): must be finite numbers"),
        ([1, 2, 3], {}, "spawn.points: must be rows of 2 numbers"),
        ([[0, 0]], {"heading": "north"}, "heading = 'north': must be a finite number or 'random'"),
        ([[0, 0]], {"heading": nan}, "heading = nan: must be a finite number or 'random'"),
        (
            [[0, 0]],
            {"heading": [1.0, 2.0]},
            "heading = [1.0, 2.0]: must be a finite number for each",
        ),
        (
            [[0, 0]],
            {"heading": [[1], [2, 3]]},
            "heading = [[1], [2, 3]]: must be a finite",
        ),
    ],
)
def test_refused(spawn, options, said: str):
    """What cannot be placed is refused by name, value and what is allowed."""
    if isinstance(spawn, tuple):
        with pytest.raises(BadInput) as caught:
            World().add_group("a", spawn[0](*spawn[1:]), model="flock", **options)
        assert str(caught.value).startswith(said)
    else:
        assert refusal(World(), spawn, **options).startswith(said)


@pytest.mark.parametrize(
    ("solids", "place"),
    [
        ({"discs": [(5, 5, 3)]}, (6, 6)),
        ({"boxes": [(4, 4, 8, 8)]}, (6, 6)),
        ({"bounds": (0, 0, 5, 5), "edges": "wall"}, (6, 6)),
        ({"discs": [(99, 6, 8)], "bounds": (0, 0, 100, 100), "edges": "wrap"}, (6, 6)),
    ],
    ids=["disc", "box", "beyond the walls", "disc across the seam"],
)
@pytest.mark.parametrize("ring", [False, True], ids=["points", "ring"])
def test_inside_a_solid(solids, place, ring: bool):
    """A unit that starts inside a solid or outside the walls is refused, with its place."""
    spawn = Ring(place[0] - 1, place[1], 1) if ring else [place]
    said = refusal(World(**solids), spawn, count=1, hull=DISC)
    assert said == f"spawn: unit 0 at (6, 6) {INSIDE}"


def test_depth_of_solids():
    """How deep a place lies, positive inside, for discs, boxes, walls and the edges."""
    from sim.core.plane import Plane
    from sim.core.solids import rows

    places = np.array([(5.0, 0.0), (1.0, 0.0), (8.0, 0.0)])
    disc = Solids(discs=rows([(5, 0, 2)], 3, "x"))
    box = Solids(boxes=rows([(4, -3, 6, 3)], 4, "x"))
    wall = Solids(walls=rows([(5, -1, 5, 1)], 4, "x"))
    assert np.allclose(disc.depth(places, Plane()), [2, -2, -1])
    assert np.allclose(box.depth(places, Plane()), [1, -3, -2])
    assert np.allclose(wall.depth(places, Plane()), [0, -4, -3])
    walled = Plane((0, -4, 9, 4), "wall")
    assert np.allclose(Solids().depth(places, walled), [-4, -1, -1])
    torus = Plane((0, -4, 9, 4), "wrap")
    assert np.allclose(disc.depth(places, torus), [2, -2, -1])
    assert np.allclose(Solids(discs=rows([(9, 0, 2)], 3, "x")).depth(places, torus), [-2, 1, 1])


@pytest.mark.parametrize(
    ("hull", "places", "heading"),
    [
        (DISC, [(0, 0), (0.9, 0)], 0.0),
        (DISC, [(0, 0), (0, 0)], 0.0),
        (WEDGE, [(0, 0), (3, 0)], 0.0),
        (BOX, [(0, 0), (2.5, 1.5)], 0.0),
        (DISC, [(0.2, 5), (99.8, 5)], 0.0),
    ],
    ids=["discs", "one place", "wedges in line", "corners of boxes", "across the seam"],
)
def test_overlapping_points(hull: Hull, places, heading: float):
    """Given points may touch but not overlap: both places are named."""
    world = World(bounds=(0, 0, 100, 100), edges="wrap")
    said = refusal(world, places, hull=hull, heading=heading)
    (x, y), (u, v) = places
    assert said in (
        f"spawn: unit 0 at ({x:g}, {y:g}) overlaps another at ({u:g}, {v:g})",
        f"spawn: unit 1 at ({u:g}, {v:g}) overlaps another at ({x:g}, {y:g})",
    )


def test_overlapping_another_group():
    """Points inside a unit of another group are refused; a ring too small for its units also."""
    world = World()
    world.add_group("a", [(0, 0)], model="flock", hull=DISC)
    said = r"^spawn: unit 1 at \(0\.5, 0\) overlaps another at \(0, 0\)$"
    with pytest.raises(BadInput, match=said):
        world.add_group("b", [(5, 0), (0.5, 0)], model="flock", hull=DISC)
    assert len(world.units) == len(world.groups) == len(world.space.bodies) == 1
    assert "overlaps another at" in refusal(World(), Ring(0, 0, 1), count=30, hull=DISC)


@pytest.mark.parametrize(
    ("hull", "places", "heading"),
    [
        (DISC, [(0, 0), (1, 0)], 0.0),
        (WEDGE, [(0, 0), (4, 0)], 0.0),
        (WEDGE, [(0, 0), (0, 2)], 0.0),
        (BOX, [(0, 0), (2, 0)], pi / 2),
    ],
)
def test_touching_points(hull: Hull, places, heading: float):
    """Hulls that just touch may start so."""
    world = World()
    world.add_group("a", places, model="flock", hull=hull, heading=heading)
    assert len(world.units) == 2
