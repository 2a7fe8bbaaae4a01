"""Commands that write files, and how to read what they wrote."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from sim.record.trajectory import load

from .running import command
from .scenarios import SMALL, of_model

FILMS = ("gif", "webp", "apng", "mp4")
TEXTS = ("npz", "txt")
OTHERS = 4
"""One in this many commands reads a recording; the others run a scenario."""


@dataclass(frozen=True)
class Deed:
    """The arguments of a command, and what must hold of its files whenever it is interrupted."""

    arguments: list[str]
    read: Callable[[bool], None]
    """Raises where a file cannot be read; told whether there was a second interrupt."""
    ends: bool
    """Whether it may come to an end before the interrupt."""


def prepare(folder: Path) -> tuple[Path, Path]:
    """A scenario file, and a recording of a run of it."""
    scenario, recording = folder / "run.toml", folder / "run.npz"
    text = of_model(SMALL.replace("EDGES", "wall"), "crowd").lstrip()
    scenario.write_text(f"stop_when_arrived = false\n{text}", encoding="utf-8")
    said = command(["run", str(scenario), "--seconds", "20", "--trajectory", str(recording)])
    assert said.status == 0, said
    return scenario, recording


def deed(seed: int, place: Path, scenario: Path, recording: Path) -> Deed:
    """That of a number: each kind of film the same number of times, in each kind of command."""
    film = place / f"film.{FILMS[seed % len(FILMS)]}"
    seed //= len(FILMS)
    if seed % OTHERS:
        text, metrics = place / f"run.{TEXTS[seed % len(TEXTS)]}", place / "m.json"
        arguments = ["run", str(scenario), "--seconds", "100000", "--film", str(film),
                     "--film-size", "160x120", "--trajectory", str(text),
                     "--metrics", str(metrics)]  # fmt: skip
        return Deed(arguments, lambda twice: _run(film, text, metrics, twice), ends=False)
    seed //= OTHERS
    if seed % 2:
        arguments = ["replay", str(recording), "--film", str(film), "--film-size", "160x120"]
        return Deed(arguments, lambda _: _film(film) if film.exists() else None, ends=True)
    page, out = place / "page.html", place / "m.json"
    if seed % 4:
        arguments = ["replay", str(recording), "--html", str(page)]
    else:
        arguments = ["metrics", str(recording), "--out", str(out)]
    return Deed(arguments, lambda _: _rest(page, out), ends=True)


def _run(film: Path, text: Path, metrics: Path, twice: bool) -> None:
    """Read the files of a run; all of them, or none. A run cut off has no metrics."""
    assert film.exists() == text.exists()
    assert metrics.exists() == film.exists() or (twice and film.exists())
    if metrics.exists():
        assert json.loads(metrics.read_text())["steps"] >= 0
    if film.exists():
        assert len(load(text).time) > 0
        _film(film)


def _rest(page: Path, out: Path) -> None:
    """Read a page and a file of metrics, as far as they exist."""
    if page.exists():
        assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    if out.exists():
        assert json.loads(out.read_text())["steps"] >= 0


def _film(film: Path) -> None:
    """Read all pictures."""
    if film.suffix == ".mp4":
        decoded = ["ffmpeg", "-v", "error", "-i", str(film), "-f", "null", "-"]
        done = subprocess.run(decoded, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
        return
    with Image.open(film) as picture:
        for frame in range(getattr(picture, "n_frames", 1)):
            picture.seek(frame)
            picture.load()
