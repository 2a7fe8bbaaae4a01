"""Model "walkers": they know whose turn it is."""

from sim.core.hull import Hull
from sim.models.model import WALK, Model
from sim.steering.course import CourseHelm

NEAREST = 16
"""How many units each keeps clear of: in a throng more than fifty are in range, and those behind
the nearest cannot get past them. `step_aside` looks at no more anyway."""

WALKERS = Model(
    name="walkers",
    about="walkers that know whose turn it is",
    hull=Hull.disc(0.5, 80.0),
    helm=CourseHelm(response=0.1, turning=0.2, sidestep=1.0),
    stride=WALK,
    view="all",
    quickest=True,
    behaviours={
        "arrive": {},
        "pursue": {},
        "flee": {},
        "follow": {},
        "approach": {},
        "take_turns": {},
        "give_way": {"nearest": NEAREST},
        "step_aside": {"nearest": NEAREST},
    },
)
