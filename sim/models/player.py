"""Model "player": the flock's craft, steered by the user."""

from sim.models.flock_book import FLOCK_BOOK
from sim.models.model import Model

PLAYER = Model(
    name="player",
    about="the book's craft, steered by its thrusters",
    hull=FLOCK_BOOK.hull,
    helm=FLOCK_BOOK.helm,
    view="wide",
    color="green",
    behaviours={"thrusters": {}},
)
