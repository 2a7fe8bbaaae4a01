"""The ways units take: planned paths, waypoints that were skipped, flow fields, narrow places."""

from __future__ import annotations

import numpy as np
import pygame

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import numbers_of
from sim.core.compiled import Kernel
from sim.group import Group
from sim.navigation.flow import FlowField
from sim.navigation.sight import room_at
from sim.orders.orders import Orders
from sim.orders.party import Party
from sim.orders.places import NOWHERE
from sim.orders.turns import KEEP_OFF
from sim.screen.camera import Camera, Canvas, Size
from sim.screen.theme import RGB, Theme, mix
from sim.world import World

APART = 26
"""Pixels between the darts of a field."""
ASIDE = ((0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.5))
"""By how much of that the darts of one group stand aside from those of another."""
DART = 9.0
"""Pixels from end to end of one."""
FAINT, PLAIN = 0.35, 0.7
"""How much of its group's colour a line has: those of all, and those of the selected unit."""
GO, STOP = "green", "red"
"""Colours of mouths of narrow places where units may enter, and where units wait."""


class Ways:
    """Paints the ways of all units, or of one; keeps the darts of fields while the camera rests."""

    def __init__(self) -> None:
        self._darts: dict[tuple[int, Size], tuple[FlowField, Camera, Floats]] = {}

    def paint(self, canvas: Canvas, world: World, row: int | None, every: bool) -> None:
        """Paint the way of the unit in a row, and if `every` is wanted those of all others."""
        if row is None and not every:
            return
        guide = world.roster.orders_now().guide
        if every:
            paint_narrows(canvas, world.roster.orders_now())
        if guide is None:
            return
        moving = world.roster.orders_now().minds.moving & world.units.present
        for party in guide.parties.values():
            group, going = world.groups[party.group], moving[party.rows]
            chosen = numbers_of(party.rows) == (-1 if row is None else row)
            if every:
                self._paint_fields(canvas, group, party, going)
                _paint_routes(canvas, world, party, np.flatnonzero(going), FAINT)
            if (chosen & going).any():
                if not every:
                    self._paint_fields(canvas, group, party, chosen)
                _paint_routes(canvas, world, party, np.flatnonzero(chosen), PLAIN)

    def _paint_fields(self, canvas: Canvas, group: Group, party: Party, going: Bools) -> None:
        surface, color = canvas.surface, _color(canvas.theme, group, FAINT)
        for place in np.unique(party.field[going]).tolist():
            if place in party.fields:
                aside = group.index % len(ASIDE)
                for tail, tip in self._of(party.fields[place], canvas.camera, aside).tolist():
                    pygame.draw.aaline(surface, color, tail, tip)
                    pygame.draw.circle(surface, color, tip, 1.5)

    def _of(self, field: FlowField, camera: Camera, aside: int) -> Floats:
        """(k, 2, 2) tail and tip of each dart of a field, pixels, beside those of other groups."""
        size = camera.size
        known = self._darts.get((id(field), size))
        if known is not None and known[1] == camera:
            return known[2]
        across, down = (np.arange(APART / 2, side, APART) for side in size)
        pixels = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        pixels = pixels + np.array(ASIDE[aside]) * APART
        grid, places = field.grid, camera.to_world(pixels)
        here = (places > grid.bounds[:2] + grid.radius).all(axis=1)
        here &= (places < grid.bounds[2:] - grid.radius).all(axis=1)
        free = np.zeros(len(places), np.bool_)
        _stand(places, grid, free)
        here &= free
        pixels, places = pixels[here], places[here]
        to, left = field.sample(places)
        way = to - places
        length = np.hypot(*way.T)
        led = np.isfinite(left) & (length > 0)
        half = way[led] / length[led, None] * DART / 2
        darts = np.stack([pixels[led] - half, pixels[led] + half], axis=1)
        if len(self._darts) > 8:
            self._darts.clear()
        self._darts[id(field), size] = field, camera, darts
        return darts


def _paint_routes(canvas: Canvas, world: World, party: Party, members: Ints, share: float) -> None:
    surface, camera, theme = canvas
    color = _color(theme, world.groups[party.group], share)
    for route in {int(party.route[i]) for i in members if party.route[i] >= 0}:
        way = party.ways[route]
        if way is None or len(way.points) < 2:
            continue
        for shift in world.plane.shifts:
            for x, y in camera.to_screen(way.planned + shift).tolist():
                pygame.draw.circle(surface, color, (x, y), 1.5)
            corners = camera.to_screen(way.points + shift).tolist()
            pygame.draw.aalines(surface, color, False, corners)
            for x, y in corners[1:]:
                pygame.draw.aacircle(surface, color, (x, y), 4, 1)


def _color(theme: Theme, group: Group, share: float) -> RGB:
    return mix(theme.ground, theme.color(group.color), share)


@Kernel
def _stand(begin, end, places, grid, free):  # type: ignore[no-untyped-def]
    """Which places are in no solid."""
    for i in range(begin, end):
        free[i] = room_at(grid, places[i, 0], places[i, 1]) > 0


def paint_narrows(canvas: Canvas, orders: Orders) -> None:
    """A line through each passage; round its mouths how far off units wait.

    A mouth is green where units may enter, red where units wait, and faint else.
    """
    surface, camera, theme = canvas
    turns, bound = orders.narrows.turns, orders.narrows.bound
    if orders.guide is not None:
        for mouths in orders.guide.registry.mouths:
            there = camera.to_screen(mouths[np.isfinite(mouths[:, 0])])
            middle = there.mean(axis=0)
            for place in there.tolist():
                pygame.draw.aaline(surface, theme.faint, middle.tolist(), place)
                pygame.draw.aacircle(surface, theme.faint, place, 4)
    enters = (turns.turn != NOWHERE) & (turns.turn == bound.place) & (bound.ahead > 0)
    for color, some in ((theme.color(GO), enters), (theme.color(STOP), turns.waiting)):
        rows = np.flatnonzero(some)
        mouths, first = np.unique(bound.mouth[rows], axis=0, return_index=True)
        off = KEEP_OFF * 2 * orders.radius[rows[first]] * camera.scale
        for place, reach in zip(camera.to_screen(mouths).tolist(), off.tolist(), strict=True):
            pygame.draw.aacircle(surface, color, place, 5)
            pygame.draw.aacircle(surface, color, place, reach, 1)
