"""What is built in the window: changes of the scenario, done and undone, and saved as a file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.core.files import atomic, first_free
from sim.orders import Goal
from sim.scenario.editing import Document, Edit, change, with_settings
from sim.scenario.playlist import Playlist, as_set
from sim.scenario.snippet import snippet
from sim.scenario.toml import dumps
from sim.screen.acts import Act, Removal, Sending, Turn
from sim.screen.edits import covers, with_goal, without_units
from sim.screen.plays import Play
from sim.world import World

Edits = tuple[Edit, ...]
Change = Edits | Act
"""What is undone as one: changes of the scenario, or what was done to the world alone."""
Marked = tuple[tuple[Change, ...], tuple[Change, ...]]
"""What is done, and what was undone, at a time of the run."""


class Workbench:
    """The changes of one scenario. `show` puts a world that was built anew into the window.

    Before the first step a change makes the world anew, exactly as the file will make it. Later it
    is done to the world that runs, and the file has it from the start.
    """

    def __init__(
        self, playlist: Playlist | None, show: Callable[[Play], None], target: Path | None = None
    ) -> None:
        self._playlist, self._show, self._target = playlist, show, target
        self._plan = None if playlist is None else playlist.plan
        self._done: list[Change] = []
        self._undone: list[Change] = []

    @property
    def document(self) -> Document:
        """The scenario as it is now. Raises `BadInput` where the run has no scenario file."""
        if self._playlist is None:
            raise BadInput("this run has no scenario file that could be changed")
        return self._playlist.document

    def renew(self, world: World) -> World | None:
        """What events had set in a world that another takes the place of, as `Playlist.as_set`."""
        if self._playlist is None or self._plan is None:
            return None
        plan, self._plan = self._plan, self._playlist.plan
        return self._playlist.as_set(plan, world.time)

    def owns(self, world: World) -> bool:
        """Whether what is done to a world now is done to its scenario: it has not started."""
        return self._playlist is not None and world.steps == 0

    def do(self, world: World, edits: Sequence[Edit]) -> None:
        """Make changes, as one. Raises `BadInput`, with the scenario as before."""
        self._apply(world, tuple(edits), ([*self._done, tuple(edits)], []))

    def remove(self, world: World, ids: ArrayLike) -> None:
        """Take units out by their ids: of the scenario before the start, of the world later."""
        if self.owns(world):
            self.do(world, without_units(self.document, world, ids))
        else:
            self._act(world, Removal(ids))

    def send(self, world: World, ids: ArrayLike, goal: Goal, queue: bool) -> Ints:
        """Before the start, give groups that are meant whole a goal; the ids of all others."""
        rest = np.asarray(ids, np.int64)
        if not self.owns(world):
            return rest
        document, edits = self.document, []
        for index, table in enumerate(document["groups"]):
            members = world.group(table["name"]).ids
            if len(members) and np.isin(members, rest).all():
                rest = np.setdiff1d(rest, members)
                for edit in with_goal(document, index, goal, queue):
                    document = edit.applied(document)
                    edits.append(edit)
        if edits:
            self.do(world, edits)
        return rest

    def order(
        self, world: World, ids: ArrayLike, goal: Goal, queue: bool, lapses: bool = False
    ) -> None:
        """Give units of a world a goal, which is no part of the scenario.

        What is scheduled for their groups holds nevertheless, unless it `lapses`.
        """
        self._act(world, Sending(ids, goal, queue, lapses))

    def operate(self, world: World, place: ArrayLike, near: float) -> bool:
        """Open or close the part at a place: for good before the start. Whether there is one."""
        x, y = np.asarray(place, dtype=float).tolist()
        found = [
            part for part in world.parts.values()
            if covers(part.shape, x - part.offset[0], y - part.offset[1], near)
        ]  # fmt: skip
        if not found:
            return False
        part = found[-1]
        spec = self.document["map"]["parts"].get(part.name) if self.owns(world) else None
        if spec is not None:
            to = spec | {"open": part.wanted}
            self.do(world, [Edit(("map", "parts"), part.name, spec, to)])
        else:
            self._act(world, Turn(part.name, not part.wanted))
        return True

    def undo(self, world: World) -> str:
        """Take the last change back; what there is to say of it."""
        self._keep_what_holds(world)
        if not self._done:
            return "there is nothing to undo"
        change = self._done[-1]
        back = _reverse(change) if isinstance(change, tuple) else change.undo
        self._carry_out(world, back, (self._done[:-1], [*self._undone, change]))
        return "undone"

    def redo(self, world: World) -> str:
        """Make the change that was taken back last once more; what there is to say of it."""
        self._keep_what_holds(world)
        if not self._undone:
            return "there is nothing to do again"
        change = self._undone[-1]
        again = change if isinstance(change, tuple) else change.do
        self._carry_out(world, again, ([*self._done, change], self._undone[:-1]))
        return "done again"

    @property
    def mark(self) -> Marked:
        """How far it is now, for `go_to`."""
        return _copied(self._done), _copied(self._undone)

    def go_to(self, marked: Marked) -> None:
        """The world has been put where it was at a mark: its scenario is as it was there.

        What was built since can be done again.
        """
        now, then = _edits(self._done), _edits(marked[0])
        same = 0
        while same < min(len(now), len(then)) and now[same] is then[same]:
            same += 1
        steps = [_reverse(change) for change in reversed(now[same:])] + then[same:]
        if steps and self._playlist is not None:
            document = self.document
            for edit in (edit for change in steps for edit in change):
                document = edit.applied(document)
            self._playlist.revise(document, built=False)
        done, undone = map(_copied, marked)
        more = [] if len(then) > same else [*_edits(self._undone), *reversed(now[same:])]
        known = set(map(id, undone))
        self._done, self._undone = [*done], [*undone, *(x for x in more if id(x) not in known)]

    def save(self, world: World) -> str:
        """Write the scenario, with weights and views as they are; where it is, in words."""
        document = self.document
        assert self._playlist is not None
        then, now = _groups(as_set(self._playlist.plan, world.time)), _groups(world)
        document = with_settings(document, then, now)
        target = self._target or first_free(self._playlist.file.stem, ".toml")
        self._target = target
        tiles = document.get("map", {}).get("file")
        if tiles is not None:
            there = os.path.relpath(self._playlist.file.parent / tiles, target.parent)
            document["map"]["file"] = Path(there).as_posix()
        with atomic(target, "w") as file:
            file.write(dumps(document))
        without = ", without what the demo's script does" if self._playlist.scripted else ""
        return f"wrote {target}{without}"

    def _act(self, world: World, act: Act) -> None:
        """Do something to a world that runs, and remember it."""
        act.do(world)
        act.world = ref(world)
        self._done.append(act)
        self._undone.clear()

    def _carry_out(
        self, world: World, what: Edits | Callable[[World], None],
        then: tuple[list[Change], list[Change]],
    ) -> None:  # fmt: skip
        """Make changes of the scenario, or of the world alone; what is done and undone `then`."""
        if isinstance(what, tuple):
            self._apply(world, what, then)
        else:
            what(world)
            self._done, self._undone = then

    def _keep_what_holds(self, world: World) -> None:
        """A world that was made anew knows of nothing that was done to the one before alone."""
        for changes in (self._done, self._undone):
            changes[:] = [c for c in changes if isinstance(c, tuple) or c.world() is world]

    def _apply(self, world: World, edits: Edits, then: tuple[list[Change], list[Change]]) -> None:
        """Make changes; what is done and undone `then` is known before the world is shown."""
        document = self.document
        for edit in edits:
            document = edit.applied(document)
        assert self._playlist is not None
        if self.owns(world):
            made = self._playlist.revise(document)
            assert made is not None
            self._done, self._undone = then
            self._show(Play(made, ""))
            return
        self._playlist.check(document)
        for edit in edits:
            change(world, edit)
        self._playlist.revise(document, built=False)
        self._done, self._undone = then


def _edits(changes: Sequence[Change]) -> list[Edits]:
    """The ones that change the scenario."""
    return [each for each in changes if isinstance(each, tuple)]


def _reverse(change: Edits) -> Edits:
    """What takes changes of the scenario back."""
    return tuple(edit.reverse for edit in reversed(change))


def _copied(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The same, with acts that remember what they did up to now."""
    return tuple(each if isinstance(each, tuple) else copy(each) for each in changes)


def _groups(world: World) -> dict[str, Any]:
    """What a file may say of views and rules of each group, by name."""
    return {table["name"]: table for table in tomllib.loads(snippet(world)).get("groups", ())}
