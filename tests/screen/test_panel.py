"""The panel: every button and every slider through the window's own mouse events."""

import tomllib
from itertools import pairwise

import numpy as np
import pygame
import pytest
from pygame_gui.elements import UIButton, UIHorizontalSlider

from sim.core.errors import BadInput
from sim.models import MODELS
from sim.scenario.playlist import Playlist
from sim.screen.course import Deadline
from sim.screen.hud import STRIP
from sim.screen.keys import KEYS, VIEW_KEYS
from sim.screen.panel import LEAST, WIDE
from sim.screen.panel_rows import PAD
from sim.screen.timeline import LOW
from sim.screen.tuning import VIEW_FIGURES
from sim.screen.window import Window

from .test_every_key import state
from .worlds import FRAME, click, mouse, plane, tap


def press(window, name):
    """Click a widget's middle, and let the window answer; scrolled to if need be."""
    widget = window.panel.widgets[name]
    click(window, widget.rect.center)
    window.frame(FRAME)


def buttons(window):
    """Names of all buttons that can be pressed."""
    made = window.panel.widgets.items()
    return [name for name, each in made if isinstance(each, UIButton) and each.is_enabled]


def sliders(window):
    """Names of all rules that have a slider."""
    made = window.panel.widgets.items()
    return [name.removeprefix("slider ") for name, w in made if isinstance(w, UIHorizontalSlider)]


def test_the_panel_is_beside_the_picture(listed):
    """The picture has the rest of the window, all of it without the panel; Tab does that."""
    assert listed.room.size == (900 - WIDE, 700 - LOW)
    tap(listed, pygame.K_TAB)
    assert listed.room.size == (900, 700 - STRIP - LOW)
    listed.frame(FRAME)
    assert not listed.panel.widgets
    tap(listed, pygame.K_TAB)
    assert listed.panel.widgets


def test_a_narrow_window_is_left_to_the_picture(listed):
    """Where the picture would get too little room the panel stays away."""
    pygame.display.set_mode((LEAST + WIDE - 1, 500), pygame.RESIZABLE)
    listed.frame(FRAME)
    assert listed.room.width == LEAST + WIDE - 1


def test_every_button_does_something(listed, capsys):
    """Each changes the state as its key would; none is dead."""
    assert len(buttons(listed)) > 25
    for name in buttons(listed):
        if name.removeprefix("rule ") in VIEW_FIGURES:
            continue  # the test below
        if name in ("single_step", "whole", "reset_weights", "rule_off"):
            listed.picture.zoom(2)
            listed.controls.tuning.weigh(listed.controls.tuning.rule, 1.7)
        others = [each for each in listed.controls.tuning.rules if f"rule {each}" != name]
        if name.startswith("rule "):
            listed.controls.tuning.choose(others[0])
        for view in ("wide", "all"):
            if name.startswith("view_") and name != f"view_{view}":
                listed.world.groups[0].view = view
        if name == "single_step":
            listed.controls.paused = False
        capsys.readouterr()
        before = state(listed)
        press(listed, name)
        said = capsys.readouterr().out
        assert state(listed, said) != before, name
    assert not listed.controls.ended


@pytest.mark.parametrize("figure", VIEW_FIGURES)
def test_the_name_of_a_figure_of_the_view_puts_it_back(listed, figure):
    """A view that was changed by a slider is the named one again."""
    tuning = listed.controls.tuning
    kept = tuning.weight(figure)
    tuning.weigh(figure, 33.0)
    press(listed, f"rule {figure}")
    assert tuning.weight(figure) == pytest.approx(kept) != 33.0


def test_whatever_the_panel_does_a_key_does(listed):
    """Buttons are actions of the key table, but for names of rules, which keys step through."""
    actions = {key.action for key in KEYS}
    assert {name for name in buttons(listed) if not name.startswith("rule ")} <= actions
    assert {"last_rule", "next_rule", "next_scenario"} <= actions


def test_every_slider_sets_its_weight(listed):
    """Dragged to its ends and between, each sets its weight or figure of the view, and no other."""
    tuning = listed.controls.tuning
    group = tuning.group
    assert sliders(listed) == [*VIEW_FIGURES, *group.settings]
    for rule in sliders(listed):
        if tuning.idle(rule):
            continue
        slider = listed.panel.widgets[f"slider {rule}"]
        low, high = tuning.scale(rule)
        others = {n: s.weight for n, s in group.settings.items() if n != rule}
        for share in (1.0, 0.0, 0.5):
            start = slider.sliding_button.rect.center
            left, right = slider.rect.left + 8, slider.rect.right - 8
            end = (left + (right - left) * share + (share - 0.5) * 30, start[1])
            mouse(listed, ("move", start), ("down", start), ("move", end), ("move", end))
            mouse(listed, ("up", end))
            listed.frame(FRAME)
            wanted = low + (high - low) * share
            assert tuning.weight(rule) == pytest.approx(wanted, abs=0.03 * (high - low))
            if share in (0.0, 1.0):
                assert tuning.weight(rule) == pytest.approx(wanted)
        assert {n: s.weight for n, s in group.settings.items() if n != rule} == others
        assert rule in VIEW_FIGURES or tuning.rule == rule


def test_what_the_panel_asks_for_amiss_is_said(listed, monkeypatch):
    """A value that cannot be is told in the window, and the run goes on."""

    def refuse(*_):
        raise BadInput("not so")

    monkeypatch.setattr(listed.panel, "_weigh", refuse)
    start = listed.panel.widgets["slider cohesion"].sliding_button.rect.center
    end = start[0] + 20, start[1]
    mouse(listed, ("move", start), ("down", start), ("move", end), ("up", end))
    assert listed.frame(FRAME)
    assert listed.notice == "not so"


def test_a_slider_follows_the_keys(listed):
    """L raises the chosen rule's weight, and its slider and figure show it."""
    tap(listed, pygame.K_k)
    rule = listed.controls.tuning.rule
    tap(listed, pygame.K_l)
    listed.frame(FRAME)
    weight = listed.controls.tuning.weight(rule)
    slider = listed.panel.widgets[f"slider {rule}"]
    assert slider.get_current_value() == pytest.approx(weight)
    assert listed.panel.widgets[f"figure {rule}"].text == f"{weight:.3g}"


def test_the_sliders_are_those_of_the_chosen_group(listed):
    """O chooses the next group; its own weights stand on the sliders."""
    tap(listed, pygame.K_o)
    listed.frame(FRAME)
    assert listed.panel.widgets["group"].text == "west (flock)"
    assert listed.panel.widgets["figure cohesion"].text == "0.5"


def test_the_mouse_over_the_panel_leaves_the_picture_alone(listed):
    """A click, a drag or the wheel there selects nobody and moves nothing."""
    listed.scene.selected = 2
    spot = listed.panel.widgets["title"].rect.center
    click(listed, spot)
    mouse(listed, ("down", spot, 3), ("move", (spot[0], spot[1] + 60)), ("up", spot, 3))
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
    listed.frame(FRAME)
    assert listed.scene.selected == 2
    assert listed.scene.lens.whole


def test_keys_are_not_the_panels(listed):
    """After a click on a button Space still pauses, and presses nothing again."""
    press(listed, "trails")
    assert "trails" in listed.scene.shows
    tap(listed, pygame.K_SPACE)
    assert listed.controls.paused
    assert "trails" in listed.scene.shows


def test_the_list_of_scenarios_picks_one(listed):
    """A choice from the list shows that scenario, from its start."""
    menu = listed.panel.widgets["scenario"]
    assert {"small", "flocking", "scenes/crossing"} <= {name for name, _ in menu.options_list}
    click(listed, menu.rect.center)
    listed.frame(FRAME)
    items = menu.menu_states["expanded"].options_selection_list.item_list
    shown = [each for each in items if each["button_element"] is not None]
    item = next(each for each in shown if each["text"] != "small")
    click(listed, item["button_element"].rect.center)
    for _ in range(3):
        listed.frame(FRAME)
    assert listed.plays.playlist.name == item["text"] != "small"
    assert listed.world.steps <= 5
    assert listed.panel.widgets["title"].text == listed.title == listed.plays.playlist.plan.title


def test_a_picked_scenario_is_played_as_its_demo(listed):
    """In `squares` the mouse sends both groups, and until then they follow the demo's clicks."""
    listed.begin(lambda: listed.plays.pick("squares"))
    listed.frame(FRAME)
    assert [group.name for group in listed.controls.hand.sends] == ["red", "blue"]
    assert all(group.schedule for group in listed.world.groups)
    tap(listed, pygame.K_r)
    assert listed.controls.hand.sends == list(listed.world.groups)
    assert all(group.schedule for group in listed.world.groups)


def test_a_restart_keeps_what_was_tuned(listed):
    """R begins anew with the same places; N with others. Views, weights and switches stay."""
    start = listed.plays.playlist.build().units.position
    tap(listed, pygame.K_3, pygame.K_f, pygame.K_l)
    weight = listed.controls.tuning.weight(listed.controls.tuning.rule)
    for _ in range(5):
        listed.frame(FRAME)
    tap(listed, pygame.K_SPACE, pygame.K_r)
    assert np.array_equal(listed.world.units.position, start)
    tap(listed, pygame.K_n)
    assert not np.array_equal(listed.world.units.position, start)
    assert listed.world.seed == 4
    east = listed.world.group("east")
    assert (east.view, east.muted) == ("narrow", {"flocking"})
    assert listed.controls.tuning.weight(listed.controls.tuning.rule) == weight
    assert east.settings[listed.controls.tuning.rule].weight == weight


def test_a_restarted_run_is_the_run(listed):
    """The same seed, untouched: bit for bit what the first one was."""
    for _ in range(30):
        listed.frame(FRAME)
    steps, places = listed.world.steps, listed.world.units.position.copy()
    tap(listed, pygame.K_r)
    while listed.world.steps < steps:
        listed.frame(FRAME)
    assert np.array_equal(listed.world.units.position, places)


def test_without_a_scenario_nothing_begins_anew(window):
    """The keys say so, and the panel's buttons are disabled."""
    world = window.world
    tap(window, pygame.K_r)
    assert "no scenario" in window.notice
    assert window.world is world
    pygame.display.set_mode((900, 700), pygame.RESIZABLE)
    tap(window, pygame.K_TAB)
    window.frame(FRAME)
    assert not window.panel.widgets["restart"].is_enabled
    assert "scenario" not in window.panel.widgets


def test_a_scenario_that_cannot_be_built_is_said(listed):
    """A broken file is told in the window; the run that is on goes on."""
    (broken := listed.plays.playlist.files["small"]).write_text("seed = ", encoding="utf-8")
    steps = listed.world.steps
    tap(listed, pygame.K_n)
    assert broken.name in listed.notice
    assert listed.world.steps == steps + 1


def test_y_copies_the_present_values(listed, capsys):
    """What Y prints is TOML with the weights and views of now."""
    tap(listed, pygame.K_3, pygame.K_k, pygame.K_q, pygame.K_y)
    said = tomllib.loads(capsys.readouterr().out)
    assert said["seed"] == 3
    east, west = said["groups"]
    assert (east["name"], east["view"]) == ("east", "narrow")
    assert east["behaviours"] == {"cohesion": {"weight": 0}}
    assert west["behaviours"]["cohesion"] == {"weight": 0.5, "range": 7}


def test_at_its_end_a_listed_run_stands_still(listed):
    """The window stays, says so, and Space goes on beyond the end."""
    listed.course.deadline = Deadline(listed.world.time + 2 * FRAME, ends=False)
    for _ in range(5):
        assert listed.frame(FRAME)
    assert listed.controls.paused
    assert "the end" in listed.notice
    steps = listed.world.steps
    tap(listed, pygame.K_SPACE)
    listed.frame(FRAME)
    assert listed.world.steps == steps + 2


def test_captions_keep_off_the_edges_of_their_buttons(listed):
    """Three pixels on either side at least."""
    font = listed.panel._manager.get_theme().get_font([])
    for name in buttons(listed):
        button = listed.panel.widgets[name]
        assert font.get_rect(button.text).width + 6 <= button.rect.width, name


@pytest.mark.parametrize("model", ["crowd", "flock"])
def test_a_view_that_decides_nothing_is_grey(model):
    """Its sliders and buttons; its keys say so, and change nothing."""
    world = plane()
    group = world.add_group("all", [[50, 50], [60, 50]], model=model)
    window = Window(world, size=(1024, 640), panel=True)
    window.open()
    tap(window, pygame.K_2)
    views = [f"slider {each}" for each in VIEW_FIGURES] + list(VIEW_KEYS)
    enabled = {window.panel.widgets[name].is_enabled for name in views}
    assert enabled == {model == "flock"}
    assert ("own" in window.notice) == (model == "crowd")
    assert group.view == {"crowd": "all", "flock": "limited"}[model]
    window.close()


@pytest.mark.parametrize("model", sorted({*MODELS} - {"player"}))
def test_all_of_the_panel_fits(model, tmp_path):
    """In 1,024 x 640 nothing is below the edge, whatever the model: no scroll bar, no cut line."""
    file = tmp_path / "small.toml"
    group = f'[[groups]]\nname = "a"\nmodel = "{model}"\nspawn = {{ points = [[0, 0]] }}\n'
    file.write_text(f'title = "Small"\nduration = 9.0\n{group}', encoding="utf-8")
    playlist = Playlist(file)
    window = Window(playlist.build(), size=(1024, 640), panel=True, playlist=playlist)
    window.open()
    window.frame(FRAME)
    parts = [part for part in window.panel.widgets.values() if part.visible]
    assert max(part.rect.bottom for part in parts) <= 640 - PAD
    rows = [window.panel.widgets[f"rule {name}"].rect for name in sliders(window)]
    assert all(above.bottom <= below.top for above, below in pairwise(rows))
    window.close()
