"""Roles by colour: who leads, who intercepts, who is the player (rules A11, A12)."""

from __future__ import annotations

from sim.group import Group
from sim.screen.theme import RGB, Theme


def colors(group: Group, theme: Theme) -> tuple[RGB, RGB]:
    """What a group's members are drawn in: those that follow, and those of `group.leads`."""
    if group.model.name == "player":
        return theme.player, theme.player
    if group.goal is not None and group.goal.kind == "intercept":
        return theme.interceptor, theme.interceptor
    own = theme.color(group.color)
    return own, theme.leader if _has_leaders(group) else own


def _has_leaders(group: Group) -> bool:
    """Whether leading means anything here.

    It does in a flock; with its flocking off each leads, which shows while it chases.
    """
    chases = group.goal is not None and group.goal.kind == "chase" and "pursuit" not in group.muted
    return group.leader_sight is not None or (group.model.leader is not None and chases)
