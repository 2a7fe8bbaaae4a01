"""Films in every format: the same pictures, the same length, and never half a file."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from sim.core.errors import BadInput
from sim.record import mp4
from sim.record.film import Film, open_film
from sim.record.reel import Reel

from .test_gif import BLUE, GROUND, RED, Picture, film, reread

COLORS = np.array([GROUND, RED, BLUE], dtype=np.uint8)
STREAMED = ("gif", "webp", "apng")
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="there is no ffmpeg here")
formats = pytest.mark.parametrize(
    "ending", [*STREAMED, pytest.param("mp4", marks=needs_ffmpeg)], ids=lambda ending: ending
)


def start(path: Path, pictures: list[Picture], fps: float = 25, loop: int = 0) -> Film:
    """A film with these pictures, not closed yet."""
    height, width, _ = pictures[0].shape
    made = open_film(path, (width, height), fps, COLORS, loop)
    for picture in pictures:
        made.write(picture)
    return made


@pytest.mark.parametrize("ending", STREAMED)
def test_films_read_back_exactly(tmp_path: Path, ending: str) -> None:
    """Every picture composites to the very one that was written, 40 ms each."""
    pictures, path = film(30), tmp_path / f"a.{ending}"
    start(path, pictures).close()
    found, durations = reread(path)
    assert len(found) == 30
    assert all(np.array_equal(a, b) for a, b in zip(found, pictures, strict=True))
    assert durations == [40] * 30
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ["webp", "apng"])
def test_true_colour_is_kept(tmp_path: Path, ending: str) -> None:
    """Noise in all colours survives, in a size that is odd both ways."""
    rng = np.random.default_rng(3)
    pictures = [rng.integers(0, 256, (61, 83, 3), dtype=np.uint8) for _ in range(3)]
    pictures.append(pictures[-1].copy())
    pictures[-1][7, 9] = pictures[-1][33, 41] = 1
    start(tmp_path / f"a.{ending}", pictures).close()
    found, _ = reread(tmp_path / f"a.{ending}")
    assert all(np.array_equal(a, b) for a, b in zip(found, pictures, strict=True))


@pytest.mark.parametrize("ending", STREAMED)
def test_pictures_that_stay(tmp_path: Path, ending: str) -> None:
    """What does not change is shown for longer; so is what stays beyond the format's delays."""
    first, second = film(2)
    start(tmp_path / f"a.{ending}", [first, first, second]).close()
    assert reread(tmp_path / f"a.{ending}")[1] == [80, 40]
    still = [first] * 3 + [second]
    start(tmp_path / f"b.{ending}", still, fps=1000 / Reel.LONGEST).close()
    found, durations = reread(tmp_path / f"b.{ending}")
    assert sum(durations) == pytest.approx(4 * Reel.LONGEST, abs=20)
    assert np.array_equal(found[-1], second)


@pytest.mark.parametrize("ending", STREAMED)
@pytest.mark.parametrize("fps", [30, 24, 0.7])
def test_rates_do_not_drift(tmp_path: Path, ending: str, fps: float) -> None:
    """Rounded delays add up to the length of the film."""
    start(tmp_path / f"a.{ending}", film(35), fps).close()
    assert abs(sum(reread(tmp_path / f"a.{ending}")[1]) - 35_000 / fps) <= 5


@pytest.mark.parametrize("ending", STREAMED)
@pytest.mark.parametrize("loop", [0, 1, 3])
def test_loop(tmp_path: Path, ending: str, loop: int) -> None:
    """A film plays as often as it is asked to; a GIF says how often again."""
    path = tmp_path / f"a.{ending}"
    start(path, film(3), loop=loop).close()
    with Image.open(path) as image:
        said = image.info.get("loop")
    assert said == ((None if loop == 1 else max(0, loop - 1)) if ending == "gif" else loop)


@pytest.mark.parametrize("ending", STREAMED)
def test_memory_does_not_grow(tmp_path: Path, ending: str) -> None:
    """A film of 400 pictures takes no more memory than one of 40: frames go to disk."""
    peaks = []
    for frames in (40, 400):
        made = open_film(tmp_path / f"{frames}.{ending}", (160, 120), 25, COLORS)
        pictures = film(40, 160, 120)
        tracemalloc.start()
        for k in range(frames):
            made.write(pictures[k % 40])
        made.close()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 200_000


@formats
def test_an_aborted_film_leaves_nothing(tmp_path: Path, ending: str) -> None:
    """Nor does one without a picture; and what was there before stays."""
    path = tmp_path / f"a.{ending}"
    path.write_text("old")
    made = start(path, film(3))
    assert path.read_text() == "old"
    made.abort()
    made.abort()
    with pytest.raises(BadInput, match="no frame"):
        open_film(path, (20, 20), 25, COLORS).close()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ["webp", "apng"])
def test_a_full_disk(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with the file's name, and no half of a film is left."""
    path = tmp_path / f"a.{ending}"
    made = start(path, film(2))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=f"a.{ending}: cannot be written: No space"):
        made.close()
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("a.avi", {}, "a film ends in .gif, .webp, .apng, .png or .mp4"),
        ("a", {}, "a film ends in"),
        ("a.webp", {"fps": 101}, "fps = 101: must be from 0.001 to 100"),
        ("a.apng", {"fps": 0}, "fps = 0"),
        ("a.webp", {"size": (16_384, 10)}, "size = 16384 x 10: must be 1 to 16383 each way"),
        ("a.apng", {"loop": -1}, "loop = -1: must be 0 to 65535"),
        ("a.mp4", {"fps": 241}, "fps = 241: must be from 0.001 to 240"),
        ("a.mp4", {"loop": 2}, "loop = 2: an MP4 has none"),
        ("a.mp4", {"size": (9000, 10)}, "size = 9000 x 10"),
    ],
)
def test_refused(tmp_path: Path, name: str, options: dict[str, int], said: str) -> None:
    """Endings and values that a format has no room for, by the file's name; and none is left."""
    given = {"size": (80, 60), "fps": 25.0, "colors": COLORS, **options}
    with pytest.raises(BadInput, match=f"{name}: .*{said}"):
        open_film(tmp_path / name, **given)  # type: ignore[arg-type]
    assert not os.listdir(tmp_path)


def test_without_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An MP4 needs it, which is said in one line."""
    monkeypatch.setattr(mp4.shutil, "which", lambda _: None)
    with pytest.raises(BadInput, match=r"a.mp4: needs the program ffmpeg, which is not here"):
        open_film(tmp_path / "a.mp4", (80, 60), 25, COLORS)
    assert not os.listdir(tmp_path)


@needs_ffmpeg
def test_mp4(tmp_path: Path) -> None:
    """As many pictures as were written, at their rate, in an even size; colours nearly."""
    path = tmp_path / "a.mp4"
    start(path, film(30, 83, 61)).close()
    raw = subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    found = np.frombuffer(raw, np.uint8).reshape(30, 62, 84, 3)
    apart = np.abs(found[-1, :61, :83].astype(int) - film(30, 83, 61)[-1])
    assert apart.mean() < 6
    assert os.listdir(tmp_path) == ["a.mp4"]


@needs_ffmpeg
def test_ffmpeg_that_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it said last is told, and no file is left."""
    fake = tmp_path / "bin" / "ffmpeg"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'no such encoder' >&2\nexit 3\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent))
    with pytest.raises(BadInput, match=r"a.mp4: ffmpeg gave up: no such encoder"):
        start(tmp_path / "a.mp4", film(200, 320, 240)).close()
    assert os.listdir(tmp_path) == ["bin"]


def test_pictures_of_another_shape(tmp_path: Path) -> None:
    """They are a mistake of the caller's, whatever the format."""
    for ending in STREAMED:
        made = open_film(tmp_path / f"a.{ending}", (80, 60), 25, COLORS)
        with pytest.raises(ValueError, match="must be"):
            made.write(np.zeros((80, 60, 3), np.uint8))
        made.abort()


def test_viewers_without_animation_show_the_first_picture(tmp_path: Path) -> None:
    """An APNG is a PNG: its plain data is the first picture, whole."""
    pictures = film(4)
    start(tmp_path / "a.png", pictures).close()
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"
        first = next(iter(ImageSequence.Iterator(image)))
        assert np.array_equal(np.asarray(first.convert("RGB")), pictures[0])


@pytest.mark.parametrize("ending", [".apng", ".webp"])
def test_a_picture_that_is_broken_off_leaves_no_gap(tmp_path, monkeypatch, ending):
    """What is interrupted before a picture is written is as if it had not been begun."""
    path = tmp_path / f"a{ending}"
    rng = np.random.default_rng(1)
    frames = rng.integers(0, 255, (6, 24, 32, 3), dtype=np.uint8)
    film = open_film(path, (32, 24), 20.0, np.zeros((1, 3), np.uint8))
    coder = {".apng": "sim.record.apng._deflated", ".webp": "sim.record.webp._coded"}[ending]

    def interrupted(_):
        raise KeyboardInterrupt

    for number, frame in enumerate(frames):
        if number == 3:
            monkeypatch.setattr(coder, interrupted)
            with pytest.raises(KeyboardInterrupt):
                film.write(frame)
            monkeypatch.undo()
        else:
            film.write(frame)
    film.close()
    with Image.open(path) as picture:
        for frame in range(picture.n_frames):
            picture.seek(frame)
            picture.load()
        assert picture.n_frames >= 4
    numbers = re.findall(rb"(?:fcTL|fdAT)(....)", path.read_bytes(), re.DOTALL)
    assert [int.from_bytes(each) for each in numbers] == list(range(len(numbers)))
