"""What happened in a window, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

HELD = {
    pygame.K_LSHIFT: pygame.KMOD_LSHIFT, pygame.K_RSHIFT: pygame.KMOD_RSHIFT,
    pygame.K_LCTRL: pygame.KMOD_LCTRL, pygame.K_RCTRL: pygame.KMOD_RCTRL,
}  # fmt: skip
"""Keys that change what a click means."""


def events() -> Iterator[pygame.event.Event]:
    """All events since the last call; meanwhile `pygame.key.get_mods` tells how `HELD` keys were.

    pygame itself tells of the keys that are down after the last of them: where a picture takes long
    Shift may have come up again since a click.
    """
    before = pygame.key.get_mods()
    found = pygame.event.get()
    after = pygame.key.get_mods()
    pygame.key.set_mods(before)
    try:
        for event in found:
            if event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key in HELD:
                mods, down = pygame.key.get_mods(), event.type == pygame.KEYDOWN
                own = HELD[event.key]
                pygame.key.set_mods(mods | own if down else mods & ~own)
            yield event
    finally:
        pygame.key.set_mods(after)
