from __future__ import annotations

import errno
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence

from sim.core.errors import BadInput
from sim.record.gif import GifWriter, default_palette

GROUND, RED, BLUE = (18, 20, 24), (220, 60, 60), (60, 120, 230)
PALETTE = default_palette([GROUND, RED, BLUE])

Picture = NDArray[np.uint8]


def film(frames: int, width: int = 80, height: int = 60) -> list[Picture]:
    """Two squares that cross a plain ground at different speeds."""
    pictures = []
    for k in range(frames):
        picture = np.full((height, width, 3), GROUND, dtype=np.uint8)
        picture[10:16, (3 * k) % (width - 6) :][:, :6] = RED
        picture[(2 * k) % (height - 5) :, 40:45][:5] = BLUE
        pictures.append(picture)
    return pictures


def write(path: Path, pictures: list[Picture], fps: float = 25) -> None:
    """Write a film in one go."""
    height, width, _ = pictures[0].shape
    gif = GifWriter(path, (width, height), fps, PALETTE)
    write_all(gif, pictures)
    gif.close()


def write_all(gif: GifWriter, pictures: list[Picture]) -> None:
    """Write every picture of a film."""
    for picture in pictures:
        gif.write(picture)


def reread(path: Path) -> tuple[list[Picture], list[int]]:
    """Pictures as a viewer shows them, and their durations in ms, by Pillow."""
    with Image.open(path) as image:
        frames = [
            (np.asarray(frame.convert("RGB")), frame.info["duration"])
            for frame in ImageSequence.Iterator(image)
        ]
    return [picture for picture, _ in frames], [duration for _, duration in frames]


def test_film_reads_back_exactly(tmp_path: Path) -> None:
    """Every frame composites to the very picture that was written, colours included."""
    pictures = film(30)
    write(tmp_path / "a.gif", pictures)
    found, durations = reread(tmp_path / "a.gif")
    assert len(found) == 30
    assert all(np.array_equal(a, b) for a, b in zip(found, pictures, strict=True))
    assert durations == [40] * 30
    assert os.listdir(tmp_path) == ["a.gif"]


def test_noise_reads_back_exactly(tmp_path: Path) -> None:
    """Pictures without any order survive the coding too, also when the frame is not contiguous."""
    rng = np.random.default_rng(5)
    pictures = [PALETTE[rng.integers(0, len(PALETTE), (90, 70))].swapaxes(0, 1) for _ in range(4)]
    write(tmp_path / "a.gif", pictures)
    found, _ = reread(tmp_path / "a.gif")
    assert all(np.array_equal(a, b) for a, b in zip(found, pictures, strict=True))


def test_only_the_changed_rectangle_is_written(tmp_path: Path) -> None:
    """A frame holds the smallest rectangle around all that differs, and costs accordingly."""
    pictures = film(1) * 2
    pictures[1] = pictures[0].copy()
    pictures[1][50, 60] = pictures[1][53, 70] = RED
    write(tmp_path / "one.gif", pictures[:1])
    write(tmp_path / "two.gif", pictures)
    sizes = [(tmp_path / name).stat().st_size for name in ("one.gif", "two.gif")]
    assert sizes[1] - sizes[0] < 40
    assert np.array_equal(reread(tmp_path / "two.gif")[0][1], pictures[1])
    with Image.open(tmp_path / "two.gif") as image:
        image.seek(1)
        assert image.tile[0][1] == (60, 50, 71, 54)


def test_frame_may_be_reused_by_the_caller(tmp_path: Path) -> None:
    """A caller that draws every frame into the same memory gets its film all the same."""
    gif = GifWriter(tmp_path / "a.gif", (80, 60), 25, PALETTE)
    memory = np.empty((60, 80, 3), dtype=np.uint8)
    for picture in film(5):
        memory[:] = picture
        gif.write(memory)
    gif.close()
    assert len(reread(tmp_path / "a.gif")[0]) == 5


def test_unchanged_frame_extends_the_delay(tmp_path: Path) -> None:
    """Frames that look the same are one picture that stays longer."""
    first, second = film(2)
    nearly = first.copy()
    nearly[0, 0] = (19, 20, 24)  # the palette has nothing nearer than the ground
    write(tmp_path / "a.gif", [first, first, nearly, second, second])
    assert reread(tmp_path / "a.gif")[1] == [120, 80]


@pytest.mark.parametrize("fps", [50, 30, 24, 12.5, 0.7])
def test_average_rate_is_true(tmp_path: Path, fps: float) -> None:
    """Rounding to 1/100 s does not add up: the film lasts as long as its frames."""
    write(tmp_path / "a.gif", film(35), fps)
    _, durations = reread(tmp_path / "a.gif")
    assert abs(sum(durations) - 35_000 / fps) <= 5
    assert max(durations) - min(durations) <= 10


def test_delay_longer_than_a_gif_holds(tmp_path: Path) -> None:
    """A picture may stay longer than two bytes of 1/100 s."""
    first, second = film(2)
    write(tmp_path / "a.gif", [first, first, second], fps=0.001)
    found, durations = reread(tmp_path / "a.gif")
    assert sum(durations) == 3_000_000
    assert np.array_equal(found[-1], second)


@pytest.mark.parametrize("colors", [1, 2, 3, 4, 127, 128, 255])
def test_any_size_of_palette(tmp_path: Path, colors: int) -> None:
    """Each palette of 1 to 255 colours leaves room for the transparent one."""
    palette = (np.arange(colors)[:, None] * [1, 1, 1]).astype(np.uint8)
    rng = np.random.default_rng(2)
    pictures = [palette[rng.integers(0, colors, (9, 8))] for _ in range(3)]
    gif = GifWriter(tmp_path / "a.gif", (8, 9), 10, palette)
    for picture in pictures:
        gif.write(picture)
    gif.close()
    assert np.array_equal(reread(tmp_path / "a.gif")[0][-1], pictures[-1])


def test_memory_does_not_grow(tmp_path: Path) -> None:
    """A film of hundreds of frames needs no more memory than a short one."""
    rng = np.random.default_rng(2)
    pictures = [PALETTE[rng.integers(0, 50, (100, 100))] for _ in range(2)]
    gif = GifWriter(tmp_path / "a.gif", (100, 100), 25, PALETTE)
    for k in range(6):
        gif.write(pictures[k % 2])
    tracemalloc.start()
    try:
        for k in range(300):
            gif.write(pictures[k % 2])
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    gif.close()
    assert (tmp_path / "a.gif").stat().st_size > 2_000_000
    assert grown < 100_000


def test_interrupted_film_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C in the middle of a write, closing leaves a whole film up to there."""
    gif = GifWriter(tmp_path / "a.gif", (80, 60), 25, PALETTE)
    pictures = film(6)
    for picture in pictures[:5]:
        gif.write(picture)

    def cut_short(data: bytes) -> None:
        gif._out.file.write(data[:7])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(gif._out, "write", cut_short)
        with pytest.raises(KeyboardInterrupt):
            gif.write(pictures[5])
    gif.close()
    gif.close()
    found, _ = reread(tmp_path / "a.gif")
    assert len(found) == 5
    assert all(np.array_equal(a, b) for a, b in zip(found, pictures[:5], strict=True))


def test_abort_and_no_frames_leave_nothing(tmp_path: Path) -> None:
    """Neither an aborted film nor one without frames leaves a file; the latter says so."""
    aborted = GifWriter(tmp_path / "a.gif", (80, 60), 25, PALETTE)
    aborted.write(film(1)[0])
    aborted.abort()
    empty = GifWriter(tmp_path / "b.gif", (80, 60), 25, PALETTE)
    with pytest.raises(BadInput, match=r"b\.gif: no frame"):
        empty.close()
    empty.close()
    assert os.listdir(tmp_path) == []


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is one clear message, the old film stays, and closing afterwards is harmless."""
    (tmp_path / "a.gif").write_bytes(b"before")
    gif = GifWriter(tmp_path / "a.gif", (80, 60), 25, PALETTE)

    class Full:
        def __getattr__(self, name: str) -> object:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def close(self) -> None:
            real.close()

    real = gif._out.file
    monkeypatch.setattr(gif._out, "file", Full())
    with pytest.raises(BadInput, match=r"a\.gif: .*No space left on device"):
        write_all(gif, film(3))
    gif.close()
    assert os.listdir(tmp_path) == ["a.gif"]
    assert (tmp_path / "a.gif").read_bytes() == b"before"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"fps": 0}, "fps = 0: must be from 0.001 to 50"),
        ({"fps": 60}, "fps = 60: must be"),
        ({"fps": float("nan")}, "fps = nan"),
        ({"size": (0, 5)}, "size = 0 x 5"),
        ({"palette": np.zeros((256, 3))}, "palette of 256 colours"),
        ({"loop": -1}, "loop = -1"),
    ],
)
def test_values_out_of_range(tmp_path: Path, values: dict[str, object], message: str) -> None:
    """Bad values are refused with name, value and interval, before a file is made."""
    given: dict[str, object] = {"size": (8, 8), "fps": 25, "palette": PALETTE} | values
    with pytest.raises(BadInput, match=message):
        GifWriter(tmp_path / "a.gif", **given)  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_frame_of_another_size(tmp_path: Path) -> None:
    """A frame that does not fit the film is an error of the caller, at once."""
    gif = GifWriter(tmp_path / "a.gif", (80, 60), 25, PALETTE)
    with pytest.raises(ValueError, match="must be"):
        gif.write(np.zeros((80, 60, 3), dtype=np.uint8))
    gif.abort()
