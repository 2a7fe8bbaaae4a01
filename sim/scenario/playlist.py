"""A scenario that can be built again and again, and the others that may take its place."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.core.errors import BadInput, naming
from sim.core.resources import folder
from sim.living.deeds import Deed
from sim.orders.goal import GO
from sim.scenario.build import build
from sim.scenario.load import document_of, load, loads, read_text
from sim.scenario.schema import Scenario
from sim.scenario.toml import dumps
from sim.world import World

Begin = Callable[[World, bool], None]
"""What a demo does to a world that is about to begin; whether a person gives orders to it."""
Clicks = Mapping[str, Sequence[tuple[float, tuple[float, float]]]]
"""By group: times (s) and the places that it is sent to."""


class Playlist:
    """The scenario that is on, with what the command line said of it; and all that are shipped.

    With a `text` that is read instead of the file. Raises `BadInput` for whatever is wrong with a
    file, and then goes on with the one before.
    """

    def __init__(
        self,
        file: str | Path,
        overrides: Sequence[str] = (),
        seed: int | None = None,
        view: str | None = None,
        clicks: Clicks | None = None,
        text: str | None = None,
        begin: Begin | None = None,
    ) -> None:
        self._begin = begin
        self.by_hand = False
        """Whether a person gives orders: else a demo's script does."""
        self._overrides, self._view, self._clicks = tuple(overrides), view, clicks or {}
        self.file, self._text = Path(file), text
        """The file of the scenario that is on, and a text that is read instead."""
        self.plan: Scenario = self._load(seed)
        self.seed = self.plan.seed
        self.files = _shipped()
        """Every scenario that may be picked, by name."""
        known = {path.resolve(): name for name, path in self.files.items()}
        self.name = known.get(self.file.resolve(), self.file.stem)
        """The one that is on."""
        if self.file.resolve() not in known:
            self.files = {self.name: self.file, **self.files}

    def build(self, seed: int | None = None) -> World:
        """The world of the scenario, from its start; with a seed of its own, or the one before."""
        plan = self.plan if seed is None else self._load(seed)
        world = build(plan, self._view)
        self._give_orders(world)
        self.plan, self.seed = plan, plan.seed
        return world

    def as_set(self, plan: Scenario, time: float) -> World | None:
        """The start of a plan with what its events had set by a time; None if there was nothing."""
        due = any(event.set and event.at < time for event in plan.events)
        return as_set(plan, time, self._view) if due else None

    def pick(self, name: str) -> World:
        """The world of another scenario, as its file has it."""
        plan = load(self.files[name])
        world = build(plan)
        self.file, self._text, self._overrides, self._view = self.files[name], None, (), None
        said = _script(name)
        self._clicks, self._begin = said.get("CLICKS", {}), said.get("begin")
        self.plan, self.seed, self.name = plan, plan.seed, name
        self._give_orders(world)
        return world

    @property
    def document(self) -> dict[str, Any]:
        """The tables of the scenario that is on, with all that the command line said of it."""
        if self._text is not None:
            found = document_of(self._text, self.file)
        else:
            found = document_of(read_text(self.file), self.file, self._overrides)
        return found | {"seed": self.seed}

    def revise(self, document: Mapping[str, Any], built: bool = True) -> World | None:
        """Go on with another document of the scenario, and its world if that is to be built.

        Raises `BadInput`, and keeps the one before, for one that is wrong.
        """
        before = self._text, self.plan, self._overrides
        self._text, self._overrides = dumps(document), ()
        try:
            self.plan = self._load(None)
            return self.build() if built else None
        except BaseException:
            self._text, self.plan, self._overrides = before
            raise

    def check(self, document: Mapping[str, Any]) -> None:
        """Raise `BadInput` for a document that is no scenario, or cannot begin."""
        plan = loads(dumps(document), self.file)
        with naming("not built, as R and Ctrl S could not begin with it: "), build(plan):
            pass

    def _load(self, seed: int | None) -> Scenario:
        if self._text is not None:
            return loads(self._text, self.file, self._overrides, seed)
        return load(self.file, self._overrides, seed)

    @property
    def text(self) -> str:
        """What to look for: what its demo says of that, where there is one; else its `about`.

        A demo whose script acts speaks of a run with the script; without it that is said.
        """
        script = folder("demos") / f"{self.name}.py"
        if self.file.resolve().parent != folder("maps").resolve() or not script.is_file():
            return self.plan.about
        told, acts = _told(script)
        if acts and not self.scripted:
            said = f"{self.plan.about} What the demo's script does besides is not done here:"
            return f"{said} python -m sim demo {self.name}"
        return told or self.plan.about

    @property
    def scripted(self) -> bool:
        """Whether a demo's script acts on the world, which is no part of the document."""
        return self._begin is not None or bool(self._clicks)

    @property
    def sends(self) -> list[str]:
        """The groups that are sent by clicks: the first by the left button, then the right."""
        return list(self._clicks) or list(self.plan.mouse)

    def beside(self, step: int) -> str:
        """The name of the scenario `step` places further on in the list."""
        names = list(self.files)
        return names[(names.index(self.name) + step) % len(names)]

    def _give_orders(self, world: World) -> None:
        if self._begin is not None:
            self._begin(world, self.by_hand)
        for name, orders in self._clicks.items():
            world.group(name).schedule = list(orders)
        for name in self.sends:
            group = world.group(name)
            if not any(GO in setting.rule.serves for setting in group.settings.values()):
                raise BadInput(
                    f"{self.file}: mouse: group {name!r} has no rule that goes to places (model "
                    f"{group.model.name!r}); the mouse can send groups that have one"
                )


def as_set(plan: Scenario, time: float, view: str | None = None) -> World:
    """The start of a scenario, but with all that its events had set of groups by a time (s)."""
    world = build(plan, view)
    for due in world.agenda.due(time - world.time_step):
        if isinstance(due.act, Deed) and due.act.action == "set":
            due.act(world)
    return world


def _script(name: str) -> dict[str, Any]:
    """What the demo script of that name, where there is one, defines: its CLICKS, its `begin`."""
    script = folder("demos") / f"{name}.py"
    return runpy.run_path(str(script)) if script.is_file() else {}


@lru_cache
def _told(script: Path) -> tuple[str, bool]:
    """What a demo's script says to look for, and whether it has what `_script` is asked for.

    Read, not run, and once: it is asked for at each picture.
    """
    tree = ast.parse(script.read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    defined |= {each.id for targets in named for each in targets if isinstance(each, ast.Name)}
    said = (ast.get_docstring(tree) or "").partition("\n")[2]
    return " ".join(said.split()), not defined.isdisjoint(("begin", "CLICKS"))


def _shipped() -> dict[str, Path]:
    maps = folder("maps")
    files = [*sorted(maps.glob("*.toml")), *sorted((maps / "scenes").glob("*.toml"))]
    return {path.relative_to(maps).with_suffix("").as_posix(): path for path in files}
