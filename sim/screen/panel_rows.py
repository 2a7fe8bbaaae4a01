"""The panel's rows of widgets, from top to bottom; where they do not fit they scroll."""

from __future__ import annotations

from collections.abc import Sequence

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

PAD, GAP = 10, 6
"""Pixels beside the rows, and before a new part."""
HIGH, APART = 20, 2
"""Height of a row, and room below it."""
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

    def buttons(self, named: Sequence[tuple[str, str]], space: int = 0) -> None:
        """Buttons beside each other: action and caption."""
        self._y += space
        left, count = PAD, len(named)
        room = self._wide - APART * (count - 1)
        weights = [len(words) + 3 for _, words in named]
        for k, (action, words) in enumerate(named):
            right = PAD + room * sum(weights[: k + 1]) // sum(weights) + APART * k
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

    def slider(self, rule: str, weight: float, scale: tuple[float, float]) -> None:
        """A rule's name, its weight as a slider and as a figure."""
        words = rule.replace("_", " ")
        self.made[f"rule {rule}"] = self._button(
            pygame.Rect(PAD, self._y, NAME, HIGH), words, "@rule"
        )
        room = self._wide - NAME - FIGURE
        self.made[f"slider {rule}"] = UIHorizontalSlider(
            pygame.Rect(PAD + NAME, self._y + 4, room, HIGH - 8),
            float(weight), (float(scale[0]), float(scale[1])), self._manager, self._box,
        )  # fmt: skip
        figure = pygame.Rect(PAD + NAME + room, self._y, FIGURE, HIGH)
        self._label(f"figure {rule}", figure, "", "@figure")
        self._y += HIGH + 1

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
