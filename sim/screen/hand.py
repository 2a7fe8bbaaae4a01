"""The hand on the picture: which tool the mouse has, and what keys do to the selected units."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.core.errors import BadInput
from sim.group import Group
from sim.screen.picture import Picture
from sim.screen.pointer import Pixel, Pointer
from sim.screen.squad import Squad
from sim.screen.tools import Select, Send, Tool


class Hand:
    """Has a tool, and tells it what the mouse does; `say` shows a message."""

    def __init__(self, picture: Picture, say: Callable[[str], None]) -> None:
        self.picture, self.say = picture, say
        self.sends: Sequence[Group] = ()
        """Groups that the mouse sends: the first by its left button, the second by its right."""
        self._select, self._send = Select(picture, say), Send(picture, say)
        self.pointer = Pointer(self._click, picture.pan, picture.zoom, self._drag)

    @property
    def tool(self) -> Tool:
        """The tool that the mouse has now."""
        self._send.sends = self.sends
        return self._send if self.sends else self._select

    @property
    def squad(self) -> Squad:
        """The selected units."""
        return self.picture.scene.squad

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What can be asked for by name."""
        return {
            "remove": self._remove,
            "next_unit": lambda: self._look_inside(1),
            "last_unit": lambda: self._look_inside(-1),
            "nobody": lambda: self._look_inside(None),
        }

    @property
    def numbered(self) -> dict[str, Callable[[int], bool]]:
        """What can be asked for by name and number; each says whether there was anything to do."""
        return {"store": self._store, "recall": self.squad.recall}

    def _click(self, pixel: Pixel, button: int) -> None:
        self.tool.click(pixel, button)

    def _drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        self.tool.drag(start, now, done)

    def _look_inside(self, step: int | None) -> None:
        """The unit that is looked inside is selected, too."""
        self.picture.look_inside(step)
        row = self.picture.scene.selected
        self.squad.take([] if row is None else self.picture.world.ids[[row]])

    def _store(self, number: int) -> bool:
        count = self.squad.store(number)
        self.say(f"stored under {number}: {count} unit{'s' * (count != 1)}")
        return True

    def _remove(self) -> None:
        world = self.picture.world
        ids = self.squad.there(world)
        if not len(ids):
            return
        try:
            world.remove(ids)
        except BadInput as bad:
            self.say(str(bad))
        else:
            self.squad.take([])
