"""Rays in bulk meet what the engine's own meet, and rules feel by them."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import BadInput, Hull, World, rule
from sim.behaviours import Terms, Within
from sim.core.hull import sizes
from sim.core.plane import Plane
from sim.core.sharing import threads, use_threads
from sim.maps.tile_map import TileMap
from sim.perception.crowd import Crowd
from sim.perception.feelers import Hits
from sim.perception.felt import Felt
from sim.perception.outlines import BOUND, BOX, DISC, NOTHING, UNIT, WALL
from sim.perception.percepts import Percepts
from sim.perception.rays import NO_HULL
from sim.perception.sights import Feel

HULLS = [Hull("wedge", 3, 1.5), Hull("box", 2.5, 1.0), Hull.disc(0.8)]
SIZE = (60.0, 40.0)
LENGTH, WIDTH = 4.0, 2.0
"""Of the player's craft."""
Reach = Annotated[float, Within(0, 1e3, "how far")]
Others = Annotated[bool, Within(0, 1, "whether units count")]


def random_world(edges: str, seed: int, walls: int = 4) -> World:
    """Solids of all kinds, or a map of tiles, and up to 60 units of three shapes among them."""
    rng = np.random.default_rng(seed)
    if edges == "map":
        world = World(map=TileMap(rng.random((10, 15)) < 0.3, (4.0, 4.0)))
    else:
        boxes = rng.uniform(0, 40, (4, 2))
        world = World(
            bounds=None if edges == "open" else (0.0, 0.0, *SIZE), edges=edges,
            discs=np.column_stack([rng.uniform((0, 0), SIZE, (5, 2)), rng.uniform(0.3, 5, 5)]),
            boxes=np.column_stack([boxes, boxes + rng.uniform(1, 15, (4, 2))]),
            walls=rng.uniform(0, 40, (walls, 4)),
        )  # fmt: skip
    places = rng.uniform((3, 3), np.array(SIZE) - 3, (90, 2))
    apart = world.plane.nearest(places[:, None] - places)
    first = np.tril(np.hypot(apart[..., 0], apart[..., 1]) < 4, -1).any(axis=1)
    places = places[(world.solids.depth(places, world.plane) < -2) & ~first]
    for n, hull in enumerate(HULLS):
        if len(places[n::3]):
            given = {"model": "player", "hull": hull, "heading": "random"}
            world.add_group(hull.shape, places[n::3], **given)
    if not world.groups:
        world.add_group("far off", [(30, 20)], model="player", hull=HULLS[0])
    world.step()
    return world


def crowd_of(world: World) -> Crowd:
    """The hulls of a world's units."""
    hulls, group = [g.hull for g in world.groups], world.units.group
    return Crowd(world.plane, hulls, group, sizes(hulls, group))


def check(world: World, starts: np.ndarray, ends: np.ndarray, radius: float, own=None) -> Hits:
    """The same hits as the engine's, at the same distance, on the same surface."""
    slow = world.queries.rays(starts, ends, radius, own)
    crowd = crowd_of(world).stand(world.units, radius)
    found = world.feelers.cast(
        starts, ends, radius, crowd=crowd, own=NO_HULL if own is None else own
    )
    length = np.hypot(*(ends - starts).T)
    assert np.array_equal(np.isfinite(found.share), slow.hit)
    hit = slow.hit
    assert np.abs((found.share - slow.fraction) * length)[hit].max(initial=0) < 1e-6
    assert np.array_equal(found.kind == NOTHING, ~hit)
    np.testing.assert_allclose(
        found.point[hit], (starts + found.share[:, None] * (ends - starts))[hit], atol=1e-9
    )
    # Of several that a ray begins in either may be told; the engine's normals then lead further in.
    outside = hit & (slow.fraction > 0)
    row = np.where(found.kind == UNIT, found.who, -1)
    assert np.array_equal(row[outside], slow.row[outside])
    np.testing.assert_allclose(found.normal[outside], slow.normal[outside], atol=1e-6)
    return found


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["open", "wall", "wrap", "map"]), st.integers(0, 2**20), st.sampled_from([0, 1])
)
def test_agrees_with_the_engine(edges, seed, radius):
    """Any world, thin rays and thick: the same thing is met first, at the same place.

    The engine lets thick rays into walls when they come from near their line: with thickness, this
    is a matter for worlds without them, and for the next test.
    """
    if radius and edges == "map":
        return
    world = random_world(edges, seed, walls=0 if radius else 4)
    rng = np.random.default_rng(seed)
    # Starts within the bounds: how thick the bounds are is nobody's business.
    starts = rng.uniform((0, 0), SIZE, (60, 2))
    if edges == "map":  # behind a map's edges the engine has some room, up to its cores
        starts = starts[world.solids.depth(starts, world.plane) < 0]
    check(world, starts, starts + rng.normal(size=starts.shape) * 15, radius)
    own = rng.integers(0, len(world.units), 60)
    starts = world.units.position[own]
    check(world, starts, starts + rng.normal(size=(60, 2)) * 15, radius, own)


def room_at(world: World, spots: np.ndarray) -> np.ndarray:
    """How far each of some places is from all solids, each at all its images."""
    plane = world.plane
    flat = Plane() if plane.wraps else plane
    shifts = plane.size * [(i, j) for i in range(-3, 4) for j in range(-3, 4)]
    depths = [world.solids.depth(spots + s, flat) for s in (shifts if plane.wraps else [(0, 0)])]
    return -np.max(depths, axis=0)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["open", "wall", "wrap", "map"]),
    st.integers(0, 2**20),
    st.sampled_from([0.0, 0.6, 5.0]),
)
def test_thick_rays_go_as_far_as_there_is_room(edges, seed, radius):
    """All the way to a hit the solids are farther off than the radius, and there just as far."""
    world, rng = random_world(edges, seed), np.random.default_rng(seed)
    starts = rng.uniform((0, 0), SIZE, (30, 2))
    ways = rng.normal(size=(30, 2)) * 15
    ends = starts + ways
    if edges in ("wall", "map"):
        ends = np.clip(ends, 0, SIZE)  # the room beyond is none
    found = world.feelers.cast(starts, ends, radius)
    assert np.array_equal(np.isinf(found.share), world.feelers.clear(starts, ends, radius))
    reached = np.minimum(found.share, 1)
    for share in np.linspace(0, 0.999, 40):
        spots = starts + share * reached[:, None] * (ends - starts)
        room = room_at(world, spots)
        assert (room[reached > 0] > radius).all()
    hit = np.isfinite(found.share)
    room = room_at(world, found.point[hit])
    began = found.share[hit] == 0
    np.testing.assert_allclose(room[~began], radius, atol=1e-9)
    assert (room[began] <= radius + 1e-9).all()


@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_meets_each_kind(edges):
    """What was met is told by kind and row; its sides are those of the list of solids."""
    world = World(
        bounds=(0, 0, 100, 80), edges=edges,
        discs=[(90, 70, 1), (20, 10, 2)], boxes=[(40, 5, 50, 15)], walls=[(60, 0, 60, 30)],
    )  # fmt: skip
    found = world.feelers.cast([(10, 10), (30, 10), (55, 10), (70, 40)], [(90, 10)] * 4)
    assert found.kind.tolist() == [DISC, BOX, WALL, NOTHING]
    assert found.who.tolist() == [1, 0, 0, -1]
    np.testing.assert_allclose(found.share[:3], [8 / 80, 10 / 60, 5 / 35])
    np.testing.assert_allclose(found.normal[:3], [(-1, 0)] * 3, atol=1e-12)
    assert np.isinf(found.share[3])
    assert np.isnan(found.point[3]).all()


def test_bounds_of_a_walled_plane():
    """The sides left, top, right and bottom, met from inside or begun beyond."""
    world = World(bounds=(0, 0, 100, 80), edges="wall")
    found = world.feelers.cast(
        [(50, 40)] * 4 + [(-5, 40)], [(-9, 40), (50, -9), (109, 40), (50, 89), (9, 40)]
    )
    assert found.kind.tolist() == [BOUND] * 5
    assert found.who.tolist() == [0, 1, 2, 3, 0]
    np.testing.assert_allclose(found.point[:4], [(0, 40), (50, 0), (100, 40), (50, 80)])
    assert found.share[4] == 0


def test_rays_that_begin_inside():
    """Whoever starts within a solid is at it: no way to go, and the normal is the way out."""
    world = World(discs=[(0, 0, 4)], boxes=[(20, 0, 40, 10)], walls=[(60, -5, 60, 5)])
    starts = [(0, 3), (39, 5), (60, 0), (0, 0)]
    found = world.feelers.cast(starts, np.add(starts, (9, 0)))
    assert found.share.tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(found.normal, [(0, 1), (1, 0), (-1, 0), (-1, 0)], atol=1e-12)
    np.testing.assert_allclose(found.point, starts)


def test_rays_of_no_length_and_of_no_number():
    """What has no length is stopped by what it is in, what is not finite by nothing."""
    world = World(discs=[(0, 0, 4)], walls=[(10, 0, 20, 0)])
    starts = [(0, 3), (0, 5), (np.nan, 0), (0, 0), (9, 0), (9, 0)]
    ends = [(0, 3), (0, 5), (0, 0), (np.inf, 0), (30, 0), (30, 0)]
    found = world.feelers.cast(starts, ends)
    assert found.share[0] == 0
    assert np.isinf(found.share[1:]).all(), "a wall met end-on has no thickness"
    assert world.feelers.clear((9, 0), (30, 0), radius=0.5).tolist() == [False]
    assert world.feelers.cast([], []).share.shape == (0,)
    assert np.isinf(World().feelers.cast((0, 0), (9, 9)).share).all()


def test_refused():
    """Rays with one end, and thickness that is none."""
    with pytest.raises(BadInput, match="1 origins and 2 tips"):
        World().feelers.cast((0, 0), [(1, 1), (2, 2)])
    for radius in (-1, np.nan, np.inf):
        with pytest.raises(BadInput, match="radius"):
            World().feelers.clear((0, 0), (1, 1), radius)


def test_round_the_torus():
    """A ray goes on across the seam as often as it takes; the point lies along it."""
    world = World(bounds=(0, 0, 100, 80), edges="wrap", discs=[(50, 40, 1)])
    found = world.feelers.cast([(10, 76), (10, 60)], [(10 + 1000, 76 + 600), (510, 60)])
    along = np.array([(10, 76)]) + found.share[0] * np.array([(1000, 600)])
    assert found.share[0] > 0.33
    off = world.plane.nearest(along - (50, 40))
    assert np.hypot(*off[0]) == pytest.approx(1)
    np.testing.assert_allclose(found.point[:1], along)
    assert np.isinf(found.share[1])


def test_wide_bodies_across_the_seam():
    """A box wider than half the torus, and one over its edge, are met wherever they reach."""
    world = World(bounds=(0, 0, 100, 80), edges="wrap", boxes=[(20, 30, 95, 40), (90, 60, 110, 70)])
    down = [(22, 20), (60, 20), (94, 20), (5, 50), (5, 20)]
    found = world.feelers.cast(down, np.add(down, (0, 15)))
    assert np.isfinite(found.share).tolist() == [True, True, True, True, False]


def test_clear_is_the_room_there_is():
    """A disc passes a gap if it is wide enough for it, and a thin ray always."""
    feel = World(boxes=[(0, 0, 10, 10), (0, 12, 10, 22)]).feelers
    for radius, free in ((0, True), (0.99, True), (1.01, False), (3, False)):
        assert feel.clear((-20, 11), (30, 11), radius).tolist() == [free]


@pytest.mark.usefixtures("shared_out")
def test_threads_change_nothing():
    """Many threads find the same bits as one."""
    world, rng = random_world("wrap", 3), np.random.default_rng(4)
    starts = rng.uniform((0, 0), SIZE, (2000, 2))
    ends = starts + rng.normal(size=(2000, 2)) * 20
    crowd = crowd_of(world).stand(world.units)
    threaded, most = world.feelers.cast(starts, ends, crowd=crowd), threads()
    use_threads(1)
    try:
        plain = world.feelers.cast(starts, ends, crowd=crowd)
    finally:
        use_threads(most)
    for one, other in zip(threaded, plain, strict=True):
        np.testing.assert_array_equal(one, other)


def ask(world: World, name: str, feel: Feel, **options):
    """Put a rule that feels into the table, and a group that has it; what it got to feel."""
    got: list[Percepts] = []

    def feeler(me: Percepts, felt: Felt, *, ahead: Reach = 5.0, others: Others = False) -> Terms:
        assert ahead >= 0
        assert others in (False, True)
        assert felt is me.felt
        got.append(me)
        return np.zeros(me.velocity.shape)

    feeler.__annotations__["felt"] = Annotated[Felt, feel]
    rule("test")(feeler)

    rules = {"feeler": options.pop("set", {})}
    world.add_group(name, options.pop("at"), model="player", behaviours=rules, **options)
    return got


@pytest.mark.usefixtures("own_rules")
@pytest.mark.parametrize("turn", [0.0, 0.7, np.pi])
def test_a_rule_feels(turn):
    """Three rays abreast in the unit's own frame: where, which way it faces, how large it is."""
    c, s = np.cos(turn), np.sin(turn)
    middle = np.array((c * 10 - s * 2.5, s * 10 + c * 2.5))  # 10 ahead, 2.5 to starboard
    world = World(discs=[(*middle, 2.0)])
    got = ask(world, "a", Feel(lengths="ahead"), at=[(0, 0), (-300, 0)], heading=turn)
    world.steer()
    felt = got[0].felt
    np.testing.assert_allclose(felt.abreast, [-WIDTH / 2, 0, WIDTH / 2])
    np.testing.assert_allclose(felt.reach, 5 * LENGTH)
    assert felt.kind[0].tolist() == [NOTHING, NOTHING, DISC]
    assert (felt.kind[1] == NOTHING).all()
    assert np.isinf(felt.distance[0, :2]).all()
    inward = np.sqrt(2.0**2 - 1.5**2)
    assert felt.distance[0, 2] == pytest.approx(10 - inward)
    np.testing.assert_allclose(felt.normal[0, 2], (-inward / 2, -1.5 / 2), atol=1e-12)
    np.testing.assert_allclose(felt.middle[0, 2], (10, 2.5), atol=1e-12)
    apart = np.hypot(10, 2.5)
    assert felt.gap[0, 2] == felt.close[0, 2] == pytest.approx(apart - 2)
    np.testing.assert_allclose(felt.toward[0, 2], np.array((10, 2.5)) / apart, atol=1e-12)
    np.testing.assert_allclose(felt.edge[0, 2], [(10, 2.5)] * 2, atol=1e-12)
    assert felt.rounding[0, 2].tolist() == [2, 2]


@pytest.mark.usefixtures("own_rules")
def test_reach_by_length_and_by_time():
    """Rays reach some lengths and, on top of it, so far as the unit now travels in a time."""
    world = World(walls=[(40, -9, 40, 9)])
    feel = Feel((0.0,), lengths="ahead", seconds=0.5)
    got = ask(world, "a", feel, at=[(0, 0)], heading=0.0, set={"ahead": 2.0})
    world.groups[0].controls[:, 2] = 1.0
    for _ in range(30):
        world.step()
    speed = np.hypot(*got[-1].velocity[0])
    assert got[-1].felt.reach[0] == pytest.approx(2 * LENGTH + 0.5 * speed)
    assert speed > 20


@pytest.mark.usefixtures("own_rules")
def test_units_are_felt_when_asked():
    """Others' hulls stop a ray if the rule wants that, the own one never; across the seam too."""
    for others in (False, True):
        world = World(bounds=(0, 0, 100, 80), edges="wrap")
        got = ask(
            world, "a", Feel(lengths="ahead", units="others"),
            at=[(10, 10), (98, 10)], heading=0.0, set={"others": others, "ahead": 6.0},
        )  # fmt: skip
        world.add_group("b", [(30, 10)], model="player", hull=Hull.disc(1.0))
        world.steer()
        kind, who = got[0].felt.kind[:, 1].tolist(), got[0].felt.who[:, 1].tolist()
        assert (kind, who) == (([UNIT] * 2, [2, 0]) if others else ([NOTHING] * 2, [-1, -1]))
        if others:
            np.testing.assert_allclose(got[0].felt.distance[:, 1], [19, 10])


@pytest.mark.usefixtures("own_rules")
def test_only_what_is_asked():
    """What a rule feels is in memory that stays; others are given nothing, and nothing is cast."""
    world = World(discs=[(30, 0, 2)])
    first = ask(world, "a", Feel(lengths=9.0), at=[(0, 0)])
    world.steer()
    world.step()
    assert np.shares_memory(first[0].felt.distance, first[1].felt.distance)
    group = world.add_group("b", [(0, 50)], model="flock")
    world.steer()
    assert "avoid_discs" in group.terms
    felt = [each.felt for rules in world.looking.eyes()._seen for each in rules]
    assert sum(each is not None for each in felt) == 1


@pytest.mark.usefixtures("own_rules")
def test_a_unit_that_left_feels_nothing():
    """A unit that is no longer there casts no rays and is met by none."""
    world = World()
    feel = Feel(lengths=9.0, units=True)
    got = ask(world, "a", feel, at=[(0, 0), (12, 0), (24, 0)], heading=0.0)
    world.roster.bridge.remove(1)
    world.roster.read_anew()
    world.steer()
    assert got[0].felt.who[:, 1].tolist() == [2, -1, -1]


@pytest.mark.usefixtures("own_rules")
def test_feels_by_its_own_parameters_only():
    """A name that is no parameter of the rule is a mistake in the rule."""
    with pytest.raises(TypeError, match="feels by far"):

        @rule("test")
        def wrong(_: Percepts, felt: Annotated[Felt, Feel(lengths="far")]) -> Terms:
            raise AssertionError(felt)
