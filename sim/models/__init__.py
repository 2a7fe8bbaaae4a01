"""Models by name: each a short table of rules and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.errors import BadInput, shortened, suggest
from sim.core.limits import check_text
from sim.models.crowd import CROWD
from sim.models.flock import FLOCK
from sim.models.flock_book import FLOCK_BOOK
from sim.models.mages import MAGES
from sim.models.model import Model
from sim.models.player import PLAYER
from sim.models.soldiers import SOLDIERS
from sim.models.squares import SQUARES
from sim.models.walkers import WALKERS

MODELS: dict[str, Model] = {
    m.name: m for m in (CROWD, FLOCK, FLOCK_BOOK, MAGES, PLAYER, SOLDIERS, SQUARES, WALKERS)
}

DEFAULT_MODEL = "crowd"
"""What a group is that names no model."""


def model(name: str) -> Model:
    """The model of that name. Raises `BadInput` with the nearest name."""
    check_text(name, "model")
    if name not in MODELS:
        raise BadInput(f"model = {name!r}: no such model; {suggest(name, MODELS)}")
    found = MODELS[name]
    if not isinstance(found, Model):
        raise BadInput(f"MODELS[{name!r}] = {shortened(found)}: must be a Model")
    return found


def check_composition(name: str, behaviours: Mapping[str, Any]) -> None:
    """Raise `BadInput`, beginning with `behaviours.`, for changes that do not fit the rules."""
    model(name).compose(behaviours)


__all__ = ["DEFAULT_MODEL", "MODELS", "Model", "check_composition", "model"]
