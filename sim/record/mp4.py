"""MP4 films by ffmpeg, a program of its own, which is handed one picture after the other."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from typing import ClassVar

from sim.core.errors import BadInput
from sim.core.files import AnyPath, AtomicFile
from sim.record.reel import Bytes, check_fps, check_size

WIDEST = 8192
"""Pixels a side: what decoders are made for."""
_EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2"  # the colours of 2 x 2 pixels are kept together


class Mp4Writer:
    """An MP4 that ffmpeg writes under a temporary name until `close`.

    `size` is (width, height) in pixels, `fps` frames a second; players decide how often it plays.
    Raises `BadInput` for values out of range, and where there is no ffmpeg.
    """

    FASTEST: ClassVar[float] = 240.0
    """Frames a second."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        check_fps(path, fps, self.FASTEST)
        check_size(path, size, WIDEST)
        if loop != 0:
            raise BadInput(f"{path}: loop = {loop}: an MP4 has none; must be 0")
        program = shutil.which("ffmpeg")
        if program is None:
            raise BadInput(f"{path}: needs the program ffmpeg, which is not here; .webp does not")
        self.frames = 0
        self._path, self._size = path, size
        self._out = AtomicFile(path)
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (it outlives this call)
        command = [
            program, "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{size[0]}x{size[1]}", "-r", f"{fps!r}", "-i", "-", "-vf", _EVEN,
            "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", "-y",
            f"file:{self._out.hidden}",
        ]  # fmt: skip
        # In a session of its own, Ctrl-C leaves it alone: it is to finish the film up to then.
        self._program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said,
            start_new_session=True,
        )  # fmt: skip

    def write(self, frame: Bytes) -> None:
        """Add one (height, width, 3) uint8 picture, shown for 1 / fps s."""
        width, height = self._size
        if frame.shape != (height, width, 3) or frame.dtype.itemsize != 1:
            raise ValueError(f"frame of shape {frame.shape}: must be {(height, width, 3)}, uint8")
        assert self._program.stdin is not None
        try:
            self._program.stdin.write(frame.tobytes())
        except OSError:
            self._fail()
        self.frames += 1

    def close(self) -> None:
        """Finish the file and give it its name; nothing happens the second time.

        Raises `BadInput`, and leaves no file, when no frame was written, or ffmpeg could not.
        """
        if self._out.done:
            return
        if self.frames == 0:
            self.abort()
            raise BadInput(f"{self._path}: no frame was drawn, so there is no picture to write")
        self._hang_up()
        if self._program.wait() != 0:
            self._fail()
        self._said.close()
        self._out.commit_stream()

    def abort(self) -> None:
        """Remove what was written so far."""
        if self._out.done:
            return
        self._hang_up()
        self._program.kill()
        self._program.wait()
        self._said.close()
        self._out.abort()

    def _hang_up(self) -> None:
        assert self._program.stdin is not None
        with contextlib.suppress(OSError):  # ffmpeg may be gone; its exit status tells
            self._program.stdin.close()

    def _fail(self) -> None:
        """Give up, with what ffmpeg said last."""
        self._hang_up()
        self._program.wait()
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        self.abort()
        raise BadInput(f"{self._path}: ffmpeg gave up: {lines[-1] if lines else 'it says nothing'}")
