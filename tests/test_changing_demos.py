"""The demos that change a run: what their scripts promise holds."""

import runpy

import numpy as np
import pytest

from sim.core.resources import folder
from sim.scenario.playlist import Playlist

MAPS, DEMOS = folder("maps"), folder("demos")


def script(name):
    """What a demo script defines."""
    return runpy.run_path(str(DEMOS / f"{name}.py"))


def counts(world):
    """How many blue and red units there are."""
    return [len(world.group(name)) for name in ("blue", "red")]


def test_skirmish_has_losses():
    """By the script's orders red is taken from behind and loses most; more of blue are left."""
    playlist = Playlist(MAPS / "skirmish.toml", begin=script("skirmish")["begin"])
    world = playlist.build()
    blue, red = counts(world)
    while world.time < 40:
        world.step()
    left = counts(world)
    assert left[1] < 0.3 * red
    assert left[0] < blue
    assert left[0] / blue > 2 * left[1] / red


@pytest.mark.parametrize("without", ["fight", "send_round"])
def test_skirmish_without_what_decides_it(without):
    """Without the rule that takes units out all are left; so are they without the wings.

    Units that meet head-on have their foes ahead: none is taken from behind.
    """
    begin = script("skirmish")["begin"]
    begin.__globals__[without] = lambda *_, **__: None
    world = Playlist(MAPS / "skirmish.toml", begin=begin).build()
    before = counts(world)
    while world.time < 40:
        world.step()
    assert counts(world) == before


def test_in_a_window_the_player_leads():
    """There the script gives blue no orders; red marches and both sides fight all the same."""
    playlist = Playlist(MAPS / "skirmish.toml", begin=script("skirmish")["begin"])
    playlist.by_hand = True
    world = playlist.build()
    for _ in range(90):
        world.step()
    blue, red = world.group("blue"), world.group("red")
    assert not blue.moving.any()
    assert red.moving.all()
    assert not world.agenda.done


def test_another_scenario_brings_its_own_script():
    """Whoever picks skirmish from a list gets its fights, and whoever goes on has none."""
    playlist = Playlist(MAPS / "choke.toml")
    assert not playlist.pick("skirmish").agenda.done
    assert playlist.pick("choke").agenda.done


@pytest.mark.parametrize("name", ["skirmish", "escort", "squares"])
def test_a_scenario_without_its_script_does_not_promise_what_that_does(name):
    """`run` of the file shows its `about` and the demo's command; the demo its own text."""
    playlist = Playlist(MAPS / f"{name}.toml")
    assert playlist.text.startswith(playlist.plan.about)
    assert playlist.text.endswith(f"not done here: python -m sim demo {name}")
    playlist.pick(name)
    assert playlist.text not in ("", playlist.plan.about)
    assert "not done here" not in playlist.text


def test_rewind_shows_two_futures():
    """Both begin at one state; open is the run as it goes on, shut is another one."""
    made = script("rewind")
    made["futures"].__globals__["LASTS"] = 6.0
    _, runs = made["futures"]()
    opened, shut = (run for _, run in runs)
    assert np.array_equal(opened.position[0], shut.position[0])
    assert not np.array_equal(opened.position[-1], shut.position[-1])
    assert opened.stage != shut.stage
    world = made["hall"]()
    for k in range(len(opened.time)):
        while world.time < opened.time[k] - 1e-9:
            world.step()
        assert np.array_equal(world.units.position, opened.position[k])


def test_rewind_shuts_a_door():
    """Most go through the near door, and all by the far one where that is shut.

    Gone back to the same state and the door not shut, the run is the same again, bit for bit.
    """
    made = script("rewind")
    made["futures"].__globals__["LASTS"] = 16.0
    world, runs = made["futures"]()
    near = []
    for _, run in runs:
        west, y = run.position[:, :, 0] < 12, run.position[:, :, 1]
        steps, rows = np.nonzero(west[:-1] & ~west[1:])
        assert len(rows) > 10
        near.append((y[steps, rows] < 11).mean())
    assert near[0] > 0.7
    assert near[1] == 0
    world = made["hall"]()
    while world.time < made["SAVED"]:
        world.step()
    state = world.save()
    for _ in range(60):
        world.step()
    world.load(state)
    again = made["written_down"](world)
    assert np.array_equal(again.position, runs[0][1].position)


@pytest.mark.parametrize("name", ["rewind"])
def test_the_script_and_the_file_are_one_run(name):
    """The world that the script builds by hand is the one of its scenario file."""
    by_hand, from_file = script(name)["hall"](), Playlist(MAPS / f"{name}.toml").build()
    for _ in range(60):
        by_hand.step()
        from_file.step()
    assert np.array_equal(by_hand.units.position, from_file.units.position)


def test_escort_parts_do_different_things():
    """At 13 s three are off after the raiders, three with the cart, four at the gate; later back.

    Without the rules that pursue none of the six gets away from its start, but for being pushed.
    """
    away = {}
    for on in (True, False):
        world = Playlist(MAPS / "escort.toml", begin=script("escort")["begin"]).build()
        guards = world.group("guards")
        guards.switch("pursuit", on)
        posts = guards.position[6:].copy()
        while world.time < 36:
            world.step()
            if world.steps == 13 * 60:
                away[on, "amid"] = from_cart(world)
            assert np.hypot(*(guards.position[6:] - posts).T).max() < 0.1
        away[on, "at last"] = from_cart(world)
    assert (away[True, "amid"][:3] < 5).all()
    assert (away[True, "amid"][3:] > 6).all()  # 7.6 to 9.7
    assert (away[True, "at last"] < 6).all()  # 2.4 to 5.2, of a cart 2.8 wide
    assert (away[False, "at last"] > 25).all()


def from_cart(world):
    """(6,) how far the guards are from the cart that do not hold the gate."""
    cart = world.group("cart").position[0]
    return np.hypot(*(world.group("guards").position[:6] - cart).T)
