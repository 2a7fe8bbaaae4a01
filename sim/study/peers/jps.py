"""Models of JuPedSim: collision-free speed, anticipation velocity, social force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.study.peers.crowd import Make, corners_of, outline
from sim.study.setting import Setting

AIR = 10.0
"""An open plane ends this many metres round everything: JuPedSim's always has an edge."""
THIN = 0.02
"""Half the thickness of walls, which have none in a scenario, as a share of the least radius."""


def model(name: str, draws: bool = False) -> Make:
    """A maker of crowds of the model of that class name, e.g. "CollisionFreeSpeedModel".

    A model that `draws` by lot is given the seed: it would take another one in every process.
    """

    def make(setting: Setting, time_step: float, seed: int) -> JuPedSimCrowd:
        return JuPedSimCrowd(name, setting, time_step, {"rng_seed": seed} if draws else {})

    return make


def simulation(
    model: str, room: Any, time_step: float, places: Floats, drawn: Mapping[str, int],
    **agents: Floats,
) -> tuple[Any, list[int]]:  # fmt: skip
    """A simulation by one model with an agent at each place (n, 2), and the ids of the agents.

    `agents` are parameters of theirs, (n,) each. Each agent is steered to a target of its own.
    """
    import jupedsim

    run = jupedsim.Simulation(model=getattr(jupedsim, model)(**drawn), geometry=room, dt=time_step)
    stage = run.add_direct_steering_stage()
    journey = run.add_journey(jupedsim.JourneyDescription([stage]))
    made = getattr(jupedsim, f"{model}AgentParameters")
    own = [
        {name: float(values[row]) for name, values in agents.items()} for row in range(len(places))
    ]
    return run, [
        run.add_agent(made(position=tuple(place), journey_id=journey, stage_id=stage, **each))
        for place, each in zip(places.tolist(), own, strict=True)
    ]


class JuPedSimCrowd:
    """Agents of one model with its default parameters; radius and desired speed are the scene's.

    The models have lengths of their own: forces that reach a tenth of a metre, others seen within
    three. The setting is to be in metres (`in_metres`).
    """

    def __init__(
        self, model: str, setting: Setting, time_step: float, drawn: dict[str, int]
    ) -> None:
        self.time_step = time_step
        own = {"desired_speed": setting.speed, "radius": setting.reach}
        try:
            room = walkable(setting)
            self._run, self._ids = simulation(model, room, time_step, setting.start, drawn, **own)
        except RuntimeError as error:
            raise BadInput(f"JuPedSim refuses the scene: {error}") from None
        self._row = {agent: row for row, agent in enumerate(self._ids)}
        self._out = np.zeros(len(setting), dtype=np.bool_)

    def step(self, targets: Floats, onward: Bools) -> None:  # noqa: ARG002 - it never slows down
        """Point all at their targets, and step."""
        for agent in self._run.agents():
            agent.target = tuple(targets[self._row[agent.id]].tolist())
        self.go_on()

    def go_on(self) -> None:
        """Step with what all want as it is."""
        self._run.iterate()

    def places(self) -> Floats:
        """Where all are, (N, 2)."""
        places = np.full((len(self._out), 2), np.nan)
        for agent in self._run.agents():
            places[self._row[agent.id]] = agent.position
        places[self._out] = np.nan
        return places

    def remove(self, rows: Ints) -> None:
        """Take agents out at the next step."""
        self._out[rows] = True
        for row in rows.tolist():
            self._run.mark_agent_for_removal(self._ids[row])


def walkable(setting: Setting) -> Any:
    """The room that all starts lie in, as a polygon with holes.

    Raises `BadInput` where solids part them.
    """
    import shapely

    solids, thin = setting.solids, THIN * float(setting.radius.min())
    if setting.bounds is not None:
        left, top, right, bottom = setting.bounds
    else:
        goals = setting.goals
        places = [setting.start, goals.points, goals.region.reshape(-1, 2)]
        places += [] if solids.empty else [np.stack(solids.extent)]
        everything = np.concatenate(places)
        (left, top), (right, bottom) = everything.min(axis=0) - AIR, everything.max(axis=0) + AIR
    taken = [shapely.Polygon(corners_of(box)) for box in solids.boxes]
    taken += [shapely.Polygon(outline(disc)) for disc in solids.discs]
    taken += [
        shapely.LineString(wall.reshape(2, 2)).buffer(thin, cap_style="flat")
        for wall in solids.walls
    ]
    room = shapely.box(left, top, right, bottom).difference(shapely.union_all(taken))
    starts = shapely.MultiPoint(setting.start)
    for part in getattr(room, "geoms", [room]):
        if part.covers(starts):
            return part
    raise BadInput("JuPedSim refuses the scene: its agents do not all start in one room")
