"""A look inside the selected unit.

What it sees, which units it answers, and what each of its rules asks for.
"""

from __future__ import annotations

from itertools import repeat

import numpy as np
import pygame

from sim.core.arrays import Bools, Floats
from sim.group import Group
from sim.perception.sights import Sight
from sim.screen import shapes, sight
from sim.screen.camera import Camera, Canvas
from sim.screen.land import on_screen
from sim.screen.painter import clip, looks, magnified, visible
from sim.screen.replay import Shown
from sim.screen.theme import RGB, Theme, mix
from sim.world import World

TINT, RIM = 20, 110
"""How opaque a view and its edge are, of 255."""
HALF_ROUND = 0.49
"""How far a view is shown on a torus, of its shorter side."""
ARROW, LONGEST = 44.0, 150.0
"""Pixels of a term of 1 (full thrust, or full steering force), and of the longest arrow."""
APART = 7.0
"""Pixels between the roots of arrows, along the keel: most terms point the same two ways."""
SUM = "sum"


def paint_view(canvas: Canvas, world: World, row: int, walled: bool = False) -> None:
    """The `main` view of a unit, tinted, and outlines of others that rules of it have of their own.

    Each outline has the colour of its rule. On a torus they are shown as far as half its shorter
    side: farther out they would lie over themselves. `walled`: they are shown as far as the first
    wall, though units see past it; the views of units in rooms side by side stay apart so.
    """
    (surface, camera, theme), group = canvas, sight.owner(world, row)
    place, angle = world.units.position[row], float(world.units.angle[row])
    layer = pygame.Surface(camera.size, pygame.SRCALPHA)
    layer.set_clip(_ground(world, camera))
    main = sight.main(group)
    views = [] if main is None else [(main, theme.seen, TINT)]
    views += [(seen, color, 0) for seen, color in own_views(group, theme)]
    for seen, color, tint in views:
        shape, factor, reach = sight.resolved(group, row, seen)
        shown = min(reach, _farthest(world, camera, place))
        corners = sight.outline(shape, factor, shown, angle)
        if walled:
            corners = sight.cut_at_walls(corners, sight.walls(world) - np.tile(place, 2))
        for shift in world.plane.shifts:
            points = camera.to_screen(corners + place + shift).tolist()
            if tint:
                pygame.draw.polygon(layer, (*color, tint), points)
            pygame.draw.aalines(layer, (*color, RIM), True, points)
    surface.blit(layer, (0, 0))


def own_views(group: Group, theme: Theme) -> list[tuple[Sight, RGB]]:
    """The sights of those rules that look farther, nearer or another way than the `main` view."""
    order, main = list(group.settings), sight.main(group)
    found = []
    for setting in group.active:
        look = setting.sight
        if look is not None and main is not None and group.resolve(look) != group.resolve(main):
            color = theme.terms[order.index(setting.rule.name) % len(theme.terms)]
            found.append((look, color))
    return found


def _farthest(world: World, camera: Camera, place: Floats) -> float:
    """How far a view is drawn: as far as the picture goes, or half round a torus."""
    if world.plane.wraps:
        return HALF_ROUND * float(world.plane.size.min())
    corner = np.hypot(*(np.array(camera.size) / camera.scale))
    return 1.1 * float(corner + np.hypot(*(place - camera.centre)))


def paint_marks(canvas: Canvas, world: World, row: int) -> None:
    """Rings round a unit, round those it sees, and round those its rules answer one by one."""
    theme, answered = canvas.theme, sight.answered(world, row)
    seen = sight.seen(world, row) & ~answered
    itself = np.arange(len(seen)) == row
    canvas.surface.set_clip(clip(world, canvas.camera))
    for marked, color, gap in (
        (seen, mix(theme.faint, theme.ground, 0.35), 2.0),
        (answered, theme.terms[0], 2.0),
        (itself, theme.selected, 4.0),
    ):
        ring_round(canvas, world, marked, color, gap)
    canvas.surface.set_clip(None)


def paint_terms(canvas: Canvas, world: World, row: int) -> None:
    """An arrow for each weighted term of the last step, and a white one for their sum."""
    heading = world.units.heading[row]
    beam = np.array([-heading[1], heading[0]])
    centre = canvas.camera.to_screen(world.units.position[row])
    terms = terms_of(world, row, canvas.theme)
    for k, (name, (ahead, starboard), color) in enumerate(terms):
        push = (heading * ahead + beam * starboard) * ARROW
        length = float(np.hypot(*push))
        root = centre + heading * (0 if name == SUM else APART * (len(terms) / 2 - k))
        tip = root + push * min(1.0, LONGEST / max(length, 1e-9))
        shapes.arrow(canvas.surface, color, root, tip, 3.0)


def terms_of(world: World, row: int, theme: Theme) -> list[tuple[str, tuple[float, float], RGB]]:
    """Name, (ahead, starboard) and colour of a unit's terms at the last step.

    The sum comes last.
    """
    group = sight.owner(world, row)
    member = row - group.rows.start
    order = list(group.settings)  # so that a rule keeps its colour when others are switched off
    found = []
    for name, term in group.terms.items():
        ahead, starboard = term[member].tolist()
        found.append((name, (ahead, starboard), theme.terms[order.index(name) % len(theme.terms)]))
    ahead, starboard = group.command[member].tolist()
    return [*found, (SUM, (ahead, starboard), theme.selected)]


def ring_round(
    canvas: Canvas, world: Shown, marked: Bools, color: RGB, gap: float, width: float = 1.25
) -> None:
    """Rings of a width round units (N,), a gap of pixels beside their hulls."""
    surface, camera, _ = canvas
    for group in world.groups:
        scale = camera.scale * magnified(group, world, camera)
        for hull, members in looks(group):
            rows = group.rows.start + np.arange(len(group))[members]
            chosen = rows[marked[rows]]
            if not len(chosen):
                continue
            ring = shapes.ring(hull.reach * scale + gap, color, width)
            side = ring.get_width()
            _, corners = visible(world.units.position[chosen], side, world, camera)
            surface.fblits(zip(repeat(ring), corners.T.tolist()), pygame.BLEND_PREMULTIPLIED)


def _ground(world: World, camera: Camera) -> pygame.Rect | None:
    """The part of the picture where units can be; None if there are no edges."""
    plane = world.plane
    return on_screen(plane.bounds, camera) if plane.bounds and plane.edges != "open" else None
