"""The panel beside the picture: whatever keys do, by the mouse; and a slider for every weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
from pygame_gui import (
    UI_BUTTON_PRESSED,
    UI_DROP_DOWN_MENU_CHANGED,
    UI_HORIZONTAL_SLIDER_MOVED,
    UIManager,
)
from pygame_gui.core import UIElement
from pygame_gui.elements import UIButton, UIHorizontalSlider, UILabel

from sim.screen.camera import Size
from sim.screen.keys import VIEW_KEYS
from sim.screen.panel_rows import APART, GAP, HIGH, LOW, Rows, looks
from sim.screen.status import Status
from sim.screen.theme import Theme
from sim.screen.tuning import Tuning

WIDE = 300
"""Pixels that the panel takes of the window's width."""
LEAST = 320
"""Pixels that it leaves to the picture; in windows too narrow for both it is not shown."""
PACE = (("pause", "Pause"), ("single_step", "Step"), ("slower", "-"), ("faster", "+"))
SWITCHES = (
    (("flocking", "Flocking"), ("chase", "Chase"), ("about", "About"), ("help", "Help")),
    (("trails", "Trails"), ("heat", "Heat map"), ("contacts", "Contacts")),
    (("ways", "Ways"), ("theme", "Light"), ("record", "Film"), ("whole", "Whole picture")),
)
WEIGHTS = (
    ("rule_alone", "Alone"), ("rule_off", "Off"), ("reset_weights", "Reset"),
    ("copy", "Copy as TOML"),
)  # fmt: skip
BUILDING = (("build", "Build"), ("undo", "Undo"), ("redo", "Redo"), ("save", "Save"))


class Panel:
    """Buttons and sliders; it changes nothing itself, and says what is asked for by its name.

    `act` is told actions, `weigh` a rule and its weight, `pick` a scenario. The mouse is known from
    events alone; keys are left to the window, which has one for each thing here.
    """

    def __init__(
        self,
        tuning: Tuning,
        act: Callable[[str], None],
        weigh: Callable[[str, float], None],
        pick: Callable[[str], None],
    ) -> None:
        self.shown = False
        self.area = pygame.Rect(0, 0, 0, 0)
        """The pixels that it has of the window."""
        self._tuning, self._act, self._weigh, self._pick = tuning, act, weigh, pick
        self._manager: _Manager | None = None
        self._theme: Theme | None = None
        self._built: tuple[object, ...] = ()
        self._fits: Callable[[str], bool] = bool
        self.widgets: dict[str, UIElement] = {}
        """What is on it, by action; "slider NAME" and "rule NAME" for rules."""

    def toggle(self) -> None:
        """Show it, or leave the whole window to the picture."""
        self.shown = not self.shown

    def split(self, size: Size) -> pygame.Rect:
        """The part of a window that is left for the picture; the panel takes the rest."""
        wide = WIDE if self.shown and size[0] >= WIDE + LEAST else 0
        self.area = pygame.Rect(size[0] - wide, 0, wide, size[1])
        if not wide:
            self._close()
        return pygame.Rect(0, 0, size[0] - wide, size[1])

    def takes(self, event: pygame.event.Event) -> bool:
        """Do what an event asks of the panel; whether no other part is to see it."""
        if self._manager is None or event.type in (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT):
            return False
        self._manager.note(event)
        busy = self._manager.process_events(event)
        if event.type == UI_BUTTON_PRESSED:
            self._press(event.ui_element)
        elif event.type == UI_HORIZONTAL_SLIDER_MOVED:
            name = self._name(event.ui_element).removeprefix("slider ")
            if name in self._tuning.sliders:
                self._choose(name)
                self._weigh(name, _tidy(event.value, self._tuning.scale(name)))
        elif event.type == UI_DROP_DOWN_MENU_CHANGED:
            self._pick(event.text)
        if event.type == pygame.MOUSEBUTTONDOWN:
            return busy or self.area.collidepoint(event.pos)
        return event.type == pygame.MOUSEWHEEL and self.area.collidepoint(self._manager.pointer)

    def pass_time(self, elapsed: float) -> None:
        """Let its widgets move on by some seconds of the clock."""
        if self._manager is not None:
            self._manager.update(elapsed)

    def paint(self, surface: pygame.Surface, theme: Theme, state: Status, figures: str) -> None:
        """Paint it on its part of the window."""
        group, rules = self._tuning.group, tuple(self._tuning.rules)
        wanted = (
            tuple(self.area), theme, group, rules, tuple(state.scenarios), state.scenario, state.off
        )  # fmt: skip
        if self._manager is None or wanted != self._built:
            self._build(surface.get_size(), theme, state)
            self._built = wanted
        assert self._manager is not None
        self._update(state, figures)
        surface.fill(theme.panel, self.area)
        pygame.draw.line(surface, theme.edge, self.area.topleft, self.area.bottomleft)
        self._manager.draw_ui(surface)

    def _build(self, size: Size, theme: Theme, state: Status) -> None:
        if self._manager is None or self._theme != theme:
            self._close()
            self._manager, self._theme = _Manager(size, looks(theme)), theme
        else:
            self._manager.clear_and_reset()  # type: ignore[no-untyped-call]
            self._manager.set_window_resolution(size)
        rows = Rows(self._manager, self.area)
        self.widgets = rows.made
        rows.label("title", state.title, "@title", HIGH + 4)
        rows.label("figures", "", "@faint")
        if state.scenarios:
            rows.menu("scenario", state.scenarios, state.scenario)
        rows.buttons((("restart", "Restart"), ("new_seed", "New seed"), *PACE))
        rows.buttons([(key, view.capitalize()) for key, view in VIEW_KEYS.items()], space=GAP)
        for switches in SWITCHES:
            rows.buttons(switches)
        rows.buttons(BUILDING)
        rows.chooser("last_group", "group", "next_group")
        self._fits = rows.fits
        most = max((len(self._lines(rule, grey=True)) for rule in self._tuning.rules), default=0)
        high = rows.pitch(len(self._tuning.sliders), below=HIGH + APART + most * LOW)
        for rule in self._tuning.sliders:
            rows.slider(rule, self._tuning.weight(rule), self._tuning.scale(rule), high)
        rows.buttons(WEIGHTS)
        for k in range(most):
            rows.label(f"told {k}", "", "@faint", LOW)
        rows.close()
        for action in state.off & set(self.widgets):
            self.widgets[action].disable()

    def _update(self, state: Status, figures: str) -> None:
        """Show what has changed since the last picture."""
        tuning = self._tuning
        group = tuning.group
        color = f"{group.name} ({group.model.name})" if group is not None else "no group"
        for name, words in (("title", state.title), ("figures", figures), ("group", color)):
            self._say(name, words)
        for action, widget in self.widgets.items():
            if isinstance(widget, UIButton):
                chosen = action == f"rule {tuning.rule}" or action in state.on
                if chosen and not widget.is_selected:
                    widget.select()
                elif widget.is_selected and not chosen:
                    widget.unselect()
        self._tell()
        for rule in tuning.sliders:
            weight, slider = tuning.weight(rule), self.widgets.get(f"slider {rule}")
            self._say(f"figure {rule}", f"{weight:.3g}")
            if isinstance(slider, UIHorizontalSlider) and not slider.grabbed_slider:
                low, high = slider.value_range
                _set_enabled(slider, not tuning.idle(rule))
                if abs(slider.get_current_value() - weight) > (high - low) / 500:
                    slider.set_current_value(min(max(weight, low), high), warn=False)

    def _tell(self) -> None:
        """Say what the chosen rule does, and where its formula is from."""
        rule = self._tuning.rule
        lines = [] if rule is None else self._lines(rule, self._tuning.idle(rule))
        for name in self.widgets:
            if name.startswith("told "):
                self._say(name, lines.pop(0) if lines else "")

    def _lines(self, rule: str, grey: bool) -> list[str]:
        about, source = self._tuning.explain(rule)
        told = f"Grey: no say here. {about}" if grey else about
        lines: list[str] = []
        for text in (told, source):
            lines.append("")
            for word in text.split():
                longer = f"{lines[-1]} {word}".lstrip()
                lines[-1:] = [longer] if self._fits(longer) else [lines[-1], word]
        return lines

    def _say(self, name: str, words: str) -> None:
        label = self.widgets.get(name)
        if isinstance(label, UILabel) and label.text != words:
            label.set_text(words)

    def _press(self, element: UIElement) -> None:
        name = self._name(element)
        if name.startswith("rule "):
            self._choose(name.removeprefix("rule "))
        elif name:
            self._act(name)

    def _choose(self, name: str) -> None:
        if name in self._tuning.sliders:
            self._tuning.choose(name)

    def _name(self, element: UIElement) -> str:
        return next((name for name, widget in self.widgets.items() if widget is element), "")

    def _close(self) -> None:
        self.widgets, self._built = {}, ()
        if self._manager is not None:
            self._manager.clear_and_reset()  # type: ignore[no-untyped-call]
            self._manager = None


class _Manager(UIManager):  # type: ignore[misc]
    """Knows the mouse from events, as all other parts here do, and not from the system."""

    pointer: tuple[int, int] = (0, 0)

    def note(self, event: pygame.event.Event) -> None:
        """Take down where the mouse is."""
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.pointer = event.pos

    def _update_mouse_position(self) -> None:
        self.mouse_position = self.pointer


def _set_enabled(widget: Any, on: bool) -> None:
    """Grey, and dead to the mouse, or not."""
    if on != widget.is_enabled:
        (widget.enable if on else widget.disable)()


def _tidy(value: float, scale: tuple[float, float]) -> float:
    """A weight from a slider's pixel, in hundredths of its scale; both ends are reached exactly."""
    low, high = scale
    if high <= low:
        return value
    share = min(max(round(100 * (value - low) / (high - low)) / 100, 0.0), 1.0)
    return low * (1 - share) + high * share
