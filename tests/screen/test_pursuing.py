"""Units are ordered by the mouse to pursue others, through real events."""

import numpy as np
import pygame
import pytest

import sim
from sim.scenario.build import build
from sim.scenario.load import load

from .test_building import document, draw, run, spot, state
from .test_building import ground as ground
from .test_selecting import BLUE, bound, chord, chosen, drag
from .test_selecting import field as field
from .test_undone_orders import drag_over
from .worlds import FRAME, click, tap

CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT


def order(window, place, mods=pygame.KMOD_NONE):
    """A right click at a place, with some keys held."""
    pygame.key.set_mods(mods)
    click(window, spot(window, place), button=3)
    pygame.key.set_mods(pygame.KMOD_NONE)


def drawn_armies(window):
    """Two groups are drawn before the start, a few units left and right; no tool is chosen."""
    draw(window, "units", (4, 4), (10, 12))
    draw(window, "units", (40, 26), (46, 34))
    tap(window, pygame.K_b)
    return (window.world.ids[group.rows] for group in window.world.groups)


def goals(window):
    """The goals of both groups in the file, and its events."""
    left, right = (table.get("goal") for table in document(window)["groups"])
    return left, right, document(window).get("events", [])


@pytest.mark.parametrize(("mods", "kind"), [(pygame.KMOD_NONE, "chase"), (CTRL, "follow")])
def test_a_click_on_a_unit_of_another_group_is_a_pursuit(field, mods, kind):
    """Those selected come near it, and lines lead there; the third of them stays where it is."""
    drag(field, (15, 10), (35, 30))
    order(field, BLUE[1], mods)
    assert field.notice == f"{kind} blue"
    assert [bound(field, k) for k in range(3)] == [[[20, 60]], [[20, 60]], []]
    assert field.world.group("red").kinds == {kind, "go"}
    for _ in range(60 * 40):
        field.world.step()
    red = field.world.group("red").position
    away = np.hypot(*(red[:, None] - np.array(BLUE)).transpose(2, 0, 1)).min(axis=1)
    assert (away[:2] < 17).all()  # 40 at first; at rest 16 behind, or beside it
    assert red[2].tolist() == [40, 20]


def test_ctrl_counts_as_it_was_at_the_click(field, monkeypatch):
    """Ctrl that comes up after a click, before the next picture, has been down all the same."""
    click(field, spot(field, (20, 20)))
    now = [pygame.KMOD_NONE]  # as pygame tells of keys: after all that has happened
    monkeypatch.setattr(pygame.key, "get_mods", lambda: now[0])
    monkeypatch.setattr(pygame.key, "set_mods", lambda mods: now.__setitem__(0, mods))
    at = {"button": 3, "pos": tuple(spot(field, BLUE[0]).round().astype(int).tolist())}
    for kind, told in (
        (pygame.KEYDOWN, {"key": pygame.K_LCTRL, "mod": CTRL}), (pygame.MOUSEBUTTONDOWN, at),
        (pygame.MOUSEBUTTONUP, at), (pygame.KEYUP, {"key": pygame.K_LCTRL, "mod": 0}),
    ):  # fmt: skip
        pygame.event.post(pygame.event.Event(kind, **told))
    field.frame(FRAME)
    assert field.world.group("red").kinds == {"follow", "go"}


def test_a_click_beside_units_or_on_one_of_a_selected_group_is_a_place(field):
    """A group cannot be after itself, so where some of it are selected all go to the place."""
    drag(field, (15, 10), (25, 70))
    assert chosen(field) == [0, 3]
    order(field, BLUE[1])
    assert [bound(field, k) for k in (0, 3)] == [[[40, 60]]] * 2
    click(field, spot(field, (20, 20)))
    scale = field.picture.camera.scale
    order(field, (40, 60 + 16 / scale))  # pixels; up to 12 beside it mean the unit
    assert "go" in field.world.group("red").kinds


def test_shift_queues_a_pursuit_and_what_comes_after_one(field):
    """To a place, then after the others, then to a place when these are gone."""
    click(field, spot(field, (20, 20)))
    order(field, (60, 20))
    order(field, BLUE[0], SHIFT)
    order(field, (80, 80), SHIFT)
    assert bound(field, 0) == [[60, 20], [40, 60], [80, 80]]  # 40: nearest to the place before
    order(field, BLUE[0])
    assert bound(field, 0) == [[20, 60]]


@pytest.mark.parametrize("whole", [True, False])
def test_a_pursuit_is_undone_and_done_again(field, whole):
    """Of a part and of a whole group: each is bound for what it was before, then chases again."""
    drag(field, (15, 10), (45 if whole else 35, 30))
    order(field, (60, 20))
    order(field, BLUE[0])
    order(field, (80, 80), SHIFT)
    after = [bound(field, k) for k in range(3)]
    assert after == [[[20, 60], [80, 80]]] * 2 + [[[40, 60], [80, 80]] if whole else []]
    chord(field, pygame.K_z)
    assert bound(field, 0) == [[20, 60]]
    chord(field, pygame.K_z)
    assert bound(field, 0) == [[60, 20]]
    chord(field, pygame.K_y)
    chord(field, pygame.K_y)
    assert [bound(field, k) for k in range(3)] == after


def test_a_pursuit_that_a_model_cannot_do_is_said(field):
    """A player's craft chases nothing: the window says so and goes on."""
    field.world.add_group("mine", [(70.0, 20.0)], model="player")
    click(field, spot(field, (70, 20)))
    order(field, BLUE[0])
    assert "goal.chase: model 'player' cannot do that" in field.notice
    assert field.frame(FRAME)


def test_back_before_a_pursuit_there_is_none(ground):
    """It goes with the time; given again there, the run is the same, bit for bit."""
    left, right = drawn_armies(ground)
    run(ground, 60)

    def chase():
        ground.controls.hand.squad.take(left[:2])
        order(ground, ground.world.select(right).position[0])
        assert ground.world.groups[0].kinds == {"chase", "go"}
        run(ground, 70)
        return state(ground.world)

    then = chase()
    ground.controls.act("back")
    assert ground.world.steps == 60
    assert ground.world.groups[0].kinds == frozenset()
    assert chase() == then


def test_a_pursuit_before_the_start_is_the_scenarios(ground):
    """Of a group that is selected whole: it is in the file, undone it is not."""
    left, right = drawn_armies(ground)
    drag_over(ground, (1, 1), (20, 20))
    assert chosen(ground) == left.tolist()
    order(ground, ground.world.select(right).position[0])
    assert goals(ground) == ({"chase": "units 1"}, None, [])
    order(ground, ground.world.select(right).position[0], CTRL)
    assert goals(ground) == ({"follow": "units 1"}, None, [])
    chord(ground, pygame.K_z)
    chord(ground, pygame.K_z)
    assert goals(ground) == (None, None, [])


def test_what_is_queued_before_the_start_is_an_event_of_it(ground):
    """What no goal says by itself; lines show it. An order without Shift forgets it."""
    left, right = drawn_armies(ground)
    drag_over(ground, (1, 1), (20, 20))
    order(ground, (30, 5))
    order(ground, ground.world.select(right).position[0], SHIFT)
    order(ground, (5, 35), SHIFT)
    last = {"point": pytest.approx([5, 35], abs=0.1)}
    queued = [
        {"at": 0.0, "order": "units", "goal": goal, "queue": True}
        for goal in ({"chase": "units 1"}, last)
    ]
    first = {"point": pytest.approx([30, 5], abs=0.1)}
    assert goals(ground) == (first, None, queued)
    places = bound(ground, int(left[0]))
    assert [places[0], places[2]] == [[30, 5], [5, 35]]
    assert np.hypot(*(ground.world.select(right).position - places[1]).T).min() < 1
    chord(ground, pygame.K_z)
    assert goals(ground) == (first, None, queued[:1])
    chord(ground, pygame.K_y)
    order(ground, (50, 5))
    assert goals(ground) == ({"point": pytest.approx([50, 5], abs=0.1)}, None, [])
    chord(ground, pygame.K_z)
    assert goals(ground) == (first, None, queued)


def test_a_saved_pursuit_runs_the_same(ground, cli):
    """What Ctrl S writes runs from the start as the window does, bit for bit: it takes up all."""
    _, right = drawn_armies(ground)
    drag_over(ground, (1, 1), (20, 20))
    order(ground, (14, 8))
    order(ground, ground.world.select(right).position[0], SHIFT)
    drag_over(ground, (35, 20), (55, 39))
    order(ground, (55, 5))
    chord(ground, pygame.K_s)
    assert ground.notice == "wrote ground-1.toml"
    assert cli("check", "ground-1.toml").status == 0
    world = build(load("ground-1.toml"))
    run(ground, 600)
    for _ in range(600):
        world.step()
    assert world.orders.pursuits.going_on(world.groups, world.units)[: len(world.groups[0])].any()
    assert state(world) == state(ground.world)


def test_a_group_that_is_pursued_may_be_taken_out_before_the_start(ground):
    """It stays in the file without units: the order of the others speaks of it."""
    _, right = drawn_armies(ground)
    drag_over(ground, (1, 1), (20, 20))
    order(ground, ground.world.select(right).position[0])
    drag_over(ground, (35, 20), (55, 39))
    tap(ground, pygame.K_DELETE)
    assert [len(group) > 0 for group in ground.world.groups] == [True, False]
    assert document(ground)["groups"][1]["count"] == 0
    assert goals(ground)[0] == {"chase": "units 1"}
    run(ground, 5)
    assert isinstance(ground.world, sim.World)
