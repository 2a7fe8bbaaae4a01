"""How many parameters functions take."""

import ast

from tests.test_house import SOURCES, name_of, tree

MOST = 8
WIDER = {
    # Options of the public interface, all by keyword; parameters of rules.
    "sim.living.changes.add_group": 15,  # the roster is one of them
    "sim.world.__init__": 11,
    "sim.screen.capture.__init__": 11,
    "sim.screen.window.__init__": 13,
    "sim.behaviours.approach.approach": 9,
    "sim.behaviours.avoidance.give_way.give_way": 10,
    "sim.behaviours.avoidance.keep_clear.keep_clear": 12,
    "sim.behaviours.rays.ray_avoidance": 10,
}
"""Functions that take more, and how many. Take a line out when it is no longer true; add none."""


def widths() -> dict[str, int]:
    """Parameters of every function by name, self and cls aside; the most for names that repeat."""
    found: dict[str, int] = {}
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef):
                given = node.args
                names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
                count = len([each for each in names if each not in ("self", "cls")])
                count += (given.vararg is not None) + (given.kwarg is not None)
                name = f"{name_of(path)}.{node.name}"
                found[name] = max(count, found.get(name, 0))
    return found


def test_few_parameters():
    """A function takes at most 8 parameters, kernels included; what belongs together is a record.

    The list of functions that take more only shrinks.
    """
    assert {name: count for name, count in widths().items() if count > MOST} == WIDER
