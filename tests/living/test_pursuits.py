"""Selections that follow or chase a group, whatever the others of their groups do."""

import itertools

import numpy as np
import pytest

import sim
from sim.screen.errands import errands

KINDS = ("chase", "intercept", "follow", "approach", "flee")
RULES = {
    model: sim.World().add_group("a", [], model=model).settings.values()
    for model in ("crowd", "flock", "mages", "soldiers", "squares", "walkers")
}
MODELS = [
    (model, kind)
    for model, rules in RULES.items()
    for kind in KINDS
    if any(kind in each.rule.serves for each in rules)
]


def world_of_two() -> tuple[sim.World, sim.Group, sim.Group]:
    """Three units that are sent nowhere, and two that walk off."""
    world = sim.World(seed=1)
    dogs = world.add_group("dogs", [(0, 0), (0, 3), (0, 6)])
    sheep = world.add_group("sheep", [(20, 0), (20, 3)], goal=sim.Goal.to((60, 0)))
    return world, dogs, sheep


def run(world: sim.World, seconds: float) -> None:
    """Step a world for some time."""
    for _ in range(round(seconds / world.time_step)):
        world.step()


@pytest.mark.parametrize("kind", ["follow", "chase"])
def test_some_of_a_group_pursue(kind):
    """Two of three come near the others; the third stays where it is, and is not on its way."""
    world, dogs, sheep = world_of_two()
    squad = world.select(dogs.ids[:2])
    getattr(squad, kind)(sheep)
    run(world, 40)
    apart = squad.position[:, None] - sheep.position[None]
    away = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1)
    assert (squad.position[:, 0] > 45).all()  # 52: they are as quick as what they chase
    assert (away < 10).all()  # 8, of 20 at first
    assert np.hypot(*(dogs.position[2] - (0, 6))) < 1e-6
    assert squad.moving.tolist() == [True, True]
    assert not dogs.moving[2]
    assert dogs.goal is None


def test_all_of_a_group_have_it_as_their_goal():
    """An order for the whole group is its goal; so it is for those that are left of it."""
    world, dogs, sheep = world_of_two()
    world.select(dogs.ids[:1]).order(sim.Goal.to((0.5, 0), leave=True))
    run(world, 2)
    assert world.units.present[:3].tolist() == [False, True, True]
    world.select(dogs.ids[1:]).chase(sheep)
    assert dogs.goal == sim.Goal("chase", "sheep")


@pytest.mark.parametrize(("model", "kind"), MODELS)
def test_each_goes_as_a_group_of_its_own_would(model, kind):
    """A unit that pursues amid its group moves as it does in a group that all pursues, to the bit.

    So does one that goes to a place, or has been told to stop: they stand too far apart to heed
    each other, and rules see nothing of what the others of their group are after.
    """
    places = np.array([(0, 0), (0, 900), (0, 1800)])

    def tracks(parted: bool) -> np.ndarray:
        world = sim.World(seed=3)
        prey = world.add_group("prey", [(40, 7)], model="crowd", speed=0.7)
        prey.go_to((90, 20))
        if parted:
            group = world.add_group("mixed", places, model=model, heading=0.3)
            world.select(group.ids[:1]).order(sim.Goal(kind, "prey"))
            world.select(group.ids[1:2]).go_to((30, 910))
            world.select(group.ids[2:]).stop()
        else:
            goals = (sim.Goal(kind, "prey"), sim.Goal.to((30, 910)), None)
            for at, goal in zip(places, goals, strict=True):
                one = world.add_group(f"at {at[1]}", [at], model=model, heading=0.3)
                if goal is None:
                    world.select(one.ids).stop()
                else:
                    one.goal = goal
        found = []
        for _ in range(240):
            world.step()
            found.append(world.units.position[1:].copy())
        return np.array(found)

    mixed, alone = tracks(True), tracks(False)
    assert np.array_equal(mixed, alone)


def test_units_of_one_group_pursue_different_groups():
    """Each goes after its own; one that flees goes away from its own."""
    world = sim.World(seed=2)
    for name, at in (("east", (40, 0)), ("west", (-40, 0)), ("near", (3, 5))):
        world.add_group(name, [at])
    group = world.add_group("all", [(0, 0), (0, 3), (0, 6)])
    goals = (("chase", "east"), ("follow", "west"), ("flee", "near"))
    for one, goal in zip(group.ids, goals, strict=True):
        world.select([one]).order(sim.Goal(*goal))
    run(world, 20)
    (ax, _), (bx, _), flees = group.position
    assert ax > 15  # each has gone 26 in 20 s
    assert bx < -15
    assert np.hypot(*(flees - (3, 5))) > 6  # 3.2 at first, now 19
    assert group.kinds == {"chase", "follow", "flee"}


def test_a_chase_may_be_queued_and_ends_with_its_quarry():
    """First to a place, then after the others; when these are gone, on to what was queued last."""
    world, dogs, sheep = world_of_two()
    one = world.select(dogs.ids[:1])
    one.go_to((0, -8))
    one.chase(sheep, queue=True)
    one.go_to((-20, 0), queue=True)
    places = []
    for second in itertools.count():
        run(world, 1)
        places.append(one.position[0].copy())
        if second == 29:
            world.remove(sheep.ids)
        if second == 80:
            break
    at = np.array(places)
    assert np.hypot(*(at[:10] - (0, -8)).T).min() < 1.0
    assert at[29, 0] > 15  # 31 by then: after the sheep, and not done while they are there
    assert np.hypot(*(at[-1] - (-20, 0))) < 1.0
    assert one.arrived.all()


def test_ways_lead_some_round_what_is_solid():
    """Of a group amid which some go elsewhere, those that chase go round a wall, as all would."""
    world = sim.World(seed=1, boxes=[[10, -15, 12, 15]])
    world.add_group("prey", [(22, 0)])
    group = world.add_group("hunters", [(0, 0), (0, 3), (0, 6)])
    world.select(group.ids[:2]).chase("prey")
    world.select(group.ids[2:]).go_to((-5, 10))
    run(world, 45)
    assert (group.position[:2, 0] > 13).all()  # the wall ends at 12, the prey stands at 22
    assert group.arrived[2]


def test_soldiers_of_one_group_pair_off_with_two():
    """Half of a company approaches one enemy, half another: each stands before one of its own."""
    world = sim.World(seed=4)
    line = [(0, y) for y in range(0, 16, 4)]
    group = world.add_group("blue", line, model="soldiers", facing=(20, 6))
    near = world.add_group("near", [(18, -8), (18, -4)], model="soldiers", facing=(0, 0))
    far = world.add_group("far", [(18, 18), (18, 22)], model="soldiers", facing=(0, 12))
    world.select(group.ids[:2]).order(sim.Goal("approach", "near"))
    world.select(group.ids[2:]).order(sim.Goal("approach", "far"))
    run(world, 40)
    other = world.orders.opponents.of
    first = len(group)
    assert sorted(other[:2]) == [first, first + 1]
    assert sorted(other[2:4]) == [first + 2, first + 3]
    assert len(near) == len(far) == 2


def test_a_flock_in_two_minds():
    """Half of a flock chases a craft, the others fly to a point: both come there."""
    world = sim.World(seed=5)
    prey = world.add_group("prey", [(150, 0)], model="flock", speed=10)
    flock = world.add_group("flock", sim.Region(-20, -20, 20, 20), count=12, model="flock")
    world.select(flock.ids[:6]).chase(prey)
    world.select(flock.ids[6:]).go_to((-150, 0))
    run(world, 30)
    away = np.hypot(*(flock.position - prey.position[0]).T)
    assert np.median(away[:6]) < 40  # 27, of 150 at first; the others are 300 and more from it
    assert flock.arrived[6:].all()


@pytest.mark.parametrize("when", ["order", "queue"])
def test_what_cannot_be_pursued_is_refused(when):
    """Their own group, no group of that name, a selection: with nothing changed."""
    world, dogs, sheep = world_of_two()
    some = world.select(dogs.ids[:2])
    queue = when == "queue"
    with pytest.raises(sim.BadInput, match=r"^goal.chase: group 'dogs' cannot chase itself$"):
        some.chase(dogs, queue=queue)
    with pytest.raises(sim.BadInput, match="wolves"):
        some.order(sim.Goal("chase", "wolves"), queue=queue)
    with pytest.raises(sim.BadInput, match=r"takes a group or its name, no selection: .*regroup"):
        some.follow(world.select(sheep.ids), queue=queue)
    assert dogs.kinds == frozenset()


def test_all_groups_follow_or_none():
    """Where a model of one cannot, no other has been ordered."""
    world, dogs, sheep = world_of_two()
    book = world.add_group("book", [(9, 9)], model="flock_book")
    with pytest.raises(sim.BadInput, match="model 'flock_book' cannot do that"):
        world.select([*dogs.ids, *book.ids]).follow(sheep)
    assert dogs.goal is None


def test_a_saved_world_goes_on_alike():
    """Saved amid pursuits of parts, behind a wall: loaded, it goes on to the last bit."""
    world = sim.World(seed=1, boxes=[[10, -15, 12, 15]])
    world.add_group("prey", [(22, 0)], goal=sim.Goal.patrol([(22, 0), (22, 20)]))
    group = world.add_group("hunters", [(0, 0), (0, 3), (0, 6)])
    world.select(group.ids[:2]).chase("prey")
    world.select(group.ids[2:]).go_to((-5, 10))
    world.select(group.ids[2:]).follow("prey", queue=True)
    run(world, 5)
    state = world.save()
    run(world, 20)
    straight = world.units.position.copy()
    world.load(state)
    run(world, 20)
    assert np.array_equal(world.units.position, straight)


def test_units_that_come_to_a_group_do_what_it_does():
    """The part that chases stays a part: units that join go where the group goes."""
    world, dogs, sheep = world_of_two()
    dogs.go_to((-10, 0))
    world.select(dogs.ids[:1]).chase(sheep)
    new = dogs.add([(0, 9)])
    world.remove(dogs.ids[1:2])
    run(world, 25)
    assert world.select(new).arrived.all()
    assert world.select(dogs.ids[:1]).position[0, 0] > 10  # 32; the others go to -10


def test_lines_lead_to_what_is_pursued():
    """In the window: to the nearest of the group, after that to the one that is pursued next."""
    world, dogs, _ = world_of_two()
    world.add_group("cat", [(-5, 0)])
    one = world.select(dogs.ids[:1])
    one.chase("sheep")
    one.follow("cat", queue=True)
    world.step()
    now, later = errands(world, 0)
    assert np.allclose(now, (20, 0), atol=0.1)
    assert np.allclose(later, (-5, 0))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("model", ["crowd", "mages", "soldiers", "squares", "walkers"])
def test_units_that_are_stopped_come_to_rest(model, whole):
    """All of a group or some; soldiers without any order would march on."""
    world = sim.World(seed=1)
    group = world.add_group("a", [(0, 0), (0, 300), (0, 600)], model=model, heading=0.0)
    group.go_to((50, 0))
    run(world, 1)
    some = world.select(group.ids if whole else group.ids[:2])
    some.stop()
    run(world, 3)
    before = some.position.copy()
    run(world, 2)
    assert np.abs(some.position - before).max() < 0.01


def test_what_is_said_of_one_part_stays_while_another_pursues():
    """One is sent as near to a place as it gets, others chase: the note of the first was wiped.

    What is said of a chase goes when those that chased are sent elsewhere.
    """
    shut = [(30, -5, 31, 5), (31, -5, 40, -4), (31, 4, 40, 5), (39, -4, 40, 4)]
    world = sim.World(seed=1, boxes=shut)
    for name, at in (("free", (22, 0)), ("shut in", (35, 0))):
        world.add_group(name, [at])
    group = world.add_group("all", [(0, 0), (0, 3), (0, 6)])
    world.select(group.ids[2:]).order(sim.Goal.to((35, 0), nearest=True))
    said = group.note
    assert "no way leads from (0, 6)" in said
    hunters = world.select(group.ids[:2])
    hunters.chase("free")
    run(world, 0.5)
    assert group.note == said
    of_no_hunt = "a note of another cause: some go to the nearest place instead"
    group.say(of_no_hunt)  # its words do not tell what it is of
    run(world, 0.5)
    assert group.note == of_no_hunt
    for then in (lambda: hunters.chase("free"), lambda: hunters.go_to((0, 0))):
        hunters.chase("shut in")
        run(world, 0.5)
        assert group.note == "no way leads to 'shut in': some go to the nearest place instead"
        then()
        run(world, 0.5)
        assert group.note == ""


def test_a_flock_that_is_stopped_flies_on_together():
    """Craft cannot stand: with no order they flock, as they did before they had any.

    Its courses add up to 1.0 of all after half a minute; by the rules for places to 0.3.
    """
    world = sim.World(seed=1)
    flock = world.add_group("a", sim.Region(-30, -30, 30, 30), count=20, model="flock")
    flock.go_to((200, 0))
    run(world, 5)
    world.select(flock.ids).stop()
    run(world, 30)
    assert np.hypot(*flock.heading.mean(axis=0)) > 0.9


@pytest.mark.parametrize("whole", [True, False])
def test_a_quarry_that_leaves_at_its_exit_is_not_pursued_at_that_step(whole):
    """Where solids have units led: they went on from where it was no more, to no finite place."""
    world = sim.World(seed=1, boxes=[[0, 20, 2, 22]])
    exits = ((8, 0), (16, 0))
    goals = sim.Goal.along(*([place] for place in exits), tolerance=0.5, leave=True)
    prey = world.add_group("prey", [(5, 0), (5, 3)], goal=goals)
    group = world.add_group("hunters", [(0, 0), (0, 3), (0, 6)])
    hunters = world.select(group.ids if whole else group.ids[:2])
    hunters.chase(prey)
    hunters.go_to((-10, 0), queue=True)
    run(world, 5)
    assert world.units.present[:2].sum() == 1
    run(world, 35)
    assert not world.units.present[:2].any()
    assert hunters.arrived.all()
