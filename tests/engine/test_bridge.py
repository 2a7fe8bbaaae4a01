"""The bridge: what is read is what the bodies say, what is written acts once on the right ones."""

import numpy as np
import pymunk
import pytest

from sim.core.plane import Plane
from tests.engine.drift import DT, HULLS, Drift

OPEN = Plane()


def scattered(n: int = 12, plane: Plane = OPEN) -> Drift:
    """Some wedges in slow motion, well apart."""
    rng = np.random.default_rng(4)
    places = np.stack([np.arange(n) * 9.0, rng.uniform(0, 50, n)], axis=1)
    return Drift(plane, HULLS["wedge"], places, rng.normal(size=(n, 2)), rng.uniform(-9, 9, n), 0.3)


def test_reads_what_the_bodies_say():
    """The batch read gives, to the last bit, what each body's own properties give."""
    drift = scattered()
    units = drift.run(7)[-1]
    for row, body in enumerate(drift.bridge.bodies):
        assert tuple(units.position[row]) == body.position
        assert tuple(units.velocity[row]) == body.velocity
        assert (units.angle[row], units.spin[row]) == (body.angle, body.angular_velocity)
        np.testing.assert_allclose(units.heading[row], body.rotation_vector, rtol=1e-15)


def test_forces_act_once_and_where_meant():
    """A force and a torque change one unit's motion in one step, and then are gone."""
    drift, before = scattered(), scattered().units
    forces = np.zeros((12, 3))
    forces[5] = 600.0, -300.0, 30.0
    after = drift.step(forces)
    drift.space.step(DT)
    later = drift.units
    gained = after.velocity - before.velocity
    np.testing.assert_allclose(gained[5], (1.0, -0.5), rtol=1e-12)
    assert after.spin[5] - before.spin[5] == pytest.approx(30 * DT / HULLS["wedge"].moment)
    assert not np.delete(gained, 5, axis=0).any()
    assert np.array_equal(later.velocity, after.velocity)


def test_foreign_forces_stay():
    """A force that the owner of the space sets on a body of theirs is not wiped out by a write."""
    drift = scattered()
    ball = pymunk.Body(2.0, 1.0)
    ball.position = -500, 0
    drift.space.add(ball, pymunk.Circle(ball, 1.0))
    ball.force = 120.0, 0.0
    drift.step()
    assert ball.velocity == pytest.approx((1.0, 0.0))


def test_removed_units_leave_the_rest_in_their_rows():
    """A unit that is taken out is absent and NaN; all others keep rows, motion and forces."""
    drift, whole = scattered(), scattered()
    for each in (drift, whole):
        each.step()
    drift.bridge.remove(3)
    drift.bridge.remove(3)
    forces = np.arange(36.0).reshape(12, 3)
    units, expected = drift.step(forces), whole.step(forces)
    assert not units.present[3]
    assert np.isnan(units.position[3]).all()
    assert units.present.sum() == 11
    rest = np.delete(np.arange(12), 3)
    for name in ("position", "velocity", "angle", "spin"):
        assert np.array_equal(getattr(units, name)[rest], getattr(expected, name)[rest])
    assert len(drift.space.bodies) == 11


def test_short_arrays_are_refused():
    """The engine would read past the end of a short array: the bridge does not let it."""
    drift = scattered()
    units = drift.units
    stranger = pymunk.Body(1.0, 1.0)
    drift.space.add(stranger, pymunk.Circle(stranger, 1.0))
    with pytest.raises(RuntimeError, match="between a read and a write"):
        drift.bridge._send(pymunk.batch.BodyFields.FORCE, np.zeros((5, 2)))
    drift.bridge.write(units, np.zeros((12, 3)), DT)


def test_snapshots_are_copies():
    """The engine reuses its memory for the next read; a snapshot does not change with it."""
    drift = scattered()
    before = drift.units
    kept = before.position.copy()
    drift.run(3)
    assert np.array_equal(before.position, kept)


def test_put_back():
    """Bodies put to a snapshot move on from there as they did the first time."""
    drift = scattered(plane=Plane((-5, -5, 120, 60), "wrap"))
    start = drift.units
    first = drift.run(20)[-1]
    drift.bridge.put(start)
    again = drift.run(20)[-1]
    assert np.array_equal(first.position, again.position)
    assert np.array_equal(first.angle, again.angle)
