"""Compiling ahead, and in one process at a time."""

from __future__ import annotations

import errno
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from sim import warm_up
from sim.core import shared_cache
from sim.core.shared_cache import SharedCache
from sim.perception import scan
from sim.scenario.build import build
from sim.scenario.load import load

FLOCKING = Path(__file__).parent.parent / "maps" / "flocking.toml"
UNIX = pytest.mark.skipif(shared_cache.lockf is None, reason="there are no such locks here")


def elsewhere(place: int) -> bool:
    """Whether another process finds a place free."""
    code = f"from sim.core.shared_cache import take; print(take({place}, wait=False))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"


@UNIX
def test_a_kernel_is_compiled_by_one_process(tmp_path):
    """From looking for a build in vain to storing it, or failing to, no other process makes it."""
    source = tmp_path / "made.py"
    source.write_text("def double(x):\n    return 2 * x\n\ndef fail(x):\n    return x.nothing\n")
    made: dict[str, object] = {"__name__": __name__}
    exec(compile(source.read_text(), str(source), "exec"), made)
    double, fail = (shared_cache.njit(cache=True)(made[name]) for name in ("double", "fail"))
    seen = []
    whole = double._compiler.compile
    double._compiler.compile = lambda *types: (seen.append(elsewhere(double._cache._place)), whole(*types))[1]  # fmt: skip  # noqa: E501
    assert double(2) == 4
    assert seen == [False]
    assert elsewhere(double._cache._place)
    with pytest.raises(Exception, match="nothing"):
        fail(1)
    assert elsewhere(fail._cache._place)


def test_a_build_that_cannot_be_read_is_made_again(tmp_path):
    """A damaged file, or a type whose module has moved since, is no build; nothing is raised."""
    source = tmp_path / "made.py"
    source.write_text("def double(x):\n    return 2 * x\n")
    for damage in (None, b"no pickle", b"csim.moved\nCells\n."):
        made: dict[str, object] = {"__name__": __name__}
        exec(compile(source.read_text(), str(source), "exec"), made)
        double = shared_cache.njit(cache=True)(made["double"])
        if damage is not None:
            (index,) = Path(double.stats.cache_path).glob("made.double*.nbi")
            index.write_bytes(pickle.dumps(numba.__version__) + damage)
        assert double(2) == 4
        assert not any(double.stats.cache_hits.values())


def test_a_build_that_cannot_be_stored_is_used_all_the_same(tmp_path, monkeypatch):
    """On a full disk a kernel runs, and the index names no build that is not there."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", refuse)
    source = tmp_path / "made.py"
    source.write_text("def double(x):\n    return 2 * x\n")
    made: dict[str, object] = {"__name__": __name__}
    exec(compile(source.read_text(), str(source), "exec"), made)
    double = shared_cache.njit(cache=True)(made["double"])
    assert double(2) == 4
    assert double._cache._cache_file._load_index() == {}


@UNIX
def test_a_step_calls_what_was_rehearsed():
    """With these very types; and all is as it was after a rehearsal."""
    calls = warm_up.rehearse(FLOCKING)
    assert not [
        value for _, _, value in warm_up._places() if not isinstance(value._cache, SharedCache)
    ]
    world = build(load(FLOCKING))
    for _ in range(3):
        world.step()
    rehearsed = {call.kernel: call.types for call in calls}
    assert rehearsed[scan.scan.compiled] in scan.scan.compiled.signatures
    used = {k for _, _, k in warm_up._places() if k.signatures}
    assert len(used & set(rehearsed)) >= 10
    order = [call.kernel for call in warm_up.by_length(calls)]
    assert order.index(scan.scan.compiled) < len(order) / 4


@UNIX
@pytest.mark.parametrize("scene", ["gate", "leader", "skirmish"])
def test_a_rehearsal_comes_to_its_end(scene: str):
    """In plain Python nothing overflows: half of what the run calls was unknown before."""
    code = """
import sys
from contextlib import nullcontext
from pathlib import Path
from sim import warm_up
warm_up.suppress = lambda *_: nullcontext()
assert len(warm_up.rehearse(Path(sys.argv[1]))) > 20
"""
    file = FLOCKING.with_name(f"{scene}.toml")
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]


@UNIX
def test_no_alarm_ends_what_numba_does():
    """Its lock would be left taken: the thread that plans waited for it without end."""
    within_numba = eval("sys._getframe()", {"__name__": "numba.core.lock", "sys": sys})
    try:
        warm_up._stop(0, within_numba)
    finally:
        warm_up._wake_after(0.0)
    with pytest.raises(warm_up._TooSlowError):
        warm_up._stop(0, sys._getframe())


@UNIX
def test_what_takes_long_in_plain_python_is_compiled(monkeypatch):
    """A rehearsal does not hang at a loop over a large grid."""
    calls = []

    def slow(x):
        while not calls:
            x += 1
        return x

    class Slow:
        typeof_pyval, py_func, _cache = staticmethod(type), staticmethod(slow), None

        def __call__(self, x):
            calls.append(x)
            return -x

    monkeypatch.setattr(warm_up, "PLAIN", 0.02)
    with warm_up._Stage() as stage:
        assert warm_up._Rehearsed(Slow(), stage)(3) == -3
    assert not stage.inside


@UNIX
def test_what_another_thread_calls_hides_nothing():
    """What a planner's thread calls is taken down, and so is what is called meanwhile."""
    busy, done = threading.Event(), threading.Event()

    class Kept:
        typeof_pyval, py_func, _cache = staticmethod(type), staticmethod(lambda x: x), None

        def __call__(self, x):
            busy.set()
            done.wait(10)
            return x

    kernels = Kept(), Kept()
    with warm_up._Stage() as stage:
        one, other = (warm_up._Rehearsed(kernel, stage) for kernel in kernels)
        thread = threading.Thread(target=one, args=(1,))
        thread.start()
        busy.wait(10)
        assert other(2) == 2
        done.set()
        thread.join()
        assert [call.kernel for call in stage.found] == list(kernels)


@UNIX
def test_a_helper_ends_with_its_run_even_within_a_kernel():
    """It looked between two kernels only, and one may take a minute: a process without a run."""
    code = """
import json
from sim import warm_up
warm_up.rehearse = lambda *_, **__: []
warm_up.compile_all = lambda calls: any(iter(int, 1))  # does not come back
warm_up.main(json.dumps(["none.toml", [], False, -1]))
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
