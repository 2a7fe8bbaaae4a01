"""Trajectories as numpy's .npz: time, position, angle, leads, group, radius, parts; texts.

Frames go to nameless files on disk as they come and are joined at the end, so memory does not grow
with the length of a run. The arrays are stored, not deflated: the last bits of a motion are noise.
"""

from __future__ import annotations

import contextlib
import math
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from typing import IO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats
from sim.core.files import AnyPath, atomic, check_target, room_for
from sim.core.npz_arrays import read_arrays
from sim.core.units import Units
from sim.record.parts import WIDTH, Changes
from sim.record.run import VERSION, Names, Run, Texts, check_version, texts_of

_BLOCK = 1 << 20
_KINDS = {
    "time": "<f8", "position": "<f8", "angle": "<f8", "leads": "|b1", "part_changes": "<f8",
}  # fmt: skip


class NpzFrames:
    """The frames of a run, kept raw on disk until `finish` makes an .npz of them."""

    def __init__(self, path: AnyPath) -> None:
        self.frames = 0
        self.done = False
        self._path = path
        self._counts: list[int] = []
        self._changes = 0
        folder = check_target(path).parent  # where the room for the result has to be in any case
        with room_for(path):
            self._raw = {
                name: tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (they outlive this call)
                for name in _KINDS
            }

    def add(
        self, _interval: float, time: float, units: Units, leads: Bools, changes: Changes
    ) -> None:
        """Keep one frame; rows of units that left become NaN. `leads` (N,) says which units led.

        `changes` are those of parts since the frame before.
        """
        here = units.present
        frame = {
            "time": np.array(time),
            "position": np.where(here[:, None], units.position, np.nan),
            "angle": np.where(here, units.angle, np.nan),
            "leads": leads,
            "part_changes": np.array(changes, dtype=float),
        }
        try:
            with room_for(self._path):
                for name, values in frame.items():
                    self._raw[name].write(values.astype(_KINDS[name]).tobytes())
        except Exception:
            self.abort()
            raise
        self._counts.append(len(units))
        self._changes += len(changes)
        self.frames += 1

    def finish(
        self, group: Names, radius: Floats, more: Texts, text: str, stage: str, made_by: str = ""
    ) -> None:
        """Write the .npz: each unit's group and radius, and the texts that belong to it."""
        if self.done:
            return
        t, n = self.frames, len(group)
        shapes = {"time": (t,), "position": (t, n, 2), "angle": (t, n), "leads": (t, n)}
        shapes["part_changes"] = (self._changes, WIDTH)
        texts = {"text": text, "stage": stage, **more, "made_by": made_by, "version": VERSION}
        told = {"group": group, "radius": radius} | {k: np.array(each) for k, each in texts.items()}
        try:
            with atomic(self._path) as out, zipfile.ZipFile(out, "w") as archive:
                for name, shape in shapes.items():
                    with _member(archive, name) as member:
                        counts = {"time": [1] * t, "part_changes": [WIDTH] * self._changes}
                        held = counts.get(name, self._counts)
                        _copy(self._raw[name], shape, _KINDS[name], held, member)
                for name, value in told.items():
                    with _member(archive, name) as member:
                        npy.write_array(member, value, allow_pickle=False)
        finally:
            self.abort()

    def abort(self) -> None:
        """Give the disk space back."""
        self.done = True
        for raw in self._raw.values():
            with contextlib.suppress(OSError):  # closing writes what is buffered: it need not fit
                raw.close()


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    # A ZipInfo made by hand has a fixed date: the same run gives the same bytes.
    return archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True)


def _copy(
    raw: IO[bytes], shape: tuple[int, ...], kind: str, counts: Sequence[int], member: IO[bytes]
) -> None:
    """An array of this kind from a raw file; an incomplete last frame is left out.

    Each frame has as many units as `counts` says, and nothing of units that came later.
    """
    raw.flush()
    raw.seek(0)
    each = np.dtype(kind).itemsize * math.prod(shape[2:])
    raw.truncate(each * sum(counts))
    header = {"descr": kind, "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(member, header)
    most = max(counts, default=0)
    if min(counts, default=0) == most:
        shutil.copyfileobj(raw, member, _BLOCK)
        return
    fresh = b"\0" if kind == _KINDS["leads"] else np.full(math.prod(shape[2:]), np.nan).tobytes()
    for count in counts:
        member.write(raw.read(each * count) + fresh * (most - count))


def read_npz(path: AnyPath) -> Run:
    """Read an .npz trajectory; raises `BadInput` and other exceptions for anything else."""
    arrays = read_arrays(path)
    if "version" in arrays:
        check_version(arrays["version"][()])
    changes = _floats(arrays["part_changes"]) if "parts" in arrays else None
    return Run(
        time=_floats(arrays["time"]),
        position=_floats(arrays["position"]),
        angle=_floats(arrays["angle"]),
        group=np.asarray(arrays["group"], dtype=np.str_),
        leads=np.asarray(arrays["leads"], np.bool_) if "leads" in arrays else None,
        radius=_floats(arrays["radius"]) if "radius" in arrays else None,
        **texts_of(arrays, changes),
    )


def _floats(values: NDArray[np.generic]) -> Floats:
    return np.asarray(values, dtype=np.float64)
