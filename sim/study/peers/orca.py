"""ORCA (van den Berg, Guy, Lin and Manocha 2011) as pyrvo, the Python face of RVO2, has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.study.peers.crowd import corners_of, outline
from sim.study.setting import Setting

NEIGHBOURS_WITHIN, NEIGHBOURS, HORIZON = 15.0, 10, 5.0
"""Those of RVO2's examples: lengths as they stand there, s."""
AWAY = 1e6
"""pyrvo cannot take an agent out: units that left wait here, 1e3 apart."""


class OrcaCrowd:
    """Each agent's preferred velocity is straight at its target, at its desired speed.

    Solids are polygons, the bounds one round everything; discs have sixteen corners. It draws
    nothing by lot.
    """

    def __init__(
        self,
        setting: Setting,
        time_step: float,
        seed: int,  # noqa: ARG002
        horizon: float = HORIZON,
    ) -> None:
        import pyrvo

        self.time_step = time_step
        self._speed = setting.speed
        self._out = np.zeros(len(setting), dtype=np.bool_)
        self._run: Any = pyrvo.RVOSimulator()
        self._run.set_time_step(time_step)
        for row, (x, y) in enumerate(setting.start.tolist()):
            self._run.set_agent_defaults(
                NEIGHBOURS_WITHIN, NEIGHBOURS, horizon, horizon,
                float(setting.reach[row]), float(setting.speed[row]),
            )  # fmt: skip
            self._run.add_agent((x, y))
        solids = setting.solids
        shapes = [corners_of(box) for box in solids.boxes]
        shapes += [outline(disc) for disc in solids.discs]
        shapes += [wall.reshape(2, 2) for wall in solids.walls]
        if setting.bounds is not None:
            shapes.append(corners_of(np.array(setting.bounds))[::-1])
        for shape in shapes:
            self._run.add_obstacle([tuple(corner) for corner in shape.tolist()])
        self._run.process_obstacles()

    def aim(self, targets: Floats, onward: Bools) -> None:
        """Set what all prefer; no agent prefers to overshoot where it is to stop."""
        ahead = np.where(self._out[:, None], 0.0, targets - self.places())
        far = np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-12)
        speed = np.where(onward, self._speed, np.minimum(self._speed, far / self.time_step))
        ahead *= (speed / far)[:, None]
        for agent, (x, y) in enumerate(ahead.tolist()):
            self._run.set_agent_pref_velocity(agent, (x, y))

    def step(self) -> None:
        """One step of all."""
        self._run.do_step()

    def places(self) -> Floats:
        """Where all are, (N, 2)."""
        found = map(self._run.get_agent_position, range(len(self._out)))
        places = np.array([place.to_tuple() for place in found])
        places[self._out] = np.nan
        return places

    def remove(self, rows: Ints) -> None:
        """Put agents where no agent goes."""
        self._out[rows] = True
        for row in rows.tolist():
            self._run.set_agent_position(row, (AWAY + 1e3 * row, AWAY))
            self._run.set_agent_velocity(row, (0.0, 0.0))
