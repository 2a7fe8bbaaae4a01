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


def test_a_compile_is_announced_on_the_window():
    """As it begins, by name and number, over the picture; no more once it is over."""
    window = Window(chase(), "Chase", size=WINDOW)
    window.open()
    before = pygame.surfarray.array3d(window._whole)

    @njit
    def brand_new(x):
        return x + 1

    told = []
    with announced(lambda words: (told.append(words), window._tell(words))):
        brand_new(1)
    after = pygame.surfarray.array3d(window._whole)
    assert "brand_new (1 so far" in told[0]
    assert (before != after).any()
    brand_new(1.5)
    assert len(told) == 1
    window.close()
