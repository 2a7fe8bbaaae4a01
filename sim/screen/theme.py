"""Colours: what each thing is drawn in, chosen so that colour-blind people tell the roles apart.

The four roles differ in lightness as well as in hue, and stay apart under simulated protanopia,
deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009; a test measures it).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pygame
from numpy.typing import NDArray

RGB = tuple[int, int, int]
Bytes = NDArray[np.uint8]

_ROOM = 200
"""Rows of a GIF's 255 that a palette may fill; the rest is left for an even cube of all other
colours."""


def rgb(text: str) -> RGB:
    """A colour by "#rrggbb" or by a name that pygame knows (spaces and case do not count)."""
    color = pygame.Color(text.replace(" ", "").lower())
    return color.r, color.g, color.b


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
    panel: RGB
    recording: RGB
    selected: RGB
    leader: RGB
    interceptor: RGB
    player: RGB
    plain: dict[str, RGB] = field(default_factory=dict)
    """What the plain colour words mean here; "#rrggbb" and all other names are taken as they
    are."""
    terms: tuple[RGB, ...] = ()
    """For the arrows of rules, in turn."""

    def color(self, name: str) -> RGB:
        """The colour of a group that asks for this name."""
        return self.plain.get(name.replace(" ", "").lower()) or rgb(name)

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


DARK = Theme(
    ground=rgb("#111821"),
    outside=rgb("#0a0e13"),
    grid=rgb("#18212c"),
    edge=rgb("#5b6b7f"),
    solid=rgb("#3c4856"),
    solid_rim=rgb("#75869a"),
    text=rgb("#e9eef4"),
    faint=rgb("#8d9bab"),
    panel=rgb("#0b1016"),
    recording=rgb("#ff5247"),
    selected=rgb("#ffffff"),
    leader=rgb("#ee4338"),
    interceptor=rgb("#ff93ee"),
    player=rgb("#b4f37a"),
    plain={
        "blue": rgb("#3d85ee"),
        "red": rgb("#ee4338"),
        "green": rgb("#5cc26a"),
        "yellow": rgb("#f3d34a"),
        "orange": rgb("#f59a31"),
        "purple": rgb("#a078f0"),
        "magenta": rgb("#ff93ee"),
        "cyan": rgb("#54d3e0"),
    },
    terms=tuple(
        map(rgb, ("#f5b13d", "#5fd0ff", "#ff7a66", "#7ee08a", "#d39bff", "#fff07a", "#ff9bd2"))
    ),
)
"""The colours of window and film."""
