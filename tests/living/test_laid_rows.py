"""Rows that are laid anew where they are, and bodies that are used again."""

import numpy as np
import pymunk
import pytest

import sim
from sim.core.relay import NEW, Relay, spread
from sim.engine import build
from sim.living import roster


def changes(rng, rows: int) -> np.ndarray:
    """Old rows of units after some left, came amid others, came at the end, or all were mixed."""
    old = np.arange(rows)
    kind = rng.integers(4)
    if kind == 0:
        return np.flatnonzero(rng.random(rows) < 0.8)
    fresh = np.full(rng.integers(5), NEW)
    if kind == 1:
        return np.insert(old, np.sort(rng.integers(0, rows + 1, len(fresh))), fresh)
    if kind == 2:
        return np.append(old, fresh)
    return rng.permutation(np.append(old[rng.random(rows) < 0.7], fresh))


@pytest.mark.parametrize("kind", ["numbers", "flags", "places"])
def test_rows_in_their_own_memory_are_what_copies_would_be(kind):
    """Over 300 runs of eight changes each: as a plain list would have them."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        rows = int(rng.integers(40))
        values = rng.random((rows, 3) if kind == "places" else rows)
        values = values > 0.5 if kind == "flags" else values
        for _ in range(8):
            old = changes(rng, len(values))
            fresh = np.ones(values.shape[1:], values.dtype)
            wanted = [fresh if row == NEW else values[row].copy() for row in old.tolist()]
            values = Relay(old).carried(values, 1)
            assert values.tolist() == [np.asarray(each).tolist() for each in wanted]
            assert values.flags.c_contiguous


def test_rows_of_units_that_have_several_move_as_single_ones():
    """Over 2,000 changes: what stays, goes or comes, in order or not, as by rows."""
    rng = np.random.default_rng(0)
    for _ in range(2000):
        counts = rng.integers(0, 4, rng.integers(0, 12))
        old = changes(rng, len(counts)) if len(counts) else np.full(2, NEW)
        first = np.append((np.cumsum(counts) - counts)[old], 0)[: len(old)] if len(counts) else old
        first = np.where(old == NEW, NEW, first)
        many = rng.integers(0, 4, len(old))
        many = np.where(old == NEW, many, counts[old] if len(counts) else many)
        values = rng.random((int(counts.sum()), 2))
        by_rows, by_spans = Relay(spread(first, many)), Relay(first, many)
        wanted = by_rows.anew(values, 7.0)
        assert np.array_equal(by_spans.anew(values, 7.0), wanted)
        kept = Relay(np.arange(len(values))).anew(values, 0.0)
        assert np.array_equal(by_spans.carried(kept, 7.0), wanted)


def crowd(count: int = 60) -> tuple[sim.World, sim.Group]:
    """Units that press through each other's middle."""
    world = sim.World(seed=2, bounds=(0, 0, 12, 12), edges="wrap")
    goal = sim.Goal.along([(3, 3), (9, 9)], loop=True)
    group = world.add_group("a", sim.Region(0, 0, 12, 12), count=count, goal=goal)
    return world, group


def test_what_is_kept_of_units_stays_in_its_memory_as_some_come_and_go():
    """Laying each array anew in new memory took half of the time that a change takes."""
    world, group = crowd()
    world.step()
    group.remove(group.ids[:5])
    before = world.roster.orders.tolerance
    group.add(sim.Region(0, 0, 12, 12), count=3)
    group.remove(group.ids[5:9])
    after = world.roster.orders.tolerance
    assert len(after) == len(before) - 1
    assert np.shares_memory(before, after)


def test_what_was_handed_out_stays_as_it_was():
    """Terms and commands of the last step that somebody has got hold of; rows move under none."""
    world, group = crowd()
    world.step()
    group.remove(group.ids[:1])
    held = [group.command, *group.terms.values()]
    before = [each.copy() for each in held]
    group.remove(group.ids[:5])
    group.add(sim.Region(0, 0, 12, 12), count=3)
    assert all(np.array_equal(*pair) for pair in zip(held, before, strict=True))


def test_what_was_wanted_at_the_last_step_follows_the_units():
    """Through two changes: each has what it had by its id, and one that has come wants nothing."""
    world, group = crowd()
    world.step()
    before = {"": group.command, **group.terms}
    known = {k: dict(zip(group.ids.tolist(), v.tolist(), strict=True)) for k, v in before.items()}
    group.remove(group.ids[10:20])
    group.add(sim.Region(0, 0, 12, 12), count=3)
    group.remove(group.ids[:2])
    ids, nothing = group.ids.tolist(), [0.0, 0.0]
    for name, now in {"": group.command, **group.terms}.items():
        assert now.tolist() == [known[name].get(each, nothing) for each in ids]


def churned(monkeypatch, most: int) -> np.ndarray:
    """The places of all units after 40 steps, at each of which five go and five come."""
    monkeypatch.setattr(roster, "MOST_SPARE", most)
    world, group = crowd()
    rng = np.random.default_rng(0)
    for _ in range(40):
        world.step()
        group.remove(rng.choice(group.ids, 5, replace=False))
        group.add(sim.Region(0, 0, 12, 12), count=5)
    return world.units.position.copy()


def test_a_body_that_is_used_again_is_as_good_as_new(monkeypatch):
    """The run is the same, bit for bit, as with bodies that are all made anew."""
    again, anew = churned(monkeypatch, build.MOST_SPARE), churned(monkeypatch, 0)
    assert np.array_equal(again, anew)


def test_units_that_come_take_the_bodies_of_units_that_left():
    """So nothing is made, and Python has no garbage to look for."""
    world, group = crowd()
    world.step()
    gone = world.roster.bridge.bodies[:4]
    group.remove(group.ids[:4])
    group.add(sim.Region(0, 0, 12, 12), count=4)
    assert set(gone) <= set(world.roster.bridge.bodies)


def test_what_a_user_did_to_a_shape_is_no_longer_there():
    """One who comes is not of the kind of collisions, nor as slippery, as one who has left."""
    world, group = crowd()
    (shape,) = world.roster.bridge.bodies[0].shapes
    shape.collision_type, shape.friction, shape.body.mass = 7, 0.0, 3.0
    group.remove(group.ids[:1])
    group.add(sim.Region(0, 0, 12, 12), count=1)
    assert shape.body in world.roster.bridge.bodies
    assert (shape.collision_type, shape.friction) == (0, 0.2)
    assert shape.body.mass == group.hull.mass


def test_a_body_that_a_user_has_tied_to_another_is_not_used_again():
    """Nor one whose motion a function of the user's decides."""
    world, group = crowd()
    body = world.roster.bridge.bodies[0]
    body.velocity_func = lambda *_: None
    group.remove(group.ids[:1])
    group.add(sim.Region(0, 0, 12, 12), count=1)
    assert body not in world.roster.bridge.bodies


def test_a_body_that_a_user_has_put_to_use_is_not_used_again():
    """The engine ended the process for one held still; one in a space was an `AssertionError`."""
    held = pymunk.Space()
    for use in (
        lambda body: setattr(body, "body_type", pymunk.Body.KINEMATIC),
        lambda body: setattr(body, "center_of_gravity", (1, 0)),
        lambda body: setattr(*body.shapes, "mass", 2),
        lambda body: next(iter(body.shapes)).unsafe_set_radius(3.0),
        lambda body: held.add(body, *body.shapes),
        lambda body: pymunk.Space().add(body, *body.shapes),
    ):
        world, group = crowd(2)
        body = world.roster.bridge.bodies[0]
        group.remove(group.ids[:1])
        use(body)
        group.add(sim.Region(0, 0, 12, 12), count=1)
        assert body not in world.roster.bridge.bodies
        world.step()


def test_a_body_that_was_turned_by_no_number_is_as_good_as_new():
    """One with an angle of NaN took no place: the next step was said to have diverged."""
    world, group = crowd(2)
    body = world.roster.bridge.bodies[0]
    group.remove(group.ids[:1])
    body.angle = np.nan
    group.add(sim.Region(0, 0, 12, 12), count=1)
    world.step()
    assert body in world.roster.bridge.bodies
    assert np.isfinite(world.units.position).all()


@pytest.mark.parametrize("whole", [True, False])
def test_a_unit_goes_whose_body_a_user_has_taken_out(whole):
    """The body, or its shape alone, was taken out since the last step: an `AssertionError`."""
    world, group = crowd(2)
    world.step()
    body = world.roster.bridge.bodies[0]
    world.space.remove(*body.shapes, *([body] if whole else []))
    group.remove(group.ids[:1])
    assert len(group.ids) == 1
    assert body not in world.space.bodies
    world.step()
