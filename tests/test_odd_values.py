"""Values of no fitting kind, given to the Python interface, are refused with what is allowed."""

import numpy as np
import pytest

from sim import BadInput, Goal, Hull, World

HUGE = 10**400


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: World(boxes=HUGE), "boxes"),
        (lambda: World(discs=[[0, 0, HUGE]]), "discs"),
        (lambda: World(edges=np.array([1, 2])), "edges = "),
        (lambda: World(edges=[]), "edges = "),
        (lambda: Hull(np.array([1, 2]), 1, 1), "hull.shape = "),
        (lambda: World().add_group("a", [[HUGE, 1]]), "spawn.points"),
        (lambda: World().add_group("a", [[1, 1]], behaviours="x"), "behaviours = 'x': must be a "),
        (lambda: World().add_group("a", [[1, 1]], behaviours=3), "behaviours = 3: must be a table"),
        (lambda: World().add_group("a", [[1, 1]], facing=HUGE), "facing"),
    ],
)
def test_values_of_another_kind(call, said):
    """Whole numbers beyond any float, and arrays where a word is meant, are `BadInput`."""
    with pytest.raises(BadInput) as refused:
        call()
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("view_angle", "x"), ("view_angle", HUGE), ("view_radius", []), ("script", 3.0),
        ("script", [[0, 1, 0]]), ("name", "b"), ("hull", Hull.disc(1.0)), ("model", "flock"),
    ],
)  # fmt: skip
def test_attributes_of_a_group(name, value):
    """What a group is made of stays; what can be set is checked when it is set."""
    group = World().add_group("a", [(0, 0)])
    with pytest.raises(BadInput, match=name):
        setattr(group, name, value)


@pytest.mark.parametrize("name", [float("nan"), [], 3, np.zeros(2)])
def test_names_of_groups_are_texts(name):
    """Asked for a group by something else, a world says what a name is."""
    with pytest.raises(BadInput, match="group = "):
        World().group(name)


@pytest.mark.parametrize("make", [Goal.to, Goal.along])
def test_places_beyond_any_float(make):
    """A goal whose place is no number that a float holds is refused."""
    with pytest.raises(BadInput):
        make([[HUGE, 0]])


def test_a_gallery_where_no_folder_can_be(cli, tmp_path):
    """A folder that cannot be made is named."""
    (tmp_path / "file").write_text("")
    said = cli("gallery", "flocking", "--out", tmp_path / "file")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"error: --out {tmp_path / 'file'}: cannot be written: ")
