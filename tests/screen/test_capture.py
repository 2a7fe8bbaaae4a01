import numpy as np
import pygame
import pytest
from PIL import Image

from sim import BadInput, World
from sim.screen.capture import LETTERS, FilmRecorder, caption_image
from sim.screen.scene import Scene
from sim.screen.shapes import text
from sim.screen.theme import DARK
from sim.screen.window import Window

from .worlds import SIZE, WINDOW, chase, painted


def film(path, world, steps, **options):
    """Record some steps of a world."""
    recorder = FilmRecorder(path, world, **options)
    recorder.observe(world)
    for _ in range(steps):
        world.step()
        recorder.observe(world)
    recorder.close()
    return recorder


def seconds(path):
    """How long a film takes to play."""
    with Image.open(path) as picture:
        total = 0.0
        for frame in range(picture.n_frames):
            picture.seek(frame)
            total += picture.info["duration"] / 1000
        return total


@pytest.mark.parametrize(
    ("fps", "speed"), [(25, 1.0), (20, 1.0), (50, 1.0), (25, 2.0), (12.5, 0.5)]
)
def test_a_film_lasts_as_long_as_the_run(tmp_path, fps, speed):
    """A second of the run takes 1 / speed seconds to play, at any frame rate."""
    path = tmp_path / "film.gif"
    recorder = film(path, chase(), 60, size=(120, 120), fps=fps, speed=speed)
    assert recorder.frames == int(fps / speed) + 1
    assert seconds(path) == pytest.approx(1 / speed + 1 / fps, abs=1 / fps + 1e-9)


def test_long_steps_repeat_pictures(tmp_path):
    """Where a step takes longer than a frame, the film is as long as the run all the same."""
    world = World(time_step=0.25, bounds=(0, 0, 100, 100), edges="wrap")
    world.add_group("flock", [[50, 50]], model="flock", heading=0.0)
    film(tmp_path / "slow.gif", world, 8, size=(120, 120))
    assert seconds(tmp_path / "slow.gif") == pytest.approx(2.04)


def test_films_have_the_shape_of_the_world(tmp_path):
    """Without a size a film has the bounds' shape within 640 x 480; a given one is kept."""
    for size, wanted in ((None, (480, 480)), ((200, 100), (200, 100))):
        film(tmp_path / "film.gif", chase(), 3, size=size)
        with Image.open(tmp_path / "film.gif") as picture:
            assert picture.size == wanted


def test_a_film_shows_what_the_painter_paints(tmp_path):
    """The last picture of a film is the painter's, its main colours exactly."""
    world = chase()
    film(tmp_path / "film.gif", world, 12, size=SIZE)
    wanted = pygame.surfarray.array3d(painted(world)).swapaxes(0, 1)
    with Image.open(tmp_path / "film.gif") as picture:
        picture.seek(picture.n_frames - 1)
        shown = np.asarray(picture.convert("RGB"))
    assert (shown == wanted).all(axis=2).mean() > 0.98
    for color in (DARK.player, DARK.interceptor):
        assert (shown == color).all(axis=2).sum() > 50


def test_a_film_needs_no_display(tmp_path):
    """No video mode is set, so nothing can flash up."""
    pygame.display.quit()
    film(tmp_path / "film.gif", chase(), 3)
    assert not pygame.display.get_init()


def test_a_caption_follows_the_world(tmp_path):
    """A caption may be a function of the world: another text is another picture."""
    pictures = []
    for words in ("", "wide", lambda world: world.group("flock").view):
        film(tmp_path / "film.gif", chase(), 0, size=SIZE, caption=words)
        with Image.open(tmp_path / "film.gif") as picture:
            pictures.append(np.asarray(picture.convert("RGB")))
    assert not np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(pictures[1], pictures[2])


@pytest.mark.parametrize("words", ["a\udcff", "a\0b", "\u200b", "\u0301", "a" * 20_000_000])
def test_any_caption_can_be_drawn(tmp_path, words):
    """Half a pair, a zero, no width, far too many letters: the film is there, and no error."""
    recorder = FilmRecorder(tmp_path / "run.gif", world := chase(), size=SIZE, caption=words)
    recorder.observe(world)
    recorder.close()
    with Image.open(tmp_path / "run.gif") as film:
        assert film.size == SIZE


@pytest.mark.parametrize("room", [(270, 181), (120, 40), (9, 30)])
def test_a_long_caption_is_all_there(room):
    """In lines, smaller where these are many, and never beyond its room; a short one in one."""
    words = "A very long caption that does not fit into the width of this film at all, no"
    image = caption_image(words, (255, 255, 255), room)
    assert image.get_width() <= room[0]
    assert image.get_height() <= room[1]
    plain = caption_image("short", (255, 255, 255), (270, 181))
    assert plain.get_height() == text("short", (255, 255, 255), LETTERS).get_height()


def test_a_caption_keeps_off_the_scale_bar(tmp_path):
    """Where the bar is the picture is the same with a caption and without, however long."""
    pictures = []
    for words, bar in (("", False), ("", True), ("as long as " * 30, True)):
        film(tmp_path / "film.gif", chase(), 0, size=(333, 201), caption=words, scale_bar=bar)
        with Image.open(tmp_path / "film.gif") as picture:
            pictures.append(np.asarray(picture.convert("RGB")))
    plain, barred, captioned = pictures
    columns = (plain != barred).any(axis=(0, 2))
    assert columns.sum() > 30
    assert np.array_equal(barred[:, columns], captioned[:, columns])
    assert not np.array_equal(barred, captioned)


def test_an_interrupted_film_can_be_played(tmp_path):
    """Ctrl-C in the middle of a run leaves the film up to then, and nothing else."""

    class Stop:
        def observe(self, world):
            if world.steps == 30:
                raise KeyboardInterrupt

        def close(self):
            pass

    world, path = chase(), tmp_path / "film.gif"
    recorder = FilmRecorder(path, world)
    with pytest.raises(KeyboardInterrupt):
        Window(world, size=WINDOW, watchers=[recorder, Stop()]).run()
    assert seconds(path) == pytest.approx(0.52)
    assert list(tmp_path.iterdir()) == [path]


def test_a_film_without_a_frame_leaves_nothing(tmp_path):
    """A run that never began leaves no file, nor a temporary one."""
    FilmRecorder(tmp_path / "film.gif", chase()).close()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong", [{"fps": 0}, {"fps": 51}, {"speed": 0.0}, {"speed": np.nan}, {"size": (0, 10)}]
)
def test_wrong_options_are_refused(tmp_path, wrong):
    """Values out of range are refused by name, and no file is left."""
    with pytest.raises(BadInput, match=next(iter(wrong))):
        FilmRecorder(tmp_path / "film.gif", chase(), **wrong)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_refused_before_the_run(tmp_path):
    """The place is checked when the recorder is made."""
    with pytest.raises(BadInput, match="missing"):
        FilmRecorder(tmp_path / "missing" / "film.gif", chase())


def test_a_film_may_show_what_a_window_shows(tmp_path):
    """With the window's scene the film has the selected unit's overlay too."""
    scene = Scene()
    scene.selected = 1
    film(tmp_path / "film.gif", chase(), 0, size=SIZE, scene=scene)
    with Image.open(tmp_path / "film.gif") as picture:
        shown = np.asarray(picture.convert("RGB")).astype(int)
    assert (shown.min(axis=2) > 235).sum() > 20
