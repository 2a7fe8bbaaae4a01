"""Ground that changes: parts that close, open and move, areas, and foreign bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.solids import Solids
from sim.engine.build import Body
from sim.engine.cells import check_solids
from sim.engine.movers import (
    STRIDE,
    move,
    pressed,
    pushing_speed,
    put_in,
    solids_of,
    squeezed,
    take_out,
    there,
)
from sim.living.parts import Part
from sim.navigation.areas import Area
from sim.orders.rerouting import Change
from sim.perception.bodies import STILL, Moving, moving_discs

if TYPE_CHECKING:
    from sim.living.roster import Roster
    from sim.living.site import Site

Stands = Part | Body
"""What stands on the ground."""


class Terrain:
    """Keeps what changes on the ground of a world, and renews what follows from it.

    What stands still is planned round; what moves is seen, felt and avoided where it is, and ways
    lead through its place as if it were not there.
    """

    def __init__(self, roster: Roster, site: Site) -> None:
        self._roster, self._site = roster, site
        self.parts: dict[str, Part] = {}
        self.areas: list[Area] = []
        self.bodies: list[Body] = []
        """Foreign bodies that are seen."""
        self.areas_changed = False
        """Whether ways are to be planned over other areas than before."""
        self.moving = STILL
        """What moves in this step, and how."""
        self._stand: dict[Stands, Solids] = {}
        """What is planned round, by what stands there."""
        self._shown: tuple[Solids, ...] = ()
        self._targets: dict[str, Floats] = {}

    def settle(self, parts: Iterable[Part]) -> None:
        """Close and open those of some parts that can be closed and opened now."""
        for part in parts:
            if part.wanted and not part.closed:
                self._close(part)
            elif part.closed and not part.wanted:
                self._take_out(part)
            if part.removed:
                del self.parts[part.name]

    def begin_step(self) -> None:
        """Bring all where it is now, and set moving what moves."""
        self.arrive()  # for programs that step their space themselves
        self.settle(list(self.parts.values()))
        self.renew()
        dt, among = self._roster.time_step, (self._roster.space, self._roster.bridge)
        for name, part in self.parts.items():
            if part.body is None or not (part.moves or part.body.velocity != (0, 0)):
                continue
            to = part.offset
            if part.moves:  # by the short way round a torus
                to = self._roster.plane.images_near(part.next_offset(dt), part.offset)
            row = squeezed(*among, part.body, to, self._radii) if part.moves else -1
            part.keep(note=self._waits_for(row))
            if row >= 0:
                to = part.offset
            elif part.moves:
                part.keep(clock=part.clock + dt)
            move(part.body, part.offset, to, dt)
            self._targets[name] = to
        self.moving = self._foreseen()

    def ease(self, done: float) -> None:
        """Stop what has pushed a unit too hard; a share `done` of the step is over."""
        for name in self._targets:
            part = self.parts[name]
            if not part.moves or part.body is None or part.body.velocity == (0, 0):
                continue
            row = pressed(self._roster.bridge, part.body, self._roster.own_speeds())
            if row >= 0:
                undone = (1 - done) * self._roster.time_step
                part.keep(clock=part.clock - undone, note=self._waits_for(row))
                self._targets[name] = np.array(part.body.position)
                part.body.velocity = 0, 0

    def _waits_for(self, row: int) -> str:
        return "" if row < 0 else f"waits: unit {self._roster.ids[row]} is in the way"

    def arrive(self) -> None:
        """What was set moving has come to where it is now."""
        moved = self._targets or any(b.body_type != Body.STATIC for b in self.bodies)
        if moved and self._roster.turn.late is None:
            self._roster.turn.late = self._show
        for name, target in self._targets.items():
            if name in self.parts:
                self.parts[name].put(target, self._roster.plane)
        self._targets.clear()

    def parts_of_step(self) -> int:
        """In how many parts the engine takes a step, so that nothing that moves outruns a hull."""
        space, dt = self._roster.space, self._roster.time_step
        own = [part.body for part in self.parts.values() if part.body is not None]
        bodies = [b for b in (*own, *self.there) if b.body_type == Body.KINEMATIC]
        if not bodies or not len(self._radii):
            return 1
        fastest = max(pushing_speed(space, body, dt) for body in bodies)
        return max(1, ceil(fastest * dt / (STRIDE * float(self._radii.min()))))

    @property
    def kept(self) -> dict[str, Any]:
        """What it keeps from step to step, by name, but for bodies: as `resume` takes it."""
        stand = {p.name: self._stand[p] for p in self.parts.values() if p in self._stand}
        return {
            "parts": [part.kept for part in self.parts.values()], "areas": self.areas,
            "stand": stand, "targets": self._targets,
        }  # fmt: skip

    def resume(self, kept: Mapping[str, Any], bodies: Sequence[Body | None]) -> None:
        """Go on as it was `kept`, with the bodies in the engine of its parts.

        Parts that are there already by their names are the same objects as before; parts that are
        not kept count as removed.
        """
        known, self.parts = self.parts, {}
        for held, body in zip(kept["parts"], bodies, strict=True):
            name, path = held["name"], held["path"]
            part = known.pop(name, None)
            if part is None:
                part = Part(name, held["shape"], path, held["loop"], self._site.settle)
            part.resume(held, body)
            self.parts[name] = part
        for part in known.values():
            part.keep(removed=True, body=None)
        self.areas[:], self._targets = kept["areas"], kept["targets"]
        self.bodies.clear()
        self._stand = {self.parts[name]: each for name, each in kept["stand"].items()}
        self._shown = self._seen()[0]
        self._site.lay(self._shown)

    def _foreseen(self) -> Moving:
        own = [(part.solids, part.body) for part in self.parts.values() if part.body is not None]
        own += [(solids_of(body), body) for body in self.there if body.body_type != Body.STATIC]
        return moving_discs((solids, body.velocity) for solids, body in own if any(body.velocity))

    @property
    def there(self) -> list[Body]:
        """The foreign bodies that are seen, but for those taken out of the space."""
        return there(self._roster.space, self.bodies)

    @property
    def _radii(self) -> Floats:
        """(N,) of the units' hulls."""
        return self._roster.people.sizes.radius

    def _close(self, part: Part) -> None:
        roster = self._roster
        try:
            check_solids(roster.space, part.shape.solids, f"part {part.name!r}")
        except BadInput:
            part.keep(wanted=False)
            raise
        part.put(part.offset, roster.plane)
        body, row = put_in(
            roster.space, roster.bridge, part.shape.solids, roster.plane, part.offset, self._radii
        )
        if row >= 0:
            part.keep(note=f"waits: unit {roster.ids[row]} stands there")
            return
        part.keep(body=body, closed=True, note="")

    def _take_out(self, part: Part) -> None:
        if part.body is not None and part.body.space is self._roster.space:
            take_out(self._roster.space, part.body)
        part.keep(body=None, closed=False)
        self._targets.pop(part.name, None)

    def _seen(self) -> tuple[tuple[Solids, ...], dict[Stands, Solids]]:
        """What is to be seen now, and what of it stands still."""
        closed = [part for part in self.parts.values() if part.closed]
        stand: dict[Stands, Solids] = {part: part.solids for part in closed if not part.moves}
        stand |= {b: solids_of(b) for b in self.there if b.body_type == Body.STATIC}
        moving = [part.solids for part in closed if part.moves]
        moving += [solids_of(b) for b in self.there if b.body_type != Body.STATIC]
        stand = {key: self._known(key, each) for key, each in stand.items()}
        return (*stand.values(), *moving), stand

    def renew(self) -> None:
        """Renew what is seen and felt if anything has changed, and what is planned."""
        roster = self._roster
        roster.turn.late = None
        stand = self._show()
        changes = [Change(each, True) for key, each in stand.items() if key not in self._stand]
        changes += [Change(each, False) for key, each in self._stand.items() if key not in stand]
        for key, each in stand.items():
            was = self._stand.get(key)
            if was is not None and was is not each:
                changes += [Change(was, False), Change(each, True)]
        if changes:
            self._stand = stand
            self._plan(changes)
        if (self.parts or self._stand) and roster.orders.guide is not None:
            roster.orders.guide.open_ground(roster.ground.bare)
        if self.areas_changed:
            self.areas_changed = False
            self._site.lead_over(self.areas)

    def _show(self) -> dict[Stands, Solids]:
        """Renew what is seen and felt if anything has changed; what of it stands still."""
        shown, stand = self._seen()
        if list(map(id, shown)) != list(map(id, self._shown)):
            self._shown = shown
            self._site.lay(shown)
        return stand

    def _known(self, key: Stands, solids: Solids) -> Solids:
        """The very solids that were known if they are where they were."""
        was = self._stand.get(key)
        return was if was is not None and (was is solids or was.alike(solids)) else solids

    def _plan(self, changes: list[Change]) -> None:
        """Have ways planned on the ground as it is now."""
        roster, here = self._roster, self._roster.snapshot().position
        guide, now = roster.orders.guide, roster.ground.bare.joined(list(self._stand.values()))
        if guide is not None:
            guide.renewals.change(roster.steps, now, changes, here, roster.plane)
        else:
            self._site.lead(now)
