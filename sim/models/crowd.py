"""Model "crowd": the one to pick when groups are simply to get where they are told to go."""

from sim.core.hull import Hull
from sim.models.model import Model
from sim.steering.course import CourseHelm

CROWD = Model(
    name="crowd",
    about="walkers that get where they are told to go",
    hull=Hull.disc(0.5, 80.0),
    helm=CourseHelm(sidestep=1.0, astern=0.6, heeded=0.5, calm=2.0),
    view="all",
    stride=0.03,  # it seldom runs into others: 2 % of a radius at the doors of `WALK`
    quickest=True,
    behaviours={
        "arrive": {"slowing": 0.25},
        "pursue": {},
        "flee": {},
        "follow": {},
        "approach": {},
        "keep_lane": {},
        "keep_to_starboard": {},
        "take_turns": {},
        "keep_clear": {},
    },
)
