"""Peers whose models have lengths of their own, in scenes whose unit of length is not the metre."""

from __future__ import annotations

from dataclasses import replace

from sim.core.arrays import Bools, Floats, Ints
from sim.core.hull import Hull
from sim.study.peers.crowd import Crowd, Make
from sim.study.setting import Setting

PERSON = 0.2
"""Metres: the radius of a person."""
PEOPLE = (0.1, 0.5)
"""Metres: radii of what can be a person, the widest being that of SteerBench's agents."""


def metre(setting: Setting) -> float:
    """How many of the scene's units of length are a metre.

    One where its hulls are as large as people, on the mean; else as many as make them so. Times
    stay what they are, so that a speed of two radii a second is one for the peer as well.
    """
    radius = float(setting.reach.mean()) if len(setting) else PERSON
    return 1.0 if PEOPLE[0] <= radius <= PEOPLE[1] else radius / PERSON


def in_metres(make: Make) -> Make:
    """A maker of crowds that live in metres, whatever the scene's unit of length is."""

    def made(setting: Setting, time_step: float, seed: int) -> Crowd:
        unit = metre(setting)
        if unit == 1:
            return make(setting, time_step, seed)
        return Scaled(make(scaled(setting, 1 / unit), time_step, seed), unit)

    return made


class Scaled:
    """A crowd to which the world is told in another unit of length, `unit` of the world's."""

    def __init__(self, crowd: Crowd, unit: float) -> None:
        self._crowd, self._unit = crowd, unit
        self.time_step = crowd.time_step

    def aim(self, targets: Floats, onward: Bools) -> None:
        """From now on each agent heads for its target (N, 2), in the world's unit."""
        self._crowd.aim(targets / self._unit, onward)

    def step(self) -> None:
        """One step of its own."""
        self._crowd.step()

    def places(self) -> Floats:
        """Where all are (N, 2), in the world's unit."""
        return self._crowd.places() * self._unit

    def remove(self, rows: Ints) -> None:
        """Take agents out."""
        self._crowd.remove(rows)


def scaled(setting: Setting, by: float) -> Setting:
    """The same setting with all its lengths multiplied; the tiles of a map stay what they are."""
    solids, goals = setting.solids, setting.goals
    bounds = None
    if setting.bounds is not None:
        left, top, right, bottom = setting.bounds
        bounds = left * by, top * by, right * by, bottom * by
    return replace(
        setting,
        cohorts=tuple(replace(each, hull=_scaled(each.hull, by)) for each in setting.cohorts),
        goals=replace(
            goals, points=goals.points * by, tolerance=goals.tolerance * by,
            region=goals.region * by,
        ),
        start=setting.start * by,
        period=setting.period * by,
        solids=replace(
            solids, discs=solids.discs * by, boxes=solids.boxes * by, walls=solids.walls * by
        ),
        bounds=bounds,
        speed=setting.speed * by,
        radius=setting.radius * by,
    )  # fmt: skip


def _scaled(hull: Hull, by: float) -> Hull:
    return replace(hull, length=hull.length * by, width=hull.width * by)
