"""Trajectories as numpy's .npz: arrays time, position, angle, group and the scenario's text.

Frames go to nameless files on disk as they come and are joined at the end, so memory does not grow
with the length of a run. The arrays are stored, not deflated: the last bits of a motion are noise.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import zipfile
from typing import IO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sim.record.files import AnyPath, atomic, check_target, room_for
from sim.record.run import Names, Run
from sim.units import Units

_BLOCK = 1 << 20


class NpzFrames:
    """The frames of a run, kept raw on disk until `finish` makes an .npz of them."""

    def __init__(self, path: AnyPath) -> None:
        self.frames = 0
        self.done = False
        self._path = path
        folder = check_target(path).parent  # where the room for the result has to be in any case
        with room_for(path):
            self._raw = {
                name: tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (they outlive this call)
                for name in ("time", "position", "angle")
            }

    def add(self, _interval: float, time: float, units: Units) -> None:
        """Keep one frame; rows of units that left become NaN."""
        here = units.present
        frame = {
            "time": np.array(time),
            "position": np.where(here[:, None], units.position, np.nan),
            "angle": np.where(here, units.angle, np.nan),
        }
        try:
            with room_for(self._path):
                for name, values in frame.items():
                    self._raw[name].write(values.astype("<f8").tobytes())
        except Exception:
            self.abort()
            raise
        self.frames += 1

    def finish(self, group: Names, text: str) -> None:
        """Write the .npz."""
        if self.done:
            return
        t, n = self.frames, len(group)
        shapes = {"time": (t,), "position": (t, n, 2), "angle": (t, n)}
        try:
            with atomic(self._path) as out, zipfile.ZipFile(out, "w") as archive:
                for name, shape in shapes.items():
                    with _member(archive, name) as member:
                        _copy(self._raw[name], shape, member)
                for name, value in (("group", group), ("text", np.array(text))):
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


def _copy(raw: IO[bytes], shape: tuple[int, ...], member: IO[bytes]) -> None:
    """An array of float64 from a raw file; an incomplete last frame is left out."""
    raw.flush()
    raw.seek(0)
    raw.truncate(8 * int(np.prod(shape)))
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(member, header)
    shutil.copyfileobj(raw, member, _BLOCK)


def read_npz(path: AnyPath) -> Run:
    """Read an .npz trajectory; raises KeyError, ValueError, OSError for anything else."""
    with np.load(path, allow_pickle=False) as arrays:
        return Run(
            time=_floats(arrays["time"]),
            position=_floats(arrays["position"]),
            angle=_floats(arrays["angle"]),
            group=np.asarray(arrays["group"], dtype=np.str_),
            text=str(arrays["text"]) if "text" in arrays else "",
        )


def _floats(values: NDArray[np.generic]) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)
