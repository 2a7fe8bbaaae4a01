"""`python -m sim`: the command line, guarded before anything heavy is imported."""

from __future__ import annotations

from sim.interrupts import leave_at_once


def main() -> None:
    """Run the command line."""
    from sim.commands import guard

    def run() -> None:
        from sim.commands.app import app

        app()

    guard(run)


def entry() -> None:
    """Run the command line as a process of its own."""
    leave_at_once()
    try:
        main()
    finally:
        leave_at_once()


if __name__ == "__main__":
    entry()
