"""Files of states: refused with a message, whatever is wrong with them, before a step is taken."""

import json
import re
import zipfile

import numpy as np
import pytest

import sim
from sim.saving import made_with, read
from sim.saving.order_checks import check_orders
from sim.world import World
from tests.saving.test_states import crowd, digest, forward


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """A file with a crowd in a hall with a pillar, of which some still wait for their ways."""
    path = tmp_path_factory.mktemp("states") / "run.state"
    world = crowd(discs=[(15, 13, 1)])
    forward(world, 4).save(path, about={"title": "Hall"})
    return path


def spoilt(state, target, **changes):
    """A copy with other arrays, or with changes to its text."""
    arrays = dict(np.load(state))
    for name, change in changes.items():
        if name == "text":
            arrays["state"] = np.array(change(str(arrays["state"])))
        else:
            arrays[name] = change(arrays[name])
    with target.open("wb") as file:
        np.savez(file, **arrays)
    return target


def beyond(values):
    """The same shape and kind, of the largest number there is."""
    kind = values.dtype.kind
    most = True if kind == "b" else 1e300 if kind == "f" else np.iinfo(values.dtype).max
    return np.full_like(values, most)


def test_told_with_it(state):
    """What whoever saved it said of it comes back, and what its world is made with."""
    found = read(state)
    assert found.about == {"title": "Hall"}
    assert made_with(found)["bounds"] == (0, 0, 30, 20)
    assert found.time == pytest.approx(4 / 60)


def test_same_state_same_bytes(state, tmp_path):
    """Two files of one state are the same."""
    world = World.load(state)
    one = world.save(tmp_path / "a"), world.save(tmp_path / "b")
    assert one[0].time == one[1].time
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_no_pickle(state):
    """Only plain arrays and texts are in a file."""
    with zipfile.ZipFile(state) as archive:
        assert all(name.endswith(".npy") for name in archive.namelist())
    with np.load(state, allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays} <= set("biufU")
        head = json.loads(str(arrays["state"]))
    assert (head["format"], head["version"]) == ("sim state", 15)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_truncated(state, tmp_path, share: float):
    """A file that was cut short is refused."""
    data = state.read_bytes()
    target = tmp_path / "cut.state"
    target.write_bytes(data[: int(share * len(data))])
    with pytest.raises(sim.BadInput, match=r"cut\.state: not a state that can be loaded"):
        read(target)


def test_of_the_future(state, tmp_path):
    """A version that is not known is named, and the one that is."""
    later = spoilt(
        state, tmp_path / "x", text=lambda t: t.replace('"version": 15', '"version": 16')
    )
    with pytest.raises(sim.BadInput, match="is of version 16: must be 15"):
        read(later)


def test_something_else(tmp_path):
    """Recordings, folders and nothing at all are no states."""
    np.savez(tmp_path / "other.npz", time=np.zeros(3))
    for path in (tmp_path / "other.npz", tmp_path, tmp_path / "missing"):
        with pytest.raises(sim.BadInput, match=str(path)):
            read(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Party"', '"Popen"'), ('"table"', '"array"'), ('"again": ', '"again": 9'),
        ('"radius"', '"mass"'), ('"keep_clear"', '"eval"'),
    ],
)  # fmt: skip
def test_other_names(state, tmp_path, old: str, new: str):
    """Classes, rules and parts that no state has are refused."""
    target = spoilt(state, tmp_path / "x", text=lambda text: text.replace(old, new))
    with pytest.raises(sim.BadInput, match="not a state that can be loaded"):
        read(target)


@pytest.mark.slow
def test_every_array_spoilt(state, tmp_path):
    """Whatever array is too short, of another kind, or beyond all bounds: refused, or harmless."""
    refused = 0
    for name in [name for name in np.load(state) if name != "state"]:
        for change in (lambda a: a[:-1], lambda a: a.astype(np.float32), beyond):
            target = spoilt(state, tmp_path / "x", **{name: change})
            try:
                world = World.load(target)
            except sim.BadInput:
                refused += 1
            else:
                assert len(world.units) == 60
    assert refused > 60


def test_hostile_rows(state, tmp_path):
    """Rows that lead beyond the end of an array never reach compiled code."""
    for name, values in dict(np.load(state)).items():
        if name == "state" or values.dtype != np.int64 or not values.size:
            continue
        for value in (-(1 << 40), 1 << 40):

            def change(array, value=value):
                array.reshape(-1)[-1] = value
                return array

            try:
                world = World.load(spoilt(state, tmp_path / "x", **{name: change}))
            except (sim.BadInput, sim.Diverged):
                continue
            forward(world, 2)


@pytest.mark.parametrize(("name", "value"), [("at", 0), ("lapped", True), ("places", np.inf)])
def test_stops_of_others_and_places_that_are_none(state, tmp_path, name, value):
    """A unit bound for another's stop, a way back of a route without one, a place nowhere."""
    party = json.loads(str(np.load(state)["state"]))
    (array,) = {each["array"] for each in found_in(party, name)} & set(np.load(state))

    def change(values):
        values[...] = value
        return values

    with pytest.raises(sim.BadInput, match="party"):
        World.load(spoilt(state, tmp_path / "x", **{array: change}))


def test_a_leg_beyond_the_stops_of_a_party():
    """A unit that has been to two stops, of which the party's own list gives it one.

    It read the stop of the unit behind, and of the last unit what lies behind all stops.
    """
    world = World(discs=[(15, 13, 1)])
    goal = sim.Goal.along([(5, 5), (25, 5), (25, 20)])
    world.add_group("a", [(0, 0), (0, 3)], goal=goal)
    forward(world, 2)
    orders = world.roster.orders
    party = orders.guide.parties[0]
    orders.leg[0], party.at[0] = 2, 0
    check_orders(orders, 2, 1)
    party.first[1] = 1
    with pytest.raises(ValueError, match=r"party\.first"):
        check_orders(orders, 2, 1)


@pytest.mark.parametrize("name", ["of", "sought"])
def test_opponents_of_some_units_alone(name):
    """All units have an opponent or none.

    With fewer rows than units the next unit that came ended the run with a traceback.
    """
    world = World()
    world.add_group("a", [(0, 0), (0, 3)])
    orders = world.roster.orders
    check_orders(orders, 2, 1)
    setattr(orders.opponents, name, np.full(1, -1))
    with pytest.raises(ValueError, match=f"opponents.{name}"):
        check_orders(orders, 2, 1)


def found_in(tree, name: str) -> list:
    """All arrays of that name, of parties, that a state's text tells of."""
    if isinstance(tree, list):
        return [found for each in tree for found in found_in(each, name)]
    if not isinstance(tree, dict):
        return []
    own = [tree["Party"][name]] if "Party" in tree else []
    return own + [found for each in tree.values() for found in found_in(each, name)]


def test_a_file_is_as_good_as_memory(state):
    """What comes from a file goes on as what was never saved."""
    world = forward(crowd(discs=[(15, 13, 1)]), 4)
    assert digest(forward(World.load(state), 20)) == digest(forward(world, 20))


def test_whole_numbers_that_kernels_do_not_take(state, tmp_path):
    """They came to a step, which ended in an error of the compiler."""

    def change(text):
        changed = re.sub(r'("turning": )[0-9.e+-]+', rf"\g<1>{10**30}", text)
        assert changed != text
        return changed

    with pytest.raises(sim.BadInput, match=r"1e\+30: a whole number beyond"):
        World.load(spoilt(state, tmp_path / "x", text=change))


@pytest.mark.parametrize(("part", "value"), [("shape", 40), ("factor", -1), ("radius", 1e20)])
def test_views_that_there_are_not(state, tmp_path, part, value):
    """A shape that no view has came to a step, which ended in a `KeyError`."""

    def change(text):
        view = re.search(r'"View": \{.*?\}', text)[0]
        changed = text.replace(view, re.sub(rf'("{part}": )[0-9.e+-]+', rf"\g<1>{value}", view))
        assert changed != text
        return changed

    with pytest.raises(sim.BadInput, match=f"view.{part} = "):
        World.load(spoilt(state, tmp_path / "x", text=change))


def test_two_groups_of_one_name(tmp_path):
    """A name leads to one group: a state in which it would lead to two is refused."""
    world = sim.World()
    for name in ("bees", "crows"):
        world.add_group(name, [(len(name), 0)])
    world.save(tmp_path / "s")
    renamed = {"text": lambda text: text.replace('"crows"', '"bees"')}
    with pytest.raises(sim.BadInput, match="the names of its groups: cannot be what a world has"):
        read(spoilt(tmp_path / "s", tmp_path / "x", **renamed))
