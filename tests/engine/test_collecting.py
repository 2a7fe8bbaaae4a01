"""Garbage is not looked for while bodies are made."""

import gc

import pytest

from sim import Region, World
from sim.core import collecting


def _fail(meanwhile):
    with collecting.paused():
        meanwhile.append(gc.isenabled())
        raise ZeroDivisionError


@pytest.mark.parametrize("collects", [True, False])
def test_it_is_as_before_afterwards(collects):
    """Also after an error; meanwhile it is off."""
    was = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        meanwhile = []
        with pytest.raises(ZeroDivisionError):
            _fail(meanwhile)
        assert meanwhile == [False]
        assert gc.isenabled() == collects
    finally:
        (gc.enable if was else gc.disable)()


def test_none_is_looked_for_while_units_enter():
    """Adding hundreds of units sets off hardly any of the looks that as many objects would."""
    world = World()
    group = world.add_group("a", Region(0, 0, 200, 200), count=10)
    looks = []
    gc.callbacks.append(lambda *told: looks.append(told[0]))
    try:
        group.add(Region(0, 0, 200, 200), count=600)
        entered = len(looks)
    finally:
        gc.callbacks.pop()
    assert entered < 12  # two a look; 600 bodies and shapes are some 9,000 objects, a look each 700
