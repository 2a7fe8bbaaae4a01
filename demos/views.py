"""Views: what a field of view does to a flock, in figures.

What to look for: the book's flock is ordered by limited and narrow views more than by a wide one,
and with a narrow view its units slide into each other side by side, until separation looks through
a wide view of its own. The tuned flock holds in every view, touches nobody, and is one flock again
behind a field of eight discs.
"""

from typing import Annotated

import numpy as np
import typer

from sim.commands import guard
from sim.study.flocking import pass_discs, settle

VIEWS = ("wide", "limited", "narrow")
MENDED = {"separation": {"view": "wide"}}
FLOCKS: list[tuple[str, str, dict[str, dict[str, str]]]] = [
    ("flock_book", view, {}) for view in VIEWS
]
FLOCKS += [("flock_book", "narrow", MENDED)] + [("flock", view, {}) for view in VIEWS]
HEAD = "model       view     separation  polarisation  least  closest pass  near  touching"


def settled(seeds: int, duration: float) -> None:
    """One line a model and view."""
    print(f"Twenty units from a random start on the book's torus, {duration:g} s, {seeds} seeds;")
    print("polarisation, closest pass (units) and nearest distance (lengths) over the last 10 s:\n")
    print(HEAD)
    for model, view, changes in FLOCKS:
        runs = [settle(model, view, seed, changes, duration) for seed in range(seeds)]
        order = [run.polarisation for run in runs]
        print(
            f"{model:<12}{view:<9}{'wide' if changes or model == 'flock' else 'as seen':<12}"
            f"{np.mean(order):12.3f}{min(order):7.3f}"
            f"{np.median([run.closest_pass for run in runs]):14.1f}"
            f"{np.mean([run.nearest for run in runs]):6.1f}"
            f"{sum(run.touching > 0 for run in runs):6d} of {seeds}"
        )


def discs(seeds: int) -> None:
    """One line for the field of eight discs."""
    runs = [pass_discs("flock", "wide", seed) for seed in range(seeds)]
    parted = sum(run.parted > 0 for run in runs)
    touched = sum(run.contacts > 0 or run.wall_overlap > 0 for run in runs)
    whole = sum(run.flocks == 1 and run.polarisation >= 0.95 for run in runs)
    print(f"\nThrough eight discs, flock, wide view: parted {parted} of {seeds},", end=" ")
    print(f"touched anything {touched} of {seeds}, one flock again {whole} of {seeds}.")


def command(
    quick: Annotated[bool, typer.Option(help="Two seeds and 15 s, to see that it works.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="How many starts.")] = 20,
) -> None:
    """Print the figures of both flocks in every view: polarisation, closest pass, who touched."""
    seeds, duration = (2, 15.0) if quick else (seeds, 60.0)
    settled(seeds, duration)
    discs(seeds)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name="views")(command)
    guard(app)
