"""Orders: what units are after, how far they have come, and whether they still move."""

from sim.orders.formation import Formation
from sim.orders.goal import GO, Goal
from sim.orders.orders import Orders

__all__ = ["GO", "Formation", "Goal", "Orders"]
