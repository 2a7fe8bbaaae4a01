"""Making the rows of many runs, each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.study.engines import Engine
from sim.study.job import Job, Row, perform
from sim.study.journal import Journal

DEAD = "its process died"


def made(job: Job, kept: Journal) -> Row | None:
    """The row of a job that was made before; one that failed is to be made again."""
    row = kept.rows.get(job.key)
    return row if row is not None and row.get("error", DEAD) is None else None


def make(
    jobs: Sequence[Job], kept: Journal, spread: Engine, tell: Callable[[Row], None] = lambda _: None
) -> list[Row]:
    """The rows of all jobs in their order, those made before and those made now.

    `tell` hears of each that is made. Raises `BadInput` where a row cannot be kept.
    """
    missing = [job for job in dict.fromkeys(jobs) if made(job, kept) is None]
    for index, result in spread(perform, missing) if missing else ():
        job = missing[index]
        row = {"set": list(job.changes), "seed": job.seed, **(result or {"error": DEAD})}
        kept.add(job.key, row)
        tell(row)
    return [kept.rows[job.key] for job in jobs]
