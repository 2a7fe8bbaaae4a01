"""Fields of models: refused where the model is made, with its name and what is allowed."""

import re
from dataclasses import replace

import pytest

import sim
from sim.core.errors import BadInput
from sim.models import MODELS

TABLES = "must be a table of rules, such as {'cohesion': {'weight': 0.2}}"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("about", None, "about = None: must be a text"),
        ("hull", "wedge", "hull = 'wedge': must be a Hull, such as Hull.disc(0.5)"),
        ("hull", None, "hull: is missing: must be a Hull"),
        ("helm", None, "helm: is missing: must be a Helm"),
        ("helm", "bow", "helm = 'bow': must be a Helm, such as"),
        ("view", "narow", "view = 'narow': must be one of wide, limited, narrow, all"),
        ("behaviours", None, f"behaviours = None: {TABLES}"),
        ("behaviours", {"cruise": 3}, "behaviours = {'cruise': 3}: " + TABLES),
        ("color", "bleu", "color = 'bleu': must be the name of a colour"),
        ("stride", "long", "stride = 'long': must be a number"),
        ("stride", 0, "stride = 0: must be a finite number greater than 0"),
        ("gathers", "near", "gathers = 'near': must be from 0 to inf"),
        ("leader", "first", "leader = 'first': must be a Sight, such as"),
        ("timers", 5.0, "timers = 5.0: must be a Timers, such as"),
        ("circles", 1, "circles = 1: must be true or false"),
        ("quickest", "no", "quickest = 'no': must be true or false"),
        ("priority", "obstacles", "priority = 'obstacles': must be a tuple of families"),
    ],
)
def test_what_no_model_has(field, value, said):
    """None comes as far as a group of it."""
    with pytest.raises(BadInput, match=re.escape(f"model 'flock': {said}")):
        replace(MODELS["flock"], **{field: value})


def test_what_is_no_model(monkeypatch):
    """A value of the table that is none is refused by its name; a model needs one."""
    monkeypatch.setitem(MODELS, "shoal", "flock")
    with pytest.raises(BadInput, match=r"^MODELS\['shoal'\] = 'flock': must be a Model$"):
        sim.World().add_group("fish", [(0, 0)], model="shoal")
    with pytest.raises(BadInput, match=r"^model\.name = None: must be a text"):
        replace(MODELS["flock"], name=None)
