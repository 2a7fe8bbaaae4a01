"""Model "flock": the book's rules, tuned to form, hold and keep distance in every view."""

from dataclasses import replace

from sim.models.flock_book import FLOCK_BOOK, HELM
from sim.models.model import LEADER, Model

FLOCK = Model(
    name="flock",
    about="the book's flock, tuned",
    hull=FLOCK_BOOK.hull,
    helm=replace(HELM, max_steering=8.0, steadying=0.2),
    view="wide",
    leader=LEADER,
    gathers=10.0,
    circles=True,
    behaviours={
        "cruise": {},
        "cohesion": {"weight": 2.0, "range": 80.0, "slack": 40.0, "throttle": 0.2},
        "alignment": {"weight": 4.5, "range": 30.0, "view": "wide"},
        "separation": {
            "weight": 1.0,
            "range": 6.0,
            "view": "wide",
            "fade": 1.0,
            "brake": 0.3,
            "foresight": 0.4,
        },
        "avoid_discs": {"weight": 3.0, "clearance": 1.5},
        "avoid_walls": {"weight": 3.0},
        "chase": {"weight": 9.0},
        "intercept": {"weight": 3.0},
        "trail": {"weight": 3.0},
        "turn_away": {"weight": 3.0},
        "head_for": {"weight": 6.0},
    },
)
