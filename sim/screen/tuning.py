"""How much each rule of a group counts, changed while the world runs (rule A14)."""

from __future__ import annotations

import re
from math import degrees, radians

from sim.behaviours.sources import SOURCES
from sim.core.draws import Each, Spread
from sim.group import Group
from sim.screen.land import round_step
from sim.screen.sight import decides
from sim.world import World

_ROWS = re.compile(r" \((?:rules? )?[A-F]\d[^)]*\)")
"""Rows of the mission that a docstring names."""
Weight = float | Spread
STEPS = 20
"""Presses of a key from one end of a weight's scale to the other."""


KEPT = "propulsion"
"""The family of rules that stays on beside a rule alone."""
VIEW_FIGURES = {"view_angle": (10.0, 360.0), "view_radius": (1.0, 200.0)}
"""Sliders of a group's view and their scales: degrees, hull lengths."""


class Tuning:
    """The group and the rule that are chosen, and what becomes of the weights.

    Nothing here is remembered by the world: what a rule weighed at the start is kept here.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._group, self._rule = self._first(), 0
        self._start = {group.name: dict(group.settings) for group in world.groups}
        self._off: dict[tuple[str, str], Weight] = {}
        self._alone: dict[str, dict[str, Weight]] = {}

    @property
    def group(self) -> Group | None:
        """The group that is chosen; None where there is none."""
        groups = self.world.groups
        return groups[min(self._group, len(groups) - 1)] if groups else None

    @property
    def rules(self) -> list[str]:
        """Names of its rules, as its model lists them."""
        return list(self.group.settings) if self.group is not None else []

    @property
    def rule(self) -> str | None:
        """The rule that is chosen; None where there is none."""
        rules = self.rules
        return rules[min(self._rule, len(rules) - 1)] if rules else None

    @property
    def sliders(self) -> list[str]:
        """What the chosen group has a slider for: its view's figures, then its rules."""
        return [*(VIEW_FIGURES if self.rules else ()), *self.rules]

    def choose_group(self, step: int) -> None:
        """Choose another group, `step` further on in the order of the world."""
        if self.world.groups:
            self._group = (self._group + step) % len(self.world.groups)

    def choose_rule(self, step: int) -> None:
        """Choose another rule, `step` further down."""
        if self.rules:
            self._rule = (min(self._rule, len(self.rules) - 1) + step) % len(self.rules)

    def choose(self, rule: str) -> None:
        """Choose a rule by name; the name of a figure of the view puts the view's own back."""
        if rule in VIEW_FIGURES and self.group is not None:
            self.group.view = self.group.view
        else:
            self._rule = self.rules.index(rule)

    def weight(self, rule: str) -> float:
        """What a rule of the chosen group weighs now, or what a figure of its view is."""
        assert self.group is not None
        if rule == "view_angle":
            return degrees(self.group.view_angle)
        if rule == "view_radius":
            return self.group.view_radius
        return self.group.settings[rule].weight

    def idle(self, rule: str) -> bool:
        """Whether a rule has nothing to say whatever it weighs: for its goal, or switched off.

        So is a figure of the view where all rules in use look by a view or range of their own.
        """
        group = self.group
        if group is None:
            return False
        if rule in VIEW_FIGURES:
            return rule not in decides(group)
        found = group.settings[rule].rule
        return found.family in group.muted or not found.answers(group.kinds)

    def explain(self, rule: str) -> tuple[str, str]:
        """What a rule does, in a line, and where its formula is from."""
        assert self.group is not None
        about = _ROWS.sub("", self.group.settings[rule].rule.about).replace("`", "")
        return about, f"From: {SOURCES.get(rule, 'a rule of your own')}"

    def scale(self, rule: str) -> tuple[float, float]:
        """The least and the most that a rule is offered: about twice its weight at the start.

        From 0; from as much below it where the weight is negative at the start or now.
        """
        assert self.group is not None
        if rule in VIEW_FIGURES:
            low, high = VIEW_FIGURES[rule]
            return low, max(high, self.weight(rule))
        setting = self._start.get(self.group.name, {}).get(rule)
        begun, now = 1.0 if setting is None else setting.weight, self.weight(rule)
        most = max(round_step(2 * abs(begun)) if begun else 1.0, abs(now))
        return (-most if min(begun, now) < 0 else 0.0), most

    def weigh(self, rule: str, weight: Weight) -> None:
        """Give a rule of the chosen group a weight, one or drawn a unit, or its view a figure."""
        if self.group is None:
            return
        if not isinstance(weight, float | int):
            begun = self._begun(self.group, rule)
            if isinstance(weight, Each) and isinstance(begun, Each):
                few = len(begun.values) != len(weight.values)  # units were erased since
                weight = begun if few else weight
            self.group.configure(rule, weight=weight)
            return
        if rule == "view_angle":
            self.group.view_angle = radians(weight)
        elif rule == "view_radius":
            self.group.view_radius = weight
        else:
            self.group.configure(rule, weight=float(weight))

    def nudge(self, steps: int) -> None:
        """Raise or lower the weight of the chosen rule, within its scale."""
        rule = self.rule
        if rule is not None:
            low, high = self.scale(rule)
            weight = self.weight(rule) + steps * (high - low) / STEPS
            weight = min(max(weight, low), high)
            self.weigh(rule, 0.0 if abs(weight) < high / STEPS / 2 else weight)

    def switch_rule(self) -> None:
        """The chosen rule's weight becomes 0, or what it was before."""
        group, rule = self.group, self.rule
        if group is None or rule is None:
            return
        now = self.weight(rule)
        if now != 0:
            self._off[group.name, rule] = group.settings[rule].given["weight"]
            self.weigh(rule, 0.0)
        else:
            self.weigh(rule, self._off.pop((group.name, rule), 0.0) or self._begun(group, rule))

    def isolate(self) -> None:
        """The chosen rule alone, all others of its group at 0 but for what drives it; or all again.

        A unit that does not move shows nothing of a rule that steers.
        """
        group, rule = self.group, self.rule
        if group is None or rule is None:
            return
        before = self._alone.pop(group.name, None)
        if before is not None:
            for name in set(before) & set(group.settings):
                self.weigh(name, before[name])
            return
        self._alone[group.name] = {name: s.given["weight"] for name, s in group.settings.items()}
        for name, setting in group.settings.items():
            if name != rule and setting.rule.family != KEPT:
                self.weigh(name, 0.0)

    def is_alone(self) -> bool:
        """Whether the chosen group follows one rule alone."""
        return self.group is not None and self.group.name in self._alone

    def reset(self) -> None:
        """All weights of the chosen group are as at the start."""
        if self.group is not None:
            self._alone.pop(self.group.name, None)
            for rule in self.rules:
                self.weigh(rule, self._begun(self.group, rule))

    def follow(self, world: World, as_set: World | None = None) -> None:
        """Give a world built anew from the same scenario all that was changed in the one before.

        Views, weights and switches; groups are matched by name. `as_set` has what events had set
        of the one before, which is no change.
        """
        start, self._start = self._start, {g.name: dict(g.settings) for g in world.groups}
        told = {} if as_set is None else {group.name: group for group in as_set.groups}
        start |= {name: dict(group.settings) for name, group in told.items()}
        for group in world.groups:
            before = next((g for g in self.world.groups if g.name == group.name), None)
            if before is None:
                continue
            group.keep(muted=set(before.muted))
            if group.name not in told or _view(before) != _view(told[group.name]):
                group.view = before.view
                if group.view_angle != before.view_angle:
                    group.view_angle = before.view_angle
                group.view_radius = before.view_radius
            begun = start.get(group.name, group.settings)
            for name in group.settings:
                if name in before.settings and name in begun:
                    weight = before.settings[name].given["weight"]
                    if weight != begun[name].given["weight"]:
                        group.configure(name, weight=weight)
        self.world = world

    def _begun(self, group: Group, rule: str) -> Weight:
        """What a rule weighed at the start: one number, or how it was drawn a unit."""
        setting = self._start.get(group.name, {}).get(rule)
        return setting.given["weight"] if setting is not None else 1.0

    def _first(self) -> int:
        """The first group that has rules to weigh, and is no player's craft."""
        groups = self.world.groups
        able = [g.index for g in groups if g.settings and g.model.name != "player"]
        return able[0] if able else 0


def _view(group: Group) -> tuple[str, float, float]:
    """How a group looks."""
    return group.view, group.view_angle, group.view_radius
