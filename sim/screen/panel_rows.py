"""The panel's rows of widgets, from top to bottom, and how they look in a theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pygame
from pygame_gui import UIManager
from pygame_gui.core import ObjectID, UIElement
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UIHorizontalSlider,
    UILabel,
    UIScrollingContainer,
)

from sim.screen.theme import Theme, hex_of, mix

PAD, GAP = 10, 6
"""Pixels beside the rows, and before a new part."""
HIGH, APART = 20, 2
"""Height of a row, and room below it."""
LOW = 17
"""Height of a line of text among others, and the least of a row with a slider."""
FIGURE, NAME = 40, 142
"""Pixels of a weight's figure and of a rule's name."""
BAR = 20
"""Pixels that a scroll bar takes."""
MENU = 360
"""The most that an open menu hangs down, pixels."""


class Rows:
    """Makes widgets row by row within an area; `made` has them by name."""

    def __init__(self, manager: UIManager, area: pygame.Rect) -> None:
        self.made: dict[str, UIElement] = {}
        self._manager, self._area = manager, area
        self._box = UIScrollingContainer(
            area.move(1, 0), manager, allow_scroll_x=False, should_grow_automatically=False
        )
        self._wide = area.width - PAD - BAR - 4
        self._y = PAD - 4

    def label(self, name: str, words: str, kind: str, high: int = HIGH) -> None:
        """A line of text."""
        self._label(name, pygame.Rect(PAD, self._y, self._wide, high), words, kind)
        self._y += high

    def fits(self, words: str) -> bool:
        """Whether words are no wider than a line of text."""
        return bool(self._manager.get_theme().get_font([]).get_rect(words).width < self._wide - 4)

    def buttons(self, named: Sequence[tuple[str, str]], space: int = 0) -> None:
        """Buttons beside each other: action and caption."""
        self._y += space
        left, count = PAD, len(named)
        room = self._wide - APART * (count - 1)
        font = self._manager.get_theme().get_font([])
        letters = [font.get_rect(words).width for _, words in named]
        beside = (room - sum(letters)) / count
        for k, (action, words) in enumerate(named):
            right = PAD + int(sum(letters[: k + 1]) + beside * (k + 1)) + APART * k
            rect = pygame.Rect(left, self._y, right - left, HIGH)
            self.made[action] = self._button(rect, words)
            left = right + APART
        self._y += HIGH + APART

    def menu(self, name: str, choices: Sequence[str], chosen: str) -> None:
        """A list to choose from."""
        rect = pygame.Rect(PAD, self._y, self._wide, HIGH)
        limit = min(MENU, max(HIGH, self._area.height - self._y - 2 * HIGH))
        self.made[name] = UIDropDownMenu(
            list(choices), chosen, rect, self._manager, self._box, expansion_height_limit=limit
        )
        self._y += HIGH + APART

    def chooser(self, before: str, name: str, after: str) -> None:
        """A name between two buttons, apart from what is above."""
        self._y += GAP
        for action, x, words in ((before, PAD, "<"), (after, PAD + self._wide - HIGH, ">")):
            self.made[action] = self._button(pygame.Rect(x, self._y, HIGH, HIGH), words)
        middle = pygame.Rect(PAD + HIGH + 4, self._y, self._wide - 2 * HIGH - 8, HIGH)
        self._label(name, middle, "", "@middle")
        self._y += HIGH + APART

    def pitch(self, count: int, below: int) -> int:
        """How far apart `count` rows with sliders stand: nearer where all would not fit else.

        In pixels, as `below`: what the rows after them take.
        """
        room = self._area.height - self._y - below - PAD
        return min(max(room // max(count, 1), LOW), HIGH + 1)

    def slider(self, rule: str, weight: float, scale: tuple[float, float], pitch: int) -> None:
        """A rule's name, its weight as a slider and as a figure; the next row is a pitch below."""
        words, high = rule.replace("_", " "), min(pitch, HIGH)
        self.made[f"rule {rule}"] = self._button(
            pygame.Rect(PAD, self._y, NAME, high), words, "@rule"
        )
        room = self._wide - NAME - FIGURE
        self.made[f"slider {rule}"] = UIHorizontalSlider(
            pygame.Rect(PAD + NAME, self._y + 4, room, high - 8),
            float(weight), (float(scale[0]), float(scale[1])), self._manager, self._box,
        )  # fmt: skip
        figure = pygame.Rect(PAD + NAME + room, self._y, FIGURE, high)
        self._label(f"figure {rule}", figure, "", "@figure")
        self._y += pitch

    def close(self) -> None:
        """Say how much there is to scroll."""
        high = max(self._y + PAD, self._area.height)
        self._box.set_scrollable_area_dimensions((self._area.width - BAR, high))

    def _button(self, rect: pygame.Rect, words: str, kind: str = "@plain") -> UIButton:
        name = ObjectID(class_id=kind, object_id=None)
        return UIButton(rect, words, self._manager, self._box, object_id=name)

    def _label(self, name: str, rect: pygame.Rect, words: str, kind: str) -> None:
        kept = ObjectID(class_id=kind, object_id=None)
        self.made[name] = UILabel(rect, words, self._manager, self._box, object_id=kept)


LETTERS = 13
"""Height of its letters, points."""


def looks(theme: Theme) -> dict[str, Any]:
    """The theme as pygame_gui reads it."""
    plain, raised = mix(theme.panel, theme.faint, 0.16), mix(theme.panel, theme.faint, 0.34)
    on, ink = theme.color("blue"), theme.text
    on_ink = (255, 255, 255)
    faint = mix(theme.panel, theme.faint, 0.6)
    colours = {
        "normal_bg": plain, "hovered_bg": raised, "disabled_bg": theme.panel, "active_bg": on,
        "selected_bg": on, "dark_bg": theme.panel, "disabled_dark_bg": theme.panel,
        "normal_text": ink, "hovered_text": ink, "disabled_text": faint,
        "selected_text": on_ink, "active_text": on_ink,
        "normal_border": raised, "hovered_border": theme.faint, "disabled_border": plain,
        "selected_border": on, "active_border": on,
        "normal_border_shadow": plain,
    }  # fmt: skip
    flat = {"normal_bg": theme.panel, "normal_border": theme.panel}
    misc = {
        "shape": "rounded_rectangle",
        "shape_corner_radius": "4",
        "border_width": "1",
        "shadow_width": "0",
        "text_horiz_alignment_padding": "6",
    }
    font = {"name": "noto_sans", "size": str(LETTERS), "antialiased": "1"}
    left = {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "2"}
    return {
        "defaults": {
            "colours": {name: hex_of(color) for name, color in colours.items()},
            "font": font,
            "misc": misc,
        },
        "button": {"misc": misc},
        "drop_down_menu": {"misc": misc},
        "label": {"misc": left},
        "@title": {"font": {**font, "size": str(LETTERS + 3), "bold": "1"}, "misc": left},
        "@faint": {"font": font, "colours": {"normal_text": hex_of(theme.faint)}, "misc": left},
        "@figure": {"misc": {"text_horiz_alignment": "right"}},
        "@middle": {"misc": {"text_horiz_alignment": "center"}},
        "@rule": {
            "colours": {name: hex_of(color) for name, color in flat.items()},
            "misc": {**misc, **left, "text_horiz_alignment_padding": "4"},
        },
        "horizontal_slider": {
            "colours": {"dark_bg": hex_of(plain), "normal_border": hex_of(plain)},
            "misc": {**misc, "enable_arrow_buttons": "0", "sliding_button_width": "12"},
        },
        "horizontal_slider.#sliding_button": {
            "colours": {"normal_bg": hex_of(theme.faint), "hovered_bg": hex_of(ink),
                        "disabled_bg": hex_of(plain)},
            "misc": misc,
        },
    }  # fmt: skip
