"""What can go wrong for a user's reasons, and the words that help them on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

MOST_CHARACTERS = 60
"""Of a value in a message."""


class BadInput(ValueError):  # noqa: N818 - named for what the user gave
    """Input that is refused; the message is "file: path.to.key = value: what is allowed".

    Letters in it that a terminal takes for commands, or does not show, stand as their escapes.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__("\n".join(map(printable, message.split("\n"))))


class ReadOnly(BadInput, AttributeError):  # noqa: N818 - named for what the attribute is
    """An attribute that cannot be set; the message says what changes it instead."""

    @classmethod
    def of(cls, name: str, instead: str = "") -> ReadOnly:
        """The error for an attribute of that name. No `__init__`: that takes what pickles hold."""
        return cls(f"{name} cannot be set{instead and ': '}{instead}")


class NotDone(BadInput):
    """An event of a scenario that cannot be done when its time has come."""


class NoRoom(BadInput):
    """Hulls that would overlap units where they are to stand; later there may be room."""


class Unwritable(BadInput):
    """A file that cannot be written; the message begins with its name."""


class Diverged(RuntimeError):  # noqa: N818 - named for what the run did
    """A unit's state is no longer finite; the message names the unit and the step."""


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Within, the message of a `BadInput` begins with `where`: the name of a file, or a key.

    A message that begins so already stays as it is, and so does that of an `Unwritable`, which
    names its own file.
    """
    try:
        yield
    except Unwritable:
        raise
    except BadInput as bad:
        raise BadInput(str(bad) if str(bad).startswith(where) else f"{where}{bad}") from None


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Within, whatever comes of a text that may hold anything at all is a `BadInput` naming it.

    Not what no text is the cause of: that there is no memory.
    """
    with naming(f"{what}: "):
        try:
            yield
        except (BadInput, MemoryError):
            raise
        except Exception as error:
            raise BadInput(f"cannot be understood: {shortened(error)}") from None


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The allowed name most like a misspelled one, whatever the case; None if nothing is near."""
    by_folded = {each.casefold(): each for each in allowed}
    near = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[near[0]] if near else None


def suggest(name: str, allowed: Iterable[str]) -> str:
    """How a refusal of an unknown name ends: "did you mean 'speed'?", or the allowed names."""
    names = list(allowed)
    near = nearest(name, names)
    return f"did you mean '{near}'?" if near else f"allowed: {', '.join(names) or 'none'}"


def hint(name: str, allowed: Iterable[str]) -> str:
    """How a refusal ends that has named all that is allowed; "" where nothing is near."""
    near = nearest(name, allowed)
    return f"; did you mean {near!r}?" if near else ""


def plural(count: int, word: str) -> str:
    """The word as it stands behind a count: "unit" for 1, "units" for others."""
    return word if count == 1 else f"{word}s"


def shortened(value: object) -> str:
    """What a user gave, as Python writes it, on one line and cut where it grows long."""
    try:
        shown = printable(repr(value).replace("\n", " "))
    except Exception:  # what an object of the user's own raises, or numbers of too many digits
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[: MOST_CHARACTERS - 4]} ..."


def printable(text: str) -> str:
    """A text on one line: what a terminal could not show stands as its escape."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )
