"""Units that are picked in the picture, and what they are told: by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.errors import BadInput
from sim.living.parts import Part
from sim.screen.picture import Picture
from sim.screen.pointer import Pixel
from sim.selection import Selection
from sim.world import World

NOBODY = "nobody is selected: click a unit, or drag a box round some"
NO_DOOR = "there is no door under the mouse"
WAITS = "it closes as soon as nobody stands there"


class Commander:
    """Picks units of a picture, and passes on what they are to do; `say` shows a message.

    Picked units are known by their ids: those that leave are dropped, others stay picked.
    """

    def __init__(self, picture: Picture, say: Callable[[str], None]) -> None:
        self._picture, self._say = picture, say
        self._stored: dict[int, Ints] = {}

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What can be asked for by name."""
        return {"pick_all": self.pick_all, "remove": self.remove, "halt": self.halt}

    @property
    def picked(self) -> Ints:
        """(n,) ids of the units that are picked and still there."""
        picked = self._picture.scene.picked
        return picked[np.isin(picked, self._here)]

    @picked.setter
    def picked(self, ids: Ints) -> None:
        self._picture.scene.picked = ids

    @property
    def stored(self) -> dict[int, list[int]]:
        """The ids that are stored under each digit."""
        return {digit: ids.tolist() for digit, ids in self._stored.items()}

    def pick(self, pixel: Pixel, more: bool) -> None:
        """Pick the unit under a pixel, or with `more` add it, or drop it if it was picked."""
        row = self._picture.row_at(pixel)
        ids = self._world.ids[[] if row is None else [row]]
        if not more:
            self.picked = ids
        elif np.isin(ids, self.picked).any():
            self.picked = np.setdiff1d(self.picked, ids)
        else:
            self.picked = np.union1d(self.picked, ids)

    def pick_box(self, one: Pixel, other: Pixel, more: bool) -> None:
        """Pick the units between two corners in the picture, or with `more` add them."""
        spots = self._picture.spots
        low, high = np.minimum(one, other), np.maximum(one, other)
        inside: Bools = np.asarray(((spots >= low) & (spots <= high)).all(axis=1))
        ids = self._world.ids[inside]
        self.picked = np.union1d(self.picked, ids) if more else ids

    def pick_all(self) -> None:
        """Pick all units that there are."""
        self.picked = self._here

    def store(self, digit: int) -> None:
        """Keep the units that are picked under a digit."""
        self._stored[digit] = self.picked
        self._say(f"{len(self.picked)} selected units are kept as {digit}")

    def recall(self, digit: int) -> None:
        """Pick those that are kept under a digit."""
        self.picked = self._stored.get(digit, np.zeros(0, np.int64))

    def go_to(self, pixel: Pixel, queue: bool) -> None:
        """Send the picked units to the place under a pixel; with `queue` as their last order."""
        place = self._picture.place(pixel)
        self._tell(lambda squad: squad.go_to(place, nearest=True, queue=queue))

    def halt(self) -> None:
        """Have the picked units come to rest."""
        self._tell(lambda squad: squad.stop())

    def remove(self) -> None:
        """Take the picked units out of the world."""
        self._tell(lambda squad: self._world.remove(squad.ids))

    def use_door(self, pixel: Pixel) -> None:
        """Open the part of the ground under a pixel, or close it."""
        part = self._part_at(pixel)
        if part is None:
            self._say(NO_DOOR)
        elif part.wanted:
            part.open()
        else:
            part.close()
            self._say("" if part.closed else WAITS)

    def _tell(self, order: Callable[[Selection], None]) -> None:
        if not len(self.picked):
            self._say(NOBODY)
            return
        try:
            order(self._world.select(self.picked))
        except BadInput as error:
            self._say(str(error))

    def _part_at(self, pixel: Pixel) -> Part | None:
        place = self._picture.place(pixel)[None]
        near = self._picture.near
        for part in self._world.parts.values():
            if part.solids.depth(place, self._world.plane)[0] > -near:
                return part
        return None

    @property
    def _world(self) -> World:
        return self._picture.world

    @property
    def _here(self) -> Ints:
        ids: Ints = self._world.ids[self._world.units.present]
        return ids
