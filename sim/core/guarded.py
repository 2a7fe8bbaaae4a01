"""What a user may set of an object: only what there is to set, and only to what it can be.

A typing mistake would otherwise take effect many steps later, or never: a method that is gone, a
goal that is a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, SupportsIndex, get_origin, get_type_hints

from sim.core.errors import BadInput, ReadOnly, shortened
from sim.core.fits import fits
from sim.core.forwarding import Both, OfPart


class Guarded:
    """An object whose public attributes are checked when they are set.

    Properties check for themselves. What a class annotates stays of that kind. Methods, what is
    only shown, and what `changed_by` names, once it is there, cannot be set; that says what changes
    it instead. A class of a user's own may have attributes of its own.
    """

    changed_by: ClassVar[Mapping[str, str]] = {}
    alone: ClassVar[bool] = False

    def __init_subclass__(
        cls, *, changed_by: Mapping[str, str] | None = None, alone: bool = False
    ) -> None:
        """Make a class of such objects; `changed_by` says what changes what cannot be set.

        There is but one of what is `alone`: it cannot be copied.
        """
        super().__init_subclass__()
        if changed_by is not None:
            cls.changed_by = changed_by
        cls.alone = cls.alone or alone

    def __setattr__(self, name: str, value: object) -> None:
        kind: type = type(self)
        again = name in vars(self)  # what it is made with is checked where it is made
        if name in _shown(kind) or (again and name in self.changed_by):
            raise ReadOnly(name, self.changed_by.get(name, ""))
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
