from __future__ import annotations

import hashlib
import struct
from dataclasses import replace

import numpy as np

from sim.study.metrics import TrajectoryHash

from .fake import fake_world


def test_hash_is_what_it_says() -> None:
    """The digest is SHA-256 over x, y, angle in little-endian float64, NaN for units that left."""
    world = fake_world()
    stamp = TrajectoryHash()
    expected = hashlib.sha256()
    for k in range(4):
        if k == 2:
            world.leave(1)
        stamp.add(world.units.position, world.units.angle, world.units.present)
        for i in range(3):
            row = (*world.units.position[i], world.units.angle[i])
            gone = bytes.fromhex("000000000000f87f") * 3
            expected.update(struct.pack("<3d", *row) if world.units.present[i] else gone)
        world.step()
    assert stamp.hexdigest() == expected.hexdigest()


def test_last_bit_counts() -> None:
    """One unit off by the last bit of one coordinate is another run."""
    world, other = fake_world(), fake_world()
    position = other.units.position.copy()
    position[2, 1] = np.nextafter(position[2, 1], np.inf)
    other.units = replace(other.units, position=position)
    digests = []
    for state in (world, other, fake_world()):
        stamp = TrajectoryHash()
        stamp.add(state.units.position, state.units.angle, state.units.present)
        digests.append(stamp.hexdigest())
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]
