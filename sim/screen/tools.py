"""What the mouse does over the picture: a class for each tool. The window asks the active one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pygame

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.group import Group
from sim.orders import GO, Goal
from sim.screen.picture import WorldPicture
from sim.screen.pointer import Pixel
from sim.screen.sight import owner
from sim.screen.theme import Theme
from sim.screen.workbench import Workbench
from sim.world import World


class Tool:
    """A tool that does nothing. Coordinates are pixels of the picture."""

    def __init__(self, picture: WorldPicture, say: Callable[[str], None], bench: Workbench) -> None:
        self.picture, self.say, self.bench = picture, say, bench
        self.sends: Sequence[Group] = ()
        """Groups that clicks of this tool send."""

    def click(self, pixel: Pixel, button: int) -> None:
        """A button was pressed: the left one as it goes down, others without a drag."""

    def drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        """The left button went down at `start`, and is at `now`, or came up there if `done`."""

    def paint(self, surface: pygame.Surface, theme: Theme) -> None:
        """Paint what is under way over the picture."""


class Select(Tool):
    """Selects units by clicks and boxes, and orders them by the right button."""

    _box: pygame.Rect | None = None

    def click(self, pixel: Pixel, button: int) -> None:
        """Left: select the unit there and look inside it; right: send those selected there.

        On a unit of a group of which none is selected, right has them chase that group.
        """
        if button == pygame.BUTTON_LEFT:
            self._pick(pixel)
        elif button == pygame.BUTTON_RIGHT:
            self._order(pixel)

    def drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        """Select all units in the box between two pixels."""
        box = box_of(start, now)
        self._box = None if done else box
        if done:
            found = self._inside(box)
            self.picture.scene.squad.take(found, add=shifted())
            self.picture.scene.selected = None

    def paint(self, surface: pygame.Surface, theme: Theme) -> None:
        """Paint the box that is being drawn."""
        if self._box is not None:
            pygame.draw.rect(surface, theme.selected, self._box, 1)

    def _pick(self, pixel: Pixel) -> None:
        picture, squad = self.picture, self.picture.scene.squad
        if not shifted():
            picture.select(pixel)
            row = picture.scene.selected
            squad.take([] if row is None else picture.world.ids[[row]])
        elif (row := picture.unit_at(pixel)) is not None:
            squad.swap(int(picture.world.ids[row]))

    def _order(self, pixel: Pixel) -> None:
        world = self.picture.world
        ids = self.picture.scene.squad.there(world)
        if len(ids):
            queue = shifted()
            with saying(self.say):
                goal = self._goal(pixel, ids)
                ids = self.bench.send(world, ids, goal, queue)
                if len(ids):
                    self.bench.order(self.picture.world, ids, goal, queue)
                if goal.kind != GO:
                    self.say(f"{goal.kind} {goal.target}")

    def _goal(self, pixel: Pixel, ids: Ints) -> Goal:
        """What a click means for some units: the group of the unit there, or the place."""
        row = self.picture.unit_at(pixel)
        if row is not None:
            group = owner(self.picture.world, row)
            if not np.isin(group.ids, ids).any():
                return Goal("follow" if held(pygame.KMOD_CTRL) else "chase", group.name)
        return Goal.to(self.picture.place(pixel), nearest=True)

    def _inside(self, box: pygame.Rect) -> Ints:
        """The ids of the units whose centres are in a box of pixels."""
        world = self.picture.world
        spots = self.picture.spots()
        low, high = box.topleft, box.bottomright
        inside = (spots >= low).all(axis=1) & (spots <= high).all(axis=1)  # NaN is in no box
        return np.array(world.ids[inside])


class Send(Tool):
    """Sends one group by the left button, another by the right, and looks inside by the middle."""

    def click(self, pixel: Pixel, button: int) -> None:
        """Send a group, or look inside a unit."""
        sent = {pygame.BUTTON_LEFT: 0, pygame.BUTTON_RIGHT: 1}.get(button, len(self.sends))
        if sent < len(self.sends):
            group = self.sends[sent]
            with saying(self.say):
                goal = Goal.to(self.picture.place(pixel), nearest=True)
                self.bench.order(self.picture.world, group.ids, goal, queue=False, lapses=True)
        elif button == pygame.BUTTON_MIDDLE:
            self.picture.select(pixel)


def box_of(start: Pixel, now: Pixel) -> pygame.Rect:
    """The box between two pixels, whichever is the upper or the left one."""
    box = pygame.Rect(start, (now[0] - start[0], now[1] - start[1]))
    box.normalize()
    return box


@contextmanager
def saying(say: Callable[[str], None]) -> Iterator[None]:
    """Within, `BadInput` is said, and not raised: why something cannot be done."""
    try:
        yield
    except BadInput as bad:
        say(str(bad))


@contextmanager
def telling(say: Callable[[str], None], world: World) -> Iterator[None]:
    """As `saying`; besides, it is said which parts have begun to wait for units in their place."""
    before = _waiting(world)
    with saying(say):
        yield
        for name, why in _waiting(world).items():
            if name not in before:
                say(f"{name} {why}")


def _waiting(world: World) -> dict[str, str]:
    """Why parts that are to close have not, by name."""
    parts = world.parts.values()
    return {part.name: part.note for part in parts if part.wanted and not part.closed}


def shifted() -> bool:
    """Whether a Shift key is down."""
    return held(pygame.KMOD_SHIFT)


def held(mods: int) -> bool:
    """Whether one of some keys is down, which pygame's `KMOD` tell of."""
    return bool(pygame.key.get_mods() & mods)
