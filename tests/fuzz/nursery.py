"""A process that has imported all and has its kernels in memory; each command runs in a fork of it.

`python -m tests.fuzz.nursery`: reads lines of JSON, [arguments of `python -m sim`, file for what it
says]; prints the process id of each, and its exit status once it has ended.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path

from .running import command
from .worker import MEMORY, mapped


def main(folder: Path, scenario: str) -> list[str] | None:
    """The arguments of a forked process; None in the one that has done forking them."""
    for film, text in (("gif", "npz"), ("webp", "txt"), ("apng", "npz"), ("mp4", "txt")):
        files = [str(folder / f"warm.{ending}") for ending in (film, text, "json")]
        said = command(["run", scenario, "--seconds", "1", "--film", files[0], "--film-size",
                        "160x120", "--trajectory", files[1], "--metrics", files[2]])  # fmt: skip
        assert said.status == 0, said
    print("ready", flush=True)
    for line in sys.stdin:
        arguments, told = json.loads(line)
        child = os.fork()
        if child == 0:
            return _begin(arguments, told)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def _begin(arguments: list[str], told: str) -> list[str]:
    """Be a process of its own: nobody's input, its own output, signals as Python finds them."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + mapped(), resource.RLIM_INFINITY))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return arguments


if __name__ == "__main__":
    found = main(Path(sys.argv[1]), sys.argv[2])
    if found is not None:
        from sim.__main__ import entry

        sys.argv = ["sim", *found]
        entry()
