"""The arrays of an .npz file that may come from anywhere: checked before memory is taken."""

from __future__ import annotations

import math
import zipfile
from os import SEEK_END
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sim.core.files import AnyPath

KINDS = "biufU"
"""Of arrays: truth values, numbers and texts; anything else, objects above all, is refused."""
MOST_TIMES, SPARE = 64, 1 << 26
"""All arrays together may be this many times as long as the file, and this many bytes more."""
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 0x1
_HEADERS: dict[tuple[int, int], Any] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}


def read_arrays(path: AnyPath) -> dict[str, NDArray[Any]]:
    """Every array by name. Raises `ValueError`, or what zipfile and numpy do, for others."""
    with Path(path).open("rb") as file:
        return unpacked(file)


def unpacked(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    """The same from an open file."""
    room = MOST_TIMES * file.seek(0, SEEK_END) + SPARE
    found: dict[str, NDArray[Any]] = {}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = info.filename.removesuffix(".npy")
            if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
                raise ValueError(f"{name!r}: must be stored or deflated, and not encrypted")
            if name in found:
                raise ValueError(f"{name!r}: must be there once")
            room -= info.file_size
            if room < 0:
                raise ValueError(f"{name!r}: unpacks to {info.file_size:,} bytes: too large")
            with archive.open(info) as member:
                found[name] = _array(name, member, info.file_size)
    return found


def _array(name: str, member: IO[bytes], size: int) -> NDArray[Any]:
    version = npy.read_magic(member)
    if version not in _HEADERS:
        raise ValueError(f"{name!r}: is of version {version} of numpy's format: must be 1.0 or 2.0")
    shape, by_columns, dtype = _HEADERS[version](member)
    if dtype.kind not in KINDS or dtype.subdtype is not None:
        raise ValueError(f"{name!r}: is an array of {dtype}: must be of numbers or texts")
    if not all(isinstance(side, int) and side >= 0 for side in shape) or len(shape) > 3:
        raise ValueError(f"{name!r}: must have three dimensions at most")
    wanted = math.prod(shape) * dtype.itemsize
    if wanted > size:
        raise ValueError(f"{name!r}: an array {shape} of {dtype} in {size} bytes: not all is there")
    data = member.read(wanted)
    if len(data) < wanted:
        raise ValueError(f"{name!r}: not all is there")
    if not wanted:
        return np.zeros(shape, dtype)
    return np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C").copy()
