"""Units come, go, change group and are ordered at random, against a plain model of who is there."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import sim
from sim.core.errors import BadInput
from sim.living.events import Left

pytestmark = pytest.mark.slow
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

    @rule(steps=st.integers(1, 20))
    def step(self, steps):
        """Some steps; those that leave are told of."""
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
        assert len(world.space.bodies) == len(self.group)
        for part in (world.orders, world.orders.patience, world.orders.narrows):
            for name, column in part.state.items():
                arrays = column if isinstance(column, tuple) else (column,)
                assert all(len(each) == len(units) for each in arrays), name


Living.TestCase.settings = settings(
    max_examples=4,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
TestLiving = Living.TestCase
