"""Colours: what each thing is drawn in, chosen so that colour-blind people tell them apart.

The hues are near those of Okabe and Ito ("Color Universal Design", 2008); their lightness is spread
so that all pairs stay apart under simulated protanopia, deuteranopia and tritanopia (Machado,
Oliveira and Fernandes 2009; a test measures it), on dark ground and on light.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pygame

from sim.core.colors import check_color, plain_name
from sim.core.errors import BadInput
from sim.record.reel import Bytes

RGB = tuple[int, int, int]

_ROOM = 200
"""Rows of a GIF's 255 that a palette may fill; the rest is left for an even cube of all other
colours."""


def rgb(text: str) -> RGB:
    """A colour by "#rrggbb" or by name. Raises `BadInput` for what is none."""
    check_color(text)
    color = pygame.Color(plain_name(text))
    return color.r, color.g, color.b


def hex_of(color: RGB) -> str:
    """A colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """`a` with a share (0 to 1) of `b` in it."""
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def lightness(color: RGB) -> float:
    """How light a colour looks, 0 to 1 (Rec. 601 luma)."""
    return (0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]) / 255


@dataclass(frozen=True)
class Theme:
    """All colours of the picture."""

    ground: RGB
    outside: RGB
    grid: RGB
    edge: RGB
    solid: RGB
    solid_rim: RGB
    text: RGB
    faint: RGB
    rim: RGB
    """What the edges of hulls lean to."""
    panel: RGB
    recording: RGB
    contact: RGB
    """Flashes where hulls touch."""
    selected: RGB
    seen: RGB
    """Tints what a unit sees."""
    leader: RGB
    interceptor: RGB
    player: RGB
    plain: dict[str, RGB] = field(default_factory=dict)
    """What the plain colour words mean here; "#rrggbb" and all other names are taken as they
    are."""
    terms: tuple[RGB, ...] = ()
    """For the arrows of rules, in turn."""
    heat: tuple[RGB, RGB] = ((0, 0, 0), (0, 0, 0))
    """Where units have been a little, and where most."""

    def color(self, name: str) -> RGB:
        """The colour of a group that asks for this name."""
        return self.plain.get(plain_name(name)) or rgb(name)

    def mark(self, color: RGB) -> RGB:
        """For the part of a hull that shows its heading.

        The ground's colour, or a light one on dark hulls.
        """
        far = abs(lightness(color) - lightness(self.ground)) > 0.25
        return mix(color, self.ground if far else self.text, 0.72)

    def gif_colors(self, groups: Iterable[RGB]) -> Bytes:
        """(m, 3) colours that a film of groups of these colours needs exactly, m at most 200.

        Besides the colours themselves their blends with the ground, which smooth edges are made of.
        """
        fixed = [
            self.ground, self.outside, self.grid, self.edge, self.solid, self.solid_rim,
            self.text, self.faint, self.panel, self.recording, self.selected,
        ]  # fmt: skip
        hulls = list(dict.fromkeys(groups))
        wanted = [*fixed, *hulls]
        wanted += [mix(self.solid_rim, self.ground, s) for s in (0.25, 0.5, 0.75)]
        shares = (0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875)
        wanted += [mix(c, self.ground, share) for share in shares for c in hulls]
        wanted += [mix(c, self.mark(c), share) for share in (1.0, 0.5) for c in hulls]
        return np.array(list(dict.fromkeys(wanted))[:_ROOM], dtype=np.uint8)


_ALIASES = {
    "tomato": "red", "gold": "yellow", "limegreen": "green", "deepskyblue": "cyan",
    "violet": "purple",
}  # fmt: skip
"""Names near one of the plain words: they mean the same, so that scenes keep to the palette."""
_COLORS = {
    "ground": ("#111821", "#f6f4ee"),
    "outside": ("#0a0e13", "#dedad0"),
    "grid": ("#18212c", "#e9e6dd"),
    "edge": ("#5b6b7f", "#6f6a5e"),
    "solid": ("#3c4856", "#b9b3a6"),
    "solid_rim": ("#75869a", "#8a8375"),
    "text": ("#e9eef4", "#1c2530"),
    "faint": ("#8d9bab", "#6a7078"),
    "rim": ("#111821", "#1c2530"),
    "panel": ("#0b1016", "#ffffff"),
    "recording": ("#ff5247", "#c4161c"),
    "contact": ("#ffd9a8", "#d01c6a"),
    "selected": ("#ffffff", "#101418"),
    "seen": ("#ffffff", "#2152e0"),
    "leader": ("#e8484a", "#a3121c"),
    "interceptor": ("#b209b2", "#a8509f"),
    "player": ("#c4f5b4", "#6f9a52"),
}
"""The colours of `Theme`, dark and light."""
_PLAIN = {
    "blue": ("#5b7df2", "#2152e0"), "red": ("#e8484a", "#a3121c"),
    "green": ("#18dc78", "#17684d"), "yellow": ("#fff04a", "#bd9c0a"),
    "orange": ("#e88e26", "#cc5c1c"), "purple": ("#b163b8", "#3a1d8a"),
    "magenta": ("#b209b2", "#a8509f"), "cyan": ("#58baff", "#1fa2ff"),
    "white": ("#f4f6f8", "#59616b"),
}  # fmt: skip
_TERMS = (
    "#f5b13d #5fd0ff #ff7a66 #7ee08a #d39bff #fff07a #ff9bd2",
    "#b86a00 #0077c8 #c8321e #1c8040 #7a35c0 #857500 #b83a86",
)
_HEAT = ("#274b78 #ffd27a", "#f0d79a #8c2d04")


def _theme(number: int) -> Theme:
    """The theme of that number in the tables above."""
    colors = {name: rgb(both[number]) for name, both in _COLORS.items()}
    plain = {name: rgb(both[number]) for name, both in _PLAIN.items()}
    plain |= {near: plain[name] for near, name in _ALIASES.items()}
    terms = tuple(map(rgb, _TERMS[number].split()))
    little, most = map(rgb, _HEAT[number].split())
    return Theme(**colors, plain=plain, terms=terms, heat=(little, most))


DARK = _theme(0)
"""Light hulls on dark ground: for screens in the evening, and for films."""
LIGHT = _theme(1)
"""Dark hulls on light ground: for bright rooms, and for print. "white" is a grey here."""

THEMES = {"dark": DARK, "light": LIGHT}


def theme_named(name: str) -> Theme:
    """The theme of that name. Raises `BadInput` if there is none."""
    if not isinstance(name, str) or name not in THEMES:
        raise BadInput(f"theme = {name!r}: must be one of {', '.join(THEMES)}")
    return THEMES[name]
