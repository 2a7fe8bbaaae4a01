"""Runs beside each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from sim.core.errors import BadInput
from sim.record.run import Run
from sim.record.stage import Stage
from sim.screen.side_by_side import BOX, film_side_by_side, layout
from sim.world import World


def still_and_moving(frames=20):
    """A world of two, and two runs of it: one in which nobody moves, one in which both do."""
    world = World(boxes=[(4, 4, 5, 5)])
    world.add_group("pair", [(0.0, 0.0), (0.0, 8.0)], model="flock", heading=0.0)
    time = np.arange(frames) / 10
    start = np.repeat(world.units.position[None], frames, axis=0)
    moved = start + np.stack([4 * time, 0 * time], axis=1)[:, None]
    moved[frames // 2 :, 1] = np.nan
    angle = np.zeros((frames, 2))
    names = np.array(["pair", "pair"])
    return world, [
        ("still", Run(time, start, angle, names)),
        ("moving", Run(time, moved, angle, names)),
    ]


def test_each_panel_shows_its_own_run(tmp_path):
    """The one stays as it is, the other changes; the film lasts as long as the runs."""
    world, runs = still_and_moving()
    film_side_by_side(tmp_path / "a.gif", world, runs, 10)
    with Image.open(tmp_path / "a.gif") as film:
        width, height = film.size
        pictures = []
        shown = 0
        for frame in range(film.n_frames):
            film.seek(frame)
            shown += film.info["duration"]
            pictures.append(np.asarray(film.convert("RGB")).astype(int))
    assert shown == pytest.approx(2000, abs=100)
    below = 40  # under the labels, which count seconds
    half = width // 2
    changed = np.abs(pictures[-1] - pictures[0])[below:]
    if height < width:
        assert changed[:, : half - 8].max() == 0
        assert changed[:, half + 8 :].max() > 50


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("aspect", [0.2, 1.0, 8.0])
def test_panels_fit_and_do_not_overlap(count, aspect):
    """Inside the box, apart from each other, all of one size."""
    panels, (width, height) = layout(count, aspect)
    assert len(panels) == count
    assert width <= BOX[0] + 40
    assert height <= BOX[1] + 40 * count
    for number, panel in enumerate(panels):
        assert panel.size == panels[0].size
        assert not any(panel.colliderect(other) for other in panels[number + 1 :])


def test_what_does_not_fit_is_refused(tmp_path):
    """No run, another number of units, a speed of nothing: and no file is left."""
    world, runs = still_and_moving()
    one = Run(np.zeros(1), np.zeros((1, 1, 2)), np.zeros((1, 1)), np.array(["pair"]))
    for given, more in (([], {}), ([("x", one)], {}), (runs, {"speed": 0.0})):
        with pytest.raises(BadInput):
            film_side_by_side(tmp_path / "b.gif", world, given, 10, **more)
    assert list(tmp_path.iterdir()) == []


def test_runs_may_have_stages_of_their_own_and_begin_late(tmp_path):
    """A run is shown on its own stage, and the film begins where the first run does."""
    world, runs = still_and_moving()
    other = World(boxes=[(4, 4, 7, 7)])
    other.add_group("pair", [(0.0, 0.0), (0.0, 8.0)], model="flock", heading=0.0)
    (name, still), _ = runs
    late = replace(still, time=still.time + 5.0)
    own = replace(late, stage=Stage.of(other).text())
    film_side_by_side(tmp_path / "a.gif", world, [(name, late), (name, own)], 10, box=(400, 300))
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 20 or film.info["duration"] >= 1900
        picture = np.asarray(film.convert("RGB")).astype(int)
    width = (picture.shape[1] - 4) // 2
    one, two = picture[:, :width], picture[:, -width:]
    if picture.shape[1] > picture.shape[0]:
        assert picture.shape[1] <= 400
        assert np.abs(one - two).max() > 20
