import sys

import pytest

from sim.screen.course import Pacer
from sim.screen.pane import has_display


def test_a_dummy_driver_is_no_display(monkeypatch):
    """SDL_VIDEODRIVER=dummy means that nobody looks, whatever else is set."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("DISPLAY", ":0")
    assert not has_display()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named so there")
def test_a_display_that_cannot_be_reached_is_none(monkeypatch):
    """Without a name there is no display, nor behind the name of one that does not answer."""
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":9876")
    assert not has_display()


def test_steps_keep_pace_with_the_clock():
    """Uneven frames add up: a second in any pieces is sixty steps."""
    pacer = Pacer(1 / 60)
    assert sum(pacer.steps(t, 1.0) for t in [0.013, 0.021, 0.016] * 20) == 60


def test_a_halt_is_not_made_up_for():
    """After half a minute away a frame is worth a tenth of a second, and nothing is owed."""
    pacer = Pacer(1 / 60)
    assert pacer.steps(30.0, 1.0) == 6
    assert pacer.steps(1 / 60, 1.0) == 1


def test_speed_multiplies_steps():
    """At x8 a frame of a sixtieth is eight steps; at a quarter every fourth frame is one."""
    assert Pacer(1 / 60).steps(1 / 60, 8.0) == 8
    slow = Pacer(1 / 60)
    assert [slow.steps(1 / 60, 0.25) for _ in range(4)] == [0, 0, 0, 1]
