"""Words on the picture: what runs and how, keys, what colours mean, and figures of a unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import ceil

import pygame

from sim.core.arrays import Floats
from sim.group import Group
from sim.record.stage import cast_of
from sim.screen import errands, overlays, roles, shapes, sight
from sim.screen.camera import Size
from sim.screen.controls import SWITCHES
from sim.screen.keys import MOUSE, PARTS, SENDING
from sim.screen.plate import (
    AWAY,
    LETTERS,
    OPAQUE,
    PAD,
    ROW,
    SOLID,
    Corner,
    Row,
    fitted,
    letters,
    placed,
    plate,
    wrapped,
)
from sim.screen.status import Status, figures
from sim.screen.theme import RGB, Theme
from sim.world import World

STRIP = 26
"""Height of the line below the picture, where there is no panel to say the same."""
SPACE, NEXT = 6, 18
"""Pixels between the pieces of the line: within a pair, and between pairs."""
KEYS_TOLD = (("H", "key"), ("keys", "after"), ("Tab", "key"), ("panel", "after"))

Piece = tuple[str, str]


def paint(
    surface: pygame.Surface, world: World, status: Status, row: int | None, theme: Theme,
    at: Corner, spots: Callable[[], Floats],
) -> None:  # fmt: skip
    """Paint all words. `row` is the unit that is looked inside, if any.

    What there is to say of it stands in the corner that `at` chooses by the pixels of all hulls,
    `spots`, and beside the other plates; so does what to look for, as long as it is shown.
    """
    taken, size = [], surface.get_size()
    if status.about is not None:
        told = about_plate(world, status.about, size, theme)
        taken.append(put(surface, told, *at.settle(status.about, size, told.get_size(), spots())))
    else:
        at.settle_anew()
    if status.recording is not None:
        name = plate([[("     " + status.recording, theme.text)]], theme)
        middle = (AWAY + 6, name.get_height() // 2)
        pygame.draw.aacircle(name, theme.recording, middle, 6)
        free = placed(size, name.get_size(), (1.0, 0.0)).collidelist(taken) < 0
        taken.append(put(surface, name, 1.0 if free else 0.0, 0.0))
    if row is not None:
        hides = SOLID if taken else OPAQUE  # a small picture has no corner left
        about = plate(unit_rows(world, row, theme), theme, table=True, hides=hides)
        put(surface, about, *at.choose(size, about.get_size(), spots(), row, taken))


def paint_bar(surface: pygame.Surface, world: World, status: Status, theme: Theme) -> None:
    """What runs and how, in the lowest line: title, view, switches, count, time, speed, keys."""
    strip = surface.get_rect()
    strip.top, strip.height = strip.bottom - STRIP, STRIP
    surface.fill(theme.panel, strip)
    right = _line(KEYS_TOLD, theme)
    left = _line(status_line(world, status), theme)
    middle = strip.top + (STRIP - right.get_height()) // 2
    surface.blit(left, (AWAY, middle))
    if left.get_width() + right.get_width() + 4 * AWAY < strip.width:
        surface.blit(right, (strip.width - right.get_width() - AWAY, middle))


def status_line(world: World, status: Status) -> list[Piece]:
    """Pieces of the line and what each is: a name, its value, a key, or what comes after one."""
    views = " / ".join(dict.fromkeys(group.view for group in world.groups))
    line: list[Piece] = [(status.title, "value"), ("view", "name"), (views, "value")]
    for name in SWITCHES:
        if name not in status.off:
            line += [(name, "name"), ("on" if name in status.on else "off", "value")]
    return [*line, (figures(world, status), "after")]


def help_rows(theme: Theme, sends: bool = False) -> list[Row]:
    """A row for each key and for the mouse, which may send groups, under their headings."""
    parts = [(title, [(key.shown, key.about) for key in keys]) for title, keys in PARTS]
    parts.append(("The mouse", list(SENDING if sends else MOUSE)))
    rows: list[Row] = []
    for title, lines in parts:
        rows.append([(title, theme.selected), ("", theme.faint)])
        rows += [[(shown, theme.text), (about, theme.faint)] for shown, about in lines]
    return rows


def unit_rows(world: World, row: int, theme: Theme) -> list[Row]:
    """The selected unit's name, and its terms: name and (ahead, starboard), and which one won."""
    group = sight.owner(world, row)
    member = row - group.rows.start
    leads = ", leads" if group.leads[member] and group.leader_sight else ""
    answers = int(sight.answered(world, row).sum())
    rows: list[Row] = [
        [(f"unit {row} of {group.name}{leads}", theme.text)],
        [(_looks(world, row), theme.faint)],
        [(f"ringed: {answers} that its rules answer one by one", theme.faint)],
        [("term", theme.faint), ("ahead", theme.faint), ("starboard", theme.faint)],
    ]
    rows[3:3] = [[(line, theme.faint)] for line in errands.words(world, row)]
    ranked = bool(group.terms and group.model.priority)  # else all are added up, and none wins
    winner = str(group.winner[member]) if ranked else ""
    for name, term, color in overlays.terms_of(world, row, theme):
        line = [(name.replace("_", " "), color), *(_figure(value, theme) for value in term)]
        rows.append([*line, ("wins", theme.text)] if name == winner else line)
    return rows


def _looks(world: World, row: int) -> str:
    """How the unit looks, how far, and how many it sees."""
    group = sight.owner(world, row)
    main, seen = sight.main(group), int(sight.seen(world, row).sum())
    if main is None:
        return "no rule of it looks at units"
    return f"view {main.view or group.view}, as far as {group.resolve(main)[2]:g}, sees {seen}"


def _figure(value: float, theme: Theme) -> tuple[str, RGB]:
    return (f"{value:+.2f}", theme.text) if abs(value) >= 0.005 else ("0", theme.faint)


def _line(pieces: Sequence[Piece], theme: Theme) -> pygame.Surface:
    """Pieces beside each other, pairs apart."""
    kinds = {
        "name": (theme.faint, SPACE), "value": (theme.text, NEXT),
        "key": (theme.text, SPACE), "after": (theme.faint, NEXT),
    }  # fmt: skip
    images = [
        (shapes.text(words, kinds[kind][0], LETTERS), kinds[kind][1]) for words, kind in pieces
    ]
    made = pygame.Surface((sum(i.get_width() + gap for i, gap in images), ROW), pygame.SRCALPHA)
    x = 0
    for image, gap in images:
        made.blit(image, (x, (ROW - image.get_height()) // 2))
        x += image.get_width() + gap
    return made


def paint_help(surface: pygame.Surface, rows: Sequence[Row], page: int, theme: Theme) -> int:
    """Paint a page of the help, from 1, or the last one; how many there are."""
    room = surface.get_rect().inflate(-2 * AWAY, -2 * AWAY)
    pages = help_pages(rows, room, theme)
    page = min(page, len(pages))
    told = list(pages[page - 1])
    if len(pages) > 1:
        said = "hides this" if page == len(pages) else "shows the next"
        told.append([(f"page {page} of {len(pages)}: H {said}", theme.selected)])
    put(surface, fitted(plate(told, theme, table=True, hides=SOLID), room), 0.5, 0.5)
    return len(pages)


def help_pages(rows: Sequence[Row], room: pygame.Rect, theme: Theme) -> list[list[Row]]:
    """The rows as pages of as many columns as a room has place for."""
    most = max(1, (room.height - 2 * PAD) // ROW - 1)
    deep = ceil(len(rows) / ceil(len(rows) / most))
    pages: list[list[Row]] = []
    for column in (rows[k : k + deep] for k in range(0, len(rows), deep)):
        beside: list[Row] = [
            [*row, *more]
            for row, more in zip_longest(pages[-1] if pages else (), column, fillvalue=())
        ]
        if pages and plate(beside, theme, table=True).get_width() <= room.width:
            pages[-1] = beside
        else:
            pages.append([*column])
    return pages


def notice(words: str, wide: int, theme: Theme) -> pygame.Surface:
    """A message, in as many lines as it needs."""
    lines = wrapped(words, letters(wide))
    return plate([[(line, theme.text)] for line in lines], theme, hides=SOLID)


def put(surface: pygame.Surface, image: pygame.Surface, across: float, down: float) -> pygame.Rect:
    """Blit a plate, and what it covers.

    `across` and `down` are its place from 0 (left, top) to 1 (right, bottom).
    """
    place = placed(surface.get_size(), image.get_size(), (across, down))
    surface.blit(image, place)
    return place


WIDE, MOST = 0.46, 460
"""The widest that the text is: a share of the picture, and pixels."""
WIDER = 0.96
"""The share where it is too high otherwise."""
LISTED = 6
"""Groups that are told at most."""


def about_plate(world: World, text: str, size: Size, theme: Theme) -> pygame.Surface:
    """A plate with the text, a row for each colour, and how to hide it, in a picture of a size."""
    room = pygame.Rect((0, 0), size).inflate(-2 * AWAY, -2 * AWAY)
    below = [*legend_rows(world, theme), [("F1 hides and shows this", theme.faint)]]
    for wide in (min(WIDE * size[0], MOST), WIDER * room.width):
        lines = wrapped(text, letters(wide)) if text else []
        image = plate([*([(line, theme.text)] for line in lines), *below], theme)
        if image.get_height() <= room.height:
            break
    return fitted(image, room)


def legend_rows(world: World, theme: Theme) -> list[Row]:
    """A row for each group that has units: its name in its colour, and what its members are."""
    here = [group for group in world.groups if world.units.present[group.rows].any()]
    rows: list[Row] = []
    for group in here[:LISTED]:
        own, leads = roles.colors(group, theme)
        rows.append([(group.name, own), (_what(group), theme.text)])
        if leads != own:
            rows.append([("leads", leads), (f" of {group.name}: units that lead now", theme.text)])
    if len(here) > LISTED:
        rows.append([(f"and {len(here) - LISTED} groups more", theme.faint)])
    return rows


def _what(group: Group) -> str:
    """What the group is for; it follows its name."""
    goal = group.goal
    if cast_of(group).part == "player":
        return ": yours, by the arrow keys" + (
            ", or its script" if group.script is not None else ""
        )
    if goal is not None and goal.target is not None:
        return f": {goal.kind} {goal.target}"
    return f" ({group.model.name})"
