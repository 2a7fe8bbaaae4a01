"""Where runs are made: in this process, in processes of joblib's, or on a Dask cluster.

An engine takes a function and jobs, all of them plain values, and gives (index, result) as each is
finished, in whatever order. The function must catch what can go wrong with a job; a job whose
process dies of it has the result None, after it was tried again by itself, and costs no other job
anything.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing import resource_tracker
from typing import Any

from sim.core.errors import BadInput, printable
from sim.core.sharing import threads, use_threads
from sim.record.made_by import code_fingerprint
from sim.study.extras import extra

Work = Callable[[Any], Any]
Engine = Callable[[Work, Sequence[Any]], Iterator[tuple[int, Any]]]

SUSPECT = 2
"""A job that was in hand at this many deaths of a process is run alone from then on."""
PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
LOOK_UP = 1.0
"""Seconds after which a process looks whether the one that started it is still there."""
MOST_PROCESSES = 256
"""Of one machine: all of them are started at once."""
PARCEL = 500
"""Jobs that are sent to a scheduler at a time."""
_ONE_RUN = threading.Lock()
"""Runs of one process take turns: workers may have several threads, compiled code has one."""


@contextmanager
def engine(name: str, workers: int, address: str | None = None) -> Iterator[Engine]:
    """The engine of that name, while its processes or its connection last.

    Raises `BadInput` where a library is not installed, and where no scheduler answers.
    """
    if name == "dask":
        with _client(address) as client:
            yield partial(_on_cluster, client)
    elif name == "joblib":
        extra("joblib", "work in several processes")
        yield partial(_in_processes, workers)
    else:
        yield _here


def cores() -> int:
    """How many processes may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _here(work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """One after the other, in this process, with as many threads as anywhere else: one."""
    before = threads()
    try:
        for index, job in enumerate(jobs):
            yield index, _run(work, job)
    finally:
        use_threads(before)


def _run(work: Work, job: Any) -> Any:
    with _ONE_RUN:
        use_threads(1)
        return work(job)


def _in_processes(workers: int, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    left, deaths = dict(enumerate(jobs)), Counter[int]()
    while left:
        # a job that was in hand at many deaths waits, and is run with no other beside it
        calm = {index: job for index, job in left.items() if deaths[index] < SUSPECT}
        batch = calm or dict([next(iter(left.items()))])
        begun: list[int] = []
        for index, result in _batch(workers if calm else 1, work, batch, begun):
            del left[index]
            yield index, result
        deaths.update(index for index in begun if index in left)
        if not calm:
            for index in set(begun) & set(left):
                del left[index]
                yield index, None


def _batch(
    workers: int, work: Work, jobs: dict[int, Any], begun: list[int]
) -> Iterator[tuple[int, Any]]:
    """Run jobs until all are done or a process dies; `begun` takes jobs that were sent off."""
    joblib = extra("joblib", "work in several processes")

    def calls() -> Iterator[Any]:
        for index, job in list(jobs.items()):
            begun.append(index)
            yield joblib.delayed(_indexed)(index, work, job)

    # joblib takes one process for this one, so there are two at least, and one has nothing to do
    pool = joblib.Parallel(
        n_jobs=max(2, min(workers, len(jobs))), backend="loky", batch_size=1,
        return_as="generator_unordered", pre_dispatch=2 * workers if workers > 1 else 1,
        initializer=_begin_to_work, initargs=(os.getpid(),), inner_max_num_threads=1,
    )  # fmt: skip
    with warnings.catch_warnings():
        # a caller that stops listening to the generator means it
        warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
        warnings.filterwarnings("ignore", category=UserWarning, module=__name__)
        with _deaf():
            begins = pool(calls())
        with closing(begins) as results:
            try:
                yield from results
            except BrokenProcessPool:
                return


def _indexed(index: int, work: Work, job: Any) -> tuple[int, Any]:
    return index, _run(work, job)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started within do not hear Ctrl-C, nor while they import this package."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # it lets SIGINT through when it starts, before Python 3.12: so it starts first
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_to_work(parent: int) -> None:
    """Ctrl-C reaches every process of a terminal; the one that started the others ends them.

    Where that one is killed, it can end none: they leave by themselves.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_UP)
    os._exit(1)


@contextmanager
def _client(address: str | None) -> Iterator[Any]:
    """A connection to a scheduler, whose workers have this code."""
    distributed = extra("distributed", "--engine dask")
    # what befalls a connection is said here, in a line
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    if not address:
        raise BadInput("--engine dask: needs the scheduler's --address, such as tcp://host:8786")
    client, said = None, ""
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = printable(str(error)) or "no scheduler answers"
    if client is None:
        # What is left of it closes when it is collected: now, and not while another one starts,
        # where it would wait without end.
        gc.collect()
        raise BadInput(f"--address {address}: {said}")
    try:
        _check_code(client, address)
        yield client
    finally:
        client.close(timeout=PATIENCE)


def _check_code(client: Any, address: str) -> None:
    """Raise `BadInput` where a worker would make other rows; later comers are asked job by job."""
    try:
        codes = client.run(code_fingerprint)
    except Exception as error:  # whatever importing this package there throws
        said = printable(f"{type(error).__name__}: {error}")
        raise BadInput(f"--address {address}: a worker cannot run this package: {said}") from None
    if not codes:
        print(f"no worker at {address} yet: waiting for the first", file=sys.stderr)
    other = [worker for worker, code in codes.items() if code != code_fingerprint()]
    if other:
        raise BadInput(f"--address {address}: worker {other[0]} has other code of this package")


def _on_cluster(client: Any, work: Work, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    distributed = extra("distributed", "--engine dask")
    try:
        futures = client.map(partial(_run, work), list(jobs), pure=False, batch_size=PARCEL)
    except Exception as error:
        raise _failed(error) from None
    index = {future.key: number for number, future in enumerate(futures)}
    waiting = distributed.as_completed(futures, loop=client.loop)
    del futures  # a result is forgotten there when it has been taken in here
    try:
        for future in waiting:
            # which waits again where the worker was lost that had the result
            try:
                result = future.result()
            except distributed.scheduler.KilledWorker:
                result = None  # the scheduler has tried it on several workers, and lost them all
            except Exception as error:
                raise _failed(error) from None
            yield index.pop(future.key), result
    finally:
        waiting.clear()


def _failed(error: BaseException) -> BadInput:
    """What to say where not a job but the cluster has failed."""
    gone = isinstance(error, CancelledError)
    said = "the scheduler is gone" if gone else printable(f"{type(error).__name__}: {error}")
    return BadInput(f"--engine dask: {said}; what was finished is kept")
