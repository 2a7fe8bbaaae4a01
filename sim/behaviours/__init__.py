"""The rules: one function each, one signature, in one table by name."""

from sim.behaviours import (
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
from sim.behaviours.avoidance import give_way, keep_clear
from sim.behaviours.parameters import Within
from sim.behaviours.table import RULES, Rule, Setting, Terms, lookup, rule

__all__ = [
    "RULES",
    "Rule",
    "Setting",
    "Terms",
    "Within",
    "approach",
    "company",
    "crossing",
    "errands",
    "fleeing",
    "flocking",
    "give_way",
    "handedness",
    "keep_clear",
    "lookup",
    "marching",
    "obstacles",
    "propulsion",
    "pursuit",
    "ranks",
    "rays",
    "rule",
    "taking_turns",
    "unaligned",
]
