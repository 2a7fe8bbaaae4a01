"""The rules: one function each, one signature, in one table by name."""

from sim.behaviours import (
    company,
    crossing,
    errands,
    flocking,
    give_way,
    handedness,
    keep_clear,
    obstacles,
    propulsion,
    pursuit,
    ranks,
)
from sim.behaviours.table import RULES, Rule, Setting, Terms, Within, lookup, rule

__all__ = [
    "RULES",
    "Rule",
    "Setting",
    "Terms",
    "Within",
    "company",
    "crossing",
    "errands",
    "flocking",
    "give_way",
    "handedness",
    "keep_clear",
    "lookup",
    "obstacles",
    "propulsion",
    "pursuit",
    "ranks",
    "rule",
]
