"""Units and parts come, go and change at random, against a plain model of what must be there."""

from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import sim
from sim import saving
from sim.core.errors import BadInput
from sim.living.events import Left

SIDE = 30.0
GROUPS = ("red", "blue", "box")
PLACES = st.tuples(*[st.floats(-SIDE, SIDE, allow_nan=False)] * 2)


class Living(RuleBasedStateMachine):
    """A world, and beside it the group of each unit by its id."""

    @initialize(seed=st.integers(0, 1000))
    def begin(self, seed):
        """Three groups, one of them with hulls of its own, with a wall between."""
        self.world = sim.World(seed=seed, boxes=[[-0.5, -20, 0.5, -3], [-0.5, 3, 0.5, 20]])
        self.groups = [
            self.world.add_group("red", [[-5.0, 0.0], [-5.0, 3.0]], goal=sim.Goal.to((9.0, 0.0))),
            self.world.add_group("blue", [[5.0, 0.0]], goal=sim.Goal.to((-9, 0), leave=True)),
            self.world.add_group("box", [[8.0, 8.0]], model="squares", hull=sim.Hull("box", 1, 1)),
        ]
        self.group = {0: 0, 1: 0, 2: 1, 3: 2}
        self.given = 4
        self.parts = {"door": True}
        self.saved = []
        self.world.add_solid(sim.Box(-0.5, -3, 0.5, 3), name="door")

    @rule(group=st.integers(0, 2), count=st.integers(1, 4))
    def add(self, group, count):
        """Some join a group, if there is room."""
        ids = self.groups[group].add(sim.Region(-SIDE, -SIDE, SIDE, SIDE), count=count)
        assert ids.tolist() == list(range(self.given, self.given + count))
        self.given += count
        self.group |= dict.fromkeys(ids.tolist(), group)

    @precondition(lambda self: self.group)
    @rule(data=st.data())
    def remove(self, data):
        """Some are taken out."""
        ids = data.draw(st.lists(st.sampled_from(sorted(self.group)), unique=True, max_size=3))
        self.world.remove(np.array(ids, np.int64))
        for each in ids:
            del self.group[each]

    @precondition(lambda self: self.group)
    @rule(data=st.data(), to=st.integers(0, 2))
    def regroup(self, data, to):
        """Some join another group, or have no room for its hull and all stay as they are."""
        ids = data.draw(st.lists(st.sampled_from(sorted(self.group)), unique=True, max_size=3))
        before = dict(zip(self.world.ids.tolist(), self.world.units.position.tolist(), strict=True))
        try:
            self.world.regroup(np.array(ids, np.int64), GROUPS[to])
        except BadInput:
            return
        self.group |= dict.fromkeys(ids, to)
        now = dict(zip(self.world.ids.tolist(), self.world.units.position.tolist(), strict=True))
        assert all(now[each] == before[each] for each in ids)

    @precondition(lambda self: self.group)
    @rule(data=st.data(), place=PLACES, queue=st.booleans())
    def order(self, data, place, queue):
        """Some are sent to a place, at once or later."""
        ids = data.draw(st.lists(st.sampled_from(sorted(self.group)), unique=True, max_size=4))
        chosen = self.world.select(np.array(ids, np.int64))
        chosen.go_to(place, nearest=True, queue=queue)
        if not queue:
            assert chosen.moving.all() or not len(ids)

    @precondition(lambda self: self.group)
    @rule(data=st.data())
    def stop(self, data):
        """One stops."""
        one = self.world.select([data.draw(st.sampled_from(sorted(self.group)))])
        one.stop()
        assert not one.moving.any()

    @rule(place=PLACES, name=st.sampled_from(["rock", "lift"]))
    def build(self, place, name):
        """A part is added, which moves if it is the lift; its name may be taken."""
        x, y = place
        path = [(0, 0, 0), (1, 2, 0), (2, 0, 0)] if name == "lift" else None
        if name in self.parts:
            with pytest.raises(BadInput):
                self.world.add_solid(sim.Disc(x, y, 1), name=name)
            return
        self.world.add_solid(sim.Disc(x, y, 1), name=name, path=path, loop=path is not None)
        self.parts[name] = True

    @rule(data=st.data(), act=st.sampled_from(["open", "close", "close", "remove"]))
    def change(self, data, act):
        """A part is to be closed, open, or gone."""
        if not self.parts:
            return
        name = data.draw(st.sampled_from(sorted(self.parts)))
        getattr(self.world.parts[name], act)()
        if act == "remove":
            del self.parts[name]
        else:
            self.parts[name] = act == "close"

    @rule(to_a_file=st.booleans())
    def save(self, to_a_file):
        """The world is kept as it is, one of three at most."""
        state = self.world.save()
        if to_a_file:
            with TemporaryDirectory() as folder:
                self.world.save(f"{folder}/a.state")
                state = saving.read(f"{folder}/a.state")
        model = self.group.copy(), self.given, self.parts.copy(), shown(self.world)
        self.saved = [*self.saved[-2:], (state, model)]

    @precondition(lambda self: self.saved)
    @rule(data=st.data(), anew=st.booleans())
    def load(self, data, anew):
        """All is as it was when it was kept, in this world or in another."""
        state, model = data.draw(st.sampled_from(self.saved))
        if anew:
            self.world.close()
            self.world = sim.World(**saving.made_with(state))
        self.world.load(state)
        self.groups = list(self.world.groups)
        self.group, self.given, self.parts = model[0].copy(), model[1], model[2].copy()
        assert shown(self.world) == model[3]

    def teardown(self):
        """The threads end."""
        if hasattr(self, "world"):
            self.world.close()

    @rule(steps=st.integers(1, 20))
    def step(self, steps):
        """Some steps; units that leave are told of."""
        for _ in range(steps):
            self.world.step()
            for event in self.world.events:
                if isinstance(event, Left):
                    del self.group[event.id]

    @invariant()
    def all_are_there(self):
        """Every unit has one row, in its group, a body, and a state that is finite."""
        world = self.world
        units = world.units
        here = units.present
        found = dict(zip(world.ids[here].tolist(), units.group[here].tolist(), strict=True))
        assert found == self.group
        assert np.isfinite(units.position[here]).all()
        assert world.ids_given == self.given
        assert (np.diff(units.group) >= 0).all()
        for group in self.groups:
            assert (units.group[group.rows] == group.index).all()
            assert len(group.ids) == len(group) == len(group.command)
        assert {name: part.wanted for name, part in world.parts.items()} == self.parts
        assert all(part.wanted for part in world.parts.values() if part.closed)
        closed = sum(part.closed for part in world.parts.values())
        assert len(world.space.bodies) == len(self.group) + closed
        for part in (world.orders, world.orders.patience, world.orders.narrows):
            for name, column in part.state.items():
                arrays = column if isinstance(column, tuple) else (column,)
                assert all(len(each) == len(units) for each in arrays), name


def shown(world):
    """Where all stand and how they move, bit for bit, and how the parts are."""
    units = world.units
    parts = [(p.name, p.closed, p.wanted, *p.offset) for p in world.parts.values()]
    return world.ids.tolist(), units.position.tobytes(), units.velocity.tobytes(), parts, world.time


FEW = settings(
    max_examples=3, stateful_step_count=12, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
MANY = settings(FEW, max_examples=200, stateful_step_count=50)


def test_a_few_operations():
    """A few dozen operations."""
    run_state_machine_as_test(Living, settings=FEW)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_ten_thousand_operations():
    """Two hundred runs of fifty operations."""
    run_state_machine_as_test(Living, settings=MANY)
