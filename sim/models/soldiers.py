"""Model "soldiers": they march in ranks, meet, and go round things (rules B1 to B10)."""

from math import radians

from sim.core.hull import Hull
from sim.models.model import WALK, Model
from sim.steering.course import CourseHelm

RANKS, NEAREST, MET = 24, 16, 24
"""With how many friends a soldier keeps rank and course, from how many units its distance, and of
how many it foresees whether it would meet them."""

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
        "march": {"weight": 0.7, "nearest": RANKS},
        # In a throng hundreds are in range. Ranks of the nearest 12 form as surely as of all, but a
        # battle of 200 a side then takes up to 76 s to come to rest, with the nearest 24 at most
        # 53. The nearest 24 that might be met decide (with 16, rings of 50 take 4 % longer).
        "velocity_matching": {"weight": 2.0, "nearest": RANKS},
        "rank_and_file": {"weight": 1.0, "nearest": RANKS},
        "linear_separation": {"weight": 4.0, "nearest": NEAREST},
        "unaligned_avoidance": {"nearest": MET},
        # Where many cross, as on a ring, each would stop before the next: all turn one way round.
        "keep_right": {"weight": 3.0, "width": 1.0, "nearest": MET},
        "ray_avoidance": {},
        "arrive": {},
        "approach": {"nearest": NEAREST},
        "pursue": {},
        "flee": {},
        "follow": {},
        "take_turns": {},
        "step_aside": {"range": 2.2, "nearest": NEAREST},  # the sight of `linear_separation`
    },
)
