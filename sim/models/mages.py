"""Model "mages": a party that goes through close quarters together (rules E1 to E7).

The source's forces are each a share of the greatest force a unit exerts; here they are shares of
the desired speed, in the velocity that is wanted. `CourseHelm` turns the difference to the velocity
there is into a force, (wanted - actual) x mass / response, bounded by `acceleration`: that is the
source's seek, with a greatest force of mass x speed / response. What is wanted is cut to the
desired speed, and so bounds the speed.
"""

from sim.core.hull import Hull
from sim.models.model import Model
from sim.steering.course import CourseHelm

STRIDE = 0.0145
"""Hull lengths a part of a step. Mages run into each other at the speed at which they walk, as they
only push each other off: so the parts are shorter than those of models that avoid. (Overlap in
`castle` and `flow_field`: at most 2.0 and 3.3 % of a radius; 10 and 15 a side at a door of 1.4:
4.7 %, and 7.2 % with 0.022.)"""

MAGES = Model(
    name="mages",
    about="a party that follows paths through close quarters together",
    hull=Hull.disc(0.5, 80.0),
    helm=CourseHelm(pace=2.0, sidestep=1.0),
    stride=STRIDE,
    view="all",
    color="violet",
    behaviours={
        "follow_route": {},
        "follow_flow": {},
        "pursue": {},
        "flee": {},
        "follow": {},
        "approach": {},
        "personal_space": {"weight": 1.5},
        "cohesion": {"weight": 0.2, "whom": "friends", "range": 5.0, "slack": 5.0, "gain": 2.0,
                     "throttle": 1.0},
        "alignment": {"weight": 0.3, "whom": "friends", "range": 5.0, "gain": 2.0,
                      "throttle": 1.0, "slowest": 0.2},
        "keep_right": {},
        "take_turns": {},
        "along_walls": {},
        "step_aside": {},
    },
)  # fmt: skip
