"""What keys, mouse and panel change: the only part of the screen that writes to a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from sim.group import Group
from sim.screen.hand import Hand
from sim.screen.keys import KEYBOARD, THRUSTERS, VIEW_KEYS
from sim.screen.picture import WorldPicture
from sim.screen.sight import decides
from sim.screen.switches import Switches
from sim.screen.tuning import Tuning
from sim.screen.workbench import Workbench
from sim.world import World

SWITCHES = {"flocking": "flocking", "chase": "pursuit"}
"""Actions that switch a family of rules."""


class Controls(Switches):
    """The state of a run's switches, and what each action does to it.

    Whatever a key does has a name, by which the panel asks for it too; `actions` are those of
    others. The player's engine is full on from the start, as the book's craft cruises, unless a
    script steers it; the first thruster key takes the craft out of the script's hands.
    """

    def __init__(
        self,
        world: World,
        picture: WorldPicture,
        actions: Mapping[str, Callable[[], None]],
        say: Callable[[str], None],
        bench: Workbench,
    ) -> None:
        super().__init__(KEYBOARD, picture)
        self.about = False
        """Whether the text of what to look for is shown, with what colours mean."""
        self.single_steps = 0
        self.tuning = Tuning(world)
        self._world, self._say = world, say
        self.hand = Hand(picture, say, bench)
        self.hand.like = lambda: self.tuning.group.name if self.tuning.group is not None else None
        self._actions |= {**self._own(), **self.hand.actions, **actions}
        self._start_engines()

    def act(self, action: str) -> None:
        """Do what a key of this action does; one that lasts does so until its key comes up."""
        super().act(action)
        if action in THRUSTERS:
            self._steer()

    def take_over(self, world: World) -> None:
        """Go on with a world built anew: views, weights and switches as they are."""
        self.tuning.follow(world, self.hand.bench.renew(self._world))
        names = [group.name for group in self.hand.sends]
        self.hand.sends = [group for group in world.groups if group.name in names]
        self._world = world
        self._start_engines()

    def switch_is_on(self, action: str) -> bool | None:
        """Whether a switch ("flocking", "chase") is on for any group.

        None where no group has such rules in use.
        """
        family = SWITCHES[action]
        groups = [group for group in self._with_family(family) if _uses(group, family)]
        if not groups:
            return None
        return any(family not in group.muted for group in groups)

    def _own(self) -> dict[str, Callable[[], None]]:
        """What each action does that is a matter of the run itself."""
        tuning = self.tuning
        found: dict[str, Callable[[], None]] = {
            "about": lambda: self._flip("about"),
            "single_step": self._single_step,
            "full_thrust": lambda: self._thrust(1.0),
            "no_thrust": lambda: self._thrust(0.0),
            "last_group": lambda: tuning.choose_group(-1),
            "next_group": lambda: tuning.choose_group(1),
            "last_rule": lambda: tuning.choose_rule(-1),
            "next_rule": lambda: tuning.choose_rule(1),
            "lower": lambda: tuning.nudge(-1),
            "raise": lambda: tuning.nudge(1),
            "rule_off": tuning.switch_rule,
            "rule_alone": tuning.isolate,
            "reset_weights": tuning.reset,
        }
        found |= {action: partial(self._give_view, view) for action, view in VIEW_KEYS.items()}
        return found | {name: partial(self._switch, family) for name, family in SWITCHES.items()}

    def _press(self, code: int, shift: bool, ctrl: bool) -> None:
        """Do what a key does, a number with it where several have one action."""
        numbered = {**self.hand.numbered, "left": self._through("back")}
        numbered["right"] = self._through("forth")
        claim = None if shift or ctrl else KEYBOARD.claim_of(code)
        if claim is not None and numbered[claim.action](1 + claim.codes.index(code)):
            return
        key = KEYBOARD.key_of(code, shift, ctrl)
        if key is None:
            return
        if key.action in numbered:
            numbered[key.action](1 + key.codes.index(code))
        else:
            self.act(key.action)

    def _through(self, action: str) -> Callable[[int], bool]:
        """Goes through time, unless the key steers a player."""

        def go(_: int) -> bool:
            if not self._players:
                self.act(action)
            return not self._players

        return go

    @property
    def _players(self) -> list[Group]:
        return [group for group in self._world.groups if group.model.name == "player"]

    def _start_engines(self) -> None:
        for group in self._players:
            if group.script is None:
                group.controls[:, 2] = 1.0

    def _with_family(self, family: str) -> list[Group]:
        return [
            group
            for group in self._world.groups
            if any(s.rule.family == family for s in group.settings.values())
        ]

    def _single_step(self) -> None:
        self.paused, self.single_steps = True, self.single_steps + 1

    @property
    def views_count(self) -> bool:
        """Whether any group goes by its view: rules may all have views and ranges of their own."""
        return any(decides(group) for group in self._world.groups)

    def _give_view(self, view: str) -> None:
        if not self.views_count:
            self._say("no group goes by its view: all rules in use have views of their own")
            return
        for group in self._world.groups:
            group.view = view

    def _switch(self, family: str) -> None:
        groups = self._with_family(family)
        on = any(family not in group.muted for group in groups)
        for group in groups:
            group.switch(family, not on)

    def _take_craft(self, group: Group) -> None:
        if group.script is not None:
            group.script = None
            group.controls[:] = (0.0, 0.0, 1.0)

    def _steer(self) -> None:
        port, starboard = (float(action in self._held) for action in THRUSTERS)
        for group in self._players:
            self._take_craft(group)
            group.controls[:, 0], group.controls[:, 1] = starboard, port

    def _thrust(self, thrust: float) -> None:
        for group in self._players:
            self._take_craft(group)
            group.controls[:, 2] = thrust

    def _release(self, actions: set[str]) -> None:
        ended = self._held & actions
        super()._release(actions)
        if not ended.isdisjoint(THRUSTERS):
            self._steer()

    def _point(self, event: pygame.event.Event) -> None:
        self.hand.pointer.handle(event)

    def _let_go(self) -> None:
        self.hand.pointer.let_go()
        super()._let_go()


def _uses(group: Group, family: str) -> bool:
    """Whether any rule of a family serves what the group is after, or whatever that is."""
    rules = [setting.rule for setting in group.settings.values() if setting.rule.family == family]
    return any(rule.answers(group.kinds) for rule in rules)
