"""A display that nobody looks at, and what is on it, pixel by pixel."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

ROOM = (1400, 900)


@contextmanager
def display(folder: Path) -> Iterator[str]:
    """The name of an X display of 1400 x 900 whose pixels stand in a file of the folder."""
    assert shutil.which("Xvfb"), "the caller skips where there is none"
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{ROOM[0]}x{ROOM[1]}x24",
         "-fbdir", str(folder), "-nolisten", "tcp",
         "-noreset"],  # a reset when the last client leaves turns away a window that comes next
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


def pixels(folder: Path) -> np.ndarray:
    """(width, height, 3) what the display of this folder shows now.

    X window dump, version 7: 25 numbers of four bytes, the window's name, colours of 12 bytes, then
    the pixels (X11/XWDFile.h).
    """
    raw = (folder / "Xvfb_screen0").read_bytes()
    header = struct.unpack(">25I", raw[:100])
    size, wide, high, line, colors = header[0], header[4], header[5], header[12], header[19]
    start = size + 12 * colors
    rows = np.frombuffer(raw, np.uint8, line * high, start).reshape(high, line)
    blue_green_red = rows[:, : 4 * wide].reshape(high, wide, 4)[..., :3]
    return blue_green_red[..., ::-1].swapaxes(0, 1)
