"""`warm-up`: what is used later is compiled before, and that is told."""

import pygame
from numba import njit

from sim.screen.compiling import announced
from sim.screen.window import Window
from tests.screen.worlds import WINDOW, chase


def test_it_runs_a_scenario_and_counts(cli):
    """One line a scenario, and how many kernels; nothing is left to compile after it."""
    said = cli("warm-up", "chase")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("chase: ")
    assert "kernels compiled in" in said.out
    assert cli("warm-up", "chase").out.startswith("chase: 0 compiled")


def test_no_such_scenario(cli):
    """Refused with the nearest name."""
    said = cli("warm-up", "chas")
    assert said.status == 2
    assert "did you mean 'chase'?" in said.err


def test_a_compile_is_announced_on_the_window(monkeypatch):
    """As it begins, by name and number, over the picture; no more once it is over."""
    window = Window(chase(), "Chase", size=WINDOW)
    window.open()
    seen = shown(window, monkeypatch)

    @njit
    def brand_new(x):
        return x + 1

    told = []
    with announced(lambda words: (told.append(words), window._tell(words))):
        brand_new(1)
    assert "brand_new (1 so far" in told[0]
    assert (seen[0] != pygame.surfarray.array3d(window._whole)).any()
    brand_new(1.5)
    assert len(told) == 1
    window.close()


def test_a_message_takes_the_place_of_the_one_before(monkeypatch):
    """However long that was, the first of the start too: nothing of it is left beside it."""
    window = Window(chase(), "Chase", size=WINDOW)
    window.open()
    seen = shown(window, monkeypatch)
    window._tell("short")
    window._tell("a message that is a good deal longer than the one before it")
    window._tell("short")
    assert (seen[0] == seen[2]).all()
    assert (seen[0] != seen[1]).any()
    window.close()


def shown(window, monkeypatch):
    """What a window shows from now on, picture by picture."""
    seen = []
    monkeypatch.setattr(
        pygame.display, "flip", lambda: seen.append(pygame.surfarray.array3d(window._whole))
    )
    return seen
