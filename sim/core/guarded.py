"""What a user may set of an object: only what there is to set, and only to what it can be.

A typing mistake would otherwise take effect many steps later, or never: a method that is gone, a
goal that is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, SupportsIndex, TypeVar, get_origin, get_type_hints

from sim.core.errors import BadInput, ReadOnly, nearest, shortened
from sim.core.fits import fits
from sim.core.forwarding import Both, OfPart

T = TypeVar("T")


VIEWS: dict[type, Callable[[Any], Any]] = {
    dict: MappingProxyType, list: tuple, set: frozenset,
}  # fmt: skip
"""How what holds many is shown."""
KEPT: tuple[tuple[Any, Callable[[Any], Any]], ...] = (Mapping, dict), (Set, set), (Sequence, list)
"""And how it is kept."""


class Shown:
    """An attribute that holds a table, a list or a set: others see it, and cannot change it.

    What owns it keeps it, as it is, in its `vars`. It can be set as any other: to a copy.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, whole: object, owner: type | None = None) -> Any:
        """A read-only view, or copy; the attribute itself where the class is asked."""
        if whole is None:
            return self
        try:
            value = vars(whole)[self._name]
        except KeyError:
            raise AttributeError(self._name) from None
        return VIEWS[type(value)](value)

    def __set__(self, whole: object, value: Any) -> None:
        """Keep a copy of it."""
        made = next(made for kind, made in KEPT if isinstance(value, kind))
        vars(whole)[self._name] = made(value)


def shown() -> Any:
    """A table, a list or a set that others cannot change in place."""
    return Shown()


class Checked(list[T]):
    """A list that looks at what comes into it.

    `check` gets what is to come and how many there will be then, and raises `BadInput` for what
    does not belong there.
    """

    def __init__(self, values: object, check: Callable[[Sequence[Any], int], None]) -> None:
        super().__init__()
        self._check = check
        self[:] = values if isinstance(values, Iterable) else [values]

    def __setitem__(self, at: Any, value: Any) -> None:
        """Put in what fits."""
        many = isinstance(at, slice)
        new, gone = [value], 1
        if many:
            new, gone = list(value), len(range(*at.indices(len(self))))
        self._check(new, len(self) - gone + len(new))
        super().__setitem__(at, new if many else value)

    def append(self, value: T) -> None:
        """Put it in at the end."""
        self[len(self) :] = [value]

    def insert(self, at: SupportsIndex, value: T) -> None:
        """Put it in there."""
        self[at:at] = [value]

    def extend(self, values: Iterable[T]) -> None:
        """Put them in at the end."""
        self[len(self) :] = values

    def __iadd__(self, values: Iterable[T]) -> Self:  # type: ignore[override,misc]
        self.extend(values)
        return self

    def __imul__(self, times: SupportsIndex) -> Self:
        self[:] = self * times
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """A copy is a list as any other: what it is put into looks at it anew."""
        return list, (list(self),)


class Guarded:
    """An object whose public attributes are checked when they are set.

    Properties check for themselves. What a class annotates stays of that kind. Methods, what is
    only shown, and what `changed_by` names, once it is there, cannot be set; that says what changes
    it instead. What is sealed takes no new ones; objects of a class that a user derives do.
    """

    changed_by: ClassVar[Mapping[str, str]] = MappingProxyType({})
    alone: ClassVar[bool] = False
    _sealed: bool = False

    def __init_subclass__(
        cls, *, changed_by: Mapping[str, str] | None = None, alone: bool = False
    ) -> None:
        """Make a class of such objects; `changed_by` says what changes what cannot be set.

        There is but one of what is `alone`: it cannot be copied.
        """
        super().__init_subclass__()
        if changed_by is not None:
            cls.changed_by = MappingProxyType(dict(changed_by))
        cls.alone = cls.alone or alone

    def __setattr__(self, name: str, value: object) -> None:
        kind: type = type(self)
        again = name in vars(self)  # what it is made with is checked where it is made
        if name in _shown(kind) or (again and name in self.changed_by):
            raise ReadOnly.of(name, self.changed_by.get(name, ""))
        if self._sealed and not (again or name.startswith("_") or hasattr(kind, name)):
            raise ReadOnly.of(name, self.changed_by.get(name) or self._meant(name))
        wanted = _kinds(kind).get(name, object)
        if again and not fits(wanted, value):
            must = wanted.__name__ if isinstance(wanted, type) else str(wanted)
            raise BadInput(f"{name} = {shortened(value)}: must be of the kind {must}")
        super().__setattr__(name, value)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Raise `BadInput` for what goes on with its world: a copy would be half of it."""
        if self.alone:
            raise BadInput(
                f"{type(self).__name__}: cannot be copied, use World.save and World.load"
            )
        return super().__reduce_ex__(protocol)

    def keep(self, **values: Any) -> None:
        """Set what others may not: for what steps the world."""
        vars(self).update(values)

    def _meant(self, name: str) -> str:
        """What to say of an attribute that there is not: the one that it may be meant for."""
        names = {*vars(self), *dir(type(self))}
        near = nearest(name, sorted(each for each in names if not each.startswith("_")))
        return f"no such attribute; did you mean {near!r}?" if near else "no such attribute"

    def _seal(self, kind: type) -> None:
        """An object of this very class is complete: whatever else is set of it is a mistake."""
        self._sealed = type(self) is kind


@cache
def _shown(kind: type) -> frozenset[str]:
    """What has no setter: methods, and properties that only show something."""
    found = {name: value for each in kind.__mro__[::-1] for name, value in vars(each).items()}
    return frozenset(
        name for name, value in found.items()
        if not name.startswith("_")
        and (callable(value) or isinstance(value, classmethod | staticmethod | OfPart | Both)
             or (isinstance(value, property) and value.fset is None))
    )  # fmt: skip


@cache
def _kinds(kind: type) -> dict[str, Any]:
    """What a class says of what kinds its public attributes are."""
    return {
        name: said for name, said in get_type_hints(kind).items()
        if not name.startswith("_") and get_origin(said) is not ClassVar
    }  # fmt: skip
