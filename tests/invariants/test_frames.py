"""A run knows no numbering, no place, no direction and no scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim import Goal, Hull, World
from sim.core.units import Units

STEPS = 60
ROUNDING = 1e-7
"""What rounding may grow to in that time, in hull lengths and radians."""


def places(count: int, side: float, seed: int = 2) -> np.ndarray:
    """Well apart, scattered over a square."""
    rng = np.random.default_rng(seed)
    columns = int(np.ceil(np.sqrt(count)))
    lattice = np.stack(np.divmod(np.arange(count), columns), axis=1) + 0.5
    return (lattice + rng.uniform(-0.25, 0.25, (count, 2))) * side / columns


def turned(points: np.ndarray, angle: float, about: float = 0.0) -> np.ndarray:
    """Points turned clockwise on screen about (about, about); quarter turns without rounding."""
    exact = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
    quarters = angle / (np.pi / 2)
    c, s = exact.get(quarters % 4, (np.cos(angle), np.sin(angle)))
    x, y = points[..., 0] - about, points[..., 1] - about
    return np.stack([c * x - s * y, s * x + c * y], axis=-1) + about


def scene(at: np.ndarray, angles: np.ndarray, *, discs=(), scale: float = 1.0, **options) -> World:
    """A flock and its quarry; the last three units are the quarry."""
    world = World(discs=discs, **options)
    hull = Hull("wedge", 4.0 * scale, 2.0 * scale, 10.0)
    world.add_group("quarry", at[-3:], model="flock", hull=hull, heading=0.0)
    world.add_group(
        "flock", at[:-3], model="flock", hull=hull, heading=0.0, goal=Goal("chase", "quarry")
    )
    start = world.units
    world.roster.bridge.put(replace(start, angle=np.roll(angles, 3)))
    world.roster.read_anew()
    return world


def run(world: World, steps: int = STEPS) -> list[Units]:
    """The states from the start on."""
    states = [world.units]
    for _ in range(steps):
        world.step()
        states.append(world.units)
    return states


AT = places(40, 500.0)
ANGLES = np.random.default_rng(5).uniform(-np.pi, np.pi, 40)
DISCS = np.array([(118.0, 143.0, 14.0), (355.0, 285.0, 16.0), (508.0, 250.0, 10.0)])
MOVE = (100.0, 307.0)
SQUARE = {"bounds": (0.0, 0.0, 512.0, 512.0), "edges": "wrap"}


def renumbered(side: float, **options) -> tuple[list[Units], list[Units], np.ndarray]:
    """The same scene twice, the second time with each group's units in another order."""
    at = places(40, side)
    order = np.random.default_rng(1).permutation(37)
    whole = np.concatenate([order, [38, 39, 37]])
    first = run(scene(at, ANGLES, **options))
    second = run(scene(at[whole], ANGLES[whole], **options))
    # Rows: the quarry comes first.
    rows = np.concatenate([[1, 2, 0], order + 3])
    return first, second, rows


@pytest.mark.parametrize("options", [{}, SQUARE], ids=["plane", "torus"])
def test_renumbering(options):
    """Units in another order do the same, bit for bit, as long as nobody touches anybody."""
    first, second, rows = renumbered(500.0, discs=DISCS, **options)
    for one, other in zip(first, second, strict=True):
        for name in ("position", "velocity", "angle", "spin"):
            assert np.array_equal(getattr(one, name)[rows], getattr(other, name)), name


def test_renumbering_in_a_press():
    """With contacts only the engine's own order of solving them shows, and only a little."""
    first, second, rows = renumbered(60.0)
    middles = [np.abs(s[20].position.mean(axis=0)) for s in (first, second)]
    np.testing.assert_allclose(second[5].position, first[5].position[rows], atol=0.05)
    np.testing.assert_allclose(middles[0], middles[1], atol=0.2)


@pytest.mark.parametrize("degrees", [90, 180, 270, 37.0, -111.3])
def test_rotation(degrees):
    """A scene turned about a point runs turned, whatever the angle."""
    angle = np.deg2rad(degrees)
    discs = np.column_stack([turned(DISCS[:, :2], angle), DISCS[:, 2]])
    first = run(scene(AT, ANGLES, discs=DISCS))
    second = run(scene(turned(AT, angle), ANGLES + angle, discs=discs))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_allclose(other.position, turned(one.position, angle), atol=ROUNDING * 4)
        np.testing.assert_allclose(other.angle, one.angle + angle, atol=ROUNDING)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_quarter_turns_of_a_torus(quarters):
    """A square torus turned by quarters runs turned: no edge is special."""
    angle = quarters * np.pi / 2
    discs = np.column_stack([turned(DISCS[:, :2], angle, 256.0), DISCS[:, 2]])
    first = run(scene(AT, ANGLES, discs=DISCS, **SQUARE))
    second = run(scene(turned(AT, angle, 256.0), ANGLES + angle, discs=discs, **SQUARE))
    for one, other in zip(first, second, strict=True):
        away = np.abs(other.position - turned(one.position, angle, 256.0))
        assert np.minimum(away, 512.0 - away).max() < ROUNDING * 4


@pytest.mark.parametrize("shift", [(1024.0, -512.0), (12345.678, 0.001)])
def test_translation(shift):
    """A scene elsewhere runs as it would here."""
    moved = np.add(DISCS, (*shift, 0.0))
    first = run(scene(AT, ANGLES, discs=DISCS))
    second = run(scene(AT + shift, ANGLES, discs=moved))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_allclose(other.position - shift, one.position, atol=ROUNDING * 40)


def test_translation_of_a_torus():
    """Where on a torus the seam lies does not matter."""
    first = run(scene(AT, ANGLES, discs=DISCS, **SQUARE))
    there = np.mod(np.add(AT, MOVE), 512.0)
    moved = np.column_stack([np.mod(np.add(DISCS[:, :2], MOVE), 512.0), DISCS[:, 2]])
    second = run(scene(there, ANGLES, discs=moved, **SQUARE))
    for one, other in zip(first, second, strict=True):
        away = np.abs(np.mod(np.add(one.position, MOVE), 512.0) - other.position)
        assert np.minimum(away, 512.0 - away).max() < ROUNDING * 4


@pytest.mark.parametrize("side", [500.0, 64.0], ids=["apart", "in a press"])
@pytest.mark.parametrize("options", [{}, SQUARE], ids=["plane", "torus"])
@pytest.mark.parametrize("scale", [4.0, 0.125, 3.0])
def test_scale(scale, options, side):
    """In another unit of length a run is the same run: to the last bit for powers of two."""
    at, scaled = places(40, side), dict(options)
    if options:
        scaled["bounds"] = tuple(scale * x for x in options["bounds"])
    first = run(scene(at, ANGLES, discs=DISCS, **options))
    second = run(scene(at * scale, ANGLES, discs=DISCS * scale, scale=scale, **scaled))
    if scale == 3.0:
        first, second = first[: 61 if side > 100 else 3], second[: 61 if side > 100 else 3]
    for one, other in zip(first, second, strict=True):
        if scale == 3.0:
            away = np.abs(other.position / scale - one.position)
            away = np.minimum(away, np.abs(512.0 - away)) if options else away
            assert away.max() < ROUNDING * 4
        else:
            assert np.array_equal(other.position, one.position * scale)
            assert np.array_equal(other.angle, one.angle)
