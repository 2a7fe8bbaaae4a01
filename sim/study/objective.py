"""What a run is worth: a formula over the names of its figures."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection
from typing import Any

from sim.core.errors import BadInput, naming, suggest
from sim.study.journal import Row

LONGEST = 1000
BINARY: dict[type, Callable[[float, float], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
UNARY: dict[type, Callable[[float], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
CALLS: dict[str, tuple[Callable[..., Any], int]] = {
    "abs": (abs, 1), "sqrt": (math.sqrt, 1), "log": (math.log, 1), "exp": (math.exp, 1),
    "min": (min, 0), "max": (max, 0),
}  # fmt: skip
"""Functions, and how many arguments each takes; 0 is any number from two on."""
ALLOWED = f"numbers, figures, + - * / **, brackets, {', '.join(CALLS)}"


class NoValueError(Exception):
    """A run that the objective says nothing of; the message says why."""


class Objective:
    """A formula such as `polarisation - 2 * max_overlap_share`; nothing in it is ever executed.

    Figures of a group are written groups.NAME.FIGURE, or groups["any name"].FIGURE.
    """

    def __init__(self, text: str, figures: Collection[str]) -> None:
        """Raise `BadInput` for what is no such formula, or for names that no run has."""
        self.text = text.strip()
        with naming(f"--objective {self.text}: "):
            if len(self.text) > LONGEST:
                raise BadInput(f"must be at most {LONGEST} characters")
            try:
                self._tree = ast.parse(self.text, mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise BadInput(f"is no formula; it may hold {ALLOWED}") from None
            self.names = frozenset(_names(self._tree, figures))
            if not self.names:
                raise BadInput("names no figure, so every run would be worth the same")

    def __call__(self, row: Row) -> float:
        """The worth of a run. Raises `NoValueError` where it failed, or has none."""
        if row["error"] is not None:
            raise NoValueError(row["error"])
        for name in sorted(self.names):
            if row.get(name) is None:
                raise NoValueError(f"{name} is null")
        try:
            found = _value(self._tree, row)
        except (ArithmeticError, ValueError) as error:
            raise NoValueError(f"{self.text}: {error}") from None
        if isinstance(found, complex) or not math.isfinite(found):
            raise NoValueError(f"{self.text}: is no finite number")
        return float(found)


def _names(node: ast.expr, figures: Collection[str]) -> set[str]:
    """The figures that a formula names. Raises `BadInput` for anything that is not in `ALLOWED`."""
    parts: list[ast.expr]
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return set()
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        parts = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        takes = CALLS[node.func.id][1]
        if node.keywords or (len(node.args) != takes if takes else len(node.args) < 2):
            raise BadInput(f"{node.func.id} takes {takes or 'two or more'} arguments")
        parts = node.args
    else:
        name = _dotted(node)
        if name not in figures:
            raise BadInput(f"no figure '{name}'; {suggest(name, figures)}")
        return {name}
    return set[str]().union(*(_names(part, figures) for part in parts))


def _dotted(node: ast.expr) -> str:
    """The name of a figure. Raises `BadInput` for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return f"{_dotted(node.value)}.{node.slice.value!s}"
    raise BadInput(f"'{ast.unparse(node)}' is not allowed; it may hold {ALLOWED}")


def _value(node: ast.expr, row: Row) -> Any:
    """All in floats: whole numbers could grow without end."""
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)](_value(node.left, row), _value(node.right, row))
    if isinstance(node, ast.UnaryOp):
        return UNARY[type(node.op)](_value(node.operand, row))
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        return CALLS[node.func.id][0](*(_value(each, row) for each in node.args))
    return float(row[_dotted(node)])
