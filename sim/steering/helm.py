"""The helm: from a command to forces, by the book's craft that is steered at its bow (rule A1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from sim.behaviours.commands import STEERING, Command
from sim.core.arrays import Floats, filled
from sim.core.compiled import Kernel, inlined
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.steering.craft import Crafts, Drive, Forces, own_parts

Rates = tuple[float, float, float, float]
CHUNK = 128
"""Crafts that are reckoned together."""
MICRO_STEPS = 16
"""The most parts a step is cut into."""
STIFF = 0.2
"""Largest change of a rate (as a share) within one part of a step."""


@dataclass(frozen=True)
class BowHelm:
    """Thrust along the keel, steering across it at the bow, drag quadratic in speed and turning.

    All figures are per reference mass and hull length, so that a craft of any size behaves the
    same; a hull of another mass then answers more slowly or more quickly, as it should.
    Accelerations are in lengths / s^2.
    """

    takes: ClassVar[Command] = STEERING
    thrust: float
    """Acceleration by a command of 1 ahead."""
    steering: float
    """Acceleration by a command of 1 to starboard (before drag), applied at the bow."""
    drag: float
    """Deceleration in lengths / s^2 at one length / s, moving ahead."""
    astern: float
    """Drag moving astern, as a share of that ahead."""
    drag_point: float
    """How far aft of the centre the drag acts, in lengths."""
    angular_drag: float
    """Angular deceleration in rad / s^2 at one rad / s."""
    reference_mass: float
    """The mass for which the figures hold, kg."""
    max_steering: float = inf
    """Bound on the command to starboard, either side."""
    steadying: float = 0.0
    """Steering command against each rad/s of turning: a helmsman meeting the swing of the bow, s.

    Drag quadratic in the turn rate hardly damps small swings: without this a flock never stops
    wagging.
    """

    def __post_init__(self) -> None:
        for name in (
            "thrust",
            "steering",
            "drag",
            "astern",
            "angular_drag",
            "max_steering",
            "steadying",
        ):
            if not getattr(self, name) >= 0:
                raise BadInput(f"helm.{name} = {getattr(self, name)}: must be 0 or greater")
        if not self.reference_mass > 0:
            raise BadInput(f"helm.reference_mass = {self.reference_mass}: must be greater than 0")

    def terminal_speed(self, length: float) -> float:
        """The speed at which drag balances full thrust, world units / s."""
        return length * sqrt(self.thrust / self.drag)

    def for_speed(self, speed: float, length: float) -> BowHelm:
        """The same helm with a thrust that ends at this speed, world units / s."""
        return replace(self, thrust=(speed / length) ** 2 * self.drag)

    def steer(self, drive: Drive) -> None:
        """Write each unit's force (2) and torque over the next dt s to its row of `out` (N, 3).

        The drag is stiff: at 60 steps a second an explicit step would overshoot. So the craft's
        free flight over dt is integrated implicitly in a few parts, and the mean force of that
        flight is handed to the engine.
        """
        units, rows, command, crafts, dt, out = drive
        hull = crafts.hull
        push = self.reference_mass * hull.length
        reference_moment = _moment_at(hull, self.reference_mass)
        craft = _Craft(
            dt, push * self._thrusts(crafts), push * self.steering, self.max_steering,
            self.steadying, hull.bow, self.reference_mass / hull.length * self.drag, self.astern,
            self.drag_point * hull.length, reference_moment * self.angular_drag,
            hull.mass, hull.moment, crafts.moment,
        )  # fmt: skip
        velocity, spin, heading = units.velocity[rows], units.spin[rows], units.heading[rows]
        _fly(out[rows], velocity, spin, heading, command, tuple(craft))

    def _thrusts(self, crafts: Crafts) -> Floats:
        """(n,) the thrust by which each craft ends at its own desired speed."""
        usual = self.terminal_speed(crafts.hull.length)
        if not usual > 0:
            return filled(len(crafts.speed), self.thrust)
        return self.thrust * (crafts.speed / usual) ** 2

    def parts(self, drive: Drive) -> Forces:
        """Thrust and steering as commanded; all else is the water, at the centre and as a couple.

        The bow is steadied by the mean turn rate of the step.
        """
        ahead, starboard, torque = own_parts(drive)
        crafts, units, rows = drive.crafts, drive.units, drive.rows
        push = self.reference_mass * crafts.hull.length
        spin = units.spin[rows] + 0.5 * drive.dt * torque / crafts.moment
        spin = np.where(units.present[rows], spin, 0.0)
        helm = np.clip(drive.command[:, 1], -self.max_steering, self.max_steering)
        thrust = push * self._thrusts(crafts) * drive.command[:, 0]
        steering = push * self.steering * (helm - self.steadying * spin)
        water = np.column_stack([ahead - thrust, starboard - steering])
        return Forces(thrust, steering, water, torque - crafts.bow * steering, crafts.bow)


@lru_cache
def _moment_at(hull: Hull, mass: float) -> float:
    """The moment of inertia that a hull of this shape and size has at another mass."""
    return Hull(hull.shape, hull.length, hull.width, mass).moment


@inlined
def _spin_down(w: float, k: float) -> float:
    """The w' with w' + k w' |w'| = w: drag quadratic in the turn rate at the end of the step."""
    slower: float = 2 * w / (1 + np.sqrt(1 + 4 * k * abs(w)))
    return slower


@inlined
def _turned(c: float, s: float, angle: float) -> tuple[float, float]:
    """A unit vector turned by a small angle, to angle^3 / 12: Cayley's map, which keeps lengths."""
    half = angle / 2
    per = 1 / (1 + half * half)
    cosine, sine = (1 - half * half) * per, angle * per
    return c * cosine - s * sine, s * cosine + c * sine


@inlined
def _parts(speed: float, spin: float, helm: float, swing: float, rates: Rates) -> float:
    """How many parts a craft's flight is cut into, by the quickest rate of change in it."""
    drag, turn, meeting, dt = rates
    # Drag on its way, on its turning (what it turns with now, or soon will), and the helm itself.
    turning = max(abs(spin), np.sqrt(abs(helm) * swing))
    rate = max(drag * speed, turn * turning, meeting)
    parts: float = min(max(np.ceil(rate * dt / STIFF), 1.0), float(MICRO_STEPS))
    return parts


@inlined
def _part(state, push, helm, h, hull):  # type: ignore[no-untyped-def]
    """Velocity, spin and heading (cosine, sine) after h seconds, linearly implicit in the drag."""
    vx, vy, w, c, s = state
    per_mass, per_moment, bow, counter, drag, astern, aft, angular_drag = hull
    ahead, starboard = c * vx + s * vy, c * vy - s * vx
    slip = starboard - w * aft
    flow = np.sqrt(ahead * ahead + slip * slip)
    resistance = drag * flow if ahead > 0 else drag * astern * flow
    # Drag acts aft of the centre, on the way that point makes through the water.
    lever = resistance * slip * aft
    damping = 1 / (1 + h * resistance * per_mass)
    ahead = (ahead + h * push * per_mass) * damping
    across = helm - counter * w + resistance * w * aft
    starboard = (starboard + h * across * per_mass) * damping
    w = (w + h * (helm * bow + lever) * per_moment) / (1 + h * (counter * bow * per_moment))
    w = _spin_down(w, h * angular_drag * per_moment)
    vx, vy = c * ahead - s * starboard, s * ahead + c * starboard
    c, s = _turned(c, s, h * w)
    return vx, vy, w, c, s


class _Craft(NamedTuple):
    """The step and the figures of `BowHelm` in world units, kg and s, with those of the hull.

    All fly as the group's hull does; `moments` (n,) are what their own hulls have.
    """

    dt: float
    thrust: Floats
    """(n,)."""
    steering: float
    bound: float
    steadying: float
    bow: float
    drag: float
    astern: float
    aft: float
    angular_drag: float
    mass: float
    moment: float
    moments: Floats


@Kernel.making_arrays
def _fly(begin, end, out, velocity, spin, heading, command, craft):  # type: ignore[no-untyped-def]
    """Mean force and torque of a free flight over dt.

    Chunk by chunk, one part for all of a chunk after the other: so that all are reckoned side by
    side in vector registers. Units that have flown all their parts wait for the others.
    """
    dt, thrust, steering, bound, steadying, bow = craft[:6]
    drag, astern, aft, angular_drag, mass, moment, moments = craft[6:]
    counter = steering * steadying
    hull = 1 / mass, 1 / moment, bow, counter, drag, astern, aft, angular_drag
    rates = drag / mass, angular_drag / moment, counter * bow / moment, dt
    swing = bow / angular_drag if angular_drag > 0 else 0.0
    for first in range(begin, end, CHUNK):
        n = min(CHUNK, end - first)
        state, most = np.empty((9, CHUNK)), 0
        for j in range(n):
            i = first + j
            vx, vy, w = velocity[i, 0], velocity[i, 1], spin[i]
            helm = steering * min(max(command[i, 1], -bound), bound)
            parts = _parts(np.sqrt(vx * vx + vy * vy), w, helm, swing, rates)
            most = int(parts) if parts > most else most  # not a number: of a unit that left
            state[0, j], state[1, j], state[2, j] = vx, vy, w
            state[3, j], state[4, j] = heading[i, 0], heading[i, 1]
            state[5, j], state[6, j] = thrust[i] * command[i, 0], helm
            state[7, j], state[8, j] = parts, dt / parts
        for part in range(most):
            for j in range(n):
                vx, vy, w, c, s = state[0, j], state[1, j], state[2, j], state[3, j], state[4, j]
                ux, uy, u, d, t = _part(
                    (vx, vy, w, c, s), state[5, j], state[6, j], state[8, j], hull
                )
                flying = part < state[7, j]
                state[0, j], state[1, j] = ux if flying else vx, uy if flying else vy
                state[2, j] = u if flying else w
                state[3, j], state[4, j] = d if flying else c, t if flying else s
        for j in range(n):
            i = first + j
            out[i, 0] = mass * (state[0, j] - velocity[i, 0]) / dt
            out[i, 1] = mass * (state[1, j] - velocity[i, 1]) / dt
            out[i, 2] = moments[i] * (state[2, j] - spin[i]) / dt
