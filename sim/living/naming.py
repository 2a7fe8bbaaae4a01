"""Which group is meant: by its name, or by the group itself."""

from __future__ import annotations

from collections.abc import Sequence

from sim.core.errors import BadInput
from sim.core.limits import check_text
from sim.group import Group


def group_of(groups: Sequence[Group], given: Group | str) -> Group:
    """That one of the groups of a world.

    Raises `BadInput` for what is no name of one, and for a group of another world.
    """
    if isinstance(given, Group):
        if not any(given is each for each in groups):
            raise BadInput(f"group {given.name!r}: is a group of another world")
        return given
    check_text(given, "group")
    for group in groups:
        if group.name == given:
            return group
    raise BadInput(f"group {given!r}: must be one of {', '.join(g.name for g in groups)}")
