"""The command line: every command of `python -m sim` by name."""

from __future__ import annotations

import typer

from sim.commands import (
    bench,
    compare,
    demo,
    gallery,
    maps,
    metrics,
    models,
    replay,
    run,
    score,
    sweep,
    tune,
    warm_up,
)  # fmt: skip

app = typer.Typer(
    name="sim",
    help="Groups of units that move together as rigid bodies, steered by forces at the bow.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("run")(run.command)
app.command("demo", context_settings=demo.PASS_ON)(demo.command)
app.command("gallery")(gallery.command)
app.command("models")(models.command)
app.command("maps")(maps.command)
app.command("metrics")(metrics.command)
app.command("replay")(replay.command)
app.command("score")(score.command)
app.command("sweep")(sweep.command)
app.command("tune")(tune.command)
app.command("compare")(compare.command)
app.command("bench")(bench.command)
app.command("warm-up")(warm_up.command)
