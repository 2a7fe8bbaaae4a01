"""Goals made of odd parts: refused at once, with the name of the part."""

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.spawn import Region
from sim.orders import Formation, Goal

WAY = (((1.0, 2.0), (3.0, 4.0)),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", 3), ("target", None), ("routes", 3), ("routes", ((),)), ("routes", (3,)),
        ("routes", (((1.0, 2.0, 3.0),),)), ("routes", (((1.0, 2.0), (3.0,)),)),
        ("routes", ((("1", "2"),),)), ("routes", (((np.nan, 2.0),),)),
        ("routes", (((1e13, 2.0),),)),
        ("mirror", (1,)), ("mirror", 1.0), ("region", 1.0), ("region", (3, 0, 1, 1)),
        ("region", (0, 0, np.inf, 1)), ("tolerance", "x"), ("tolerance", -1),
        ("tolerance", np.nan),
        ("stays", 1.0), ("stays", (((1.0, 0.0, 0.0),),)), ("stays", (((1.0, 0.0), (1.0, 0.0)),)),
        ("stays", (((1.0, 7.0, 0.0), (1.0, 0.0, 0.0)),)),
        ("stays", (((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),)),
    ],
)  # fmt: skip
def test_parts_that_are_none(name, value):
    """A region that is one number, a route of 3: these came to a step and ended there."""
    with pytest.raises(BadInput, match=rf"goal\.{name} = "):
        Goal(**{"kind": "go", "routes": WAY, name: value})


def test_stays_at_each_place():
    """What is right is taken: a stay for each place of the route, a region, whole numbers."""
    goal = Goal("go", routes=WAY, stays=(((1.0, 3.0, 0.5), (0, 0, 0)),), tolerance=2)
    assert goal.stays_of(1, 2).tolist() == [[1.0, 3.0, 0.5], [0.0, 0.0, 0.0]]
    assert Goal("go", region=(0, 0, 1, 1)).region == (0, 0, 1, 1)


def test_a_region_is_a_region():
    """What units are spawned in can be their goal too."""
    assert Goal.into(Region(1, 2, 3, 4), leave=True) == Goal.into((1, 2, 3, 4), leave=True)


def test_into_a_region_by_go_to():
    """`go_to` takes a region as it takes a point; what only a point can have is refused."""
    assert Goal.to(Region(1, 2, 3, 4), leave=True) == Goal.into((1, 2, 3, 4), leave=True)
    for odd in ({"tolerance": 1.0}, {"nearest": True}, {"formation": Formation("line")}):
        with pytest.raises(BadInput, match="goal: a Region takes no tolerance"):
            Goal.to(Region(1, 2, 3, 4), **odd)


def test_a_region_is_no_place():
    """It is refused as a route, and told how it can be a goal."""
    with pytest.raises(BadInput, match=r"goal: a Region is a goal as `go_to\(region\)`"):
        Goal.along(Region(1, 2, 3, 4))


@pytest.mark.parametrize("kind", ["chase", "flee", "herd"])
def test_a_pursuit_names_a_group(kind):
    """It is refused where it is made, and not at the first step."""
    with pytest.raises(BadInput, match=rf"^goal\.{kind}: which group\? Goal\('{kind}', NAME\)"):
        Goal(kind)
    with pytest.raises(BadInput, match=r"goal\.target = None: must be the name of a group"):
        Goal(kind, None)
