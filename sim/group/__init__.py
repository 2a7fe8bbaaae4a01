"""Groups: units with one intent, what each member has for itself, and how all groups look."""

from sim.group.group import Group

__all__ = ["Group"]
