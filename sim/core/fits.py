"""Whether a value is of the kind that an annotation tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from sim.core.limits import is_number


def fits(kind: Any, value: Any) -> bool:
    """Whether a value is of a kind, as annotations tell kinds."""
    if kind in (Any, object) or _cannot_be_asked(kind):
        return True
    if kind == ArrayLike:
        return isinstance(value, np.ndarray | list | tuple)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return isinstance(value, str) and value in inside
    if origin in (Union, UnionType):
        return any(fits(each, value) for each in inside)
    if kind in (int, float):
        return is_number(value) and (kind is float or isinstance(value, int | np.integer))
    if origin is None:
        return isinstance(value, kind)
    check = _OF_MANY.get(origin)
    return isinstance(value, origin) if check is None else check(inside, value)


def _cannot_be_asked(kind: Any) -> bool:
    """Whether it is a protocol for which `isinstance` is an error."""
    asked = getattr(kind, "_is_runtime_protocol", False)
    return getattr(kind, "_is_protocol", False) and not asked


def _array(inside: tuple[Any, ...], value: Any) -> bool:
    """An array of the type of numbers that is said, whatever its shape."""
    (of,) = get_args(inside[1])
    return isinstance(value, np.ndarray) and (of is Any or value.dtype == of)


def _tuple(inside: tuple[Any, ...], value: Any) -> bool:
    if not isinstance(value, tuple):
        return False
    if inside[1:] == (...,):
        return _all(inside[:1], value)
    return len(value) == len(inside) and all(map(fits, inside, value))


def _table(inside: tuple[Any, ...], value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    return _all(inside[:1], value) and _all(inside[1:], value.values())


def _all(inside: tuple[Any, ...], values: Collection[Any]) -> bool:
    return all(fits(inside[0], each) for each in values)


def _of(*kinds: type) -> Callable[[tuple[Any, ...], Any], bool]:
    """A number of values of one kind, in one of these."""
    return lambda inside, value: type(value) in kinds and _all(inside, value)


_OF_MANY: dict[Any, Callable[[tuple[Any, ...], Any], bool]] = {
    np.ndarray: _array, tuple: _tuple, dict: _table, Mapping: _table, list: _of(list),
    set: _of(set), frozenset: _of(set, frozenset), Set: _of(set, frozenset),
    Sequence: _of(list, tuple),
}  # fmt: skip
