"""Roles by colour: leaders, interceptors, the player (rules A11, A12)."""

from __future__ import annotations

from sim.record.stage import Cast, cast_of
from sim.screen.replay import Actor, ShownGroup
from sim.screen.theme import RGB, Theme


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
