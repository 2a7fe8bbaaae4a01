"""Named places in Tiled maps."""

import pytest

from sim.core.errors import BadInput
from sim.scenario.load import loads

from .making import ROOMS, layer, tmx

PLACES = """
<objectgroup id="2" name="places" offsetx="10" offsety="-5">
 <object id="1" name="red" x="30" y="60" width="60" height="45"/>
 <object id="2" name="exit" x="90.5" y="15"><point/></object>
 <object id="3" name="old" x="1" y="2"/>
 <object id="4" name="crate" gid="2" x="30" y="60" width="30" height="30"/>
 <object id="5" name="lake" x="1" y="2" width="3" height="4"><ellipse/></object>
 <object id="6" name="askew" x="1" y="2" width="3" height="4" rotation="30"/>
 <object id="7" name="twice" x="1" y="2"/><object id="8" name="twice" x="1" y="2"/>
 <object id="9" x="5" y="5"/>
</objectgroup>
"""


def test_objects_by_name(reading):
    """Points and rectangles in world units, moved with their layers; tiles stand on a corner."""
    group = f'<group id="7" name="g" offsetx="100">{PLACES}</group>'
    tiles = reading(tmx(layer(ROOMS) + group))
    assert tiles.named("red").box == (140, 55, 200, 100)
    assert tiles.named("red").kind == "rectangle"
    assert tiles.named("exit").kind == "point"
    assert tiles.named("exit").centre == (200.5, 10)
    assert tiles.named("old").kind == "point"
    assert tiles.named("crate").box == (140, 25, 170, 55)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rad", "the map has no such object; did you mean 'red'?"),
        ("twice", "the map has 2 objects of this name; it must be one"),
        ("lake", "is of kind 'ellipse' in the map; must be a point or rectangle"),
        ("askew", "is of kind 'rotated rectangle' in the map; must be a point or rectangle"),
    ],
)
def test_objects_that_cannot_be_used(reading, name, said):
    """What is not one point or rectangle is refused when it is asked for."""
    tiles = reading(tmx(layer(ROOMS) + PLACES))
    with pytest.raises(ValueError, match=said.replace("?", r"\?")):
        tiles.named(name)


@pytest.mark.parametrize(("name", "kind"), [("exit", "point"), ("lake", "ellipse")])
def test_an_area_is_a_rectangle_of_the_map(tmp_path, name, kind):
    """What else a map has of that name is refused, with what is allowed."""
    (tmp_path / "rooms.tmx").write_text(tmx(layer(ROOMS) + PLACES), encoding="utf-8")
    text = """
        title = "Rooms"
        duration = 1.0
        map = { file = "rooms.tmx" }
        groups = [{ name = "a", spawn = { points = [[50, 50]] } }]
        areas = [{ object = "NAME" }]
    """.replace("NAME", name)
    with pytest.raises(BadInput, match=rf"is of kind '{kind}' in the map; must be a rectangle$"):
        loads(text, tmp_path / "rooms.toml")
