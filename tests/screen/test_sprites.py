import numpy as np
import pygame
import pytest

from sim import Hull
from sim.screen import sprites
from sim.screen.sprites import HEADINGS, Atlas, Sheet
from sim.screen.theme import DARK

BLUE = DARK.color("blue")
WEDGE = Hull("wedge", 4.0, 2.0)


def test_a_sprite_serves_all_angles_near_it():
    """Angles within half a step share a sprite, whole turns do not count, others differ."""
    sheet = Sheet(WEDGE, 4.0, BLUE, DARK)
    step = 2 * np.pi / HEADINGS
    a, b, c, d = sheet.take(np.array([0.0, 0.4 * step, -2 * np.pi, step])).tolist()
    assert a is b
    assert a is c
    assert a is not d


def test_large_hulls_turn_in_finer_steps():
    """The outermost part of a hull jumps by no more than about a pixel and a half."""
    for scale in (4.0, 20.0, 35.0):
        sheet = Sheet(WEDGE, scale, BLUE, DARK)
        jump = WEDGE.reach * scale * 2 * np.pi / sheet.headings
        assert jump <= sprites.STEP
        assert sheet.headings % HEADINGS == 0


@pytest.mark.parametrize("hull", [WEDGE, Hull.disc(2.0), Hull("box", 4.0, 3.0)])
def test_sprites_are_as_large_as_their_hull(hull):
    """What a sprite covers is the hull's own area, whatever its heading."""
    scale = 10.0
    around = Sheet(hull, scale, BLUE, DARK)
    area = {"wedge": 0.75 * 8.0, "disc": np.pi * 4.0, "box": 12.0}[hull.shape] * scale**2
    for sprite in around.take(np.array([0.0, 0.6, 2.5])):
        covered = pygame.surfarray.array_alpha(sprite).sum() / 255
        assert covered == pytest.approx(area, rel=0.05)


def test_edges_are_smooth_and_premultiplied():
    """Edge pixels are partly covered, and no channel is brighter than its coverage allows."""
    sprite = Sheet(WEDGE, 8.0, BLUE, DARK).take(np.array([0.3]))[0]
    alpha = pygame.surfarray.array_alpha(sprite).astype(int)
    assert ((alpha > 20) & (alpha < 235)).sum() > 20
    assert (pygame.surfarray.array3d(sprite) <= alpha[..., None] + 1).all()


def test_memory_stays_bounded(monkeypatch):
    """Neither a large hull that turns round nor many scales in turn pile up sprites."""
    monkeypatch.setattr(sprites, "ROOM", 2e5)
    atlas = Atlas(DARK)
    for scale in np.linspace(5, 9, 40):
        sheet = atlas.sheet(WEDGE, float(scale), BLUE)
        for angle in np.linspace(0, 6, 100):
            sheet.take(np.array([angle]))
            assert sheet.weight < 2.2e5
    assert sum(s.weight for s in atlas._sheets.values()) < 5e5
