"""Model "flock": the book's rules, tuned so that a flock is what its view makes of it.

All rules look through the view of the group, its angle and its radius, but for separation: it keeps
a wide view of its own, as the book advises.
"""

from dataclasses import replace

from sim.models.flock_book import FLOCK_BOOK, HELM, SEPARATION
from sim.models.model import LEADER, Model

HEED = 10.0
"""How much more the units that lead count while the flock pursues: a few among hundreds."""
NEARNESS = 15.0
"""Lengths at which a neighbour counts half. In a plain mean over the 200 of the wide view, farther
than the book's torus is wide, mates are on all sides alike, and a flock would never close up."""

FLOCK = Model(
    name="flock",
    about="the book's flock, tuned",
    hull=FLOCK_BOOK.hull,
    helm=replace(HELM, max_steering=8.0, steadying=0.2),
    view="wide",
    leader=LEADER,
    leads_near=True,
    circles=True,
    behaviours={
        "cruise": {},
        "cohesion": {
            "weight": 3.0,
            "slack": 24.0,
            "power": 2.0,
            "nearness": NEARNESS,
            "throttle": 0.8,
            "heed": HEED,
        },
        "alignment": {"weight": 6.0, "nearness": NEARNESS, "heed": HEED},
        "separation": {
            "weight": 1.35,
            "range": SEPARATION,
            "view": "wide",
            "fade": 1.0,
            "brake": 0.3,
            "foresight": 0.4,
        },
        "avoid_discs": {"weight": 3.0, "clearance": 1.5},
        "avoid_walls": {"weight": 3.0},
        "chase": {"weight": 6.0},
        "intercept": {"weight": 4.5},
        "trail": {"weight": 4.5},
        "turn_away": {"weight": 4.5},
        "head_for": {"weight": 9.0},
    },
)
