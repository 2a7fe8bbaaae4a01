"""States as files: numpy's .npz with the arrays, and one text (JSON) of how they belong together.

The file holds no code and nothing that would be run: see `reader`. It is refused when it is not
whole, of another version, or holds what no world could: arrays of other shapes, rows of units that
are not there.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import signature
from io import BytesIO
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sim.core.errors import BadInput, printable
from sim.core.files import AnyPath, atomic, check_source, path_of
from sim.core.npz_arrays import read_arrays, unpacked
from sim.core.solids import Solids
from sim.living.roster import Roster
from sim.living.site import Site
from sim.navigation import Planner
from sim.saving.checks import check
from sim.saving.reader import Reader
from sim.saving.state import State, put
from sim.saving.writer import Writer, charts_of

FORMAT, VERSION = "sim state", 15
TOLD = "state"
"""Of the text's name in the file."""


def write(state: State, path: AnyPath) -> None:
    """Write a state to a file, which is there whole or not at all."""
    with atomic(path) as out:
        out.write(packed(state))


def packed(state: State) -> bytes:
    """A state as it stands in a file."""
    out = BytesIO()
    writer = Writer(charts_of(state.parts), _all_solids(state.ground))
    parts = {each.name: writer.write(getattr(state, each.name)) for each in fields(state)}
    head = {"format": FORMAT, "version": VERSION, **parts}
    with zipfile.ZipFile(out, "w") as archive:
        for name, value in {TOLD: np.array(json.dumps(head)), **writer.arrays}.items():
            # a fixed date: the same state gives the same bytes
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                npy.write_array(member, value, allow_pickle=False)
    return out.getvalue()


def read(path: AnyPath) -> State:
    """The state in a file. Raises `BadInput` that begins with the path for anything else."""
    path = path_of(path)
    check_source(path)
    return _read(lambda: read_arrays(path), str(path))


def unpack(data: bytes) -> State:
    """The state that was `packed`. Raises `BadInput` for anything else."""
    return _read(lambda: unpacked(BytesIO(data)), "state")


def _read(arrays: Callable[[], dict[str, NDArray[Any]]], path: str) -> State:
    try:
        found = arrays()
        told = found.pop(TOLD, None)
        head = {} if told is None else json.loads(str(told[()]))
        if told is None or head["format"] != FORMAT:
            raise ValueError("is no state of a world")
        if head["version"] != VERSION:
            raise ValueError(f"is of version {head['version']}: must be {VERSION}")
        return _state(head, found)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise BadInput(f"{path}: is a directory, not a state") from None
    except BadInput as bad:
        raise BadInput(f"{path}: not a state that can be loaded: {bad}") from None
    except _WRONG as error:
        said = printable(str(error) or type(error).__name__)[:200]
        raise BadInput(f"{path}: not a state that can be loaded: {said}") from None


_WRONG = (
    ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, RecursionError,
    OverflowError, EOFError, NotImplementedError, zipfile.BadZipFile, MemoryError, RuntimeError,
)  # fmt: skip
"""What comes of a file that is none, or has been spoilt."""


def _state(head: dict[str, Any], arrays: dict[str, Any]) -> State:
    first = Reader(arrays, None)
    ground = first.read(head["ground"])
    planner = Planner(_all_solids(ground), ground["plane"], ground["map"])
    reader = Reader(arrays, planner, first.made)
    parts, engine = reader.read(head["parts"]), reader.read(head["engine"])
    state = State(
        float(head["time"]), ground, parts, engine, reader.read(head["owner"]),
        reader.read(head["about"]),
    )  # fmt: skip
    check(state)
    return state


def _all_solids(ground: Mapping[str, Any]) -> Solids:
    added, tiles = ground["added"], ground["map"]
    added = Solids.of(added.discs, added.boxes, added.walls)
    added.check(ground["plane"])
    boxes = added.boxes if tiles is None else np.concatenate([added.boxes, tiles.boxes])
    return Solids(added.discs, boxes, added.walls)


def made_with(state: State) -> dict[str, Any]:
    """What a world is made with that this state can be put into."""
    ground = dict(state.ground)
    plane, added = ground.pop("plane"), ground.pop("added")
    if ground["map"] is None:
        ground |= {"bounds": plane.bounds, "edges": plane.edges}
    return ground | {"discs": added.discs, "boxes": added.boxes, "walls": added.walls}


class Made(Protocol):
    """What is put into a state: a world."""

    roster: Roster
    site: Site


W = TypeVar("W", bound=Made)


def world_in(kind: type[W], state: State | AnyPath) -> W:
    """A new world in a state, or in that of a file that `save` has written.

    Raises `BadInput` for any other file.
    """
    found = state if isinstance(state, State) else read(state)
    given = made_with(found)
    try:
        signature(kind).bind(**given)
    except TypeError as error:
        raise BadInput(
            f"{kind.__name__}.load: its __init__ must take what World(...) takes: {error}"
        ) from None
    world = kind(**given)
    put(world.roster, world.site, found)
    return world
