"""`python -m sim check FILE`: what a file is, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sim import saving
from sim.commands.maps import describe
from sim.commands.progress import say_when_compiling
from sim.core.errors import BadInput, plural, printable
from sim.core.files import check_source
from sim.core.resources import at_hand
from sim.maps import read as read_map
from sim.record.probe import FILMS, probe
from sim.record.trajectory import load as load_motion
from sim.scenario.build import build
from sim.scenario.load import load, read_text
from sim.scenario.messages import unreached

METRICS = {"title", "seed", "units", "steps", "time_step_s", "trajectory_sha256"}
"""Keys that every metrics file has."""


def command(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A scenario (.toml), tile map (.tmx, .tmj, .map), recording (.npz, .txt), metrics "
            "(.json), state (.state) or film (.gif, .webp, .apng, .png, .mp4).",
            callback=at_hand,
        ),
    ],
) -> None:
    """Say what a file is; the exit status is 2, with what is wrong, if it is not as it must be."""
    print("\n".join(told(file)))


def told(file: Path) -> list[str]:
    """What a file is, in lines. Raises `BadInput` for one that is damaged or unknown."""
    suffix = file.suffix.lower()
    for kinds, of in _KINDS.items():
        if suffix in kinds:
            check_source(file)
            return of(file)
    known = ", ".join(kind for kinds in _KINDS for kind in kinds)
    raise BadInput(f"{file}: of no known kind; the name must end in one of: {known}")


def _scenario(file: Path) -> list[str]:
    say_when_compiling()
    plan = load(file)
    with build(plan) as world:
        units = len(world.units)
    players = f", {len(plan.player)} of them the player's" if plan.player else ""
    lines = [
        f"scenario  {printable(plan.title)}",
        f"units     {units} in {_groups(len(plan.groups))}{players}",
        *(f"  {printable(each.name)}: {each.size} of {each.model}" for each in plan.groups),
        f"duration  {plan.duration:g} s in {plan.steps:,} steps, seed {plan.seed}",
    ]
    lines += [f"map       {plan.map.file}"] if plan.map.file else []
    return [*lines, *(f"note      {said}" for said in unreached(plan))]


def _groups(count: int) -> str:
    return f"{count} {plural(count, 'group')}"


def _recording(file: Path) -> list[str]:
    run = load_motion(file)
    names = list(dict.fromkeys(run.group.tolist()))
    seconds = float(run.time[-1] - run.time[0]) if len(run.time) else 0.0
    return [
        "recording",
        f"units     {len(run.group)} in {_groups(len(names))}",
        f"frames    {len(run.time):,}, {seconds:g} s",
        f"scenario  {'kept with it' if run.text else 'not told; --scenario FILE names it'}",
    ]


def _metrics(file: Path) -> list[str]:
    text = read_text(file)
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: not JSON: {printable(str(error))}") from None
    missing = sorted(METRICS - found.keys()) if isinstance(found, dict) else sorted(METRICS)
    if missing:
        raise BadInput(f"{file}: not a metrics file: it does not tell {', '.join(missing)}")
    units = f"{found['units']} {plural(found['units'], 'unit')}"
    return [
        f"metrics   {printable(str(found['title']))}",
        f"run       {units}, {found['steps']} steps, seed {found['seed']}",
        f"figures   {len(found)}",
    ]


def _state(file: Path) -> list[str]:
    state = saving.read(file)
    groups = len(state.parts["groups"])
    return [
        f"state     of a run after {state.time:g} s; run --load goes on from it",
        f"units     {len(state.parts['units']['ids'])} in {_groups(groups)}",
    ]


def _film(file: Path) -> list[str]:
    film = probe(file)
    size = [] if film.size is None else [f"{film.size[0]} x {film.size[1]} pixels"]
    count = [] if film.pictures is None else [f"{film.pictures:,} pictures"]
    kind = "picture" if film.pictures == 1 else "film"
    return [f"{kind:<10}{', '.join([*count, *size, f'{film.seconds:g} s'])}"]


_KINDS = {
    (".toml",): _scenario,
    (".tmx", ".tmj", ".map"): lambda file: ["tile map", *describe(read_map(file)).splitlines()],
    (".npz", ".txt"): _recording,
    (".json",): _metrics,
    (".state",): _state,
    FILMS: _film,
}
