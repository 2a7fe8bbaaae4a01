"""Groups of units that move together as rigid bodies, steered by forces at the bow."""

from sim.behaviours import Terms, Within, rule
from sim.errors import BadInput, Diverged
from sim.group import Group
from sim.hull import Hull
from sim.orders import Goal
from sim.perception.percepts import Percepts
from sim.perception.sights import Feel
from sim.spawn import Points, Region, Ring
from sim.world import World

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "Diverged",
    "Feel",
    "Goal",
    "Group",
    "Hull",
    "Percepts",
    "Points",
    "Region",
    "Ring",
    "Terms",
    "Within",
    "World",
    "rule",
]
