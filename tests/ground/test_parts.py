"""Parts of the ground: closed, opened and removed while a world runs."""

import numpy as np
import pytest

import sim
from sim.core.errors import BadInput
from sim.living.events import Blocked

WALLS = [(20, 0, 21, 9), (20, 11, 21, 20)]
GATE = sim.Box(20, 9, 21, 11)


def hall(boxes=(), **options):
    """A hall in two halves, with a gap between them."""
    return sim.World(bounds=(0, 0, 40, 20), edges="wall", boxes=[*WALLS, *boxes], **options)


def sent(world, count=4, goal=(35.0, 10.0), **options):
    """Some units in the left half that are sent to the right one."""
    places = [(3.0 + 2 * (k % 3), 8.0 + 2 * (k // 3)) for k in range(count)]
    return world.add_group("a", places, goal=sim.Goal.to(goal), **options)


def run(world, steps):
    """Take some steps."""
    for _ in range(steps):
        world.step()


def field_of(world):
    """The only field of the only party."""
    (field,) = world.roster.orders_now().guide.parties[0].fields.values()
    return field


def test_a_gate_stops_units_and_lets_them_on():
    """Units wait before a gate that has closed, say so, and go on as soon as it opens."""
    world = hall()
    group = sent(world)
    gate = world.add_solid(GATE, name="gate")
    run(world, 300)
    assert gate.closed
    assert (world.units.position[:, 0] < 20).all()
    assert group.note.startswith("no way leads on for 4 of 4 units")
    gate.open()
    run(world, 1800)
    assert not gate.closed
    assert (world.units.position[:, 0] > 21).all()
    assert group.note == ""


def test_what_is_said_of_an_order_stays_after_a_gate_has_opened():
    """It was wiped at the next step of a group that a gate had ever cut off."""
    world = hall()
    group = sent(world)
    gate = world.add_solid(GATE, name="gate")
    run(world, 60)
    assert group.note.startswith("no way leads on for 4 of 4 units")
    gate.open()
    run(world, 60)
    assert group.note == ""
    group.go_to((900, 10), nearest=True)
    run(world, 1)
    said = group.note
    assert "the nearest place is" in said
    run(world, 60)
    assert group.note == said


def test_units_that_are_enclosed_say_so_once():
    """One event each when the gate closes, none while they wait, one more when it closes again."""
    world = hall()
    group = sent(world)
    gate, told = world.add_solid(GATE, name="gate"), []

    def watched(steps):
        told.clear()
        for _ in range(steps):
            world.step()
            told.extend(event for event in world.events if isinstance(event, Blocked))
        return sorted(told)

    assert watched(600) == [Blocked(unit, "no way") for unit in group.ids.tolist()]
    gate.open()
    watched(60)
    assert group.note == ""
    gate.close()
    assert watched(400) == [Blocked(unit, "no way") for unit in group.ids.tolist()]
    gate.open()
    run(world, 1800)
    assert group.arrived.all()


@pytest.mark.parametrize(
    ("given", "said"),
    [({"velocity": (1, 0)}, "unexpected keyword"), ({}, "missing 1 required positional argument")],
)
def test_a_call_that_does_not_fit_names_the_method_called(given, said):
    """Not that of the part of the world which does it."""
    with pytest.raises(TypeError, match=rf"^World\.add_solid\(\).*{said}"):
        sim.World().add_solid(*([GATE] if given else []), **given)


@pytest.mark.parametrize("shape", [
    GATE, sim.Disc(20.5, 10, 1.2), sim.Wall(20.5, 9, 20.5, 11),
    sim.Polygon([(20, 9), (21, 9), (21.5, 10), (21, 11), (20, 11)]),
])  # fmt: skip
def test_all_shapes_are_seen_felt_and_planned_round(shape):
    """A ray, a body and a way meet a closed part of each shape, and nothing once it is open."""
    world = hall()
    part = world.add_solid(shape)
    for closed in (True, False):
        assert world.path((10, 10), (30, 10), 0.5).found is not closed
        hits = world.feelers.cast([(10, 10)], [(30, 10)])
        assert np.isfinite(hits.share[0]) == closed
        assert bool(world.queries.rays([(10, 10)], [(30, 10)]).hit[0]) is closed
        assert (world.solids.depth(np.array([(20.5, 10.0)]), world.plane)[0] > -0.01) is np.bool_(
            closed
        )
        part.open()


def test_ways_are_those_of_a_world_built_so():
    """After each change the field to a goal is the very one of a world that was built that way."""
    world = hall()
    sent(world)
    gate = world.add_solid(sim.Box(20, 9, 21, 9.8), name="half")
    disc = world.add_solid(sim.Disc(28, 10, 2), open=True)
    run(world, 8)
    for boxes, discs, deed in (
        ([(20, 9, 21, 9.8)], [], lambda: None),
        ([(20, 9, 21, 9.8)], [(28, 10, 2)], disc.close),
        ([], [(28, 10, 2)], gate.open),
        ([(20, 9, 21, 9.8)], [], lambda: (disc.open(), gate.close())),
    ):
        deed()
        run(world, 20)
        built = sim.World(
            bounds=(0, 0, 40, 20), edges="wall", boxes=[*WALLS, *boxes], discs=discs
        )  # fmt: skip
        sent(built)
        run(built, 8)
        assert np.array_equal(field_of(world).distance, field_of(built).distance)
        one, two = field_of(world).through, field_of(built).through
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            assert all(map(np.array_equal, one, two))


def test_new_ways_are_taken_up_at_a_step_decided_beforehand():
    """A change takes effect on ways six steps later, and what was asked for before comes right."""
    world = hall()
    sent(world)
    gate = world.add_solid(GATE, open=True)
    run(world, 1)
    gate.close()
    run(world, 7)
    assert not np.isfinite(field_of(world).distance).all()
    gate.open()
    run(world, 3)
    before = field_of(world)
    gate.close()
    run(world, 4)
    assert field_of(world) is not before
    assert field_of(world).sample(np.array([(5.0, 10.0)]))[1][0] < np.inf
    run(world, 3)
    assert field_of(world).sample(np.array([(5.0, 10.0)]))[1][0] == np.inf


def test_a_route_of_its_own_leads_round_what_has_closed():
    """A unit on a way of its own goes round a wall that comes, and takes the door that opens."""
    world = hall()
    group = sent(world, 1)
    wall = world.add_solid(sim.Box(10, 4, 11, 16), name="wall")
    run(world, 10)
    party = world.roster.orders_now().guide.parties[0]
    assert party.ways[0].length == pytest.approx(world.path((3, 8), (35, 10), 0.5).length, rel=0.02)
    assert party.ways[0].length > 33
    wall.open()
    run(world, 10)
    assert party.ways[0].length < 33
    run(world, 1800)
    assert np.hypot(*(world.units.position[0] - (35, 10))) < 0.6
    assert group.note == ""


def test_closing_on_somebody_waits():
    """A gate does not close on a unit: it says which by its id, and closes when it has gone on."""
    world = hall()
    world.add_group("a", [(5.0, 5.0), (20.5, 10.0)], goal=sim.Goal.to((35, 10)))
    world.remove([0])
    gate = world.add_solid(GATE)
    assert not gate.closed
    assert gate.note == "waits: unit 1 stands there"
    run(world, 240)
    assert gate.closed
    assert gate.note == ""
    assert world.units.position[0, 0] > 21.4


def test_a_world_without_solids_gets_some():
    """The first solid of a world makes those go round it that went straight."""
    world = sim.World()
    world.add_group("a", [(0.0, 0.0), (0.0, 2.0)], goal=sim.Goal.to((20, 0)))
    run(world, 20)
    part = world.add_solid(sim.Box(9, -6, 11, 5))
    run(world, 1500)
    assert world.orders.minds.arrived.all()
    part.remove()
    assert not world.parts
    assert world.solids.empty
    for change in (part.close, part.open, part.remove, lambda: setattr(part, "velocity", (1, 0))):
        with pytest.raises(BadInput, match="was removed"):
            change()


def test_a_goal_behind_a_closed_gate_is_allowed():
    """Units are sent through a closed gate and wait; a place behind walls is still refused."""
    world = hall([(30, 0, 31, 6), (31, 5, 40, 6)])
    gate = world.add_solid(GATE)
    group = sent(world)
    world.step()
    assert "as long as it is closed" in group.note
    gate.open()
    run(world, 1500)
    assert (world.units.position[:, 0] > 21).all()
    with pytest.raises(BadInput, match="no way leads"):
        group.goal = sim.Goal.to((36, 2))


@pytest.mark.parametrize("seeds", [(1, 1)])
def test_one_run(seeds):
    """The same changes at the same steps give the same run to the last bit."""
    ends = []
    for seed in seeds:
        world = hall(seed=seed)
        sent(world, 6)
        gate = world.add_solid(GATE)
        for step in range(400):
            if step % 90 == 30:
                gate.open()
            if step % 90 == 80:
                gate.close()
            world.step()
        ends.append(world.units.position.copy())
        world.close()
    assert np.array_equal(*ends)


@pytest.mark.parametrize(("call", "said"), [
    (lambda w: w.add_solid((1, 2, 3, 4)), "must be a shape, such as"),
    (lambda _: sim.Box(1, 0, 0, 1), "left < right"),
    (lambda _: sim.Disc(0, 0, 0), "radius greater than 0"),
    (lambda _: sim.Wall(1, 1, 1, 1), "must end elsewhere"),
    (lambda _: sim.Polygon([(0, 0), (2, 0), (1, 0.5), (2, 2)]), "must be convex"),
    (lambda _: sim.Polygon([(0, 0), (2, 0)]), "three or more corners"),
    (lambda _: sim.Box("a", 0, 1, 1), "must be 4 numbers"),
    (lambda w: (w.add_solid(GATE, name="g"), w.add_solid(GATE, name="g")), "of that name already"),
    (lambda w: w.add_solid(GATE, path=[(0, 0, 0)]), "two or more rows"),
    (lambda w: w.add_solid(GATE, path=[(1, 0, 0), (2, 1, 0)]), "from 0 on"),
    (lambda w: w.add_solid(GATE, path=[(0, 0, 0), (2, 1, 0)], loop=True), "back where it began"),
    (lambda w: w.add_solid(GATE, loop=True), "needs a path"),
    (lambda w: setattr(w.add_solid(GATE), "velocity", "fast"), "must be two finite numbers"),
    (lambda w: w.add_area(sim.Wall(0, 0, 1, 1)), "must have an inside"),
    (lambda w: w.add_area(GATE, speed=0), "speed = 0: must be a finite number greater than 0"),
    (lambda w: w.add_area(GATE, groups="a"), "must be names of groups"),
    (lambda w: w.see("body"), "must be a body in the world's space"),
])  # fmt: skip
def test_refused(call, said):
    """What is no shape, path, velocity or area is refused, and what is allowed is said."""
    with pytest.raises(BadInput) as refused:
        call(hall())
    assert said in str(refused.value)


@pytest.mark.parametrize("what", ["solid", "area"])
def test_units_that_are_on_their_way_go_round_what_comes_first(what):
    """In a world that was empty so far: also those that were ordered apart from their group."""
    world = sim.World()
    group = world.add_group("red", [[0.0, 0.0], [0.0, -9.0]], goal=sim.Goal.to((9.0, -20.0)))
    one = world.select(group.ids[:1])
    one.go_to((30.0, 0.0))
    run(world, 30)
    if what == "solid":
        world.add_solid(sim.Box(10, -5, 12, 10))
    else:
        world.add_area(sim.Box(10, -5, 20, 10), speed=0.1)
    run(world, 1900)
    assert one.arrived.all()
    assert group.arrived.all()


def test_a_door_that_closes_again_is_known() -> None:
    """What stands round the units is worked out once for a door, however often it closes."""
    world = sim.World(bounds=(0, 0, 20, 20), edges="wall")
    gate, door = (world.add_solid(sim.Box(x, 2, x + 1, 4), open=True) for x in (5, 9))
    seen = [world.site.around]
    for change in (gate.close, door.close, gate.open, door.open):
        change()
        seen.append(world.site.around)
    assert len({id(each) for each in seen}) == 4
    assert seen[-1] is seen[0]
    for change, known in zip((gate.close, door.close, gate.open, door.open), seen[1:], strict=True):
        change()
        assert world.site.around is known
    gate.close()
    gate.velocity = (1, 0)
    for _ in range(10):
        world.step()
    faces = world.site.around.faces.rows
    assert (faces[:, 0] > 5.1).any()
    assert world.site.around is not seen[1]
