"""Planning beside the simulation."""

import threading
import time

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.shapes import Box
from sim.core.solids import Solids
from sim.navigation import Planner, plan
from sim.navigation.tickets import Worker
from sim.orders import Goal
from sim.world import World

from .making import rooms, tile_map

GROUND = Solids.of([], [[-1, -5, 1, 5]], [])


def planner(**more):
    """Round one box."""
    return Planner(GROUND, Plane(), **more)


def test_a_request_takes_effect_at_its_step():
    """Not before, though it may be ready; then once, with what planning at once gives."""
    some = planner(delay=4)
    ticket = some.ask_paths(10, [(-5, 0), (-5, 1)], (5, 0), 0.5)
    ticket.result()
    assert [some.due(step) for step in (11, 12, 13)] == [[], [], []]
    assert some.due(14) == [ticket]
    assert some.due(15) == []
    known = [plan(some.grid(0.5), (-5, y), (5, 0)) for y in (0, 1)]
    for path, other in zip(ticket.result(), known, strict=True):
        assert np.array_equal(path.points, other.points)


def test_what_is_not_ready_is_waited_for(monkeypatch):
    """However long a thread takes, the step is the same."""
    from sim.navigation import chart as module

    def slow(*given):
        time.sleep(0.2)
        return plan(*given)

    monkeypatch.setattr(module, "plan", slow)
    some = planner(delay=1)
    ticket = some.ask_paths(0, [(-5, 0)], (5, 0), 0.5)
    assert some.due(1) == [ticket]
    assert ticket.future.done()


def test_tickets_come_in_the_order_asked_for():
    """Also when several are due, whichever was done first."""
    some = planner(delay=2)
    tickets = [some.ask_flow(step, (5, step), 0.5) for step in (0, 0, 1)]
    assert some.due(3) == tickets
    assert [ticket.order for ticket in tickets] == [1, 2, 3]


def test_one_field_a_destination():
    """The same destination for the same hull is planned once; others are others."""
    some = planner()
    one = some.ask_flow(0, (5, 0), 0.5).result()
    assert some.ask_flow(7, (5.0, 0.0), 0.5).result() is one
    assert some.ask_flow(7, [(5, 0)], 0.5).result() is one
    assert some.ask_flow(7, (5, 0), 0.6).result() is not one
    assert some.ask_flow(7, (5, 1), 0.5).result() is not one
    assert some.grid(0.5) is some.grid(0.5) is one.grid


def test_many_threads_ask_for_one_thing(monkeypatch):
    """It is made once, and everybody waits for it."""
    from sim.navigation import chart as module

    made = []
    real = module.planning_grid

    def counted(*given):
        made.append(1)
        time.sleep(0.05)
        return real(*given)

    monkeypatch.setattr(module, "planning_grid", counted)
    some = planner()
    threads = [threading.Thread(target=some.grid, args=(0.7,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_the_same_plans_every_time():
    """Bit for bit, on a map of many rooms."""
    tiles = tile_map(["".join("#" if each else "." for each in row) for row in rooms(40, 8, 2)])
    ground, plane = Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall")

    def everything():
        some = Planner(ground, plane, tiles, delay=3)
        a = some.ask_paths(0, [(1.5, 1.5), (20.5, 9.5)], [(33.5, 34.5), (1.5, 30.5)], 0.4)
        b = some.ask_flow(0, (1, 1, 4, 4), 0.3)
        some.due(3)
        return [path.points.tobytes() for path in a.result()] + [b.result().distance.tobytes()]

    assert everything() == everything()


def test_nothing_is_begun_while_a_step_is_taken():
    """What is asked for then begins when the step is over, all in the order asked for."""
    some, begun = planner(delay=4), []
    some.worker.hold()
    tickets = [some._ask(0, lambda _, k=k: begun.append(k)) for k in range(3)]
    assert not any(ticket.future.running() or ticket.future.done() for ticket in tickets)
    some.withdraw(tickets[1].order)
    some.worker.let_go()
    tickets[2].result()
    assert begun == [0, 2]
    assert tickets[1].future.cancelled()


def test_what_is_due_amid_a_step_is_begun_and_waited_for():
    """A step that needs what was asked for in it does not wait without end."""
    some = planner(delay=1)
    some.worker.hold()
    ticket = some.ask_flow(0, (5, 0), 0.5)
    assert some.due(1) == [ticket]
    assert ticket.future.done()


def test_a_planner_that_is_closed_amid_a_step_plans_anew_what_is_due():
    """What was held back is given up, and asked for again when it is wanted."""
    some = planner(delay=2)
    some.worker.hold()
    ticket = some.ask_flow(0, (5, 0), 0.5)
    some.close()
    assert ticket.future.cancelled()
    assert some.due(2) == [ticket]
    assert ticket.result().distance.size


def test_a_world_plans_between_its_steps(monkeypatch):
    """A door that closes: planning begins when the step that asked for it has ended, or failed."""
    world = World(bounds=(0, 0, 20, 20), edges="wall", boxes=[(9, 0, 10, 8), (9, 12, 10, 20)])
    world.add_group("a", [(3, 10)], goal=Goal.to((17, 10)))
    door, amid = world.add_solid(Box(9, 8, 10, 12), open=True), []
    for _ in range(8):
        world.step()
    begin = Worker.begin
    monkeypatch.setattr(Worker, "begin", lambda self: (amid.append(self._held), begin(self))[1])
    door.close()
    world.step()
    assert amid == [False]

    def fails(*_):
        raise BadInput("no")

    door.open()
    monkeypatch.setattr(world, "_behave", fails)
    with pytest.raises(BadInput, match="no"):
        world.step()
    assert amid == [False, False]


def test_requests_that_cannot_be_met():
    """What is no destination is refused when asked for; no way is a result and not an error."""
    some = planner()
    with pytest.raises(BadInput, match="destination"):
        some.ask_flow(0, (1, 2, 3), 0.5)
    with pytest.raises(BadInput, match="delay = 0: must be 1 step or more"):
        planner(delay=0)
    (path,) = some.ask_paths(0, [(-5, 0)], (0, 0), 0.5).result()
    assert (path.found, path.reason) == (False, "(0, 0) lies inside a solid")
