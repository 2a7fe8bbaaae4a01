"""The rules: one function each, one signature, in one table by name."""

# Each file below puts its rules into the table.
from sim.behaviours import (  # noqa: F401
    approach,
    company,
    crossing,
    errands,
    fleeing,
    flocking,
    handedness,
    marching,
    obstacles,
    propulsion,
    pursuit,
    ranks,
    rays,
    taking_turns,
    unaligned,
)
from sim.behaviours.avoidance import (  # noqa: F401
    along_walls,
    give_way,
    keep_clear,
    keeping_headway,
    keeping_lane,
    keeping_to_starboard,
)
from sim.behaviours.parameters import Within
from sim.behaviours.setting import Setting
from sim.behaviours.table import RULES, Rule, Terms, lookup, rule
from sim.core.own import Amount

__all__ = ["RULES", "Amount", "Rule", "Setting", "Terms", "Within", "lookup", "rule"]
