"""`python -m sim new NAME`: a commented scenario file to start from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sim.core.errors import BadInput, suggest
from sim.core.files import atomic, check_target
from sim.core.limits import check_text
from sim.models import DEFAULT_MODEL, MODELS
from sim.scenario.schema import PLAYER
from sim.scenario.toml import toml

LARGEST_HULL = 5.0
"""World units: a model with a longer hull gets a box of 2 by 2 in the file, for room."""
TEXT = """\
# A scenario for `python -m sim run`. Lines that begin with a single # and a key are settings that
# may be switched on. `python -m sim check` says what is wrong with this file.
title = @TITLE@
# about = "What happens here, in a sentence."
seed = 1           # of all random numbers: the same seed gives the same run
duration = 90.0    # seconds
# stop_when_arrived = false

# What stands still. Lengths are in world units, x grows to the right and y grows downwards.
[map]
bounds = [0, 0, 100, 60]    # left, top, right, bottom
edges = "wall"              # "open": only the picture's frame; "wrap": a torus
boxes = [[48, 0, 52, 26], [48, 34, 52, 60]]    # two walls with a gap between them
# circles = [[75, 15, 4]]                      # discs: x, y, radius
# walls = [[60, 50, 90, 50]]                   # segments: x1, y1, x2, y2

# A group of units. There may be several, each below a line [[groups]] of its own.
[[groups]]
name = "first"
model = @MODEL@    # `python -m sim models` lists all
count = 12
spawn = { region = [5, 5, 30, 55] }    # where they start
goal = { point = [85, 30] }            # what they want
@HULL@
@SPEED@    # world units a second
# color = "tomato"
# view = "wide"

# Rules of the model, changed one by one. `python -m sim models @PLAIN@` prints all of them.
# [groups.behaviours]
# @RULE@ = { weight = 1.5 }
"""


def command(
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="The file's name; .toml may be left out.")
    ],
    model: Annotated[str, typer.Option("--model", help="Of the first group.")] = DEFAULT_MODEL,
) -> None:
    """Write a commented scenario file to start from. A file that is there is never overwritten."""
    if not name.name:
        raise BadInput(f"NAME {name}: must be the name of a file, such as game")
    target = name if name.suffix == ".toml" else name.with_name(f"{name.name}.toml")
    if os.path.lexists(target):
        raise BadInput(f"{target}: is there already; choose another name")
    check_target(target)
    text = text_of(target.stem, model)
    with atomic(target, "w") as file:
        file.write(text)
    print(f"wrote {target}; now: python -m sim run {target}")


def text_of(title: str, model: str) -> str:
    """The text of a new scenario file. Raises `BadInput` for an unknown model or no title."""
    known = [name for name in MODELS if name != PLAYER]
    if model not in known:
        raise BadInput(f"--model {model}: no such model; {suggest(model, known)}")
    check_text(title, "NAME")
    text = TEXT.replace("@MODEL@", toml(model)).replace("@PLAIN@", model)
    text = text.replace("@RULE@", next(iter(MODELS[model].behaviours)))
    large = MODELS[model].hull.length > LARGEST_HULL
    hull = 'hull = { shape = "box", length = 2.0, width = 2.0 }'
    text = text.replace("@HULL@", hull if large else '# hull = { shape = "disc", radius = 0.5 }')
    text = text.replace("@SPEED@", "speed = 8.0" if large else "# speed = 4.0")
    return text.replace("@TITLE@", toml(title))
