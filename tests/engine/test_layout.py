"""The engine's memory and its batch calls are checked by what they hold, not by a version."""

import subprocess
import sys

import numpy as np
import pymunk
import pytest

from sim.core.errors import BadInput
from sim.engine import batch, layout, memory
from sim.engine.probes import OddError, follow, word

NO_OFFSET = {"BASE", "NUM", "PAIR", "LEAF_STAMP"}
"""The start of the array, the first word of an array, a size, and a word that is only cleared."""
OFFSETS = [
    name
    for name, value in vars(memory).items()
    if name.isupper() and type(value) is int and name not in NO_OFFSET
]
SHIFTED = """
import sys
from sim.engine import memory
from sim.engine.layout import first_odd
for name in sys.argv[1:]:
    kept = getattr(memory, name)
    for by in (-1, 1):
        setattr(memory, name, kept + by)
        print(name, by, first_odd() or "NOTHING")
    setattr(memory, name, kept)
print(repr(first_odd()))
"""


def test_this_engine_is_known():
    """The installed engine keeps its state where the package looks for it."""
    assert layout.first_odd() == ""


def test_every_offset_is_checked():
    """An offset that is one word off, either way, is noticed, and the process lives."""
    done = subprocess.run(
        [sys.executable, "-c", SHIFTED, *OFFSETS], capture_output=True, text=True, check=True
    )
    *lines, last = done.stdout.splitlines()
    assert last == "''"
    assert len(lines) == 2 * len(OFFSETS)
    assert [line for line in lines if line.endswith("NOTHING")] == []


@pytest.mark.parametrize("pointer", [0, 8, 1 << 46, (1 << 47) - 4, 1 << 63, (1 << 64) - 8])
def test_a_pointer_to_nowhere_is_odd(pointer: int):
    """An address where a process has no memory is noticed: to read there ended the process."""
    held = np.array([7, pointer], np.uint64)
    assert word(held.ctypes.data, 0) == 7
    with pytest.raises(OddError, match="there"):
        follow(held.ctypes.data, 1, "there")
    with pytest.raises(OddError, match="out of reach"):
        word(pointer, 1)


def test_another_layout_is_refused(monkeypatch):
    """Saving says which engine it is, and what is elsewhere."""
    monkeypatch.setattr(memory, "RING", memory.RING + 1)
    layout.check_layout.cache_clear()
    with pytest.raises(BadInput, match=rf"pymunk {pymunk.version} .*ring of points"):
        layout.check_layout()
    layout.check_layout.cache_clear()


def test_another_batch_interface_is_refused(monkeypatch):
    """A call that reads less than it says is noticed before a world is made."""
    monkeypatch.setattr(batch, "get_space_bodies", lambda *_: None)
    batch.check_batch.cache_clear()
    with pytest.raises(BadInput, match="batch interface"):
        batch.check_batch()
    batch.check_batch.cache_clear()
