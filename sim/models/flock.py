"""Model "flock": the book's rules, tuned to form, hold and keep distance in every view."""

from dataclasses import replace

from sim.models.flock_book import FLOCK_BOOK, HELM
from sim.models.model import LEADER, Model

FLOCK = Model(
    name="flock",
    about="the book's flock, tuned",
    hull=FLOCK_BOOK.hull,
    helm=replace(HELM, max_steering=8.0),
    view="wide",
    leader=LEADER,
    behaviours={
        "cruise": {},
        "cohesion": {"weight": 0.5},
        "alignment": {"weight": 2.0},
        "separation": {"weight": 1.0, "range": 5.0, "view": "wide"},
        "avoid_discs": {"weight": 1.0},
        "chase": {},
        "intercept": {},
    },
)
