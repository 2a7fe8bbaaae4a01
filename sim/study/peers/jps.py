"""Models of JuPedSim: collision-free speed, anticipation velocity, social force."""

from __future__ import annotations

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


class JuPedSimCrowd:
    """Agents of one model with its default parameters; radius and desired speed are the scene's.

    The models have lengths of their own: forces that reach a tenth of a metre, others seen within
    three. The setting is to be in metres (`in_metres`).
    """

    def __init__(
        self, model: str, setting: Setting, time_step: float, drawn: dict[str, int]
    ) -> None:
        import jupedsim

        self.time_step = time_step
        made = getattr(jupedsim, f"{model}AgentParameters")
        own = setting.start.tolist(), setting.speed.tolist(), setting.reach.tolist()
        try:
            run = self._run = jupedsim.Simulation(
                model=getattr(jupedsim, model)(**drawn), geometry=walkable(setting), dt=time_step
            )
            stage = run.add_direct_steering_stage()
            journey = run.add_journey(jupedsim.JourneyDescription([stage]))
            self._ids = [
                run.add_agent(
                    made(
                        position=tuple(place), desired_speed=speed, radius=radius,
                        journey_id=journey, stage_id=stage,
                    )
                )
                for place, speed, radius in zip(*own, strict=True)
            ]  # fmt: skip
        except RuntimeError as error:
            raise BadInput(f"JuPedSim refuses the scene: {error}") from None
        self._row = {agent: row for row, agent in enumerate(self._ids)}
        self._out = np.zeros(len(setting), dtype=np.bool_)

    def aim(self, targets: Floats, onward: Bools) -> None:  # noqa: ARG002 - it never slows down
        """Point all at their targets."""
        for agent in self._run.agents():
            agent.target = tuple(targets[self._row[agent.id]].tolist())

    def step(self) -> None:
        """One step of all."""
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
