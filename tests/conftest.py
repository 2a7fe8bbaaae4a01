"""What all tests share: no window, no sound, and a few small things to test on."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

os.environ["SDL_VIDEODRIVER"] = "dummy"  # before anybody imports pygame
os.environ["SDL_AUDIODRIVER"] = "dummy"
# What a process compiles of this package the next one that a test starts reads.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
for _display in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(_display, None)

# A shell without job control lets what it starts with & ignore Ctrl-C; tests send some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

from sim.core.collecting import paused  # noqa: E402

# No test asserts what a clock says: the first case of one may have to compile.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

SCENARIO = """
title = "Small"
duration = 0.5

[map]
bounds = [0, 0, 200, 150]
edges = "wrap"

[[groups]]
name = "east"
model = "flock"
count = 6
spawn = { region = [0, 0, 200, 150] }
"""
"""Half a second of six units: enough for every option, over in a moment."""

WALK = """
title = "Walk"
duration = 4.0

[[groups]]
name = "one"
model = "crowd"
speed = 1.3
hull = { shape = "disc", radius = 0.2 }
spawn = { points = [[0, 0], [0, 2]], heading = 0 }
goal = { points = [[2, 0], [2, 2]] }
"""


class Said(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


@pytest.fixture
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kernel's rows are shared out among threads, however few, and whether it pays or not."""
    from sim.core import compiled, sharing

    monkeypatch.setattr(compiled, "WORTH", 0.0)
    monkeypatch.setattr(sharing, "FINEST", 5)
    monkeypatch.setattr(sharing._Pay, "ask", lambda _pay: True)
    sharing._chunks.cache_clear()


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[..., Path]:
    """Write a scenario file: the small one, with texts replaced and more added at its end."""

    def write(*changes: tuple[str, str], more: str = "", name: str = "small.toml") -> Path:
        text = SCENARIO
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text + more, encoding="utf-8")
        return path

    return write


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A scene of two that walk two metres."""
    file = tmp_path / "walk.toml"
    file.write_text(WALK, encoding="utf-8")
    return file


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run `python -m sim ...` in this process, which saves the seconds that each start takes."""

    def call(*arguments: object) -> Said:
        from sim.__main__ import main

        monkeypatch.setattr(sys, "argv", ["sim", *map(str, arguments)])
        capsys.readouterr()
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = 0 if end.code is None else end.code
        assert isinstance(status, int)
        return Said(status, *capsys.readouterr())

    return call


@pytest.fixture
def own_rules() -> Iterator[None]:
    """Rules that a test adds to the table are gone after it."""
    from sim.behaviours import RULES

    before = dict(RULES)
    yield
    RULES.clear()
    RULES.update(before)


@pytest.fixture
def impatient(own_rules: None) -> str:  # noqa: ARG001 - it is gone after the test
    """A change by which the small scenario's units press Ctrl-C in the 21st step."""
    from sim.behaviours import rule

    calls = []

    @rule("own")
    def impatient(me):
        """Press Ctrl-C at last."""
        calls.append(len(calls))
        if len(calls) > 20:
            raise KeyboardInterrupt
        return 0 * me.velocity

    return "groups.east.behaviours.impatient=true"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Thousands of tests are made that all stay: no garbage is looked for then, nor among them."""
    with paused():
        found = yield
    gc.freeze()
    return found


def pytest_collection_modifyitems(items):
    """Tests of what is known not to hold may fail: `known_gaps.txt` says which, with figures."""
    lines = (Path(__file__).parent / "known_gaps.txt").read_text(encoding="utf-8").splitlines()
    known = dict(line.split(" | ", 1) for line in lines if line and not line.startswith("#"))
    for item in items:
        if item.nodeid in known:
            item.add_marker(pytest.mark.xfail(reason=known[item.nodeid], strict=False))


@pytest.fixture(autouse=True)
def told(monkeypatch):
    """That kernels are compiled is not said: which test is the first to need one is chance."""
    from sim.commands import progress

    monkeypatch.setattr(progress._Told, "told", True)


@pytest.fixture(autouse=True)
def threads_as_before(monkeypatch):
    """The number of threads is one for the whole process: no test leaves another to the next."""
    from sim.core import sharing

    monkeypatch.setattr(sharing, "_count", sharing._count)


QUITS = """
import pygame

flip, frames = pygame.display.flip, []


def flip_and_quit():
    frames.append(pygame.surfarray.array3d(pygame.display.get_surface()).any())
    if len(frames) == 30:
        pygame.event.post(pygame.event.Event(pygame.QUIT))
    flip()


pygame.display.flip = flip_and_quit
"""
DREW = """
assert len(frames) == 30 and all(frames), frames
assert world.steps == 30
"""


@pytest.fixture
def run_python() -> Callable[[str, Path], str]:
    """Run some code in a process of its own, without a window; what it printed."""

    def run(code: str, folder: Path) -> str:
        root = str(Path(__file__).resolve().parent.parent)
        environment = os.environ | {"SDL_VIDEODRIVER": "dummy", "PYTHONPATH": root}
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def play(run_python: Callable[[str, Path], str]) -> Callable[[str, Path], str]:
    """Run a game for thirty frames, then close its window; it has to draw something in each."""
    return lambda code, folder: run_python(QUITS + code + DREW, folder)
