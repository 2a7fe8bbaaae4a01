"""The order of the rooms: each imports only from those before it, imports for types included."""

from tests.test_house import SOURCES, imports, name_of

ORDER = (
    "core",
    "maps",
    "engine",
    "navigation",
    "orders",
    "perception",
    "behaviours",
    "steering",
    "models",
    "group",
    "living",
    "looking",
    "selection",
    "saving",
    "world",
    "run",
    "scenario",
    "record",
    "study",
    "warm_up",
    "screen",
    "commands",
    "notebook",
    "demo",
    "__main__",
)
"""Rooms, lowest first; the root of the package brings names in from all of them."""
BACKWARD = {
    ("world", "notebook"),  # what `World.show` returns
}
"""Modules that import from a later room, and that room. Take a line out when it no longer does."""


def backward() -> set[tuple[str, str]]:
    """The modules that import from a room after their own, with that room."""
    place = {room: number for number, room in enumerate(ORDER)}
    found = set()
    for path in SOURCES:
        if name_of(path) == "sim":
            continue
        own = name_of(path).split(".")[1]
        for each in imports(path):
            room = each.split(".")[1] if each.startswith("sim.") else own
            if room in place and place[room] > place[own]:
                found.add((name_of(path).removeprefix("sim."), room))
    return found


def test_imports_follow_the_order():
    """No module imports from a later room, but for a list that only shrinks."""
    assert backward() == BACKWARD


def test_every_room_has_its_place():
    """A new module or folder is put in order."""
    assert {name_of(path).split(".")[1] for path in SOURCES if name_of(path) != "sim"} == {*ORDER}
