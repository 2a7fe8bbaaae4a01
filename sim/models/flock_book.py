"""Model "flock_book": the flocking craft of the book, constants unchanged.

D. M. Bourg and G. Seemann, AI for Game Developers (2004), ch. 2 and 4. The book's figures are for a
craft of length 4 in its own units; here they are turned once into figures per length and mass, so
that the craft behaves alike at any size.
"""

from sim.core.hull import Hull
from sim.models.model import LEADER, Model
from sim.steering.helm import BowHelm

LENGTH, WIDTH, MASS = 4.0, 2.0, 10.0
INERTIA = 10.0
THRUST, STEERING = 3000.0, 500.0
AIR_DENSITY, AREA = 0.0023769, 24.0
DRAG, ANGULAR_DRAG = 10.5, 2000.0
DRAG_AHEAD = 2.0
"""The book doubles the drag while the thrust points the way the craft moves."""
DRAG_POINT = 0.12
SEPARATION, OBSTACLES = 5.0, 25.0
"""How far the rules reach, in lengths."""

_PRESSURE = 0.5 * AIR_DENSITY * AREA

HELM = BowHelm(
    thrust=THRUST / MASS / LENGTH,
    steering=STEERING / MASS / LENGTH,
    drag=DRAG_AHEAD * DRAG * _PRESSURE * LENGTH / MASS,
    astern=1 / DRAG_AHEAD,
    drag_point=DRAG_POINT,
    angular_drag=ANGULAR_DRAG * _PRESSURE / INERTIA,
    reference_mass=MASS,
)

FLOCK_BOOK = Model(
    name="flock_book",
    about="the book's flock with its own constants",
    hull=Hull("wedge", LENGTH, WIDTH, MASS),
    helm=HELM,
    view="wide",
    leader=LEADER,
    behaviours={
        "cruise": {},
        "cohesion": {},
        "alignment": {},
        "separation": {"range": SEPARATION},
        "avoid_discs": {"ahead": OBSTACLES, "clearance": 0.0, "to_edge": False},
        "chase": {"gain": 1e3},
        "intercept": {"gain": 1e3, "own_speed": False},
        "head_for": {},
    },
)
