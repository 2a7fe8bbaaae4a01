"""Model "walkers": they know whose turn it is."""

from sim.core.hull import Hull
from sim.models.model import WALK, Model
from sim.steering.course import CourseHelm

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
        "keep_lane": {"range": 7.0, "nearest": 0},  # the sight of `give_way`, which lists all near
        "take_turns": {},
        "give_way": {},
        "along_walls": {},
        "step_aside": {},
    },
)
