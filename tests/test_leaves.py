"""Helpers of kernels: which of them Python calls."""

import ast

from sim.core.geometry import to_own_frame
from tests.test_house import SOURCES, name_of, tree

COMPILED = {"Kernel", "njit", "inlined", "leaf", "built_in", "leaf_and_function"}
ONLY_FROM_KERNELS = {"leaf", "built_in"}


def decorators(function: ast.FunctionDef) -> set[str]:
    """The first part of the name of each decorator of a function."""
    return {ast.unparse(each).split("(")[0].split(".")[0] for each in function.decorator_list}


def leaves() -> set[str]:
    """The full names of all helpers that only kernels call."""
    return {
        f"{name_of(path)}.{node.name}"
        for path in SOURCES
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef) and decorators(node) & ONLY_FROM_KERNELS
    }


def calls(node: ast.AST) -> list[str]:
    """The names called below a node in plain Python: not in compiled functions."""
    if isinstance(node, ast.FunctionDef) and decorators(node) & COMPILED:
        return []
    found = [name for each in ast.iter_child_nodes(node) for name in calls(each)]
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return [*found, node.func.id] if named else found


def test_python_calls_no_leaf():
    """Each process would compile the helper anew: one that Python calls is a leaf_and_function."""
    known, wrong = leaves(), []
    for path in SOURCES:
        module = tree(path)
        origin = {
            alias.asname or alias.name: f"{each.module}.{alias.name}"
            for each in ast.walk(module)
            if isinstance(each, ast.ImportFrom)
            for alias in each.names
        }
        for name in calls(module):
            full = origin.get(name, f"{name_of(path)}.{name}")
            wrong += [f"{name_of(path)} calls {full}"] * (full in known)
    assert known
    assert not wrong


def test_a_test_may_call_a_leaf():
    """Called from Python, a leaf returns what it returns in a kernel; numba alone would crash."""
    assert f"{to_own_frame.__module__}.{to_own_frame.__name__}" in leaves()
    assert to_own_frame(3.0, 4.0, 0.0, 1.0) == (4.0, -3.0)
