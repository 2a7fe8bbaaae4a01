"""Changes of a scenario's document, one by one: each knows its reverse."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]
GROUP_KEYS = ("view", "view_angle", "view_radius", "behaviours")
"""What of a group sliders and switches change."""


@dataclass(frozen=True)
class Edit:
    """One change: at a place of the document, a key or a number of a list gets another value.

    `old` is None where it is put in, `new` where it is taken out.
    """

    place: tuple[str | int, ...]
    key: str | int
    old: Any
    new: Any

    @property
    def reverse(self) -> Edit:
        """The change that takes this one back."""
        return Edit(self.place, self.key, self.new, self.old)

    def applied(self, document: Mapping[str, Any]) -> Document:
        """The document with this change; the one given stays as it is."""
        made: Any = deepcopy(dict(document))
        table = made
        for number, step in enumerate(self.place):
            if isinstance(table, dict) and step not in table:
                last = number == len(self.place) - 1
                table[step] = [] if last and isinstance(self.key, int) else {}
            table = table[step]
        if self.new is None:
            del table[self.key]
        elif self.old is None and isinstance(self.key, int):
            table.insert(self.key, deepcopy(self.new))
        else:
            table[self.key] = deepcopy(self.new)
        changed: Document = made
        return changed


def added(document: Mapping[str, Any], place: tuple[str, ...], value: Any) -> Edit:
    """The change that puts a value at the end of a list of the document."""
    table: Any = document
    for step in place:
        table = table.get(step, {})
    return Edit(place, len(table), None, value)


def free_name(document: Mapping[str, Any], place: tuple[str, ...], word: str) -> str:
    """`word` with the least number that makes it a name that no table at a place has."""
    table: Any = document
    for step in place:
        table = table.get(step, {})
    taken = set(table) if isinstance(table, Mapping) else {each.get("name") for each in table}
    number = 1
    while f"{word} {number}" in taken:
        number += 1
    return f"{word} {number}"


def with_settings(
    document: Mapping[str, Any], then: Mapping[str, Any], now: Mapping[str, Any]
) -> Document:
    """The document with what sliders and switches have changed in its groups.

    `then` and `now` are the groups' tables by name as the document makes them, and as they are
    (see `sim.scenario.snippet`).
    """
    made = deepcopy(dict(document))
    for table in made["groups"]:
        name = table["name"]
        if name in then and name in now and then[name] != now[name]:
            for key in GROUP_KEYS:
                table.pop(key, None)
            table |= {key: now[name][key] for key in GROUP_KEYS if key in now[name]}
    return made
