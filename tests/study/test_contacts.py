"""Contacts of units with units."""

from __future__ import annotations

import numpy as np
import pytest

from .scenes import BOX, DISC, figures, setting

EPS = 0.002 * 0.5


def gaps(*distances: float) -> np.ndarray:
    """Two discs whose centres are so far apart, frame by frame."""
    return np.array([[[0.0, 0.0], [d, 0.0]] for d in distances])


@pytest.mark.parametrize(
    ("distances", "contacts"),
    [
        ((1.5, 1.0, 1.5), 0),
        ((1.5, 1 - 0.9 * EPS, 1.5), 0),
        ((1.5, 1 - 1.1 * EPS, 1.5), 1),
        ((0.9, 0.9, 0.9), 1),
        ((0.9, 1 - 0.5 * EPS, 0.9), 1),
        ((0.9, 1.1, 0.9), 2),
        ((0.9, 1.1, 1 - 0.5 * EPS, 1.1), 1),
    ],
)
def test_contacts_are_episodes(distances, contacts):
    """A contact begins above 0.002 of the radius and lasts while there is overlap."""
    frames = gaps(*distances)
    assert figures(setting(frames[0]), frames)["contacts"] == contacts


def test_overlap_is_a_share_of_the_smaller_radius():
    """Discs of radius 0.5 and a box of radius 1: the disc's radius is the measure."""
    groups = [("discs", 2, DISC), ("boxes", 1, BOX)]
    start = np.array([[0.0, 0], [10, 0], [11.75, 0]])
    result = figures(setting(start, groups=groups), start[None])
    assert result["max_overlap_share"] == pytest.approx(0.25 / 0.5)
    assert result["contacts"] == 1


def test_contact_of_two_groups_counts_in_both_and_once_in_all():
    """A group's contacts are those its units take part in."""
    groups = [("a", 2, DISC), ("b", 1, DISC), ("c", 1, DISC)]
    start = np.array([[0.0, 0], [0.8, 0], [1.7, 0], [9, 9]])
    result = figures(setting(start, groups=groups), start[None])
    assert result["contacts"] == 2
    assert [result["groups"][g]["contacts"] for g in "abc"] == [2, 1, 0]
    assert result["groups"]["b"]["max_overlap_share"] == pytest.approx(0.2)
    assert result["groups"]["c"]["max_overlap_share"] == 0


def test_contact_across_the_seam():
    """Units at opposite edges of a torus touch, and crossing the seam does not end that."""
    frames = np.array([[[0.2, 5.0], [9.8, 5.0]], [[9.9, 5.0], [9.5, 5.0]], [[0.4, 5], [9.7, 5]]])
    assert figures(setting(frames[0]), frames)["contacts"] == 1
    around = figures(setting(frames[0], period=(10, 10)), frames)
    assert around["contacts"] == 1
    assert around["max_overlap_share"] == pytest.approx(0.6 / 0.5)
    assert figures(setting(frames[0]), frames[[0, 2]])["contacts"] == 0


def test_a_unit_that_leaves_ends_its_contacts():
    """Rows of NaN touch nobody."""
    frames = gaps(0.9, 0.9, 0.9)
    frames[1:, 1] = np.nan
    assert figures(setting(frames[0]), frames)["contacts"] == 1


@pytest.mark.parametrize("count", [40, 400])
def test_many_units_are_counted_like_few(count):
    """A row of overlapping discs touches in every joint, whichever search finds them."""
    start = np.stack([0.95 * np.arange(count), np.zeros(count)], axis=1)
    frames = np.stack([start, start * 2, start])
    assert figures(setting(start), frames)["contacts"] == 2 * (count - 1)
