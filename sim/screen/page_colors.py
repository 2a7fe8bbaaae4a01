"""A theme's colours for the page that plays a recorded run."""

from __future__ import annotations

from sim.record.html import Colors
from sim.record.stage import Stage
from sim.screen.land import area_color
from sim.screen.roles import cast_colors
from sim.screen.sprites import RIM
from sim.screen.theme import Theme, hex_of, lightness, mix

_NAMES = ("ground", "outside", "grid", "edge", "solid", "text", "faint", "panel", "selected")


def page_colors(stage: Stage, theme: Theme) -> Colors:
    """The same colours as in the window."""
    page = {name: hex_of(getattr(theme, name)) for name in _NAMES}
    page["area"] = hex_of(area_color(theme))
    page["rim"] = hex_of(theme.solid_rim)
    worn = [cast_colors(cast, theme) for cast in stage.casts]
    groups = [
        (
            hex_of(own),
            hex_of(lead),
            hex_of(theme.mark(own)),
            hex_of(mix(own, theme.rim, RIM)),
        )
        for own, lead in worn
    ]
    return Colors(page, groups, lightness(theme.ground) < 0.5)
