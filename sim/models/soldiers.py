"""Model "soldiers": they march in ranks, meet, and go round things (rules B1 to B10)."""

from math import radians

from sim.core.hull import Hull
from sim.models.model import WALK, Model
from sim.steering.course import CourseHelm

RANKS, NEAREST = 12, 16
"""How many friends ahead a soldier falls in with, and how many units it keeps clear of."""

SOLDIERS = Model(
    name="soldiers",
    about="soldiers that march in ranks, meet and go round things",
    hull=Hull.disc(0.5, 80.0),
    # The direction wanted becomes a turn of at most 3 degrees in a sixtieth of a second (B9). Ranks
    # are dressed by steps aside: soldiers that turned to each file point would lose their course.
    helm=CourseHelm(turning=0.4, fastest_turn=radians(180.0), sidestep=0.5),
    stride=WALK,
    view="limited",
    quickest=True,
    priority=("obstacles", "avoidance"),
    behaviours={
        "march": {"weight": 0.7},
        # In a throng hundreds are in range. Ranks of the nearest 12 form as surely as of all, and
        # the nearest 16 that might be met decide: those behind them cannot get past.
        "velocity_matching": {"weight": 2.0, "nearest": RANKS},
        "rank_and_file": {"weight": 1.0, "nearest": RANKS},
        "linear_separation": {"weight": 4.0, "nearest": NEAREST},
        "unaligned_avoidance": {"nearest": NEAREST},
        # Where many cross, as on a ring, each would stop before the next: all turn one way round.
        "keep_right": {"weight": 3.0, "width": 1.0, "nearest": NEAREST},
        "ray_avoidance": {},
        "arrive": {},
        "approach": {"nearest": NEAREST},
        "pursue": {},
        "flee": {},
        "follow": {},
        "take_turns": {},
    },
)
