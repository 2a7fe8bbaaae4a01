"""The window of each demo, on a display, as it is on the screen."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sim.core.resources import folder
from sim.screen.panel import WIDE

from .xvfb import display

HERE = Path(__file__).resolve().parent
FEW = ["chase", "castle", "squares"]
"""One of a kind each: a torus with a player, a map with ways, groups to send."""
OTHERS = sorted(path.stem for path in folder("demos").glob("[!_]*.py") if path.stem not in FEW)
SECONDS = 2.0
"""World time shown: the armies of `skirmish` set off at 1 s."""

pytestmark = pytest.mark.skipif(
    not shutil.which("Xvfb"), reason="no Xvfb here: no display to look at"
)


def shoot(out, names):
    """Run demos on a display of their own; a picture of the screen and the facts of each."""
    scripts = [str(folder("demos") / f"{name}.py") for name in names]
    with display(out) as name:
        environment = os.environ | {
            "DISPLAY": name,
            "SDL_VIDEODRIVER": "x11",
            "SDL_VIDEO_WINDOW_POS": "0,0",
            "PYTHONPATH": os.pathsep.join([str(HERE.parent.parent), str(HERE)]),
        }
        done = subprocess.run(
            [sys.executable, str(HERE / "shoot.py"), str(out), str(SECONDS), *scripts],
            env=environment, cwd=out, capture_output=True, text=True, timeout=580,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr, done.stderr  # of any library
    for name in names:
        with Image.open(out / f"{name}.png") as image:
            seen = np.asarray(image.convert("RGB"), dtype=int).swapaxes(0, 1)
        yield name, seen, json.loads((out / f"{name}.json").read_text())


@pytest.mark.parametrize(
    "names", [FEW, *(pytest.param(OTHERS[k::3], marks=pytest.mark.slow) for k in range(3))]
)
def test_each_window_shows_its_demo(tmp_path, names):
    """What was painted is on the screen; hulls, solids and panel are there and nowhere else."""
    for name, seen, facts in shoot(tmp_path, names):
        assert facts["driver"] == "x11", name
        assert facts["same"] > 0.999, name
        assert facts["moved"] > 0.2 * facts["hull"], name
        check_units(name, seen, facts)
        check_solids(name, seen, facts)
        check_panel(name, seen, facts)


def near(seen, spot, reach, colors):
    """The share of pixels about a spot that are, about, of one of some colours."""
    x, y = (round(each) for each in spot)
    patch = seen[max(x - reach, 0) : x + reach + 1, max(y - reach, 0) : y + reach + 1]
    away = np.abs(patch[:, :, None] - np.array(colors)).max(axis=-1).min(axis=-1)
    return (away < 12).mean()


def inside(room, spot, edge):
    """Whether a spot is on the picture, some pixels from its edge."""
    left, top, wide, high = room
    return left + edge < spot[0] < wide - edge and top + edge < spot[1] < high - edge


def check_units(name, seen, facts):
    """Each hull covers its place in its group's colour.

    A third of a wedge's middle is its colour, the rest its mark and the ground beside it.
    """
    units = [unit for unit in facts["units"] if unit[4] and inside(facts["room"], unit, 5)]
    share = [near(seen, unit[:2], max(2, int(unit[2] / 3)), unit[3]) for unit in units]
    assert np.mean(share) > 0.25, name
    assert min(share) > 0.05, name


def check_solids(name, seen, facts):
    """The middle of each disc and box is of the solids' colour, unless somebody is there."""
    for x, y in facts["solids"]:
        clear = all(np.hypot(x - u[0], y - u[1]) > u[2] for u in facts["units"] if u[4])
        if clear and inside(facts["room"], (x, y), 3):
            assert near(seen, (x, y), 1, [facts["colors"]["solid"]]) > 0.3, name


def check_panel(name, seen, facts):
    """Its plate fills the rest of the window, with widgets on it, and no ground is under it."""
    left, top, wide, high = facts["panel"]
    assert wide == WIDE, name
    part = seen[left + 1 : left + wide, top : top + high]
    plain = (part == facts["colors"]["panel"]).all(axis=2)
    assert 0.35 < plain.mean() < 0.9, name
    assert (part == facts["colors"]["ground"]).all(axis=2).mean() < 0.01, name
