"""Saving worlds whose ground changes: parts, areas and events go on where they were."""

from concurrent.futures import Future

import pytest

import sim
from sim.living.agenda import Due
from sim.living.deeds import Deed
from sim.orders.renewing import Renewals
from sim.saving import made_with
from sim.world import World
from tests.saving.test_living import kept
from tests.saving.test_states import digest, forward

WALL = [(10, 0, 11, 6), (10, 8, 11, 14)]


def changing(**given) -> World:
    """Units at a door that closes and opens, a lift among them, and mud on their way."""
    given = {"bounds": (0, 0, 20, 14), "edges": "wall", "boxes": WALL} | given
    world = World(seed=2, **given)
    world.add_solid(sim.Box(10, 6, 11, 8), name="door", open=True)
    world.add_solid(sim.Disc(14, 3, 1), name="lift", path=[(0, 0, 0), (2, 0, 4)])
    world.add_solid(sim.Polygon([(2, 2), (4, 2), (3, 4)]), name="rock").velocity = (0.2, 0.3)
    out = world.add_group("out", sim.Region(1, 5, 8, 13), count=20, goal=sim.Goal.to((17, 7)))
    world.add_group("back", sim.Region(12, 6, 19, 13), count=8, goal=sim.Goal.to((3, 7)))
    world.add_area(sim.Box(4, 5, 9, 9), speed=0.5, groups=["out"])
    for at, action, name in (
        (0.3, "close", "door"),
        (1.4, "open", "door"),
        (1.45, "close", "door"),
    ):
        world.agenda.add(Due(at, Deed(action, name)))
    world.agenda.add(Due(1.0, Deed("order", "back", goal=sim.Goal.to((15, 3)), queue=True)))
    world.agenda.add(Due(0.35, Deed("set", settings=((("out", "speed"), 1.7),))))
    assert out.index == 0
    return world


def parts_of(world: World) -> list[tuple[object, ...]]:
    """How all parts stand, and what they wait for."""
    return [
        (p.name, p.closed, p.wanted, p.note, *p.offset, p.clock, p.velocity)
        for p in world.parts.values()
    ]


def check(world: World, tmp_path, after: int = 100) -> None:
    """Straight on, from memory in this and another world, and from a file: the same bits."""
    state = world.save(tmp_path / "run.state")
    read, other = World.load(tmp_path / "run.state"), World(**made_with(state))
    other.load(state)
    for each in (world, read, other):
        forward(each, after)
    straight = digest(world), kept(world), parts_of(world)
    assert (digest(read), kept(read), parts_of(read)) == straight
    assert (digest(other), kept(other), parts_of(other)) == straight
    world.load(state)
    forward(world, after)
    assert (digest(world), kept(world), parts_of(world)) == straight


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(0, marks=pytest.mark.slow), 19, 22, pytest.param(60, marks=pytest.mark.slow),
        pytest.param(85, marks=pytest.mark.slow), pytest.param(88, marks=pytest.mark.slow), 91,
    ],
)  # fmt: skip
def test_goes_on(before: int, tmp_path):
    """Before the door closes, while the new ways are planned, and later on."""
    check(forward(changing(), before), tmp_path)


@pytest.mark.slow
def test_on_a_torus(tmp_path):
    """A part has images across the seams there."""
    check(forward(changing(edges="wrap"), 30), tmp_path)


@pytest.mark.slow
def test_where_nothing_is_solid_but_parts(tmp_path):
    """A world without solids of its own has a planner only since a part came."""
    check(forward(changing(boxes=()), 22), tmp_path)


def test_parts_are_the_same_objects():
    """A load gives back parts as they were; those added since are gone, those removed are back."""
    world = changing()
    door, state = world.parts["door"], forward(world, 5).save()
    door.close()
    world.parts["lift"].remove()
    late = world.add_solid(sim.Box(1, 1, 2, 2), name="late")
    forward(world, 5)
    world.load(state)
    assert world.parts["door"] is door
    assert not door.closed
    assert set(world.parts) == {"door", "lift", "rock"}
    with pytest.raises(sim.BadInput, match="was removed"):
        late.open()
    assert len(world.space.bodies) == 28 + 2


def test_a_state_without_parts():
    """What changed since is gone with a load: the run is that of a world that never had it."""
    world = World(seed=2, bounds=(0, 0, 20, 14), edges="wall")
    world.add_group("out", sim.Region(1, 1, 8, 13), count=9, goal=sim.Goal.to((17, 7)))
    state = world.save()
    straight = digest(forward(world, 60))
    world.load(state)
    world.add_solid(sim.Box(10, 2, 11, 12))
    world.add_area(sim.Box(4, 5, 9, 9), speed=0.5)
    assert digest(forward(world, 60)) != straight
    world.load(state)
    assert not world.parts
    assert not world.areas
    assert world.solids.empty
    assert digest(forward(world, 60)) == straight


@pytest.mark.slow
def test_trails_of_ground_that_has_changed(tmp_path):
    """Units that pursue go by trails of before until new ones come, in a file too."""
    world = World(seed=2, bounds=(0, 0, 20, 14), edges="wall", boxes=[(10, 0, 11, 11)])
    door = world.add_solid(sim.Box(10, 11, 11, 14), name="door", open=True)
    world.add_group("fox", [(3, 3), (4, 9)], model="soldiers", goal=sim.Goal("chase", "hen"))
    world.add_group("hen", [(17, 3), (17, 9)], goal=sim.Goal.to((13, 3)))
    forward(world, 60)
    door.close()
    guide = world.roster.orders.guide
    while guide.planner.chart is not guide.planner.latest or world.steps < 62:
        world.step()
    check(world, tmp_path, 60)


def test_saved_by_what_happens_at_a_time(tmp_path):
    """Amid a step, as a door closes: what it asked for is waited for, and not without end."""
    world, states = forward(changing(), 20), []
    world.at(world.time, lambda world: next(iter(world.parts.values())).close())
    world.at(world.time, lambda world: states.append(world.save()))
    forward(world, 1)
    assert len(states) == 1
    check(world, tmp_path, 20)


def test_saved_after_its_threads_have_ended(tmp_path):
    """What was being planned when the world was closed is planned for the state."""
    world = forward(changing(), 20)
    planner = world.roster.orders_now().guide.planner
    world.close()
    for ticket in planner._open:
        ticket.future = Future()
        ticket.future.cancel()
    assert planner._open
    check(world, tmp_path, 10)


@pytest.mark.parametrize("steps", [pytest.param(30, id="taken up"), pytest.param(4, id="planned")])
def test_units_that_were_sent_elsewhere(steps: int, tmp_path):
    """What was planned for an order of before, on ground of before, is forgotten."""
    world = forward(changing(), 30)
    for x in (14, 15, 16):
        world.group("out").go_to((x, 10))
        forward(world, steps)
        world.add_solid(sim.Disc(x, 1.5, 0.3))
        forward(world, 1)
    guide = world.orders.guide
    assert set(guide.renewals.looked) == set(guide.parties)
    check(world, tmp_path, 20)


def test_a_door_that_stands_is_not_planned_round_anew(tmp_path, monkeypatch):
    """A world from a file knows its closed door: its first step asks for no other ways.

    On a torus all ways were asked for again, and units took others.
    """
    world = sim.World(seed=2, bounds=(0, 0, 40, 20), edges="wrap", boxes=WALL)
    world.add_solid(sim.Box(10, 6, 11, 8), name="door")
    world.add_group("a", sim.Region(1, 5, 8, 13), count=8, model="crowd", goal=sim.Goal.to((17, 7)))
    forward(world, 20)
    changes = []
    monkeypatch.setattr(Renewals, "change", lambda *given: changes.append(given))
    check(world, tmp_path, 3)
    assert not changes
    world.parts["door"].open()
    world.step()
    assert len(changes) == 1


def test_a_part_whose_body_was_taken_out_of_the_space():
    """It cannot be saved, and that is said; to open or remove it is all the same."""
    world = forward(changing(), 2)
    for name, deed in (("rock", sim.Part.open), ("lift", sim.Part.remove)):
        part = world.parts[name]
        world.space.remove(part.body, *part.body.shapes)
        with pytest.raises(sim.BadInput, match=f"save: the body of part '{name}' is not in the"):
            world.save()
        deed(part)
        forward(world, 2)
    assert not world.parts["rock"].closed
    assert "lift" not in world.parts
    world.save()
