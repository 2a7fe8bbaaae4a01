"""The numbers that are allowed anywhere: what the arithmetic of a run can hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from unicodedata import category

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats, Ints, plain
from sim.core.errors import BadInput, shortened

LARGEST = 1e12
"""Of any length, place, mass or speed: squares of anything beyond leave what a float can hold."""
SMALLEST = 1e-12
"""Of what has to be more than 0: so do quotients by anything below."""
LEAST_STEP, LONGEST_STEP = 1e-5, 0.25
"""Of a time step, s: what is measured over the last seconds is kept step by step; and no helm lags
by more than the longest."""
MOST_UNITS = 1_000_000
"""Of a group, and of all groups of a world together."""
MOST_GROUPS, MOST_AREAS, MOST_PARTS, MOST_SOURCES = 2_000, 10_000, 10_000, 1_000
"""Of a world: each is gone through by itself, step by step."""
MOST_PLACES = 100_000
"""Of a route: each is taken down, and planned to, by itself."""
MOST_PLACES_IN_ALL = 20_000_000
"""Of the routes of all units of a group, which are laid out one after another."""
MOST_RATE = 1e6
"""Of units that enter a second: each is counted by itself."""


def positive(value: Any, where: str, least: float = SMALLEST, most: float = LARGEST) -> float:
    """A number from `least` to `most`. Raises `BadInput` that begins with `where`."""
    if not is_number(value):
        raise BadInput(f"{where} = {shortened(value)}: must be a number")
    value = plain(value)
    if not 0 < value < np.inf:
        raise BadInput(f"{where} = {shortened(value)}: must be a finite number greater than 0")
    if not least <= value <= most:
        shown = f"{value:g}" if value < 1e308 else shortened(value)
        raise BadInput(f"{where} = {shown}: must be from {least:g} to {most:g}")
    return float(value)


def check_range(value: Any, where: str, least: float, most: float) -> None:
    """Raise `BadInput` that begins with `where` for what is no number from `least` to `most`."""
    if not in_range(value, least, most):
        shown = f"{value:g}" if in_range(value, -1e300, 1e300) else shortened(value)
        raise BadInput(f"{where} = {shown}: must be from {least:g} to {most:g}")


def whole(value: Any, where: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`. Raises `BadInput` that begins with `where`."""
    if not (is_number(value) and isinstance(value, int | np.integer)):
        raise BadInput(f"{where} = {shortened(value)}: must be a whole number")
    check_range(value, where, least, most)
    return int(value)


def check_places(places: Any, where: str, most: int) -> None:
    """Raise `BadInput` that begins with `where` for a list of more than `most` places.

    What is no list of places is for others to refuse.
    """
    try:
        count = len(places)
    except TypeError:
        return
    check_number_of_places(count, where, most)


def check_number_of_places(count: int, where: str, most: int) -> None:
    """Raise `BadInput` that begins with `where` for more than `most` places."""
    if count > most:
        raise BadInput(f"{where}: {count:,} places; must be at most {most:,}")


def check_another(count: int, most: int, where: str, of: str) -> None:
    """Raise `BadInput` that begins with `where` for one more than `most`, where `count` are."""
    if count >= most:
        raise BadInput(f"{where}: the world has {count:,} {of}; must be at most {most:,}")


def is_number(value: Any) -> bool:
    """Whether a value is a whole number or a float, numpy's included; true and false are none."""
    kinds = int, float, np.integer, np.floating
    return isinstance(value, kinds) and not isinstance(value, bool | np.timedelta64)


def in_range(value: Any, least: float, most: float) -> bool:
    """Whether a value is a number from `least` to `most`."""
    return is_number(value) and bool(least <= plain(value) <= most)


def is_text(value: Any) -> bool:
    """Whether a value is a text on one line, not empty, that can be written down.

    Without control signs, line breaks and halves of signs; spaces of any language are fine.
    """
    if not (isinstance(value, str) and value.strip()):
        return False
    return not {category(sign) for sign in value} & {"Cc", "Cs", "Zl", "Zp"}


def check_text(value: Any, where: str) -> None:
    """Raise `BadInput` for what is no text on one line."""
    if not is_text(value):
        raise BadInput(f"{where} = {shortened(value)}: must be a text on one line, not empty")


def is_row(values: Any, count: int) -> bool:
    """Whether these are `count` numbers in a row."""
    if isinstance(values, np.ndarray) and values.ndim != 1:
        return False
    if not isinstance(values, list | tuple | np.ndarray) or len(values) != count:
        return False
    return all(map(is_number, values))


def real_numbers(values: Any) -> Floats:
    """An array of its own of what holds real numbers, and nothing that a mask hides.

    Raises `TypeError`, `ValueError` or `OverflowError` for any other: by itself numpy takes the
    real part of a complex number, the days of a date, and what letters say.
    """
    given = np.asarray(values)
    if given.dtype.kind not in "biufO" or np.ma.is_masked(values):
        raise TypeError(given.dtype)
    if given.dtype == object and not all(isinstance(x, bool) or is_number(x) for x in given.flat):
        raise TypeError(given.dtype)
    with np.errstate(over="ignore"):  # of wider floats, which are infinite then
        return np.array(given, dtype=float, order="C")


def places(values: Any, where: str, count: int | None = None) -> Floats:
    """Places as an array (k, 2); they may be NaN or infinite, which is nowhere.

    Raises `BadInput` for anything else, for numbers out of `LARGEST`, and where there are not
    `count`, if that is given.
    """
    try:
        array = real_numbers(values).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{where} = {shortened(values)}: must be places (x, y)") from None
    if count is not None and len(array) != count:
        raise BadInput(f"{where}: {len(array)} places: must be {count}")
    if np.abs(array[np.isfinite(array)]).max(initial=0.0) > LARGEST:
        raise BadInput(f"{where}: must be numbers from {-LARGEST:g} to {LARGEST:g}")
    return array


def rows_of_own(own: ArrayLike, count: int) -> Ints:
    """(count,) the rows of units that ask; less than 0 for none. Raises `BadInput` for others."""
    try:
        given = np.asarray(own)
        if given.dtype.kind not in "iu":
            raise TypeError
        rows: Ints = np.broadcast_to(given, count).astype(np.int64)
        if rows.max(initial=0) >= 1 << 40:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        said = f"must be {count} rows of units, or one for all"
        raise BadInput(f"own = {shortened(own)}: {said}") from None
    return rows


def within_reach(values: Any) -> bool:
    """Whether all numbers of an array are finite and none is too large."""
    given = np.asarray(values)
    with np.errstate(invalid="ignore", over="ignore"):
        known = given.astype(float) if given.dtype.kind in "iuf" else given
        return bool((np.abs(known) <= LARGEST).all())


def thrusters(values: ArrayLike, units: int, group: str = "") -> Floats:
    """Controls of `units` units, (n, 3), or one row for all; `BadInput` for any other."""
    try:
        given = real_numbers(values)
        controls = np.broadcast_to(given, (units, 3))
    except (TypeError, ValueError, OverflowError):
        raise BadInput(
            f"controls = {shortened(values)}: must be {units} x 3 numbers: port, starboard, thrust"
        ) from None
    wrong = ~((controls >= 0) & (controls <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        name = ("port", "starboard", "thrust")[column]
        of = f"group {group!r}: " if group else ""
        raise BadInput(
            f"{of}controls[{row}] {name} = {controls[row, column]:g}: must be between 0 and 1"
        )
    return controls


def script(rows: ArrayLike) -> Floats:
    """Rows (k, 4) of time (s), port, starboard and thrust; `BadInput` for any other."""
    try:
        given = real_numbers(rows)
    except (TypeError, ValueError, OverflowError):
        given = np.full(1, np.nan)
    if given.ndim != 2 or given.shape[1] != 4 or not np.isfinite(given).all():
        raise BadInput(
            f"script = {shortened(rows)}: must be rows of 4 numbers: time, port, starboard, thrust"
        )
    return given


def schedule(orders: Any) -> list[tuple[float, Any]]:
    """Rows of time (s) and where to; `BadInput` for any other."""
    rows: Any = orders if isinstance(orders, list | tuple) else [None]
    for row in rows:
        if not (isinstance(row, list | tuple) and len(row) == 2 and is_number(row[0])):
            raise BadInput(
                f"schedule = {shortened(orders)}: must be a list of pairs: time (s), where to"
            )
    return [(time, points) for time, points in rows]


def check_flag(value: object, where: str) -> None:
    """Raise `BadInput` that begins with `where` for what is neither true nor false."""
    if not isinstance(value, bool | np.bool_):
        raise BadInput(f"{where} = {shortened(value)}: must be true or false")


def one_of(value: object, allowed: Collection[str], where: str) -> Any:
    """A word of those allowed. Raises `BadInput` that begins with `where` for anything else."""
    if not (isinstance(value, str) and value in allowed):
        raise BadInput(f"{where} = {shortened(value)}: must be one of {', '.join(allowed)}")
    return value


def check_kind(value: object, kind: type, key: str, example: str) -> None:
    """Raise `BadInput` for a value that is neither None nor of the class asked for."""
    if value is not None and not isinstance(value, kind):
        raise BadInput(f"{key} = {shortened(value)}: must be a {kind.__name__}, such as {example}")
