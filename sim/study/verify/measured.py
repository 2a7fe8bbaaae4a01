"""Measurements of real crowds that are published: the points, and where they stand.

Seyfried and others, The fundamental diagram of pedestrian movement revisited, J. Stat. Mech. (2005)
P10002; Seyfried, Portz and Schadschneider, Phase coexistence in congested states of pedestrian
dynamics, ACRI (2010); Weidmann, Transporttechnik der Fussgänger, ETH Zürich (1993); Zhang and
others, Transitions in pedestrian fundamental diagrams of straight corridors and T-junctions, J.
Stat. Mech. (2011) P06004; Kretz, Grünebohm and Schreckenberg, Experimental study of pedestrian flow
through a bottleneck, J. Stat. Mech. (2006) P10014; Seyfried and others, New insights into
pedestrian flow through bottlenecks, Transportation Science 43 (2009) 395; Liddle and others,
Microscopic insights into pedestrian motion through a bottleneck (2011), arXiv 1105.1532.

Points of runs are means from the data files beside JuPedSim's validation tests. Of two sets
(Liddle; Seyfried, Portz and Schadschneider) the files do not name the authors: numbers of persons
and widths tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.arrays import Floats

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Measured:
    """Points (x, y) in order of x, with straight lines between them."""

    source: str
    points: Points

    def at(self, x: float) -> float:
        """The value at x; NaN outside the points."""
        xs, ys = np.array(self.points).T
        return float(np.interp(x, xs, ys, left=np.nan, right=np.nan))


def band(sets: tuple[Measured, ...], x: float) -> tuple[float, float]:
    """The least and the greatest value of these sets at x; NaN where none has one."""
    values = [each.at(x) for each in sets]
    known = [value for value in values if not np.isnan(value)]
    return (min(known), max(known)) if known else (np.nan, np.nan)


def _curve(source: str, xs: Floats, ys: Floats) -> Measured:
    pairs = zip(xs.tolist(), ys.tolist(), strict=True)
    return Measured(source, tuple((round(x, 4), round(y, 4)) for x, y in pairs))


def _weidmann() -> Measured:
    density = np.linspace(0.25, 5.25, 41)
    speed = 1.34 * (1 - np.exp(-1.913 * (1 / density - 1 / 5.4)))
    return _curve("Weidmann (1993)", density, speed)


def _seyfried() -> Measured:
    density = np.linspace(0.25, 2.5, 46)
    speed = np.minimum(1.24, (1 / density - 0.36) / 1.06)
    return _curve("Seyfried et al. (2005)", density, speed)


SINGLE_FILE = (
    _seyfried(),
    Measured(
        "Seyfried, Portz and Schadschneider (2010)",
        ((0.59, 1.17), (0.77, 0.94), (0.88, 0.89), (1.20, 0.47), (1.36, 0.38), (1.53, 0.23),
         (2.24, 0.09)),
    ),
)  # fmt: skip
"""Speed, m/s, by persons a metre. The line 1 / density = 0.36 m + 1.06 s v, no quicker than the
free speed of 1.24 m/s; and runs of 14 to 62 soldiers."""

ONE_WAY = (
    _weidmann(),
    Measured(
        "Zhang et al. (2011)",
        ((0.51, 1.35), (1.18, 1.15), (1.72, 0.95), (2.14, 0.63), (2.52, 0.43), (3.03, 0.34)),
    ),
)
"""Speed, m/s, by persons a square metre, in a corridor, all one way."""

BOTTLENECKS = (
    Measured(
        "Kretz et al. (2006)",
        ((0.7, 1.77), (0.8, 1.78), (0.9, 1.76), (1.0, 1.85), (1.2, 1.79)),
    ),
    Measured(
        "Seyfried et al. (2009)",
        ((0.8, 1.61), (0.9, 1.86), (1.0, 1.90), (1.1, 1.93), (1.2, 1.97)),
    ),
    Measured(
        "Liddle et al. (2011)",
        ((0.9, 1.77), (1.0, 1.83), (1.1, 1.81), (1.2, 1.93), (1.4, 1.93), (1.6, 1.78), (1.8, 1.97),
         (2.0, 1.77), (2.2, 1.85), (2.5, 2.05)),
    ),
)  # fmt: skip
"""Specific flow, persons a second and metre, by the width of the passage, m."""
