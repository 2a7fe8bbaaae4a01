"""The form of a rule's function: what it asks for by its arguments, and what it cannot be."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar, get_args

from sim.core.errors import BadInput, shortened, suggest
from sim.core.limits import is_text, one_of, positive
from sim.perception.views import FARTHEST, VIEWS

T = TypeVar("T")

NEEDS = ("seen", "felt", "aim", "quarry", "contacts", "wanted")
"""Parts of `Percepts` that a rule can ask for, by a parameter of that name."""


def check_family(family: object) -> None:
    """Raise `TypeError` for a function: it stands where the family is to be named."""
    if callable(family):
        name = getattr(family, "__name__", shortened(family))
        raise TypeError(f'{name}: the family is missing: write @sim.rule("comfort") above it')


def name_of(function: Any) -> str:
    """The name that a rule is found by. Raises `TypeError` for what has none, as a lambda."""
    name = getattr(function, "__name__", "")
    if not (callable(function) and name.isidentifier()):
        raise TypeError(f"{name or shortened(function)}: a rule is a function with a name: use def")
    return str(name)


def check_looks(name: str, view: object, range: object) -> None:
    """Raise `BadInput` for a view or a range that no rule can have; None is the group's own."""
    if view is not None:
        one_of(view, VIEWS, f"{name}: view")
    if range is not None:
        positive(range, f"{name}: range", most=FARTHEST)


def words(given: Any, where: str) -> frozenset[Any]:
    """A word, or some. Raises `BadInput` that begins with `where` for anything else."""
    found = [given] if isinstance(given, str) else given
    if not (isinstance(found, Collection) and all(map(is_text, found))):
        raise BadInput(f"{where} = {shortened(given)}: must be a word, or a list of them")
    return frozenset(found)


def needs_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parts of the percepts that a rule names after the percepts themselves.

    Raises `TypeError` where these do not come first, and for a part that there is not.
    """
    kinds = inspect.Parameter
    items = inspect.signature(function).parameters.values()
    placed = [item for item in items if item.kind is not kinds.KEYWORD_ONLY]
    if not placed or placed[0].kind is kinds.VAR_KEYWORD:
        raise TypeError(f"{function.__name__}: takes no percepts: the first argument is to be `me`")
    needs = tuple(item.name for item in placed[1:])
    for each in needs:
        if each not in NEEDS:
            raise TypeError(f"{function.__name__}: asks for {each}; {suggest(each, NEEDS)}")
    return needs


def asked(hints: Mapping[str, Any], part: str, kind: type[T]) -> T | None:
    """How a rule asks for a part, from its annotation."""
    return next((each for each in get_args(hints.get(part)) if isinstance(each, kind)), None)
