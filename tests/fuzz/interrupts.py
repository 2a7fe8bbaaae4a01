"""Interrupts at random moments of a run: exit status 130, and files that can be read."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image

from sim.record.trajectory import load

from .driver import ROOT, Campaign
from .scenarios import SMALL

FORMATS = ("gif", "webp", "apng", "mp4")
LONGEST = 6.0
"""Seconds after the start at which the last interrupt comes; earlier ones are more frequent."""
SECONDS = 60


def interrupt(kind: str, first: int, count: int, folder: Path) -> Campaign:
    """So many runs, each interrupted once."""
    found = Campaign(kind)
    scenario = folder / "run.toml"
    scenario.write_text(SMALL.replace("EDGES", "wall").replace("MODEL", "crowd"), encoding="utf-8")
    for seed in range(first, first + count):
        rng = random.Random(f"interrupt {seed}")
        place = folder / f"case_{seed}"
        place.mkdir()
        begun = time.monotonic()
        status, fault = _one(rng, scenario, place)
        found.slowest_s = max(found.slowest_s, time.monotonic() - begun)
        found.cases += 1
        found.statuses[status] = found.statuses.get(status, 0) + 1
        if fault:
            found.faults.append((seed, fault))
    return found


def _one(rng: random.Random, scenario: Path, place: Path) -> tuple[int, str]:
    film = place / f"film.{rng.choice(FORMATS)}"
    text = place / f"run.{rng.choice(['npz', 'txt'])}"
    metrics = place / "m.json"
    command = [
        sys.executable, "-m", "sim", "run", str(scenario), "--seconds", "100000",
        "--film", str(film), "--film-size", "160x120", "--trajectory", str(text),
        "--metrics", str(metrics),
    ]  # fmt: skip
    number = rng.choice([signal.SIGINT, signal.SIGTERM])
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        while process.poll() is None and not _guards(process.pid):
            time.sleep(0.001)  # what comes before that is Python's own start
        time.sleep(rng.uniform(0.0, LONGEST) ** 2 / LONGEST)
        process.send_signal(number)
        try:
            _, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return -9, f"{number.name}: still there after {SECONDS} s"
    if process.returncode != 130 or "Traceback" in err:
        return process.returncode, f"{number.name}: status {process.returncode}: {err[-2000:]}"
    left = [each.name for each in place.iterdir() if each.name.startswith(".")]
    if left:
        return 130, f"{number.name}: left {left}"
    try:
        _read(film, text, metrics)
    except Exception as error:
        return 130, f"{number.name}: a file cannot be read: {error!r}"
    return 130, ""


def _guards(process: int) -> bool:
    """Whether a process has begun to see to SIGTERM."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def _read(film: Path, text: Path, metrics: Path) -> None:
    """Read the files there are; all of them, or none."""
    assert film.exists() == text.exists() == metrics.exists()
    if not film.exists():
        return
    assert json.loads(metrics.read_text())["steps"] >= 0
    assert len(load(text).time) > 0
    if film.suffix == ".mp4":
        assert film.stat().st_size > 100
        return
    with Image.open(film) as picture:
        for frame in range(getattr(picture, "n_frames", 1)):
            picture.seek(frame)
            picture.load()
