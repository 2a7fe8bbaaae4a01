"""What to look for in a scenario, and what each colour means in it."""

from __future__ import annotations

import pygame

from sim.group import Group
from sim.record.stage import cast_of
from sim.screen import roles
from sim.screen.plate import Row, letters, plate, wrapped
from sim.screen.theme import Theme
from sim.world import World

WIDE, MOST = 0.46, 460
"""The widest that the text is: a share of the picture, and pixels."""
LISTED = 6
"""Groups that are told at most."""


def about_plate(world: World, text: str, wide: int, theme: Theme) -> pygame.Surface:
    """A plate with the text, a row for each colour, and how to hide it, in a picture so wide."""
    lines = wrapped(text, letters(min(WIDE * wide, MOST))) if text else []
    rows: list[Row] = [[(line, theme.text)] for line in lines]
    hint = "F1 hides and shows this"
    return plate([*rows, *legend_rows(world, theme), [(hint, theme.faint)]], theme)


def legend_rows(world: World, theme: Theme) -> list[Row]:
    """A row for each group that has units: its name in its colour, and what its members are."""
    here = [group for group in world.groups if world.units.present[group.rows].any()]
    rows: list[Row] = []
    for group in here[:LISTED]:
        own, leads = roles.colors(group, theme)
        rows.append([(group.name, own), (_what(group), theme.text)])
        if leads != own:
            rows.append([("leads", leads), (f" of {group.name}: units that lead now", theme.text)])
    if len(here) > LISTED:
        rows.append([(f"and {len(here) - LISTED} groups more", theme.faint)])
    return rows


def _what(group: Group) -> str:
    """What the group is for; it follows its name."""
    goal = group.goal
    if cast_of(group).part == "player":
        return ": yours, by the arrow keys" + (
            ", or its script" if group.script is not None else ""
        )
    if goal is not None and goal.target is not None:
        return f": {goal.kind} {goal.target}"
    return f" ({group.model.name})"
