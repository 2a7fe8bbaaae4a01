"""What of a window's parts its keys, its mouse and its panel move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from sim.scenario.snippet import snippet
from sim.screen.controls import Controls
from sim.screen.course import AGO
from sim.screen.panel import Panel
from sim.screen.workbench import Workbench
from sim.world import World

if TYPE_CHECKING:
    from sim.screen.window import Window


def wired(window: Window) -> tuple[Controls, Panel]:
    """The controls and the panel of a window, for the scenario that is on."""
    say, begin, plays = window.say, window.begin, window.plays
    actions = {
        "record": lambda: say(window.filming.toggle(window.world)),
        "panel": lambda: window.panel.toggle(),
        "copy": lambda: say(copy_out(window.world)),
        "back": lambda: window.go_to(window.course.past.nearest(window.world.time - AGO)),
        "forth": lambda: window.go_to(window.course.past.next(window.world.time)),
        "restart": lambda: begin(plays.restart),
        "new_seed": lambda: begin(plays.new_seed),
        "next_scenario": lambda: begin(lambda: plays.beside(1)),
        "last_scenario": lambda: begin(lambda: plays.beside(-1)),
    }
    bench = Workbench(plays.playlist, lambda play: window.show(play, as_seen=True), window.save_as)
    controls = Controls(window.world, window.picture, actions, say, bench)
    sends = [] if plays.playlist is None else plays.playlist.sends
    controls.hand.sends = [window.world.group(name) for name in sends]
    controls.about = plays.playlist is not None
    panel = Panel(
        controls.tuning,
        controls.act,
        controls.tuning.weigh,
        lambda name: begin(lambda: plays.pick(name)),
    )
    return controls, panel


def copy_out(world: World) -> str:
    """Print what a world's groups weigh and see as TOML, and copy it; where it went, in words."""
    words = snippet(world)
    print(words)
    try:
        pygame.scrap.put_text(words)
    except pygame.error:
        return "the present values are in the terminal, as TOML"
    return "the present values are on the clipboard and in the terminal, as TOML"
