"""What a user might run instead, timed in turns with ours: the same density, one thread each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Protocol

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput, suggest
from sim.record.made_by import version_of
from sim.study.bench_blocks import (
    Flock,
    Runner,
    Spread,
    alternate,
    block,
    columns,
    in_threads,
    short,
)
from sim.study.bench_crowds import JuPedSimCrowd, OrcaCrowd
from sim.study.bench_flocks import AgentpyFlock, MesaFlock, VioletFlock
from sim.study.bench_world import NEIGHBOURS, seen
from sim.study.density import Density
from sim.study.extras import STUDY

SIZES = (1_000, 10_000)
BLOCKS, BLOCK = 7, 0.3
"""Blocks for each of the two, and the least CPU seconds of one."""
WARM = 0.3
"""The same of the two blocks that do not count yet."""
SLOWEST = 5.0
"""The bench does not wait for blocks of steps that take longer than this, s."""


class Crowd(Runner, Protocol):
    """A number of a peer's agents, in a square of `side`."""

    sight: Density
    side: float

    def places(self) -> Floats:
        """Where all are, (n, 2)."""


@dataclass(frozen=True)
class Peer:
    """A library: how it is installed, what of it is run, whether its plane wraps."""

    distribution: str
    install: str
    about: str
    make: Callable[[int, float, int], Crowd]
    torus: bool

    @property
    def version(self) -> str | None:
        """The version that is installed, None without one."""
        return version_of(self.distribution)


# violet asks for pygame, which would overwrite the files of pygame-ce: it comes without it
VIOLET = "pip install --no-deps violet-simulator==0.2.4 && pip install polars 'pyserde[toml]'"

PEERS: dict[str, Peer] = {
    "violet": Peer("violet-simulator", VIOLET, "three rules", VioletFlock, True),
    "mesa": Peer("mesa", STUDY, "its own flockers", MesaFlock, True),
    "agentpy": Peer("agentpy", STUDY, "three rules", AgentpyFlock, True),
    "pyrvo": Peer("pyrvo", STUDY, "ORCA, no bodies", OrcaCrowd, False),
    "jupedsim": Peer("jupedsim", STUDY, "collision-free speed", JuPedSimCrowd, False),
}
"""Every peer by the name it is asked for."""


@dataclass(frozen=True)
class PeerRow:
    """A peer at one size beside ours; without figures there is a note that says why."""

    peer: str
    version: str = ""
    about: str = ""
    units: int = 0
    neighbours: float = 0.0
    """Round an agent of the peer on average, after the last block."""
    rate: Spread | None = None
    """Agent-steps a CPU second."""
    our_neighbours: float = 0.0
    """Neighbours that a unit of ours sees, on average, after the last block."""
    ours: Spread | None = None
    """Unit-steps a CPU second of ours, from the blocks between."""
    ratio: Spread | None = None
    """Ours over the peer's, block by block."""
    note: str = ""


def measure_peers(
    names: Iterable[str] = tuple(PEERS),
    sizes: Sequence[int] = SIZES,
    *,
    blocks: int = BLOCKS,
    seconds: float = BLOCK,
    warm: float = WARM,
    say: Callable[[str], None] = lambda _: None,
) -> list[PeerRow]:
    """Time each peer in turns with ours, a row for each size; `say` hears what comes next.

    Time is the CPU's, of the whole process: what else the machine does hardly counts, and threads
    of a peer's own count in full. Raises `BadInput` for a name that is not in `PEERS`.
    """
    rows = []
    for name in names:
        if name not in PEERS:
            raise BadInput(f"peer {name!r}: unknown; {suggest(name, PEERS)}")
        peer = PEERS[name]
        if peer.version is None:
            rows.append(PeerRow(name, note=f"not installed: {peer.install}"))
            continue
        for units in sizes:
            say(f"{name}, {units:,} agents")
            rows.append(_compare(name, peer, units, blocks, seconds, warm))
    return rows


def _compare(
    name: str, peer: Peer, units: int, blocks: int, seconds: float, warm: float
) -> PeerRow:
    theirs, ours = peer.make(units, NEIGHBOURS, 1), Flock(units)
    known = str(peer.version), peer.about, units
    with in_threads(1):
        first = block(theirs, 0.0, process_time)
        if first > SLOWEST:
            return PeerRow(name, *known, note=f"left out: {first:.0f} s a step")
        alternate([theirs, ours], 2, warm, process_time)
        taken = np.array(alternate([theirs, ours], blocks, seconds, process_time))
    around = theirs.sight.neighbours(theirs.places(), theirs.side if peer.torus else None)
    rate, our_rate = Spread.of(units / taken[0]), Spread.of(units / taken[1])
    ratio = Spread.of(taken[0] / taken[1])
    return PeerRow(name, *known, around, rate, seen(ours.world), our_rate, ratio)


def format_peers(rows: Sequence[PeerRow]) -> str:
    """The rows as a table, and a line for each that has no figures."""
    table = [
        ("peer", "agents", "neighbours", "thousand agent-steps/s",
         "ours: neighbours", "thousand unit-steps/s", "ours/theirs"),
    ]  # fmt: skip
    for row in rows:
        if row.rate is None or row.ours is None or row.ratio is None:
            continue
        table.append(
            (f"{row.peer} {row.version}, {row.about}", f"{row.units:,}", f"{row.neighbours:.1f}",
             row.rate.show(_thousands), f"{row.our_neighbours:.1f}", row.ours.show(_thousands),
             row.ratio.show(short)),
        )  # fmt: skip
    lines = [columns(table)] if len(table) > 1 else []
    lines += [f"{' '.join(_label(row))}: {row.note}" for row in rows if row.note]
    return "\n".join(lines)


def head() -> str:
    """What the table compares."""
    return (
        "CPU time of one thread each, in turns; median (least - greatest). Ours: model flock, all\n"
        "rules, rigid bodies, contacts. Neighbours: the mean at the end; no peer has bodies."
    )


def _label(row: PeerRow) -> list[str]:
    return [row.peer, row.version, f"{row.units:,} agents"] if row.units else [row.peer]


def _thousands(rate: float) -> str:
    return short(rate / 1000)
