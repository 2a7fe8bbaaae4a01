"""Orders given by the mouse are taken back and given again, through real events."""

import pygame

import sim

from .test_building import draw, run, spot
from .test_building import ground as ground
from .test_selecting import bound, chord, drag
from .test_selecting import field as field
from .worlds import click


def test_an_order_is_undone_and_given_again(field):
    """Each unit is bound for what it was before: another place, or none."""
    drag(field, (15, 10), (35, 70))
    click(field, spot_of(field, (70, 40)), button=3)
    drag(field, (15, 10), (25, 30))
    click(field, spot_of(field, (70, 90)), button=3)
    assert [bound(field, k) for k in range(5)] == [[[70, 90]], [[70, 40]], [], [[70, 40]], []]
    chord(field, pygame.K_z)
    assert field.notice == "undone"
    assert [bound(field, k) for k in range(5)] == [[[70, 40]], [[70, 40]], [], [[70, 40]], []]
    chord(field, pygame.K_z)
    assert [bound(field, k) for k in range(5)] == [[]] * 5
    chord(field, pygame.K_z)
    assert field.notice == "there is nothing to undo"
    chord(field, pygame.K_y)
    assert field.notice == "done again"
    assert [bound(field, k) for k in range(5)] == [[[70, 40]], [[70, 40]], [], [[70, 40]], []]


def spot_of(window, place):
    """The pixel of a place of the world."""
    return window.picture.camera.to_screen(place)


def test_a_queued_order_is_taken_from_the_end(field):
    """The one before it stays."""
    drag(field, (15, 10), (35, 70))
    click(field, spot_of(field, (70, 40)), button=3)
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    click(field, spot_of(field, (70, 80)), button=3)
    pygame.key.set_mods(pygame.KMOD_NONE)
    assert bound(field, 0) == [[70, 40], [70, 80]]
    chord(field, pygame.K_z)
    assert bound(field, 0) == [[70, 40]]
    chord(field, pygame.K_y)
    assert bound(field, 0) == [[70, 40], [70, 80]]


def test_orders_and_what_is_built_are_undone_in_their_order(ground):
    """While it runs: an order, a wall and units; after all of it is undone, none is left."""
    draw(ground, "units", (2, 5), (12, 35))
    ground.controls.act("build")
    run(ground, 5)
    world, count = ground.world, len(ground.world.ids)
    drag_over(ground, (1, 1), (30, 39))
    assert len(ground.scene.squad.ids) == count
    click(ground, spot(ground, (50, 20)), button=3)
    assert world.orders.minds.moving.all()
    ground.controls.act("build")
    draw(ground, "box", (30, 2), (32, 17))
    draw(ground, "units", (40, 25), (50, 35))
    more = len(world.ids)
    assert more > count
    for units, boxes, moving in ((count, 1, True), (count, 0, True), (count, 0, False)):
        chord(ground, pygame.K_z)
        assert ground.world is world
        assert (len(world.ids), len(world.solids.boxes)) == (units, boxes)
        assert world.orders.minds.moving.any() == moving
    for _ in range(3):
        chord(ground, pygame.K_y)
    assert (len(world.ids), len(world.solids.boxes)) == (more, 1)
    assert world.orders.minds.moving[:count].all()


def drag_over(window, start, end):
    """The left button draws a box between two places of the world."""
    from .worlds import mouse

    a, b = spot(window, start), spot(window, end)
    mouse(window, ("move", a), ("down", a), ("move", (a + b) / 2), ("move", b), ("up", b))


def test_an_order_to_a_group_that_chases_is_undone(field):
    """The whole group takes up its chase again."""
    field.world.group("red").goal = sim.Goal("chase", "blue")
    drag(field, (15, 10), (45, 30))
    click(field, spot_of(field, (70, 40)), button=3)
    assert field.world.group("red").goal.kind == "go"
    chord(field, pygame.K_z)
    assert field.world.group("red").goal == sim.Goal("chase", "blue")


def test_what_was_scheduled_lapses_by_a_click_that_sends_and_holds_again_when_it_is_undone(field):
    """Done again it lapses again; what was due meanwhile is done as soon as it holds again."""
    world = field.world
    red, late = world.group("red"), (0.1, (70.0, 90.0))
    field.controls.hand.sends = world.groups
    red.schedule = [late, (50.0, (10.0, 90.0))]
    click(field, spot_of(field, (70, 40)))
    assert not red.schedule
    assert bound(field, 0) == [[70, 40]]
    chord(field, pygame.K_z)
    assert red.schedule == (late, (50.0, (10.0, 90.0)))
    assert bound(field, 0) == []
    chord(field, pygame.K_y)
    assert not red.schedule
    for _ in range(12):
        world.step()
    assert bound(field, 0) == [[70, 40]]
    chord(field, pygame.K_z)
    world.step()
    assert bound(field, 0) == [[70, 90]]
    assert red.schedule == ((50.0, (10.0, 90.0)),)


def test_a_selected_unit_that_is_sent_leaves_the_schedule_of_its_group_as_it_is(field):
    """Only a click that sends a whole group has it lapse; undone, nothing comes twice."""
    red = field.world.group("red")
    red.schedule = [(50.0, (10.0, 90.0))]
    drag(field, (15, 10), (25, 30))
    click(field, spot_of(field, (70, 40)), button=3)
    assert len(red.schedule) == 1
    chord(field, pygame.K_z)
    assert len(red.schedule) == 1
