"""What was changed while a world ran, as a piece of a scenario file."""

from __future__ import annotations

from math import degrees, radians

from sim.behaviours import Setting
from sim.core.draws import Spread
from sim.group import Group
from sim.perception.views import VIEWS
from sim.scenario.drawn import as_toml, exact
from sim.scenario.schema import PLAYER
from sim.scenario.toml import toml, toml_key
from sim.world import World


def snippet(world: World) -> str:
    """The seed, and each group's view and behaviours as they are now, as TOML.

    What a group leaves as its model has it is left out. A rule that a switch has muted has weight
    0. The player's group is not in it: a file says nothing of its rules.
    """
    groups = [_group(group) for group in world.groups if group.name != PLAYER]
    return "\n\n".join([f"seed = {world.seed}", *groups]) + "\n"


def _group(group: Group) -> str:
    usual = group.model.compose({})
    lines = [
        "[[groups]]",
        f"name = {toml(group.name)}",
        f"model = {toml(group.model.name)}",
        f"view = {toml(group.view)}",
    ]
    named = VIEWS[group.view]
    if group.view_angle != named.angle:
        lines.append(f"view_angle = {_degrees(group.view_angle)}")
    if group.view_radius != named.radius:
        lines.append(f"view_radius = {exact(group.view_radius)}")
    for name, setting in group.settings.items():
        changes = _changes(group, setting, usual.get(name))
        if changes:
            lines.append(f"behaviours.{toml_key(name)} = {{ {', '.join(changes)} }}")
    return "\n".join(lines)


def _changes(group: Group, setting: Setting, usual: Setting | None) -> list[str]:
    """What differs from the model's own setting, as KEY = VALUE."""
    now = setting.told
    if setting.rule.family in group.muted:
        now["weight"] = 0.0
    then = usual.told if usual is not None else {}
    return [
        f"{key} = {_plain(value)}"
        for key, value in now.items()
        if key not in then or then[key] != value
    ]


def _plain(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, Spread):
        return as_toml(value)
    return exact(value) if isinstance(value, float) else toml(value)


def _degrees(angle: float) -> str:
    """An angle in degrees, in no more digits than it takes for a view to have it again."""
    any_view = VIEWS["all"]
    return exact(degrees(angle), lambda read: any_view.with_angle(radians(read)).angle == angle)
