"""What a model is: a hull, a helm, a view and a table of weighted rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from sim.behaviours import RULES, Setting, lookup
from sim.core.colors import check_color
from sim.core.errors import BadInput, naming, shortened
from sim.core.hull import Hull
from sim.core.limits import (
    check_flag,
    check_kind,
    check_range,
    check_text,
    is_text,
    one_of,
    positive,
)
from sim.orders.timers import Timers
from sim.perception.sights import Sight
from sim.perception.views import VIEWS
from sim.steering.craft import Helm

LEADER = Sight("narrow", 50.0, "mates")
"""A unit that sees no mate in this cone leads (rule A12)."""


WALK = 0.0217
"""The stride of models that walk and bump into each other: they overlap by about 5 % of a radius at
most. (Ten a side at a door of 1.4, `walkers` and `soldiers`: 4.8 % at 1.3 lengths/s; one part a
step at 1.34: 5.2 %, at 1.75: 5.6 %.)"""


_PARTS: tuple[tuple[str, type, str], ...] = (
    ("hull", Hull, "Hull.disc(0.5)"),
    ("helm", Helm, 'MODELS["flock"].helm'),
    ("leader", Sight, 'Sight("narrow", 50.0, "mates")'),
    ("timers", Timers, "Timers(make_way=5.0)"),
)
"""Fields of a class of their own, and an example of each."""


def _is_table(item: tuple[Any, Any]) -> bool:
    """Whether this is the name of a rule and a table of its parameters."""
    return isinstance(item[0], str) and isinstance(item[1], Mapping)


@dataclass(frozen=True)
class Model:
    """A named composition that groups start from.

    Raises `BadInput` that names the model and the field for what none can have. Whether there are
    such rules, and fit the helm, shows when a group is made.
    """

    name: str
    about: str
    hull: Hull
    helm: Helm
    view: str
    behaviours: Mapping[str, Mapping[str, Any]]
    color: str = "blue"
    stride: float = 1.0
    """How far a unit may move at its desired speed between two of the engine's looks, in shorter
    sides of its hull: so deep it may be in what it runs into, however long it is."""
    leader: Sight | None = None
    """A unit that sees no mate through this sight leads; None where none does."""
    gathers: float = inf
    """Hull lengths from the quarry within which a mate is at it. Farther off, only mates nearer to
    it than itself keep a unit from leading: so a flock that flies away from it has leaders, too."""
    circles: bool = False
    """Whether units circle round the place where they have arrived, and never rest."""
    timers: Timers | None = None
    """How units give up and make way by time; None where they never do."""
    quickest: bool = False
    """Whether units that share a destination go round queues, by the quickest way instead of the
    shortest."""
    priority: tuple[str, ...] = ()
    """Families of rules that take precedence over all others, the first over the second (B10)."""

    def __post_init__(self) -> None:
        check_text(self.name, "model.name")
        with naming(f"model {self.name!r}: "):
            if not isinstance(self.about, str):
                raise BadInput(f"about = {shortened(self.about)}: must be a text")
            check_color(self.color)
            one_of(self.view, VIEWS, "view")
            for name, kind, example in _PARTS:
                value = getattr(self, name)
                if value is None and name in ("hull", "helm"):
                    raise BadInput(f"{name}: is missing: must be a {kind.__name__}")
                check_kind(value, kind, name, example)
            tables = self.behaviours
            if not (isinstance(tables, Mapping) and all(map(_is_table, tables.items()))):
                said = "must be a table of rules, such as {'cohesion': {'weight': 0.2}}"
                raise BadInput(f"behaviours = {shortened(tables)}: {said}")
            positive(self.stride, "stride")
            check_range(self.gathers, "gathers", 0.0, inf)
            check_flag(self.circles, "circles")
            check_flag(self.quickest, "quickest")
            if not (isinstance(self.priority, tuple) and all(map(is_text, self.priority))):
                said = "must be a tuple of families, such as ('obstacles',)"
                raise BadInput(f"priority = {shortened(self.priority)}: {said}")

    def compose(self, changes: Mapping[str, Any] | None = None) -> dict[str, Setting]:
        """The model's rules with some changed or added, by name.

        `changes` maps rule names to tables of parameters, True or False; what a table leaves out
        keeps the model's value. Raises `BadInput` that begins with `behaviours.`.
        """
        if not isinstance(changes, Mapping | None):
            said = "must be a table of rules, such as {'cohesion': {'weight': 0.2}}"
            raise BadInput(f"behaviours = {shortened(changes)}: {said}")
        merged: dict[str, Any] = {name: dict(table) for name, table in self.behaviours.items()}
        for name, change in (changes or {}).items():
            lookup(name, f"behaviours.{name}")
            if isinstance(change, Mapping):
                merged[name] = {**merged.get(name, {}), **change}
            elif change is True:
                merged.setdefault(name, {})
            else:
                merged[name] = change
        settings = {}
        for name, table in merged.items():
            setting = lookup(name).configure(table, f"behaviours.{name}")
            settings[name] = self.fitting(setting)
        return settings

    def fitting(self, setting: Setting) -> Setting:
        """The same. Raises `BadInput` for a rule that gives what the helm does not take.

        One that is switched off by its weight is no matter.
        """
        takes, rule = self.helm.takes, setting.rule
        if setting.off or rule.fits(takes):
            return setting
        fitting = sorted(name for name, each in RULES.items() if each.fits(takes))
        raise BadInput(
            f"behaviours.{rule.name}: gives {' or '.join(sorted(rule.gives))}, but the helm of "
            f"model {self.name!r} takes {takes}; rules that fit: {', '.join(fitting)}"
        )
