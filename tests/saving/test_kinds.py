"""What a state's file says of each part is of the kind that its class says, and leads nowhere else.

Most of these once came to a step: there they ended in a traceback, or the process with a signal.
"""

import json
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import ArrayLike

import sim
from sim.core.arrays import Bools, Floats, Ints
from sim.core.fits import fits
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.engine.checked import check_engine
from sim.engine.trees import Tree, check_tree
from sim.navigation import Planner
from sim.saving import read
from sim.saving.kinds import HOLDERS, MAKERS, VALUES
from sim.saving.likeness import alike, kinds_of
from sim.world import World
from tests.fuzz import states
from tests.saving.test_files import spoilt

RUBBISH = "no such thing"
FIT = [
    (int, 3, True), (int, 0.5, False), (int, True, False), (float, 3, True), (float, "3", False),
    (float, False, False), (bool, 1, False), (bool, True, True), (str, 3, False),
    (Literal["a", "b"], "a", True), (Literal["a", "b"], "c", False), (int | None, None, True),
    (tuple[float, float], (1, 2.5), True), (tuple[float, float], (1, 2, 3), False),
    (tuple[float, float], [1, 2], False), (tuple[int, ...], (), True),
    (tuple[tuple[float, ...], ...], ((1.0,), (2, "x")), False), (tuple[int, ...], (1, 0.5), False),
    (Floats, np.zeros(3), True), (Floats, np.zeros(3, np.int64), False), (Floats, [1.0], False),
    (Ints, np.zeros(2, np.int64), True), (Ints, np.zeros(2, np.int32), False),
    (Bools, np.zeros(2, np.bool_), True), (dict[int, str], {1: "a"}, True),
    (dict[int, str], {1.5: "a"}, False), (dict[int, str], {1: 2}, False), (list[int], [1, 2], True),
    (list[int], (1, 2), False), (frozenset[str], {"a"}, True), (set[int], {"a"}, False),
    (Sequence[float], [1, 2], True), (Sequence[float], "12", False), (ArrayLike, [1], True),
    (ArrayLike, 3, False), (Callable[[Any], object], 3, False), (Plane, Plane(), True),
    (Plane, None, False), (Any, None, True),
]  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A file of a run with most of what a world can carry."""
    folder = tmp_path_factory.mktemp("kinds")
    path = folder / "run.state"
    path.write_bytes(states.good(folder, "wall", "crowd"))
    return path


def nodes(tree, found):
    """The first place of each class in a state's text: what it says of its parts, by name."""
    if isinstance(tree, dict):
        for name, inside in tree.items():
            if name in VALUES or name in HOLDERS:
                found.setdefault(name, inside)
            nodes(inside, found)
    elif isinstance(tree, list):
        for each in tree:
            nodes(each, found)
    return found


def of_class(tree, kind: str) -> list:
    """All that a state's text says of things of one class."""
    if isinstance(tree, list):
        return [found for each in tree for found in of_class(each, kind)]
    if not isinstance(tree, dict):
        return []
    own = [tree[kind]] if kind in tree else []
    return own + [found for each in tree.values() for found in of_class(each, kind)]


def with_text(plain, target, text: str):
    """A copy of a state's arrays with its text: to write all of them anew takes far longer."""
    target.write_bytes(plain.read_bytes())
    with zipfile.ZipFile(target, "a") as archive, archive.open("state.npy", "w") as member:
        np.lib.format.write_array(member, np.array(text))
    return target


@pytest.mark.parametrize(("kind", "value", "fit"), FIT)
def test_kinds_as_annotations_tell_them(kind, value, fit):
    """Whole numbers are floats too; true is no number, and a text no list."""
    assert fits(kind, value) is fit


def test_every_part_of_another_kind_is_refused(saved, tmp_path):
    """A text instead of any part of any class, or a number instead of a text, names that class."""
    arrays, plain = dict(np.load(saved)), tmp_path / "plain"
    head = json.loads(str(arrays.pop("state")))
    with plain.open("wb") as file:
        np.savez(file, **arrays)
    known = nodes(head, {})
    assert len(known) > 35  # of the 60 or so that there are
    parts = {}  # one of each class and kind: three quarters of the time is saved
    for name, inside in known.items():
        says = kinds_of({**VALUES, **HOLDERS}[name])
        for part in set(inside) - {"n"}:
            parts[name, str(says.get(part, part))] = name, part, says.get(part)
    for name, part, kind in parts.values():
        right, known[name][part] = known[name][part], 7.5 if kind is str else RUBBISH
        target = with_text(plain, tmp_path / "x", json.dumps(head))
        known[name][part] = right
        with pytest.raises(sim.BadInput, match="not a state"):
            World.load(target)
    World.load(with_text(plain, tmp_path / "x", json.dumps(head))).close()


def test_every_container_says_of_what():
    """A part that is empty, or not there, in a new object says in its class what it may hold."""
    planner = Planner(Solids.of([(1, 1, 1)], (), ()), Plane((0, 0, 9, 9)), None)
    for kind, make in MAKERS.items():
        bare = {
            name for name, value in vars(make(planner)).items()
            if value is None or type(value) in (dict, list, set, tuple)
        }  # fmt: skip
        assert bare <= set(kinds_of(kind)), kind


def test_a_fraction_is_no_count():
    """A count of steps that was a fraction came to a `range`."""
    assert not alike(3, 0.5)
    assert not alike(np.zeros((0, 2)), np.zeros((3, 3)))
    assert not alike(3.0, None)


@pytest.mark.parametrize(("number", "value"), [(3, -1e12), (6, -1.0), (7, -0.5)])
def test_settings_that_the_engine_does_not_take(saved, tmp_path, number, value):
    """It does not refuse what is less than 0: for a damping of that kind it ends the process."""

    def change(values):
        values[number] = value
        return values

    name = json.loads(str(np.load(saved)["state"]))["engine"]["Engine"]["settings"]["array"]
    with pytest.raises(sim.BadInput, match="settings"):
        World.load(spoilt(saved, tmp_path / "x", **{name: change}))


def test_contacts_and_pairs_of_one_body(saved):
    """What stands still touches nothing that does, and no shape is near itself."""
    engine = read(saved).engine
    still = engine.still[:2]
    contacts = engine.contacts._replace(ends=np.array([still] * len(engine.contacts.ends)))
    assert len(contacts.ends)
    assert check_engine(engine) == ""
    assert check_engine(engine._replace(contacts=contacts)) == "its contacts"
    one, two = engine.tree.form[engine.tree.form >= 0][:2]
    shut = Tree(
        np.array([-1, one, two]), np.zeros((2, 4)), np.array([2, 0]), np.array([0, 1]),
        np.array([[one, one]]), np.zeros(1, np.int64),
    )  # fmt: skip
    assert not check_tree(shut, np.array([one, two]), engine.still)


def test_solids_that_are_nowhere(saved, tmp_path):
    """A lattice was planned on what lies at 1e20, and its kernel wrote beyond the end of it."""
    arrays = dict(np.load(saved))
    solids = of_class(json.loads(str(arrays["state"]))["parts"], "Solids")
    boxes = next(name for each in solids if len(arrays[name := each["boxes"]["array"]]))

    def change(values):
        values[0, 2] = 1e20
        return values

    with pytest.raises(sim.BadInput, match="boxes"):
        World.load(spoilt(saved, tmp_path / "x", **{boxes: change}))


@pytest.mark.parametrize("steps", [0.5, -1, "3", None])
def test_a_number_of_steps_that_is_none(saved, tmp_path, steps):
    """A run of half a step came to a `range`."""

    def change(text):
        head = json.loads(text)
        next(row for row in head["parts"]["table"] if row[0] == "steps")[1] = steps
        return json.dumps(head)

    with pytest.raises(sim.BadInput, match="its steps"):
        World.load(spoilt(saved, tmp_path / "x", text=change))


@pytest.mark.parametrize("radius", [5e-324, 1e-3, 1.0, np.nan])
def test_a_radius_that_no_hull_has(saved, tmp_path, radius):
    """A part that moves divided by the least of them."""
    arrays = dict(np.load(saved))
    rows = json.loads(str(arrays["state"]))["parts"]["table"]
    group = next(row for row in rows if row[0] == "groups")[1]["list"][0]["table"]
    name = next(row for row in group if row[0] == "_radii")[1]["array"]

    def change(values):
        assert (values == 0.8).all()
        values[0] = radius
        return values

    with pytest.raises(sim.BadInput, match="the radii of its units"):
        World.load(spoilt(saved, tmp_path / "x", **{name: change}))
