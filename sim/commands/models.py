"""`python -m sim models [NAME]`: what a model is made of."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.models import MODELS, Model, model
from sim.perception.views import VIEWS


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A model; all of them without a name.")
    ] = None,
) -> None:
    """List the models, or print all defaults of one as a scenario file would say them."""
    if name is not None:
        print(describe(model(name)))
        return
    for made_of in MODELS.values():
        print(f"{made_of.name:<12}{made_of.about}")


def describe(made_of: Model) -> str:
    """A model's hull, speed, view and rules, in the keys of a scenario file."""
    hull, view = made_of.hull, VIEWS[made_of.view]
    size = (
        f"radius = {hull.radius:g}"
        if hull.shape == "disc"
        else f"length = {hull.length:g}, width = {hull.width:g}"
    )
    lines = [
        f"# {made_of.name}: {made_of.about}",
        f'model = "{made_of.name}"',
        f'view = "{view.name}"  # {view.about}, {view.radius:g} lengths far',
        f"speed = {made_of.helm.terminal_speed(hull.length):.4g}  # world units / s, at this hull",
        f'hull = {{ shape = "{hull.shape}", {size}, mass = {hull.mass:g} }}',
        "",
        "[groups.behaviours]",
    ]
    for setting in made_of.compose().values():
        pairs: dict[str, object] = {"weight": setting.weight, **setting.parameters}
        if setting.sight is not None:
            pairs |= {"view": setting.view or view.name, "range": setting.range or view.radius}
            pairs |= {"whom": setting.whom, "nearest": setting.nearest}
        table = ", ".join(f"{key} = {_toml(value)}" for key, value in pairs.items())
        lines += [f"# {setting.rule.about}", f"{setting.rule.name} = {{ {table} }}"]
    lines += [
        "",
        *_figures("The helm, in hull lengths and seconds", made_of.helm),
    ]
    if made_of.timers is not None:
        lines += _figures("Its timers, in seconds", made_of.timers)
    if made_of.quickest:
        lines.append("# It goes round queues by the quickest way (`sim/navigation/jams.py`).")
    return "\n".join(lines)


def _figures(what: str, settings: object) -> list[str]:
    """What a frozen part of a model is set to, as comments: files cannot change it."""
    module = type(settings).__module__.replace(".", "/")
    figures = [f"# {key} = {value:g}" for key, value in vars(settings).items()]
    return [f"# {what} (`{module}.py` says what each means).", *figures]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float | int) else f'"{value}"'
