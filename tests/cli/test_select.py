"""Options that look inside a unit, and that give groups to the mouse."""

import numpy as np
import pytest
from PIL import Image

from sim.scenario.playlist import Playlist


def last_frame(path):
    """The pixels of a film's last frame."""
    with Image.open(path) as film:
        film.seek(film.n_frames - 1)
        return np.asarray(film.convert("RGB")).astype(int)


def test_a_film_looks_inside_the_unit_that_is_named(cli, scenario, tmp_path):
    """Its overlay is on the film, and another unit's is another picture."""
    found = []
    for name, options in (("a", ()), ("b", ("--select", "east:0")), ("c", ("--select", "east:1"))):
        target = tmp_path / f"{name}.webp"
        said = cli("run", scenario(), "--film", target, *options)
        assert (said.status, said.err) == (0, "")
        found.append(last_frame(target))
    assert (np.abs(found[0] - found[1]).sum(axis=2) > 60).sum() > 50
    assert (np.abs(found[1] - found[2]).sum(axis=2) > 60).sum() > 50


@pytest.mark.parametrize("text", ["nobody", "east:99", "east:-1", "east:x", "east:"])
def test_no_such_unit(cli, scenario, tmp_path, text):
    """Refused with what is allowed; nothing is written."""
    said = cli("run", scenario(), "--film", tmp_path / "x.webp", "--select", text)
    assert said.status == 2
    assert f"--select {text}: " in said.err
    assert not list(tmp_path.glob("*.webp"))


def test_any_scenario_gives_its_groups_to_the_mouse(scenario):
    """By its file, or by the option, which is the same key."""
    more = '[[groups]]\nname = "west"\nspawn = { points = [[20, 20]] }\n'
    file = scenario(more=more)
    assert Playlist(file).sends == []
    playlist = Playlist(file, ['mouse=["west"]'])
    playlist.build()
    assert playlist.sends == ["west"]


@pytest.mark.parametrize("value", ["nobody", "east,east", "a,b,c", ""])
def test_no_such_groups_for_the_mouse(cli, scenario, value):
    """Refused with the key: unknown, doubled, too many."""
    said = cli("run", scenario(), "--headless", "--mouse", value)
    assert said.status == 2
    assert "mouse" in said.err
