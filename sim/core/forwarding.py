"""What an object shows of its parts: attributes and methods that one of them has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from types import MethodType
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, TypeVar, overload

from sim.core.errors import ReadOnly

P = ParamSpec("P")
Q = ParamSpec("Q")
T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")


class OfPart:
    """An attribute that is read from a part each time it is asked for. It cannot be set."""

    def __init__(self, path: str, doc: str, show: Callable[[Any], Any] | None) -> None:
        self._read, self.__doc__, self._show = attrgetter(path), doc, show

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, whole: object, owner: type | None = None) -> Any:
        """The value now; the attribute itself where the class is asked."""
        if whole is None:
            return self
        value = self._read(whole)
        return value if self._show is None else self._show(value)

    def __set__(self, whole: object, value: object) -> NoReturn:
        """Raise `ReadOnly`."""
        raise ReadOnly.of(self._name)


def of_part(path: str, doc: str, show: Callable[[Any], Any] | None = None) -> Any:
    """What a part has, by its path and with a docstring: read anew each time, and never set.

    With `show` it is what that makes of it.
    """
    return OfPart(path, doc, show)


class Both(Generic[P, R, Q, S]):
    """A method of an object, and another of its class: which, is decided by what is asked for it.

    The first takes the object, the second the class.
    """

    def __init__(
        self,
        of_object: Callable[Concatenate[Any, P], R],
        of_class: Callable[Concatenate[Any, Q], S],
    ) -> None:
        self._of_object, self._of_class, self.__doc__ = of_object, of_class, of_object.__doc__

    @overload
    def __get__(self, whole: None, owner: type) -> Callable[Q, S]: ...
    @overload
    def __get__(self, whole: object, owner: type | None = None) -> Callable[P, R]: ...
    def __get__(self, whole: object, owner: type | None = None) -> Any:
        """The method that is meant."""
        return MethodType(*((self._of_class, owner) if whole is None else (self._of_object, whole)))


def done_by(
    part: str, method: Callable[Concatenate[Any, P], T]
) -> Callable[Concatenate[Any, P], T]:
    """A method that the part of this name does, or a function that takes the part first.

    A `TypeError` for what it does not take names the method of the whole, which the user knows.
    """
    get = attrgetter(part)

    @wraps(method)
    def do(self: Any, /, *given: P.args, **named: P.kwargs) -> T:
        try:
            return method(get(self), *given, **named)
        except TypeError as error:
            known, said = f"{type(self).__name__}.{method.__name__}()", f"{method.__qualname__}()"
            if not str(error).startswith(said):
                raise
            raise TypeError(known + str(error).removeprefix(said)) from None

    return do
