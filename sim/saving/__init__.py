"""Saving a world and going on from there: to memory, or to a file that is safe to read."""

from sim.saving.file import made_with, read, world_in, write
from sim.saving.state import State, put, take

__all__ = ["State", "made_with", "put", "read", "take", "world_in", "write"]
