import numpy as np
import pygame

from sim.screen.plate import BESIDE, Corner

ROOM, PLATE = (600, 400), (200, 100)


def at(*places):
    """Pixels of hulls, of which the first is looked inside."""
    return np.array(places, dtype=float)


def test_the_lower_left_corner_where_all_are_as_good():
    """With nobody in any corner the plate stands where it always does."""
    assert Corner().choose(ROOM, PLATE, at((300, 200)), 0) == (0.0, 1.0)


def test_the_unit_that_is_looked_inside_is_never_covered():
    """Nor is what is just beside it."""
    found = Corner().choose(ROOM, PLATE, at((200 + BESIDE - 5, 350)), 0)
    assert found == (1.0, 1.0)


def test_a_plate_goes_where_nobody_is_and_stays():
    """One hull is enough to leave for an empty corner; it does not come back when that has gone."""
    corner = Corner()
    assert corner.choose(ROOM, PLATE, at((300, 200), (50, 350)), 0) == (1.0, 1.0)
    assert corner.choose(ROOM, PLATE, at((300, 200)), 0) == (1.0, 1.0)


def test_a_plate_does_not_hop_among_crowds():
    """Where all corners are peopled it moves for three hulls fewer, not for two."""
    corner = Corner()
    others = [(550, 350), (550, 50), (50, 50)]
    crowd = [(50 + 20 * k, 350) for k in range(4)]
    assert corner.choose(ROOM, PLATE, at((300, 200), *others, *crowd[:3]), 0) == (0.0, 1.0)
    assert corner.choose(ROOM, PLATE, at((300, 200), *others, *crowd), 0) == (1.0, 1.0)


def test_a_unit_that_left_is_nowhere():
    """Absent units have no pixels."""
    found = Corner().choose(ROOM, PLATE, at((300, 200), *[(np.nan, np.nan)] * 5), 0)
    assert found == (0.0, 1.0)


def test_a_plate_stands_beside_the_others():
    """Not under the text of what to look for, though that hides the fewest hulls."""
    told, film = pygame.Rect(10, 10, 250, 200), pygame.Rect(450, 10, 140, 30)
    hulls = at((300, 200), (550, 350), *[(50, 350)] * 4, (500, 60))
    assert Corner().choose(ROOM, PLATE, hulls, 0) == (0.0, 0.0)
    assert Corner().choose(ROOM, PLATE, hulls, 0, [told, film]) == (1.0, 1.0)


def test_the_text_hides_the_fewest_at_first_and_stays():
    """Upper left if that is as good; it does not follow units that move, but a new text does."""
    corner, none = Corner(), at((300, 200))
    assert corner.settle("a", ROOM, PLATE, none) == (0.0, 0.0)
    crowd = at(*[(50, 50)] * 5)
    assert corner.settle("a", ROOM, PLATE, crowd) == (0.0, 0.0)
    assert corner.settle("b", ROOM, PLATE, crowd) == (1.0, 0.0)
    corner.settle_anew()
    assert corner.settle("b", ROOM, PLATE, none) == (0.0, 0.0)
