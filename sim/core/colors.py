"""The names of colours that pygame knows, for files and groups that are never drawn."""

from __future__ import annotations

import re
from typing import Any

from sim.core.errors import BadInput, nearest, shortened
from sim.core.limits import check_text

_SHADED = """
    antiquewhite aquamarine azure bisque blue brown burlywood cadetblue chartreuse chocolate
    coral cornsilk cyan darkgoldenrod darkolivegreen darkorange darkorchid darkseagreen
    darkslategray deeppink deepskyblue dodgerblue firebrick gold goldenrod green honeydew
    hotpink indianred ivory khaki lavenderblush lemonchiffon lightblue lightcyan lightgoldenrod
    lightpink lightsalmon lightskyblue lightsteelblue lightyellow magenta maroon mediumorchid
    mediumpurple mistyrose navajowhite olivedrab orange orangered orchid palegreen
    paleturquoise palevioletred peachpuff pink plum purple red rosybrown royalblue salmon
    seagreen seashell sienna skyblue slateblue slategray snow springgreen steelblue tan thistle
    tomato turquoise violetred wheat yellow
"""
"""Each also in four shades: gold1 to gold4."""
_PLAIN = """
    aliceblue aqua beige black blanchedalmond blueviolet cornflowerblue crimson darkblue
    darkcyan darkgray darkgreen darkgrey darkkhaki darkmagenta darkred darksalmon darkslateblue
    darkslategrey darkturquoise darkviolet dimgray dimgrey floralwhite forestgreen fuchsia
    gainsboro ghostwhite gray greenyellow grey indigo lavender lawngreen lightcoral
    lightgoldenrodyellow lightgray lightgreen lightgrey lightseagreen lightslateblue
    lightslategray lightslategrey lime limegreen linen mediumaquamarine mediumblue
    mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream moccasin navy navyblue oldlace olive palegoldenrod papayawhip peru
    powderblue saddlebrown sandybrown silver slategrey teal violet white whitesmoke yellowgreen
"""
PLAIN = *_SHADED.split(), *_PLAIN.split()
NAMES = frozenset(
    (
        *PLAIN,
        *(f"{name}{shade}" for name in _SHADED.split() for shade in range(1, 5)),
        *(f"{name}{percent}" for name in ("gray", "grey") for percent in range(101)),
    )
)
"""The names of X11, and what CSS has besides (`pygame.colordict`)."""


def plain_name(text: str) -> str:
    """The name of a colour as it stands in `NAMES`: spaces and case do not count."""
    return text.replace(" ", "").lower()


def misnamed(text: str) -> str:
    """What there is to say of a text that is neither a name of a colour nor "#rrggbb"; else ""."""
    if re.fullmatch(r"#[0-9a-fA-F]{6}", text) or plain_name(text) in NAMES:
        return ""
    near = nearest(text.replace(" ", ""), PLAIN)  # "grey61" and the like would win over these
    hint = f"did you mean '{near}'?" if near else "such as 'red', 'steelblue' or '#4682b4'"
    return f"must be the name of a colour or '#rrggbb'; {hint}"


def check_color(value: Any) -> None:
    """Raise `BadInput` for what is no colour."""
    check_text(value, "color")
    if said := misnamed(value):
        raise BadInput(f"color = {shortened(value)}: {said}")
