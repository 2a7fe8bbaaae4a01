"""Present values out of the window: to the terminal, and to the clipboard where there is one."""

from __future__ import annotations

import pygame

from sim.scenario.snippet import snippet
from sim.world import World


def copy_out(world: World) -> str:
    """Print what a world's groups weigh and see as TOML, and copy it; where it went, in words."""
    words = snippet(world)
    print(words)
    try:
        pygame.scrap.put_text(words)
    except pygame.error:
        return "the present values are in the terminal, as TOML"
    return "the present values are on the clipboard and in the terminal, as TOML"
