"""Roles by colour: leaders, interceptors, the player (A11, A12); in pictures and on pages."""

from __future__ import annotations

from sim.record.html import Colors
from sim.record.stage import Cast, Stage, cast_of
from sim.screen.land import area_color
from sim.screen.replay import Actor, ShownGroup
from sim.screen.sprites import RIM
from sim.screen.theme import RGB, Theme, hex_of, lightness, mix


def colors(group: ShownGroup, theme: Theme) -> tuple[RGB, RGB]:
    """What a group's members are drawn in: followers, and those of `group.leads`."""
    return cast_colors(group.cast if isinstance(group, Actor) else cast_of(group), theme)


def cast_colors(cast: Cast, theme: Theme) -> tuple[RGB, RGB]:
    """The same for a group of a recorded run."""
    if cast.part == "player":
        return theme.player, theme.player
    if cast.part == "intercepts":
        return theme.interceptor, theme.interceptor
    own = theme.color(cast.color)
    return own, theme.leader if cast.part == "leads" else own


_NAMES = ("ground", "outside", "grid", "edge", "solid", "text", "faint", "panel", "selected")


def page_colors(stage: Stage, theme: Theme) -> Colors:
    """The colours of a recording as a page (HTML): the same as in the window."""
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
