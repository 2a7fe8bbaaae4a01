"""What is set of a world, a group, a part: refused at once unless it is there to be set, and fits.

Most of these were taken without a word. A step ended in a traceback later, or the run went on as if
nothing had been said.
"""

import copy
import pickle

import numpy as np
import pytest

import sim
from sim.core.errors import BadInput, ReadOnly
from sim.living.sources import Source
from sim.world import World

NUMBERS = (None, "x", np.nan, np.inf, -1.0, 0.0, 1e300, [1.0], True)
THINGS = (None, 3, "x", [], np.zeros(3))
CHECKED = {
    "group.goal": (3, "x", [], (1, 2)),
    "group.view": (None, 3, "far", []),
    "group.view_angle": NUMBERS,
    "group.view_radius": NUMBERS[:-1],
    "group.speed": (*NUMBERS[:7], [1.0], {}),
    "group.color": (None, 3, "", "a\nb", "blurple", "#12345", "0x102030"),
    "group.script": (3, "x", [[1, 2]], [[np.nan, 0, 0, 0]]),
    "group.controls": ("x", -1, 2, np.nan, [[0, 0]]),
    "group.schedule": (3, "x", [3], [("now", (1, 2))]),
    "group.helm": THINGS,
    "part.velocity": (None, 3, "x", (1,), (np.nan, 0), (1e300, 0)),
    "agenda.events": (None, 3, [3]),
    "agenda.sources": (None, 3, [3]),
}
"""By attribute: what it cannot be set to."""
READ_ONLY = {
    "world": "seed time_step plane map groups agenda space solids fixed_solids parts pieces areas "
    "feelers queries contacts units orders ids ids_given steps time substeps events roster site "
    "looking step steer add_group group regroup rng close add_solid add_area remove_area see path "
    "at percepts remove select save load show",
    "group": "name index model hull ids position velocity heading moving arrived stuck leads "
    "forces speeds radii active winner settings muted add remove go_to configure switch "
    "parameter rows terms figures command acting sent part_kinds kinds note cut_off say",
    "part": "name shape path loop closed wanted removed note clock offset solids moves body close "
    "open remove",
    "source": "group spawn rate poisson times start end total heading entered due follow",
    "selection": "ids go_to order stop",
}
"""By object: what cannot be set at all."""


@pytest.fixture
def objects():
    """A world in which something goes on, and what it has handed out."""
    world = World(bounds=(0, 0, 20, 20), edges="wall")
    group = world.add_group("east", [(3, 3), (5, 5)], goal=sim.Goal.to((15, 15)))
    part = world.add_solid(sim.Box(9, 9, 11, 11), name="gate")
    source = Source("east", sim.Region(1, 1, 9, 9), times=(5.0,))
    world.agenda.sources.append(source)
    world.step()
    return {
        "world": world, "group": group, "part": part, "source": source, "agenda": world.agenda,
        "selection": world.select(world.ids),
    }  # fmt: skip


@pytest.mark.parametrize("where", CHECKED)
def test_what_does_not_fit_is_refused(objects, where):
    """With the name of the attribute; the world goes on as it was."""
    kind, name = where.split(".")
    for value in CHECKED[where]:
        before = getattr(objects[kind], name)
        with pytest.raises(BadInput, match=name.split("_")[0]):
            setattr(objects[kind], name, value)
        assert np.array_equal(getattr(objects[kind], name), before)
    objects["world"].step()


@pytest.mark.parametrize("kind", READ_ONLY)
def test_what_is_not_there_to_be_set(objects, kind):
    """Neither what is shown nor what can be done: an attribute of that name would hide it."""
    for name in READ_ONLY[kind].split():
        with pytest.raises(ReadOnly, match=f"{name} cannot be set"):
            setattr(objects[kind], name, 3)
    objects["world"].step()


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found["group"].settings.update(arrive=3),
        lambda found: found["group"].settings["arrive"].parameters.clear(),
        lambda found: found["group"].settings["arrive"].drawn.update(weight=3),
        lambda found: found["group"].terms.clear(),
        lambda found: found["group"].figures.clear(),
        lambda found: found["group"].muted.add("pursuit"),
        lambda found: found["group"].schedule.append(3),
        lambda found: found["group"].active.clear(),
        lambda found: found["group"].ranked[0].clear(),
        lambda found: found["group"].changed_by.clear(),
        lambda found: found["world"].parts.clear(),
        lambda found: found["agenda"].events.append(3),
        lambda found: found["world"].groups.append(3),
        lambda found: found["world"].areas.append(3),
        lambda found: found["agenda"].sources.append(3),
        lambda found: found["agenda"].sources.extend([3]),
        lambda found: found["agenda"].sources.insert(0, 3),
        lambda found: found["agenda"].sources.__setitem__(0, 3),
        lambda found: found["agenda"].sources.__iadd__([3]),
        lambda found: found["agenda"].sources.__imul__(2_000),
    ],
)
def test_what_holds_many_cannot_be_changed_from_within(objects, change):
    """Tables and lists are shown, not handed out; what goes into a list of sources is looked at.

    `agenda.sources.append(3)` ended in a traceback a step later, a change of `settings` in none.
    """
    group, agenda = objects["group"], objects["agenda"]
    before = dict(group.settings), group.ranked, group.active, agenda.events, list(agenda.sources)
    with pytest.raises((AttributeError, TypeError, BadInput)):
        change(objects)
    after = dict(group.settings), group.ranked, group.active, agenda.events, list(agenda.sources)
    assert before == after
    objects["world"].step()


def test_sources_are_put_in_and_taken_out_as_in_any_list(objects, monkeypatch):
    """One by one, several, in place of others; never more than there may be."""
    agenda = objects["agenda"]
    (old,), new = agenda.sources, Source("east", sim.Region(1, 1, 9, 9), rate=1.0)
    agenda.sources += [new]
    agenda.sources.insert(1, old)
    assert agenda.sources == [old, old, new]
    agenda.sources[0:2] = [new]
    assert agenda.sources == [new, new]
    agenda.sources = [old]
    assert agenda.sources == [old]
    monkeypatch.setattr("sim.living.agenda.MOST_SOURCES", 1)
    with pytest.raises(BadInput, match="must be at most 1"):
        agenda.sources.append(new)
    agenda.sources[0] = new
    assert agenda.sources == [new]


def test_copies_of_a_list_of_sources_are_lists(objects):
    """They were an `AttributeError`: what is put in was looked at before there was a list."""
    sources = objects["agenda"].sources
    for copied in (copy.copy(sources), copy.deepcopy(sources), pickle.loads(pickle.dumps(sources))):
        assert type(copied) is list
        assert copied == sources


def test_what_is_set_is_a_copy(objects):
    """A list that is given and changed later does not change the group behind its back."""
    mine = [(99.0, (1, 2))]
    objects["group"].schedule = mine
    mine.clear()
    assert objects["group"].schedule == ((99.0, (1, 2)),)


def test_families_are_muted_by_the_method_that_looks_at_them(objects):
    """A set of them was taken, with any text in it, and the rules were asked as before."""
    group = objects["group"]
    with pytest.raises(BadInput, match="muted cannot be set: use switch"):
        group.muted = {"nonsense"}
    group.switch("pursuit", on=False)
    assert group.muted == {"pursuit"}


def test_it_says_what_changes_it():
    """A refusal leads on: a part is closed by `close`."""
    part = World().add_solid(sim.Box(9, 9, 11, 11))
    with pytest.raises(AttributeError, match="closed cannot be set: use close and open"):
        part.closed = False


def test_every_public_name_is_looked_at(objects):
    """An attribute that comes later stands in one of the tables, or is no one's to set."""
    for kind in ("world", "group", "part"):
        checked = {name.split(".")[1] for name in CHECKED if name.startswith(f"{kind}.")}
        shown = {n for n in vars(objects[kind]) if not n.startswith("_")}
        assert shown <= checked | set(READ_ONLY[kind].split()), kind


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("group", "sped", "did you mean 'speed'"),
        ("world", "score", "no such attribute"),
        ("part", "velocit", "did you mean 'velocity'"),
        ("source", "rat", "no such attribute"),
        ("agenda", "event", "did you mean 'events'"),
        ("selection", "goal", "use order"),
    ],
)
def test_what_is_not_there_is_refused(objects, kind: str, name: str, said: str):
    """A typing mistake is told at once: it would do nothing."""
    with pytest.raises(ReadOnly, match=said):
        setattr(objects[kind], name, sim.Goal.to((3, 4)))


def test_a_class_of_ones_own_has_attributes_of_its_own():
    """A game may keep its score in its world, and step it in its own way."""

    class Game(World):
        def __init__(self) -> None:
            super().__init__()
            self.score = 0

        def step(self) -> None:
            super().step()
            self.score += 1

    game = Game()
    game.step()
    assert (game.score, game.steps) == (1, 1)
