"""Every key of the table does something, through the window's own events."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from sim.screen.keys import KEYBOARD, KEYS

from .worlds import FRAME

ROOT = Path(__file__).resolve().parents[2]
CTRL = pygame.KMOD_LCTRL
FIRST = {
    "view_all": ["1"],
    "full_thrust": ["s"],
    "nobody": ["RETURN"],
    "whole": ["PAGEUP"],
    "reset_weights": ["l"],
    "store": ["RETURN"],
    "digit": ["RETURN", ("1", CTRL), "z"],
    "remove": ["RETURN"],
    "back": ["SPACE"],
    "forth": ["SPACE", ("LEFT", CTRL)],
}
"""Keys that must have been pressed for another one to matter."""


def state(window, said=""):
    """All that a key may change."""
    world, controls, scene = window.world, window.controls, window.scene
    tuning = controls.tuning
    return (
        (id(world), world.seed, window.title, controls.paused, controls.help, controls.ended),
        (controls.speed, controls.single_steps, tuning.group.name, tuning.rule),
        [(g.name, g.view, sorted(g.muted), g.controls.tolist()) for g in world.groups],
        [(g.name, n, s.weight) for g in world.groups for n, s in g.settings.items()],
        (sorted(scene.shows), scene.lens.zoom, scene.lens.offset.tolist(), scene.selected),
        (scene.squad.ids.tolist(), sorted(scene.squad.stored), world.ids.tolist()),
        (
            window.notice,
            controls.hand.building,
            scene.theme,
            window.panel.shown,
            window.filming.recorder is None,
            said,
            controls.about,
        ),
    )


def down(code, mod):
    """A key goes down."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod))


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.action)
def test_every_key_does_something(bare, key, capsys):
    """No line of the table is without effect, and the rest of the window goes on.

    With the panel too: see the test below.
    """
    for name in FIRST.get(key.action, []):
        code, mod = (name, 0) if isinstance(name, str) else name
        down(getattr(pygame, f"K_{code}"), mod)
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=getattr(pygame, f"K_{code}"), mod=0))
        bare.frame(FRAME)
    before = state(bare)
    code = key.codes[0]
    down(code, pygame.KMOD_LSHIFT if key.shift else CTRL if key.ctrl else 0)
    ended = not bare.frame(FRAME)
    said = capsys.readouterr().out if key.action == "copy" else ""
    assert state(bare, said) != before
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=code, mod=0))
    assert bare.frame(FRAME) is not ended
    assert ended == (key.action == "quit")


def test_the_panel_goes_along_with_every_key(listed):
    """One after another in one window; it is there at the end and names the group in hand."""
    for key in KEYS:
        if key.action in ("quit", "panel"):
            continue
        down(key.codes[0], pygame.KMOD_LSHIFT if key.shift else CTRL if key.ctrl else 0)
        assert listed.frame(FRAME), key
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key.codes[0], mod=0))
        assert listed.frame(FRAME), key
        group = listed.controls.tuning.group
        if listed.panel.widgets and group is not None:
            assert listed.panel.widgets["group"].text.startswith(group.name), key
    assert listed.panel.widgets


def test_no_code_does_two_things():
    """Each code, with Shift, Ctrl or neither, is in the table once."""
    codes = [(code, key.shift, key.ctrl, key.claims) for key in KEYS for code in key.codes]
    assert len(set(codes)) == len(codes)
    assert len({key.action for key in KEYS}) == len(KEYS)


def test_shift_falls_back_to_the_plain_key():
    """Shift and = is + on many keyboards: what wants no Shift is found with it too."""
    assert KEYBOARD.key_of(pygame.K_EQUALS, shift=True).action == "faster"
    assert KEYBOARD.key_of(pygame.K_LEFT, shift=True).action == "pan_left"
    assert KEYBOARD.key_of(pygame.K_LEFT, shift=False).action == "turn_to_port"
    assert KEYBOARD.key_of(pygame.K_F12, shift=True) is None


def test_a_pan_ends_though_shift_came_up_first(listed):
    """The arrow's own release ends what it began."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT, mod=pygame.KMOD_SHIFT))
    listed.frame(FRAME)
    moved = listed.scene.lens.offset.copy()
    assert moved[0] > 0
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_RIGHT, mod=0))
    listed.frame(FRAME)
    assert np.array_equal(listed.scene.lens.offset, moved)
    assert listed.world.group("player").controls.tolist() == [[0, 0, 1]]


def test_the_document_has_every_key():
    """Letters, digits and signs stand in docs/window.md as they are on the keyboard."""
    text = (ROOT / "docs" / "window.md").read_text(encoding="utf-8")
    table = text.partition("## Keys")[2].partition("\n## ")[0]
    for key in KEYS:
        if len(key.shown) == 1:
            assert f"`{key.shown}`" in table, key
        elif "," not in key.shown and not key.shift:
            assert key.shown in table, key
