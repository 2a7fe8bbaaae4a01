"""Rows of units that were removed: what is asked for after a change is of the units left."""

import numpy as np
import pytest

import sim
from tests.living.test_laid_rows import crowd

SHOWN = (
    "ids", "position", "velocity", "heading", "moving", "arrived", "stuck", "controls", "leads",
    "radii", "speeds", "command", "winner",
)  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_group_shows_is_of_the_units_that_are_left(name: str):
    """Whatever is asked for first after some were removed."""
    (world, group), (other, same) = crowd(), crowd()
    for each in (world, other):
        each.step()
    keep = np.r_[0:7, 12:60]
    whole = np.array(getattr(same, name))[keep]
    assert len(getattr(group, name)) == 60
    group.remove(group.ids[7:12])
    assert np.array_equal(np.asarray(getattr(group, name)), whole, equal_nan=name != "winner")
    assert len(group) == len(world.units) == 55


def test_a_question_that_was_kept_tells_the_units_that_are_left():
    """By the rows as they are when it is asked."""
    world, group = crowd()
    world.step()
    asked, last = world.queries, int(group.ids[-1])
    here = tuple(group.position[-1].tolist())
    group.remove(group.ids[:10])
    row = asked.pick(here)
    assert world.ids[row] == last


def went(looks: bool) -> tuple[list[bytes], sim.World]:
    """Where units are while some go and come, and the world; between the two somebody looks."""
    world, group = crowd()
    rng, found = np.random.default_rng(0), list[bytes]()
    for step in range(40):
        world.step()
        gone = rng.choice(group.ids, 5, replace=False)
        group.remove(gone[:3])
        if looks:
            assert len(world.units) == len(world.ids)
        group.remove(gone[3:])
        group.add(sim.Region(0, 0, 12, 12), count=5 if step % 3 else 4)
        found.append(world.units.position.tobytes())
    return found, world


def test_to_look_at_units_between_changes_changes_nothing():
    """What is kept to be shown makes no difference to what follows."""
    (one, world), (other, seen) = went(False), went(True)
    assert one == other
    mine, theirs = world.save().parts["orders"], seen.save().parts["orders"]
    for name in mine.columns:
        pairs = zip(
            np.atleast_1d(getattr(mine, name)), np.atleast_1d(getattr(theirs, name)), strict=True
        )
        assert all(np.array_equal(*pair, equal_nan=True) for pair in pairs)
