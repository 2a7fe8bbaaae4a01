"""Whether what a state keeps of a group is what a group has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sim.behaviours import Setting
from sim.core.draws import Spread
from sim.core.hull import Hull
from sim.group import Group
from sim.models import Model
from sim.orders import Goal
from sim.saving.copies import kept_of
from sim.saving.kinds import HELMS, alike
from sim.saving.need import need
from sim.saving.state import OUTPUTS

if TYPE_CHECKING:
    from sim.group.members import Home


def check_group(kept: dict[str, Any]) -> None:
    """Raise `ValueError` and the like for what no group keeps."""
    rows, model, hull = kept["rows"], kept["model"], kept["hull"]
    kinds = isinstance(model, Model), isinstance(hull, Hull), isinstance(kept["helm"], HELMS)
    need(all(kinds), "the model of a group")
    need(isinstance(rows, slice) and 0 <= rows.start <= rows.stop, "the rows of a group")
    for name, each in kept["settings"].items():
        need(isinstance(each, Setting) and name == each.rule.name, "its rules")
    known = Group("x", 0, model, rows, hull, kept["settings"], cast("Home", None))
    wanted = kept_of(known, OUTPUTS) | {"helm": kept["helm"]}
    need(set(wanted) == set(kept), "what a group has")
    need(all(alike(wanted[name], kept[name]) for name in wanted), "what a group has")
    need(kept["_goal"] is None or isinstance(kept["_goal"], Goal), "the goal of a group")
    need(all(len(kept[c]) == rows.stop - rows.start for c in Group.columns), "its units")
    drawn = isinstance(kept["_spread"], Spread) and (kept["_speeds"] > 0).all()
    need((drawn or kept["_spread"] is None) and (kept["_radii"] > 0).all(), "its units")
    need(kept["_of_rules"] == known._of_rules and (kept["_drawn"] > 0).all(), "what units drew")
