"""Groups of units that move together as rigid bodies, steered by forces at the bow.

The names below are brought in when they are first asked for: so `python -m sim` sees to interrupts
before what takes seconds to import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.behaviours import Terms, Within, rule
    from sim.core.draws import Normal, Uniform
    from sim.core.errors import BadInput, Diverged
    from sim.core.hull import Hull
    from sim.core.shapes import Box, Disc, Polygon, Wall
    from sim.core.spawn import Points, Region, Ring
    from sim.group import Group
    from sim.living.parts import Part
    from sim.notebook import metrics, replay
    from sim.orders import Formation, Goal
    from sim.orders.stop import Stop
    from sim.perception.percepts import Percepts
    from sim.perception.sights import Feel
    from sim.scenario.build import build
    from sim.scenario.load import load_scenario
    from sim.world import World

__version__ = "0.2.0.dev0"
__all__ = [
    "BadInput",
    "Box",
    "Disc",
    "Diverged",
    "Feel",
    "Formation",
    "Goal",
    "Group",
    "Hull",
    "Normal",
    "Part",
    "Percepts",
    "Points",
    "Polygon",
    "Region",
    "Ring",
    "Stop",
    "Terms",
    "Uniform",
    "Wall",
    "Within",
    "World",
    "build",
    "load_scenario",
    "metrics",
    "replay",
    "rule",
]
_HOMES = {
    "sim.behaviours": ("Terms", "Within", "rule"),
    "sim.core.draws": ("Normal", "Uniform"),
    "sim.core.errors": ("BadInput", "Diverged"),
    "sim.group": ("Group",),
    "sim.core.hull": ("Hull",),
    "sim.orders": ("Formation", "Goal"),
    "sim.orders.stop": ("Stop",),
    "sim.living.parts": ("Part",),
    "sim.notebook": ("metrics", "replay"),
    "sim.perception.percepts": ("Percepts",),
    "sim.perception.sights": ("Feel",),
    "sim.scenario.build": ("build",),
    "sim.scenario.load": ("load_scenario",),
    "sim.core.shapes": ("Box", "Disc", "Polygon", "Wall"),
    "sim.core.spawn": ("Points", "Region", "Ring"),
    "sim.world": ("World",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(home), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
