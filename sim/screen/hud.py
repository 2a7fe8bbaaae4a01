"""Words on the picture: what runs and how, the keys, and the figures of a selected unit."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from sim.screen import errands, overlays
from sim.screen.keys import KEYS, MOUSE, SENDING
from sim.screen.panel import SOLID, Row, panel
from sim.screen.sight import OWN, owner
from sim.screen.theme import RGB, Theme
from sim.world import World

AWAY = 10
"""Pixels between panels and the edges of the picture."""


@dataclass(frozen=True)
class Status:
    """What the window knows beside the world."""

    title: str
    speed: float
    paused: bool
    help: bool
    recording: str | None
    """The file that is being recorded."""
    notice: str
    """Something that has just happened."""
    flocking: bool | None
    chase: bool | None
    """Switches; None where there is nothing to switch."""
    sends: bool = False
    """Whether the mouse sends groups."""


def paint(
    surface: pygame.Surface, world: World, status: Status, row: int | None, theme: Theme
) -> None:
    """Paint all words. `row` is the unit that is looked inside, if any."""
    _put(surface, panel(status_rows(world, status, theme), theme), 0.0, 0.0)
    if row is not None:
        _put(surface, panel(unit_rows(world, row, theme), theme, table=True), 0.0, 1.0)
    if status.recording is not None:
        name = [("     " + status.recording, theme.text)]
        plate = panel([name], theme)
        middle = (AWAY + 6, plate.get_height() // 2)
        pygame.draw.aacircle(plate, theme.recording, middle, 6)
        _put(surface, plate, 1.0, 0.0)
    if status.notice:
        _put(surface, panel([[(status.notice, theme.text)]], theme), 0.5, 1.0)
    if status.help:
        _put(
            surface, panel(help_rows(theme, status.sends), theme, table=True, hides=SOLID), 0.5, 0.5
        )


def status_rows(world: World, status: Status, theme: Theme) -> list[Row]:
    """Title; view and switches; count, time and speed."""
    rows: list[Row] = [[(status.title, theme.text)]] if status.title else []
    views = " / ".join(dict.fromkeys(group.view for group in world.groups))
    line: list[tuple[str, RGB]] = [("view ", theme.faint), (views, theme.text)]
    for name, on in (("flocking", status.flocking), ("chase", status.chase)):
        if on is not None:
            line += [(f"   {name} ", theme.faint), ("on" if on else "off", theme.text)]
    pace = "paused" if status.paused else f"x{status.speed:g}"
    count = int(world.units.present.sum())
    unit = "unit" if count == 1 else "units"
    rows += [line, [(f"{count:,} {unit}   {world.time:.1f} s   ", theme.faint), (pace, theme.text)]]
    return rows if status.help else [*rows, [("H", theme.text), (" shows all keys", theme.faint)]]


def help_rows(theme: Theme, sends: bool = False) -> list[Row]:
    """A row for each key and for the mouse, which may send groups."""
    keys, mouse = [(key.shown, key.about) for key in KEYS], SENDING if sends else MOUSE
    return [[(shown, theme.text), (about, theme.faint)] for shown, about in [*keys, *mouse]]


def unit_rows(world: World, row: int, theme: Theme) -> list[Row]:
    """Who the selected unit is, and its terms: name and (ahead, starboard)."""
    group = owner(world, row)
    leads = ", leads" if group.leads[row - group.rows.start] and group.leader_sight else ""
    far = group.resolve(OWN)[2]
    rows: list[Row] = [
        [(f"unit {row} of {group.name}{leads}", theme.text)],
        [(f"view {group.view}, as far as {far:g}", theme.faint)],
        [("term", theme.faint), ("ahead", theme.faint), ("starboard", theme.faint)],
    ]
    rows[2:2] = [[(line, theme.faint)] for line in errands.lines(world, row)]
    for name, term, color in overlays.terms_of(world, row, theme):
        rows.append([(name.replace("_", " "), color), *(_figure(value, theme) for value in term)])
    return rows


def _figure(value: float, theme: Theme) -> tuple[str, RGB]:
    return (f"{value:+.2f}", theme.text) if abs(value) >= 0.005 else ("0", theme.faint)


def _put(surface: pygame.Surface, plate: pygame.Surface, across: float, down: float) -> None:
    """Blit a panel; `across` and `down` are its place from 0 (left, top) to 1 (right, bottom)."""
    room = surface.get_rect().inflate(-2 * AWAY, -2 * AWAY)
    x = room.left + max(0, round((room.width - plate.get_width()) * across))
    y = room.top + max(0, round((room.height - plate.get_height()) * down))
    surface.blit(plate, (x, y))
