"""The world: one step, one seed, somebody's own space, and everything that is refused."""

from math import inf, nan

import numpy as np
import pymunk
import pytest

from sim import BadInput, Diverged, Goal, Hull, Percepts, Points, Region, Terms, World, rule
from sim.group import eyes

TORUS = {"bounds": (0, 0, 120, 90), "edges": "wrap"}


def flock(seed: int = 1, count: int = 10, **options) -> World:
    """A few units on a small torus, near enough to meet."""
    world = World(seed=seed, **{**TORUS, **options})
    world.add_group("a", Region(0, 0, 120, 90), model="flock", count=count)
    return world


def state(world: World) -> list[np.ndarray]:
    """Everything that moves."""
    units = world.units
    return [units.position, units.velocity, units.angle, units.spin]


def same(one: World, other: World) -> bool:
    """Whether two worlds are alike to the last bit."""
    return all(map(np.array_equal, state(one), state(other)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"time_step": 0}, "time_step = 0: must be a finite number greater than 0"),
        ({"time_step": nan}, "time_step = nan: must be a finite number greater than 0"),
        ({"time_step": inf}, "time_step = inf: must be a finite number greater than 0"),
        ({"seed": -1}, "seed = -1: must be a whole number, 0 or greater"),
        ({"seed": 0.5}, "seed = 0.5: must be a whole number, 0 or greater"),
        ({"discs": [(0, 0, -1)]}, "discs[0] = (0, 0, -1): must be finite numbers, the radius"),
        ({"discs": [(0, 0, 1), (0, nan, 1)]}, "discs[1] = (0, nan, 1): must be finite numbers,"),
        ({"discs": [(0, 0)]}, "discs: must be rows of 3 numbers"),
        ({"discs": 3}, "discs: must be rows of 3 numbers"),
        ({"boxes": [(4, 0, 0, 4)]}, "boxes[0] = (4, 0, 0, 4): must be finite numbers, left < ri"),
        ({"boxes": [(0, 0, 4, 0)]}, "boxes[0] = (0, 0, 4, 0): must be finite numbers, left < ri"),
        ({"walls": [(0, 0, inf, 4)]}, "walls[0] = (0, 0, inf, 4): must be finite numbers"),
        ({"walls": [(0, 0), (1, 1)]}, "walls: must be rows of 4 numbers"),
        ({"edges": "wrap"}, "edges = 'wrap' needs bounds = (left, top, right, bottom)"),
        ({"bounds": (0, 0, 9)}, "bounds = (0, 0, 9): must be left, top, right, bottom"),
    ],
)
def test_refused(options, said: str):
    """What makes no world is refused by name, value and what is allowed."""
    with pytest.raises(BadInput) as caught:
        World(**options)
    assert str(caught.value).startswith(said)


def test_groups_by_name():
    """Names are unique, and a group that is not there is told with the groups that are."""
    world = World()
    first = world.add_group("a", [[0, 0]], model="flock")
    second = world.add_group("b", [[99, 0]], model="flock")
    assert world.group("a") is first
    assert world.group("b") is second
    with pytest.raises(BadInput, match=r"^group 'a': there is one of that name already$"):
        world.add_group("a", [[50, 0]], model="flock")
    with pytest.raises(BadInput, match=r"^group 'c': must be one of a, b$"):
        world.group("c")


def test_an_empty_world_steps():
    """A world without units is no special case."""
    world = World()
    world.step()
    assert len(world.units) == 0
    assert world.steps == 1


def test_one_seed_one_run():
    """The same seed gives the same run, bit for bit; another seed another one."""
    worlds = [flock(), flock(), flock(seed=2)]
    for world in worlds:
        for _ in range(40):
            world.step()
    assert same(worlds[0], worlds[1])
    assert not same(worlds[0], worlds[2])


def test_looking_changes_nothing():
    """Reading the units between steps, or not, makes no difference."""
    watched, unwatched = flock(), flock()
    for _ in range(20):
        watched.step()
        assert watched.units is watched.units
        unwatched.step()
    assert same(watched, unwatched)


def test_a_snapshot_stays():
    """A snapshot that somebody keeps is not changed by later steps."""
    world = flock()
    before = world.units
    kept = [each.copy() for each in state(world)]
    world.step()
    world.step()
    assert all(map(np.array_equal, kept, [before.position, before.velocity, before.angle,
                                          before.spin]))  # fmt: skip
    assert not np.array_equal(world.units.position, before.position)


def test_time_is_whole_steps():
    """The clock is the number of steps times their length: no rounding adds up."""
    world = World(time_step=0.1)
    world.add_group("a", [[0, 0]], model="flock")
    for _ in range(10):
        world.step()
    assert world.time == 10 * 0.1


@pytest.mark.parametrize("player", [False, True])
def test_steer_and_step_it_yourself(player: bool):
    """`steer` and one's own `space.step` are a step: same motion, same clock, same script."""
    worlds = [flock(), flock()]
    for world in worlds:
        if player:
            unit = world.add_group("player", [[-40, -40]], heading=0, model="player")
            unit.script = np.array([[0, 1.0, 0, 1], [0.25, 0, 1, 0.5]])
    for _ in range(30):
        worlds[0].step()
        worlds[1].steer()
        worlds[1].space.step(worlds[1].time_step)
        assert same(*worlds)
    assert worlds[0].time == worlds[1].time == 0.5


def test_a_group_that_joins_later():
    """Groups may join a running world: rows at the end, the others undisturbed and aware of it."""
    alone, joined = flock(count=4), flock(count=4)
    for _ in range(10):
        alone.step()
        joined.step()
    late = joined.add_group("late", [[60, 45]], heading=0, model="flock_book")
    assert late.rows == slice(4, 5)
    assert len(joined.units) == 5
    assert joined.units.group.tolist() == [0, 0, 0, 0, 1]
    assert same_rows(alone, joined, 4)
    for _ in range(20):
        alone.step()
        joined.step()
    assert np.hypot(*joined.units.velocity[4]) > 10
    assert not same_rows(alone, joined, 4)


def same_rows(one: World, other: World, rows: int) -> bool:
    """Whether the first units of two worlds are alike to the last bit."""
    return all(
        np.array_equal(a[:rows], b[:rows]) for a, b in zip(state(one), state(other), strict=True)
    )


def test_chase_a_unit_that_joins_later():
    """A group may be sent after one that joined while the world was running."""
    world = World()
    hunters = world.add_group("hunters", [[0, 0]], model="flock", heading=0)
    world.step()
    world.add_group("prey", [[50, 50]], model="flock", heading=0)
    hunters.goal = Goal("chase", "prey")
    for _ in range(30):
        world.step()
    assert hunters.terms["chase"].shape == (1, 2)
    assert world.units.spin[0] > 0 or world.units.angle[0] > 0


def test_positions_stay_on_the_torus():
    """A unit that crosses an edge comes in at the opposite one, and keeps its way."""
    world = World(**TORUS)
    world.add_group("a", [[110, 80]], model="flock", heading=np.pi / 4)
    low, high = world.plane.origin, world.plane.origin + world.plane.size
    crossed = False
    for _ in range(120):
        before = world.units.position[0]
        world.step()
        here = world.units.position[0]
        assert (here >= low).all()
        assert (here < high).all()
        crossed |= bool(np.abs(here - before).max() > 40)
        assert np.hypot(*world.plane.nearest(here - before)) < 2
    assert crossed


@pytest.mark.parametrize(
    "options",
    [
        {"bounds": (0, 0, 60, 60), "edges": "wall"},
        {"boxes": [(-9, -9, 0, 69), (60, -9, 69, 69), (-9, -9, 69, 0), (-9, 60, 69, 69)]},
        {"walls": [(0, 0, 60, 0), (60, 0, 60, 60), (60, 60, 0, 60), (0, 60, 0, 0)]},
    ],
    ids=["edges", "boxes", "walls"],
)
def test_solids_hold(options):
    """Nobody gets through the walls, however they are given."""
    world = World(seed=1, **options)
    world.add_group("a", Region(5, 5, 55, 55), count=6, model="flock_book")
    for _ in range(180):
        world.step()
        at = world.units.position
        assert (at > 0).all()
        assert (at < 60).all()


def test_discs_hold_across_the_seam():
    """A disc that reaches over the edge of a torus is solid on the other side also."""
    world = World(discs=[(118, 45, 8)], **TORUS)
    world.add_group(
        "a", [[30, 45]], heading=np.pi, model="flock_book", behaviours={"avoid_discs": False}
    )
    for _ in range(120):
        world.step()
        away = world.plane.nearest(world.units.position[0] - (118, 45))
        assert np.hypot(*away) > 8


@pytest.mark.usefixtures("own_rules")
def test_a_unit_that_diverges_is_named():
    """A state that is no longer finite stops the run with the unit, the step and the rule."""

    @rule("own")
    def burst(me: Percepts) -> Terms:
        """Push the second unit of the group out of all bounds in the 21st step."""
        terms = np.zeros(me.velocity.shape)
        if world.steps == 20:
            terms[1, 0] = nan
        return terms

    world = World()
    world.add_group("calm", [[0, 50]], model="flock")
    world.add_group("a", [[0, 0], [0, 20]], model="flock", behaviours={"burst": True})
    for _ in range(21):
        world.step()
    said = "unit 2 at step 21: its state is no longer finite; rule burst of group a: row 1: nan: "
    with pytest.raises(Diverged, match=f"^{said}must be finite$"):
        world.step()


@pytest.mark.usefixtures("shared_out")
def test_the_first_diverging_unit_is_named():
    """Also where all threads read the snapshot: the least row, whichever of them comes upon it."""
    side = 20
    world = World()
    world.add_group(
        "a", 20.0 * np.stack(np.divmod(np.arange(side * side), side), axis=1), model="flock"
    )
    for row in (side * side - 1, 300):
        world.roster.bridge.bodies[row].velocity = nan, 0.0
    with pytest.raises(Diverged, match=r"^unit 300 at step 0: its state is no longer finite$"):
        world.step()


def own_space() -> tuple[pymunk.Space, list[pymunk.Body]]:
    """Somebody's space, with a flying ball, a pushed one, a kinematic slab and a post."""
    space = pymunk.Space()
    flying, pushed = pymunk.Body(1, 1), pymunk.Body(2, 3)
    slab = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    flying.position, flying.velocity, flying.angular_velocity = (-300, -300), (7, -3), 0.5
    pushed.position = (-300, 300)
    slab.position, slab.velocity = (-200, 600), (2, 1)
    for body in (flying, pushed):
        space.add(body, pymunk.Circle(body, 3))
    space.add(slab, pymunk.Poly.create_box(slab, (20, 5)))
    space.add(pymunk.Circle(space.static_body, 6, (40, 12)))
    return space, [flying, pushed, slab]


def motion(bodies: list[pymunk.Body]) -> list[tuple]:
    """What a space's owner would notice."""
    return [(*b.position, *b.velocity, b.angle, b.angular_velocity, *b.force) for b in bodies]


@pytest.mark.parametrize("options", [{}, TORUS], ids=["open", "torus"])
def test_foreign_bodies_are_left_alone(options):
    """The bodies that were in the space move as they would without any units, forces and all."""
    space, bodies = own_space()
    alone, others = own_space()
    world = World(space=space, seed=2, **options)
    world.add_group("a", Region(60, 30, 120, 90), model="flock", count=8)
    for step in range(40):
        for body in (bodies[1], others[1]):
            body.apply_force_at_local_point((50, 10 + step), (0, 1))
        world.step()
        alone.step(world.time_step)
        assert motion(bodies) == motion(others)
    assert len(world.units) == 8


def test_foreign_bodies_are_felt():
    """A unit cannot fly through somebody's own body."""
    space = pymunk.Space()
    block = pymunk.Body(1e6, 1e9)
    block.position = (60, 0)
    space.add(block, pymunk.Poly.create_box(block, (10, 60)))
    world = World(space=space)
    world.add_group("a", [[0, 0]], model="flock", heading=0)
    for _ in range(120):
        world.step()
        assert world.units.position[0, 0] < 56


def test_static_circles_are_obstacles():
    """Round static shapes of somebody's space are steered clear of, wherever their body stands."""
    space = pymunk.Space()
    post = pymunk.Body(body_type=pymunk.Body.STATIC)
    post.position = (30, 0)
    space.add(post, pymunk.Circle(post, 6, (10, 2)))
    world = World(space=space)
    group = world.add_group("a", [[0, 0]], model="flock", heading=0)
    assert world.solids.discs.tolist() == [[40, 2, 6]]
    closest = inf
    for _ in range(80):
        world.step()
        closest = min(closest, float(np.hypot(*(world.units.position[0] - (40, 2)))))
        if world.steps == 1:
            assert group.terms["avoid_discs"][0, 1] < 0  # to port of what lies to starboard
    assert closest > 6 + group.hull.radius
    assert world.units.position[0, 0] > 60


def test_bodies_that_come_and_go():
    """The owner may add and remove bodies at any time: units keep their rows and their motion."""
    space = pymunk.Space()
    world, calm = World(space=space), World()
    for each in (world, calm):
        each.add_group("a", [[0, 0], [0, 30], [0, 60]], model="flock", heading=0)
    guests: list[pymunk.Body] = []
    for step in range(40):
        if step % 3 == 0:
            guests.append(pymunk.Body(1, 1))
            guests[-1].position = (-900, 100.0 * step)
            space.add(guests[-1], pymunk.Circle(guests[-1], 1))
        elif step % 5 == 0:
            gone = guests.pop(0)
            space.remove(gone, *gone.shapes)
        world.step()
        calm.step()
        assert same(world, calm)


def test_bodies_that_change_places():
    """Where as many bodies come as go, the engine's order changes and its length does not."""
    space = pymunk.Space()
    guest = pymunk.Body(1, 1)
    guest.position = (-900, 0)
    space.add(guest, pymunk.Circle(guest, 1))
    world, calm = World(space=space), World()
    for each in (world, calm):
        each.add_group("a", [[0, 0], [0, 30], [0, 60]], model="flock", heading=0)
        each.step()
    space.remove(guest, *guest.shapes)
    late = pymunk.Body(1, 1)
    late.position = (-900, 500)
    space.add(late, pymunk.Circle(late, 1))
    for _ in range(5):
        world.step()
        calm.step()
        assert same(world, calm)


def test_a_hair_beyond_the_edge():
    """A unit so little beyond the edge that adding the width rounds onto it stays on the torus."""
    world = World(**TORUS)
    world.add_group("a", [[-1e-18, 45], [60, -1e-18]], model="flock", heading=0)
    assert world.units.position.tolist() == [[0, 45], [60, 0]]


def test_hulls_of_a_group():
    """Each group has its own hull; its bodies weigh what the hull says."""
    world = World()
    world.add_group("a", Points([[0, 0]]), model="flock", hull=Hull("wedge", 8, 4, 25))
    world.add_group("b", Points([[50, 0]]), model="flock", hull=Hull.disc(3, 7))
    bodies = list(world.space.bodies)
    assert [body.mass for body in bodies] == [25, 7]
    assert bodies[1].moment == pytest.approx(7 * 9 / 2)


@pytest.mark.usefixtures("own_rules")
def test_all_look_before_one_decides(monkeypatch):
    """What the last group perceives is complete when the first one asks its rules."""
    told = []
    aims = eyes.aim_of
    monkeypatch.setattr(eyes, "aim_of", lambda *of: (told.append("looks"), aims(*of))[1])

    @rule("errands")
    def listens(me: Percepts) -> Terms:
        told.append("decides")
        return np.zeros(me.velocity.shape)

    world = World()
    for name, y in (("a", 0.0), ("b", 50.0)):
        group = world.add_group(name, [(0.0, y)], model="crowd", goal=Goal.to((20.0, y)))
        group.configure("listens", weight=1.0)
    world.step()
    assert told == ["looks", "looks", "decides", "decides"]
