"""MP4 films by ffmpeg, a program of its own, which is handed one picture after the other."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile

from sim.core.errors import BadInput
from sim.core.files import AnyPath
from sim.record.reel import Bytes, Film

_EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2"  # the colours of 2 x 2 pixels are kept together


class Mp4Writer(Film):
    """An MP4 that ffmpeg writes; players decide how often it plays.

    Raises `BadInput` for values out of range, and where there is no ffmpeg.
    """

    FASTEST = 240.0
    WIDEST = 8192
    """What decoders are made for."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        if loop != 0:
            raise BadInput(f"{path}: loop = {loop}: an MP4 has none; must be 0")
        program = shutil.which("ffmpeg")
        if program is None:
            raise BadInput(f"{path}: needs the program ffmpeg, which is not here; .webp does not")
        super().__init__(path, size, fps)
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

    def _take(self, frame: Bytes) -> None:
        assert self._program.stdin is not None
        try:
            self._program.stdin.write(frame.tobytes())
        except OSError:
            self._fail()

    def _finish(self) -> None:
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
