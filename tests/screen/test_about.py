"""What the window says without being asked: what to look for, colours, what each rule does."""

import pygame
import pytest

from sim import Goal
from sim.behaviours.table import RULES
from sim.models import MODELS
from sim.screen import hud
from sim.screen.theme import DARK
from sim.screen.tuning import Tuning
from sim.screen.window import Window

from .worlds import FRAME, chase, plane, tap


def words(rows):
    """All that rows of a plate say."""
    return "\n".join("".join(piece for piece, _ in row) for row in rows)


def test_legend_tells_parts_and_colours():
    """The player's craft is said to be yours, hunters what they hunt; leaders have a row."""
    rows = hud.legend_rows(chase(), DARK)
    assert "player: yours, by the arrow keys" in words(rows)
    assert "hunters: intercept player" in words(rows)
    colors = [row[0][1] for row in rows]
    assert {DARK.player, DARK.interceptor, DARK.leader} <= set(colors)


def test_many_groups_are_cut_short():
    """The legend never grows over the whole picture."""
    world = plane()
    for k in range(20):
        world.add_group(f"g{k}", [[5.0 * k, 50]], model="walkers", goal=Goal.to((50, 50)))
    rows = hud.legend_rows(world, DARK)
    assert len(rows) <= hud.LISTED + 1
    assert "14 groups more" in words(rows)


@pytest.mark.parametrize("size", [(724, 618), (400, 398), (300, 180)])
def test_the_text_fits_the_picture(size):
    """A long one is wider where it would be too high, and in the end smaller."""
    text = "What to look for: " + "units that see no unit ahead lead " * 14
    image = hud.about_plate(chase(), text, size, DARK)
    assert image.get_width() <= size[0] - 20
    assert image.get_height() <= size[1] - 20


def test_shown_at_the_start_and_hidden_by_its_key(listed):
    """A scenario's window begins with the text; F1 takes it away, and brings it back."""
    assert listed.controls.about
    shown = pygame.surfarray.array3d(listed._whole)
    tap(listed, pygame.K_F1)
    assert not listed.controls.about
    listed.controls.paused = True
    listed.frame(FRAME)
    without = pygame.surfarray.array3d(listed._whole)
    assert (shown[:300, :60] != without[:300, :60]).any(axis=2).sum() > 1000
    tap(listed, pygame.K_F1)
    assert listed.controls.about


def test_rules_without_a_say_are_grey(listed):
    """Chase in a group that chases nobody; not in one that does. Switched off, its family is."""
    tuning = listed.controls.tuning
    tuning.choose_group(1)
    listed.frame(FRAME)
    assert tuning.group.name == "west"
    assert tuning.idle("chase")
    assert not listed.panel.widgets["slider chase"].is_enabled
    assert listed.panel.widgets["slider cohesion"].is_enabled
    tuning.group.switch("flocking", on=False)
    listed.frame(FRAME)
    assert not listed.panel.widgets["slider cohesion"].is_enabled
    tuning.choose_group(-1)
    listed.frame(FRAME)
    assert listed.panel.widgets["slider chase"].is_enabled


def test_the_chosen_rule_is_explained(listed):
    """What it does and where it is from, below the sliders; of every rule of every model."""
    tuning = listed.controls.tuning
    for rule in tuning.rules:
        tuning.choose(rule)
        listed.frame(FRAME)
        told = [w for name, w in listed.panel.widgets.items() if name.startswith("told ")]
        said = " ".join(label.text for label in told if label.text)
        assert said.removeprefix("Grey: no say here. ") == " ".join(tuning.explain(rule))
        assert all(label.font.get_rect(label.text).width <= label.rect.width for label in told)
    world = plane()
    off = {name: {"weight": 0.0} for name in RULES}
    every = world.add_group("all", [[50, 50]], model="crowd", behaviours=off)
    tuning = Tuning(world)
    for rule in every.settings:
        about, source = tuning.explain(rule)
        assert len(about) > 15
        assert source.startswith("From: ")


@pytest.mark.parametrize("model", MODELS)
def test_all_of_the_panel_fits_a_small_window(model):
    """At 1024 x 640 nothing of it is below the window, with the rules of any model."""
    world = plane()
    world.add_group("all", [[50, 50]], model=model)
    window = Window(world, size=(1024, 640), panel=True)
    window.open()
    window.frame(FRAME)
    bottom = max(widget.rect.bottom for widget in window.panel.widgets.values())
    window.close()
    assert bottom <= 640
