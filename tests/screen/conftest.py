from math import inf

import pytest

from sim.screen.window import Window

from .worlds import SIZE, chase


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A window on a small chase, its films in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    opened = Window(chase(), "Chase", size=SIZE)
    opened.budget = inf  # steps must not depend on how busy the machine is
    opened.open()
    yield opened
    opened.close()
