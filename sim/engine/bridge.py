"""The bridge to the engine: all state read in one batch call, all forces written in one.

With `contacts` the only user of `batch`. What it must know: a read returns every body of the space,
foreign and static ones too, in an order that changes when bodies come and go, so rows are joined by
body id; the buffer is the engine's memory and is copied; a write takes float64 for exactly all
bodies, and the engine forgets forces at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pymunk

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import Diverged
from sim.core.plane import Plane
from sim.core.relay import NEW, Relay
from sim.core.units import Units
from sim.engine.batch import BodyFields, Buffer, check_batch, get_space_bodies, set_space_bodies
from sim.engine.numbers import ABSENT, NO_BODY, Held, give_own_filter, where_now
from sim.engine.placing import move, remove
from sim.engine.rows import Draft, find_astray, repeat, scatter, standing
from sim.engine.seam import IN_STEP, Seam

STATE = BodyFields.POSITION | BodyFields.ANGLE | BodyFields.VELOCITY | BodyFields.ANGULAR_VELOCITY
FORCES = BodyFields.FORCE | BodyFields.TORQUE
PLACES = BodyFields.POSITION | BodyFields.ANGLE
WITH_ID = {fields: BodyFields.BODY_ID | fields for fields in (STATE, FORCES, PLACES)}
OF_STATE = 6
FEW, DEARER = 16, 24
"""Up to FEW bodies, or one in DEARER of all, are moved one by one: one call moves them all, and
takes longer than that. (Measured: 1 us a body; all at once 10 us, and 0.04 us a body.)"""


class Bridge:
    """Joins the rows of `Units` to the bodies of a space."""

    def __init__(self, space: pymunk.Space, plane: Plane) -> None:
        check_batch()
        self.space, self.plane = space, plane
        self.seam = Seam(space, plane)
        self._ground = space.static_body.id  # asking for it is what puts it among the bodies
        self.held, self._inbox, self._outbox = Held(), Buffer(), Buffer()
        self._draft: Draft | None = None
        self._raw_ids, self.body_ids = b"", np.zeros(0, np.uint64)
        """The ids of all bodies of the space, in its order."""
        self.place, self.twin_places = np.zeros((2, 0), np.int64)
        """(N,) and (K,) where those of units and of twins are in that order."""
        self._forces, self._twin_state = np.zeros((0, 3)), np.zeros((0, OF_STATE))
        self._sent, self._foreign = np.zeros(0), False

    def read(self, group: Ints, step: int) -> Units:
        """The state of all units now, those outside a torus brought back in.

        Raises `Diverged` with the unit and the step where a state is no longer finite.
        """
        state = self.fetch(STATE, OF_STATE)
        self._twin_state = state[self.twin_places]
        draft, self._draft = self._draft, None  # an interrupt amid this leaves none half filled in
        if draft is None or not draft.becomes(state):
            draft = Draft.whole(group, self.place, state, self.plane)
        self._draft = draft
        if draft.lost < len(group):
            raise Diverged(f"unit {draft.lost} at step {step}: its state is no longer finite")
        if draft.wrapped:
            self._put_back(draft)
        return draft.units

    def standing(self) -> tuple[Floats, Ints]:
        """Where units stand now (m, 2), as `read` has it, in half the time; and their rows (m,)."""
        rows, plane = self.fetch(PLACES, 3), self.plane
        found: tuple[Floats, Ints] = standing(self.place, rows, plane.origin, plane.size)
        return found

    @contextmanager
    def midway(self, group: Ints, begin: Callable[[Draft], None]) -> Iterator[None]:
        """Within, a step of the engine's hands on a draft as soon as all units are at their places.

        For the engine moves all bodies first, one after another, and then takes its time to see to
        contacts. If the next `read` finds all where they were drafted it returns that snapshot.
        """
        last = self.held[int(self.place.argmax())]
        if last is None:
            yield  # all have left
            return
        raised: list[BaseException] = []

        def move(body: pymunk.Body, dt: float) -> None:
            try:
                moved_by(body, dt)
                self._inbox.clear()
                get_space_bodies(self.space, PLACES, self._inbox)
                rows = np.frombuffer(self._inbox.float_buf()).reshape(-1, 3)
                if len(rows) == len(self.body_ids):
                    draft = Draft(group, self.place, rows.copy())
                    begin(draft)
                    self._draft = draft
            except BaseException as error:  # the engine would swallow it, and be it an interrupt
                raised.append(error)

        moved_by, last.position_func = last.position_func, move
        try:
            yield
        finally:
            last.position_func = moved_by
        for error in raised:
            raise error

    def write(self, units: Units, forces: Floats, dt: float) -> None:
        """Set the forces and torques (N, 3) of all units for the next step of dt seconds."""
        self._draft = None  # they move on
        if twinned := self.seam.update(units, dt):
            self._set_twins(units)
        out = self.fetch(FORCES, 3).copy() if self._foreign else self._forces
        scatter(out, self.place, forces)
        if twinned:
            repeat(out, self.place, self.twin_places, self.seam.row)
        self._send(FORCES, out)

    def write_again(self) -> None:
        """Set the same forces once more: the engine forgets them at each of its steps."""
        set_space_bodies(self.space, FORCES, self._outbox)

    def put(self, units: Units) -> None:
        """Move all bodies to where a snapshot of them says they were."""
        moved = self.fetch(STATE, OF_STATE).copy()
        here = np.flatnonzero(self.place != ABSENT)
        columns = units.position, units.angle[:, None], units.velocity, units.spin[:, None]
        moved[self.place[here]] = np.concatenate(columns, axis=1)[here]
        self._send(STATE, moved)

    def add(self, bodies: Sequence[pymunk.Body]) -> None:
        """Bodies, in the space already, of the next units."""
        relay = Relay(np.append(np.arange(len(self.held)), np.full(len(bodies), NEW)))
        self.rearrange(relay, relay, bodies)

    def rearrange(self, relay: Relay, twins: Relay, fresh: Sequence[pymunk.Body]) -> None:
        """Units come, go and change group: each has the old row given, or a fresh body.

        `twins` is the same for units that keep their twins across the seam.
        """
        for body in fresh:
            give_own_filter(body)
        self.seam.rearrange(twins.new_rows(len(self.held)))
        self.held.rearrange(relay, fresh)
        self.place = relay.carried(self.place, ABSENT)
        self.forget_order()

    def forget_order(self) -> None:
        """The bodies are in another order, and elsewhere, than was last seen."""
        self._raw_ids, self._draft = b"", None

    @property
    def bodies(self) -> list[pymunk.Body | None]:
        """(N,) the body of each unit; None for units that left."""
        return self.held.all

    @property
    def present(self) -> Bools:
        """(N,) which units are in the space."""
        return np.not_equal(self.held.numbers, NO_BODY)

    def rows(self, twins: bool = True) -> dict[int, int]:
        """The row of each unit by its body's id, and by those of its twins across the seam."""
        numbers = enumerate(self.held.numbers.tolist())
        found = {body: row for row, body in numbers if body != NO_BODY}
        if twins:
            bodies, rows = self.seam.bodies, self.seam.row.tolist()
            found |= {b.id: row for b, row in zip(bodies, rows, strict=True) if row >= 0}
        return found

    def remove(self, *rows: int) -> list[pymunk.Body | None]:
        """Take bodies of units, which are returned, out of the space; None for units that left."""
        bodies = list(map(self.held.take, rows))
        remove(self.space, [body for body in bodies if body is not None])
        return bodies

    def _put_back(self, draft: Draft) -> None:
        """Move the bodies of units that crossed the seam to where their snapshot says they are."""
        position, there = draft.units.position, draft.rows[:, :2]
        crossed = draft.crossed.nonzero()[0]
        there[draft.place[crossed]] = position[crossed]
        if self._few(draft.wrapped):
            for row, at in zip(crossed.tolist(), position[crossed].tolist(), strict=True):
                move(self.held[row], at)
        else:
            self._send(BodyFields.POSITION, there)
        draft.wrapped = 0

    def _set_twins(self, units: Units) -> None:
        """Set those twins that are not where their units' motion has them.

        The same forces keep a twin in step; only one that is new, or has just been freed, or of
        which either it or its unit has touched another, must be told.
        """
        if len(self._twin_state) != len(self.seam.bodies):  # the pool has grown
            self._twin_state = self.fetch(STATE, OF_STATE)[self.twin_places]
        astray, wanted = find_astray(
            units.position, units.velocity, units.angle, units.spin, self.seam.row,
            self.seam.shift, self._twin_state, IN_STEP * self.seam.reach,
        )  # fmt: skip
        if self._few(len(astray)):
            for t, (x, y, *going) in zip(astray.tolist(), wanted.tolist(), strict=True):
                move(self.seam.bodies[t], (x, y), going)
            return
        state = self.fetch(STATE, OF_STATE).copy()
        state[self.twin_places[astray]] = wanted
        self._send(STATE, state)

    def _few(self, bodies: int) -> bool:
        """Whether this number is sooner moved one by one."""
        return bodies <= max(FEW, len(self.body_ids) // DEARER)

    def fetch(self, fields: BodyFields, width: int) -> Floats:
        """All bodies' fields, a row each, in the engine's own memory: good until the next call."""
        self._inbox.clear()
        get_space_bodies(self.space, WITH_ID[fields], self._inbox)
        ids = bytes(self._inbox.int_buf())
        if ids != self._raw_ids:
            self._join(ids)
        return np.frombuffer(self._inbox.float_buf()).reshape(-1, width)

    def _send(self, fields: BodyFields, rows: Floats) -> None:
        if len(rows) != len(self.body_ids):
            raise RuntimeError("bodies came or went between a read and a write")
        self._sent = np.ascontiguousarray(rows, dtype=np.float64)  # it has to outlive the call
        self._outbox.set_float_buf(self._sent.reshape(-1))
        set_space_bodies(self.space, fields, self._outbox)

    def _join(self, ids: bytes) -> None:
        """Find each unit's and each twin's place among the engine's bodies."""
        self.forget_order()  # until all is found: an interrupt may come
        self.body_ids = np.frombuffer(ids, dtype=np.uint64)
        self.place = where_now(self.body_ids, self.place, self.held.numbers)
        self.twin_places = where_now(self.body_ids, self.twin_places, self.seam.numbers)
        self._forces = np.zeros((len(self.body_ids), 3))
        # The space's own static body has no use for forces.
        ours = (
            (self.place != ABSENT).sum()
            + len(self.twin_places)
            + (self.body_ids == self._ground).sum()
        )
        self._raw_ids, self._foreign = ids, bool(len(self.body_ids) > ours)
