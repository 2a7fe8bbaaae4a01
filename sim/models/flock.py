"""Model "flock": the book's rules, tuned to form, hold and keep distance in every view."""

from dataclasses import replace

from sim.models.flock_book import FLOCK_BOOK, HELM
from sim.models.model import LEADER, Model

HEEDED = 24
"""How many neighbours count, the nearest of those seen: birds go by some nearest, however far off
(Ballerini et al. 2008), and what one unit heeds does not grow with the flock."""

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
        "cohesion": {
            "weight": 4.0,
            "nearest": HEEDED,
            "nearness": 20.0,
            "slack": 28.0,
            "power": 2.5,
            "throttle": 0.8,
        },
        "alignment": {"weight": 4.5, "nearest": HEEDED, "nearness": 15.0},
        "separation": {
            "weight": 1.0,
            "range": 6.0,
            "view": "wide",
            "nearest": HEEDED,
            "fade": 1.0,
            "brake": 0.3,
            "foresight": 0.4,
        },
        "avoid_discs": {"weight": 3.0, "clearance": 1.5},
        "avoid_walls": {"weight": 5.0},
        "chase": {"weight": 13.0},
        "intercept": {"weight": 6.0},
        "trail": {"weight": 3.0},
        "turn_away": {"weight": 3.0},
        "head_for": {"weight": 6.0},
    },
)
