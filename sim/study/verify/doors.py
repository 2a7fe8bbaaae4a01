"""Cases of doors and rooms: RiMEA 9 to 14, and those of NIST TN 1822 that are about them.

For both guidelines see `sim.study.verify.corridors`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from sim.record.run import Run
from sim.study.flow import FIRST, LAST, Line
from sim.study.verify.case import Case, Figures, Finding, Runs
from sim.study.verify.reading import crowd, flow, passed

TWICE = (1.6, 2.4)
"""How many times as long it may take by half the doors: "about twice"."""
QUEUE = 2.0
"""How many times as dense a crowd stands before a corridor than where none is to stand."""
SFPE = 1.33
"""Persons a second and metre: the greatest flow by which NIST's example limits a door."""
TOGETHER = 10.0
"""s within which a group is to arrive."""


def _through(run: Run, lines: dict[str, Line]) -> Figures:
    """How many pass each line, by its name."""
    return {name: int((~np.isnan(passed(run, line))).sum()) for name, line in lines.items()}


def _large_room(runs: Runs) -> Finding:
    four, two = runs["four doors"]["max_time_s"], runs["two doors"]["max_time_s"]
    return Finding(
        f"{four:.0f} s by four doors, {two:.0f} s by two: {two / four:.2f} times",
        TWICE[0] <= two / four <= TWICE[1],
    )


def _rooms_read(run: Run) -> Figures:
    """How many of each group pass the way out that they are told."""
    ways = {"main": (6, 11, 7.2, 11), "second": (18, 5, 18, 6)}
    return {
        name: int((~np.isnan(passed(run, way)) & (run.group == name)).sum())
        for name, way in ways.items()
    }


def _rooms(runs: Runs) -> Finding:
    main, second = runs[""]["main"], runs[""]["second"]
    told = f"{main} of 15 leave by the main way, {second} of 8 by the other"
    return Finding(told, main == 15 and second == 8)


def _two_doors(runs: Runs) -> Finding:
    near, far = runs[""]["near"], runs[""]["far"]
    return Finding(f"{near} by the near door, {far} by the far", near > far > 0)


def _two_rooms_read(run: Run) -> Figures:
    first, second = (crowd(run, place).mean() for place in ((8, 4, 10, 6), (23, 4, 25, 6)))
    return {"first": float(first), "second": float(second)}


def _two_rooms(runs: Runs) -> Finding:
    first, second = runs[""]["first"], runs[""]["second"]
    told = f"persons a square metre before the corridor {first:.1f}, before the door {second:.1f}"
    return Finding(f"{told} (means)", first > QUEUE * second)


def _to_the_stairs_read(run: Run) -> Figures:
    """Flow at the end of the stairs and density before them, while the middle three fifths pass."""
    stairs = (28.0, 4.0, 28.0, 6.0)
    begun, ended = np.nanquantile(passed(run, stairs), (FIRST, LAST))
    then = (run.time > begun) & (run.time < ended)
    before = crowd(run, (20, 4, 22, 6))[then].mean()
    return {"flow": flow(run, stairs), "before": float(before)}


def _to_the_stairs(runs: Runs) -> Finding:
    stairs, level = runs["stairs"], runs["level"]
    told = (
        f"{stairs['flow']:.2f} persons a second and metre, {level['flow']:.2f} without stairs; "
        f"a square metre before them {stairs['before']:.1f}, without {level['before']:.1f}"
    )
    jam = stairs["flow"] < level["flow"] and stairs["before"] > level["before"]
    return Finding(told, jam)


def _two_ways(runs: Runs) -> Finding:
    stairs, level = runs[""]["stairs"], runs[""]["level"]
    return Finding(f"{stairs} by the stairs, {level} on the level", None)


def _against_read(run: Run) -> Figures:
    there = run.group == "there"
    return {"last": float(np.nanmax(passed(run, (20, 4, 20, 6))[there]))}


def _against(runs: Runs) -> Finding:
    last = [figures["last"] for figures in runs.values()]
    told = ", ".join(f"{name}: {value:.1f} s" for name, value in zip(runs, last, strict=True))
    return Finding(told, last == sorted(last))


def _slow_mate_read(run: Run) -> Figures:
    when = passed(run, (15, 0, 15, 5))[run.group == "mates"]
    return {"apart": float(np.ptp(when))}


def _slow_mate(runs: Runs) -> Finding:
    apart = runs[""]["apart"]
    return Finding(f"{apart:.1f} s between first and last", apart <= TOGETHER)


def _slow_and_wide_read(run: Run) -> Figures:
    """When the last of the others is through the passage."""
    return {"last": float(passed(run, (12, 1.45, 12, 2.55))[run.group == "crowd"].max())}


def _slow_and_wide(runs: Runs) -> Finding:
    slow, alike = runs["slow and wide"]["last"], runs["alike"]["last"]
    told = f"the last is through after {slow:.1f} s, after {alike:.1f} s where all are alike"
    return Finding(told, slow > alike)


def _shut_door(runs: Runs) -> Finding:
    told = "; ".join(
        f"{run}: {of['near']} by the near door, {of['far']} by the far" for run, of in runs.items()
    )
    return Finding(told, runs["shut"]["far"] == 1 and runs["open"]["near"] == 1)


def _door_flow(runs: Runs) -> Finding:
    passing = runs[""]["flow"]
    return Finding(f"{passing:.2f}", passing <= SFPE)


CASES = (
    Case(
        "RiMEA 9", "A thousand leave a room by two doors in about twice the time of four doors.",
        "verify/large_room.toml", _large_room,
        {
            "four doors": (),
            "two doors": (
                "map.parts.south_west.open=false", "map.parts.south_east.open=false",
                "groups.south_west.goal.region=[3,-4,6,-2]",
                "groups.south_east.goal.region=[24,-4,27,-2]",
            ),
        },
    ),
    Case(
        "RiMEA 10, NIST 3.1", "All of twelve rooms leave by the way out that they are told.",
        "verify/rooms.toml", _rooms, read=_rooms_read,
    ),
    Case(
        "RiMEA 11", "Most of a thousand leave by the nearer door, and some by the other.",
        "verify/two_doors.toml", _two_doors,
        read=partial(_through, lines={"near": (21, 0, 22, 0), "far": (27, 0, 28, 0)}),
    ),
    Case(
        "RiMEA 12", "A queue stands before the corridor, and none before the door behind it.",
        "scenes/rimea_12.toml", _two_rooms, read=_two_rooms_read,
    ),
    Case(
        "RiMEA 13", "Stairs let fewer through than the level, and a queue stands "
        "before them.",
        "verify/to_the_stairs.toml", _to_the_stairs,
        {"stairs": (), "level": ("areas=[]",)}, _to_the_stairs_read,
    ),
    Case(
        "RiMEA 14", "Told is which of two ways people take: short with stairs, or level and long.",
        "verify/two_ways.toml", _two_ways,
        read=partial(_through, lines={"stairs": (15, 4, 15, 8), "level": (15, 15, 15, 20)}),
    ),
    Case(
        "NIST 2.8", "The more come the other way, the longer a hundred take through a corridor.",
        "verify/against_each_other.toml", _against,
        {f"{n} against": (f"groups.back.count={n}",) for n in (0, 10, 50, 100)}, _against_read,
    ),
    Case(
        "NIST 2.9", f"A group with a slow mate arrives within {TOGETHER:g} s of each other.",
        "verify/slow_mate.toml", _slow_mate, read=_slow_mate_read,
    ),
    Case(
        "NIST 2.10", "A slow and wide person in a passage makes it take longer for the others.",
        "verify/slow_and_wide.toml", _slow_and_wide,
        {
            "slow and wide": (),
            "alike": ("groups.wide.speed=1.25", "groups.wide.hull.radius=0.2"),
        },
        _slow_and_wide_read,
    ),
    Case(
        "NIST 4.1", "A person leaves by the other door when the nearer one is shut.",
        "verify/shut_door.toml", _shut_door,
        {"shut": (), "open": ("events=[]",)},
        partial(_through, lines={"near": (1, -0.1, 2, -0.1), "far": (8, -0.1, 9, -0.1)}),
    ),
    Case(
        "NIST 5.2", f"No more than {SFPE} persons a second and metre pass a door.",
        "verify/door_flow.toml", _door_flow,
        read=lambda run: {"flow": flow(run, (8, 2, 8, 3))},
    ),
)  # fmt: skip
