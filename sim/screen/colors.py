"""Colours as scenario files write them: a name or "#rrggbb"."""

from __future__ import annotations

import re

from pygame.colordict import THECOLORS

from sim.core.errors import nearest


def is_color(text: str) -> bool:
    """Whether a text is "#rrggbb" or a name pygame knows (spaces and case do not count)."""
    if text.startswith("#"):
        return re.fullmatch(r"#[0-9a-fA-F]{6}", text) is not None
    return text.replace(" ", "").lower() in THECOLORS


def nearest_color(text: str) -> str | None:
    """The colour name that is most like a misspelled one, None if nothing is near."""
    # "grey61" and the like would win over the plain names
    plain = [name for name in THECOLORS if not name[-1].isdigit()]
    return nearest(text.replace(" ", ""), plain)
