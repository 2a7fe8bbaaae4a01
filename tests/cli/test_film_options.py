"""What part of a run is filmed, how large, and what stands beside it."""

import shutil

import numpy as np
import pytest
from PIL import Image

from sim.screen.theme import DARK

from .films import played


def last_picture(path):
    """Size, and the pixels of the last frame."""
    with Image.open(path) as film:
        film.seek(film.n_frames - 1)
        return film.size, np.asarray(film.convert("RGB"))


@pytest.fixture
def filmed(cli, scenario, tmp_path):
    """Film the small scenario (half a second on 200 x 150) with some options."""

    def call(*options, name="film.webp"):
        target = tmp_path / name
        said = cli("run", scenario(), "--film", target, *options)
        assert (said.status, said.err) == (0, "")
        return target

    return call


@pytest.mark.parametrize("name", ["film.gif", "film.webp", "film.apng"])
def test_the_ending_says_the_format(filmed, name):
    """Each is what its name says, and shows the same."""
    target = filmed("--film-size", "160x120", name=name)
    with Image.open(target) as film:
        assert film.format == {"gif": "GIF", "webp": "WEBP", "apng": "PNG"}[name.split(".")[1]]
        assert film.n_frames > 5


def test_region(filmed):
    """A part of the world fills the picture: what is in its middle is in the middle."""
    size, whole = last_picture(filmed("--film-scale", 2))
    assert size == (400, 300)
    units = np.abs(whole.astype(int) - DARK.ground).sum(axis=2) > 150
    row, column = max(((i, j) for i in (0, 1) for j in (0, 1)), key=lambda at: units[
        150 * at[0] : 150 * at[0] + 150, 200 * at[1] : 200 * at[1] + 200].sum())  # fmt: skip
    left, top = 100 * column, 75 * row
    region = f"{left},{top},{left + 100},{top + 75}"
    size, part = last_picture(filmed("--film-region", region, "--film-scale", 2))
    assert size == (200, 150)
    shown = np.abs(part.astype(int) - DARK.ground).sum(axis=2) > 150
    there = units[2 * top : 2 * top + 150, 2 * left : 2 * left + 200]
    assert there.sum() > 20
    # at the same scale a hull may be drawn larger in the one, where there is more room for each
    assert (shown & there).sum() > 0.5 * there.sum()
    assert last_picture(filmed("--film-region", "0,0,100,25"))[0] == (640, 160)


def test_from_and_to(filmed):
    """Only that part of the run is in the film."""
    assert played(filmed("--film-from", 0.2, "--film-to", 0.4)).length == pytest.approx(240, abs=41)
    assert played(filmed("--film-from", 0.2)).length == pytest.approx(340, abs=41)


def test_speed_and_rate(filmed):
    """A quarter of the speed is four times as long, at any frame rate."""
    assert played(filmed("--film-speed", 0.25, "--film-fps", 20)).length == pytest.approx(
        2050, abs=51
    )


@pytest.mark.parametrize(("option", "side"), [(("--caption", "six"), 0), (("--scale-bar",), 1)])
def test_caption_and_scale_bar(filmed, option, side):
    """The one stands at the lower left, the other at the lower right."""
    bare, said = (last_picture(filmed("--film-size", "400x300", *more))[1] for more in ((), option))
    rows, columns = np.nonzero((bare != said).any(axis=2))
    assert rows.min() > 240
    assert (columns.max() < 200) if side == 0 else (columns.min() > 200)


@pytest.mark.parametrize(
    ("option", "name"),
    [(("--caption", "hi"), "--caption"), (("--film-fps", 20), "--film-fps"),
     (("--gif-size", "160x120"), "--film-size"), (("--scale-bar",), "--scale-bar")],
)  # fmt: skip
def test_options_of_no_film(cli, scenario, option, name):
    """They are refused, as --at is without --save."""
    said = cli("run", scenario(), "--headless", *option)
    assert (said.status, said.err) == (
        2,
        f"error: {name}: is of a film; name a file for it: --film OUT.gif\n",
    )


def test_a_run_that_is_over_before_the_film_begins(cli, scenario, tmp_path):
    """There is nothing to write, which is said; what was there before stays."""
    target = tmp_path / "film.gif"
    target.write_text("old")
    file = scenario(
        ('model = "flock"', 'model = "crowd"'),
        ("count = 6\n", ""),
        ("{ region = [0, 0, 200, 150] }", "{ points = [[50, 50]] }\ngoal = { point = [50, 50] }"),
        ("duration = 0.5", "duration = 5.0"),
    )
    said = cli("run", file, "--film", target, "--film-from", 4)
    assert (said.status, said.err) == (0, "")
    assert f"no {target}: the run ended before --film-from 4" in said.out
    assert target.read_text() == "old"


@pytest.mark.parametrize("ending", ["webp", "apng", "mp4"])
def test_interrupted(cli, scenario, tmp_path, impatient, ending):
    """Ctrl-C leaves the film up to then, whole, and no part of another."""
    if ending == "mp4" and not shutil.which("ffmpeg"):
        pytest.skip("there is no ffmpeg here")
    target = tmp_path / f"film.{ending}"
    film = "--film", target, "--film-size", "160x120"
    said = cli("run", scenario(), *film, "--set", impatient)
    assert said.status == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == [target.name, "small.toml"]
    if ending == "mp4":
        assert b"moov" in target.read_bytes()
    else:
        assert played(target).length == pytest.approx(340, abs=41)


def test_ten_seconds_of_the_flocking_demo_are_small(cli, tmp_path):
    """At 640 x 360 a GIF of it is under 3 MB: what can be put into a message."""
    target = tmp_path / "flocking.gif"
    said = cli("demo", "flocking", "--seconds", 10, "--film", target, "--film-size", "640x360")
    assert said.status == 0
    assert target.stat().st_size < 3_000_000
