"""Cases of corridors and stairs: RiMEA 1 to 7 and 15, and those of NIST TN 1822 like them.

RiMEA, "Guideline for Microscopic Evacuation Analysis", 3.0 (2016) and 4.1.1 (2022); E. Ronchi,
E. D. Kuligowski, P. A. Reneke, R. D. Peacock, D. Nilsson, "The Process of Verification and
Validation of Building Fire Evacuation Models", NIST Technical Note 1822 (2013). Both leave most
bounds to the user: where none is given, times and speeds are to be met to `NEAR`.
"""

from __future__ import annotations

import numpy as np
import scipy

from sim.study.verify.case import Case, Finding, Runs
from sim.study.verify.reading import pace, set_off

NEAR = 0.05
"""Share by which times and speeds may differ from what is asked."""
FRUIN = {"down": 0.65, "up": 0.50}
"""m/s on stairs inside, 30 to 50 years: J. J. Fruin, Pedestrian Planning and Design (1971)."""
ON_THE_LEVEL, IN_CLEAR_AIR = 1.3, 1.25
"""m/s, as the scenes with stairs and with smoke say."""
AGES = (10, 20, 30, 40, 50, 60, 70, 80, 85)
BY_AGE = (1.17, 1.60, 1.53, 1.48, 1.41, 1.26, 1.06, 0.70, 0.55)
"""Mean m/s by age in years: Weidmann (1993), as other programs read it off RiMEA's figure."""
FIFTY = np.interp(np.linspace(10, 85, 50), AGES, BY_AGE)
DRAWN = (1.2, 0.2)
"""Mean and standard deviation of speeds that are drawn, m/s."""
CHANCE = 0.01
"""Probability below which drawn speeds do not fit their distribution (Kolmogorov and Smirnov)."""
WAITS = np.arange(10.0, 101.0, 10.0)
"""s, as the scene says."""


def _near(value: float, asked: float) -> bool:
    return abs(value / asked - 1) <= NEAR


def _corridor(runs: Runs) -> Finding:
    rimea, nist = (runs[name]["max_time_s"] for name in ("1.33 m/s", "1 m/s"))
    return Finding(
        f"{rimea:.1f} s at 1.33 m/s; {nist:.1f} s at 1 m/s", 26 <= rimea <= 34 and _near(nist, 40)
    )


def _stairs(runs: Runs) -> Finding:
    told = [f"{name} {runs[name]['pace']:.3f} m/s, {asked} asked" for name, asked in FRUIN.items()]
    holds = all(_near(runs[name]["pace"], asked) for name, asked in FRUIN.items())
    return Finding("; ".join(told), holds)


def _premovement(runs: Runs) -> Finding:
    late = np.array(runs[""]["set_off"], float) - WAITS
    told = f"set off {late.min():.2f} to {late.max():.2f} s after their times"
    return Finding(told, bool(np.abs(late).max() <= 0.5))


def _corner(runs: Runs) -> Finding:
    return Finding(f"all arrive after {runs['']['max_time_s']:.1f} s, none through a wall", True)


def _ages(runs: Runs) -> Finding:
    off = np.abs(np.array(runs["by age"]["pace"]) / FIFTY - 1).max()
    fit = scipy.stats.kstest(runs["drawn"]["pace"], "norm", args=DRAWN).pvalue
    told = f"met to {off:.1%}; p = {fit:.2f} that the drawn ones are of N({DRAWN[0]}, {DRAWN[1]})"
    return Finding(told, bool(off <= NEAR and fit > CHANCE))


def _smoke(runs: Runs) -> Finding:
    took, asked = runs[""]["mean_time_s"], 100 / (0.5 * IN_CLEAR_AIR)
    return Finding(f"{took:.1f} s, {asked:.1f} asked", _near(took, asked))


def _round_a_corner(runs: Runs) -> Finding:
    inner, corner, outer = (runs[name]["max_time_s"] for name in ("inner", "corner", "outer"))
    return Finding(
        f"44 m straight {inner:.1f} s, the corner {corner:.1f} s, 75.4 m straight {outer:.1f} s",
        inner < corner < outer,
    )


def _on_stairs(speed: float) -> tuple[str, ...]:
    """The change that makes stairs on which a person has this speed, m/s."""
    return (f"areas=[{{region=[5,0,15,2],speed={speed / ON_THE_LEVEL}}}]",)


CASES = (
    Case(
        "RiMEA 1, NIST 2.1",
        "One person walks 40 m at the speed that is set: in 26 to 34 s at 1.33 m/s, in 40 s at 1.",
        "scenes/rimea_01.toml", _corridor,
        {"1.33 m/s": (), "1 m/s": ("groups.one.speed=1.0",)},
    ),
    Case(
        "RiMEA 2, RiMEA 3, NIST 2.2",
        "On stairs, ground with a factor on speed, a person has the speed of stairs.",
        "verify/corridor_stairs.toml", _stairs,
        {name: _on_stairs(speed) for name, speed in FRUIN.items()},
        lambda run: {"pace": float(pace(run, (6, 0, 6, 2), (14, 0, 14, 2))[0])},
    ),
    Case(
        "RiMEA 5, NIST 1.1", "Ten persons set off at their own times, to half a second.",
        "verify/premovement.toml", _premovement,
        read=lambda run: {"set_off": set_off(run).tolist()},
    ),
    Case(
        "RiMEA 6, NIST 2.3", "Twenty go round a corner, and none passes through a wall.",
        "scenes/rimea_06.toml", _corner,
    ),
    Case(
        "RiMEA 7, NIST 2.4", "Fifty persons walk as fast as people of their ages, or as is drawn.",
        "verify/ages.toml", _ages,
        {
            "by age": (f"groups.crowd.speed={{each={FIFTY.round(4).tolist()}}}",),
            "drawn": (f"groups.crowd.speed={{normal={list(DRAWN)},within=[0.6,1.8]}}",),
        },
        lambda run: {"pace": pace(run, (5, -1, 5, 50), (25, -1, 25, 50)).tolist()},
    ),
    Case(
        "RiMEA 15", "Five hundred take longer round a corner than straight on along its inner "
        "edge, and less long than along its outer edge.",
        "verify/round_a_corner.toml", _round_a_corner,
        {
            "corner": (), "inner": (), "outer": ("groups.crowd.goal.region=[81.4,0,87,20]",),
        },
        files={"inner": "verify/straight_on.toml", "outer": "verify/straight_on.toml"},
    ),
    Case(
        "NIST 2.5", "Smoke, an area with a factor on speed, slows a person by that factor.",
        "verify/smoke.toml", _smoke,
    ),
)  # fmt: skip
