"""Ctrl-C: exit status 130, and whatever was written so far is complete and readable."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sim.record.trajectory import load

from .films import played

ROOT = Path(__file__).resolve().parents[2]


def targets(folder: Path, text: bool) -> list[Path]:
    """Where to write metrics, trajectory and film."""
    return [folder / name for name in ("m.json", "t.txt" if text else "t.npz", "g.gif")]


def options(files: list[Path]) -> list[str]:
    """The options that ask for them."""
    return [f"--{name}={file}" for name, file in zip(("metrics", "trajectory", "gif"), files,
                                                     strict=True)]  # fmt: skip


def check(files: list[Path], steps: int) -> None:
    """All outputs are whole and tell of the same steps; nothing temporary is left."""
    assert json.loads(files[0].read_text())["steps"] == steps
    run = load(files[1])
    assert len(run.time) - 1 in (steps, steps - 1)
    assert np.isfinite(run.position).all()
    assert played(files[2]).pictures > 1
    assert not list(files[0].parent.glob(".*"))


@pytest.mark.parametrize("text", [True, False], ids=["txt", "npz"])
def test_in_the_middle(cli, scenario, tmp_path, impatient, text: bool):
    """A run that is interrupted in its 21st step has written 20 of them."""
    files = targets(tmp_path, text)
    said = cli("run", scenario(), "--set", impatient, *options(files))
    assert said.status == 130
    assert "Traceback" not in said.err
    check(files, 20)


def test_before_the_run(cli, scenario, tmp_path, monkeypatch):
    """Ctrl-C while a run is being prepared: exit status 130, old targets stay."""
    from sim.commands import run

    def interrupted(*_) -> None:
        raise KeyboardInterrupt

    files = targets(tmp_path, text=True)
    for file in files:
        file.write_text("old")
    monkeypatch.setattr(run.Playlist, "build", interrupted)
    said = cli("run", scenario(), *options(files))
    assert said.status == 130
    assert "Traceback" not in said.err
    assert all(file.read_text() == "old" for file in files)


def test_while_all_ways_are_planned(cli, scenario, tmp_path, monkeypatch):
    """No file is begun yet: an interrupt ends it there and then, whatever that would take."""
    from sim.commands import headless

    def pressed(*_) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
        pytest.fail("it went on")

    monkeypatch.setattr(headless, "Report", pressed)
    said = cli("run", scenario(), *options(targets(tmp_path, text=True)))
    assert said.status == 130
    assert not list(tmp_path.glob("[mtg].*"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_real_signal(scenario, tmp_path, number):
    """Ctrl-C and SIGTERM to a process that is running: the same, from outside."""
    files = targets(tmp_path, text=False)
    command = [sys.executable, "-m", "sim", "run", str(scenario()), "--seconds", "100000",
               *options(files)]  # fmt: skip
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A suite that runs in the background hands on that SIGINT is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        while process.poll() is None and not any(
            part.stat().st_size > 10_000 for part in tmp_path.glob(".g.gif.*.part")
        ):
            time.sleep(0.05)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "6 units" in out
    check(files, json.loads(files[0].read_text())["steps"])


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux has them")
def test_a_killed_sweep_leaves_no_workers(scenario, tmp_path):
    """Whoever kills a sweep has not to look for the processes that it had started."""
    command = [sys.executable, "-m", "sim", "sweep", str(scenario()), "--vary",
               "groups.east.speed=10:90:81", "--seeds", "50", "--jobs", "2", "--set",
               "duration=100", "--out", str(tmp_path / "out")]  # fmt: skip
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:  # fmt: skip
        while process.poll() is None and len(of_session(process.pid)) < 3:
            time.sleep(0.1)
        process.kill()
        process.wait()
    end = time.monotonic() + 60
    while of_session(process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not of_session(process.pid)


def of_session(number: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == number and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


def test_an_interrupt_amid_exec(tmp_path):
    """Python remembers one that came while a text was being run, and would end by the signal."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal, sys\n"
        "from sim import __main__ as program, commands\n"
        "import sim.commands.app as app\n"
        "app.app = lambda: exec('os.kill(os.getpid(), signal.SIGINT)')\n"
        "program.entry()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "script"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 130


@pytest.mark.parametrize(("code", "status"), [(0, 0), (None, 0), (2, 2), (130, 130), ("no", 1)])
def test_when_all_is_done_nothing_is_interrupted(code: object, status: int):
    """What comes while Python takes down what there is would end it as by the signal itself."""
    script = f"""
import atexit, builtins, os, signal, sys, threading, time
import sim.__main__ as line

class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

builtins.late = Late()
atexit.register(print, "at the end")
threading.Thread(target=lambda: (time.sleep(0.2), print("first a thread"))).start()
line.main = lambda: sys.exit({code!r})
line.entry()
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    assert done.stdout == "first a thread\nat the end\n" * (status != 130)
    assert done.stderr == "no\n" * (status == 1)


def test_what_cannot_be_said_is_a_failure():
    """A table that does not fit on the disk has not been written."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no such device there")
    script = "import sim.__main__ as line; line.main = lambda: print(1); line.entry()"
    with full.open("w") as out:
        assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=out).returncode == 1


def test_one_outside_the_guard_is_an_interrupt_too():
    """A `KeyboardInterrupt` while handlers are set ends the process without a word."""
    code = "import sim.__main__ as m\ndef main(): raise KeyboardInterrupt\nm.main = main\nm.entry()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "")
