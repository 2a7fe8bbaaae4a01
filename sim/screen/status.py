"""What there is to say of a run: for the words on the picture, and for the panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.core.errors import plural
from sim.screen.controls import SWITCHES
from sim.screen.keys import VIEW_KEYS
from sim.screen.replay import Shown
from sim.screen.switches import Switches
from sim.screen.theme import LIGHT
from sim.world import World

if TYPE_CHECKING:
    from sim.screen.window import Window

LISTED = frozenset(("restart", "new_seed", "build", "undo", "redo", "save"))
"""Actions that want a scenario file."""


@dataclass(frozen=True)
class Status:
    """What the window knows beside the world."""

    title: str = ""
    speed: float = 1.0
    paused: bool = False
    recording: str | None = None
    """The file that is being recorded."""
    sends: bool = False
    """Whether the mouse sends groups."""
    about: str | None = None
    """What to look for, if that is shown."""
    on: frozenset[str] = frozenset()
    """Actions whose switch is on."""
    off: frozenset[str] = frozenset()
    """Actions that there is nothing for."""
    scenarios: Sequence[str] = ()
    scenario: str = ""


def status(window: Window) -> Status:
    """The status of a window's parts."""
    controls, scene, playlist = window.controls, window.scene, window.plays.playlist
    film = window.filming.recorder
    switches = {action: controls.switch_is_on(action) for action in SWITCHES}
    views = {group.view for group in window.world.groups}
    on = {name for name, is_on in switches.items() if is_on} | scene.shows
    on |= {f"view_{view}" for view in views} if len(views) == 1 else set()
    others = {
        "pause": controls.paused,
        "help": controls.help > 0,
        "about": controls.about,
        "build": controls.hand.building,
        "record": film is not None,
        "theme": scene.theme is LIGHT,
        "rule_alone": controls.tuning.is_alone(),
        "rule_off": controls.tuning.rule is not None
        and controls.tuning.weight(controls.tuning.rule) == 0,
    }
    on |= {name for name, is_on in others.items() if is_on}
    off = {name for name, is_on in switches.items() if is_on is None}
    off |= set() if controls.views_count else set(VIEW_KEYS)
    return Status(
        title=window.title,
        speed=controls.speed,
        paused=controls.paused,
        recording=None if film is None else str(film.path),
        sends=bool(controls.hand.sends),
        about=None if not controls.about else playlist.text if playlist else "",
        on=frozenset(on),
        off=frozenset(off) | (LISTED if playlist is None else frozenset()),
        scenarios=list(playlist.files) if playlist else (),
        scenario=playlist.name if playlist else "",
    )


def figures(world: World, state: Status) -> str:
    """How many units, when, and how fast, in a line."""
    return f"{counted(world)}   {world.time:.1f} s   {pace(state)}"


def counted(world: Shown) -> str:
    """How many units there are, in words."""
    count = int(world.units.present.sum())
    return f"{count:,} {plural(count, 'unit')}"


def pace(state: Status | Switches) -> str:
    """How fast a run goes, in words."""
    return "paused" if state.paused else f"x{state.speed:g}"
