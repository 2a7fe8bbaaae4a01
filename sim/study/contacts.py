"""Contacts of units with units: how often, and how deep."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.overlap import Turned, core_distance
from sim.core.relay import Relay
from sim.core.shared_cache import njit
from sim.study.frame import Frame, Observer
from sim.study.pairs import short_way
from sim.study.setting import Setting

BEGINS = 0.002
"""A contact begins when two hulls overlap by more than this share of the smaller radius."""


@njit(cache=True, error_model="numpy")
def overlaps(
    pairs: Ints, position: Floats, size: Floats, reach: Floats, radius: Floats, hulls: Turned
) -> tuple[Ints, Floats]:
    """Keys i * N + j (i < j) of the pairs that overlap, and how deep, by the smaller radius."""
    n, corners, count, rounding = len(position), hulls.corners, hulls.count, hulls.rounding
    keys, shares, m = np.empty(len(pairs), dtype=np.int64), np.empty(len(pairs)), 0
    for p in range(len(pairs)):
        i, j = min(pairs[p, 0], pairs[p, 1]), max(pairs[p, 0], pairs[p, 1])
        dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        dx, dy = short_way(dx, dy, size)
        if dx * dx + dy * dy >= (reach[i] + reach[j]) ** 2:
            continue
        skin = rounding[i] + rounding[j]
        depth = skin - core_distance(corners[i], count[i], corners[j], count[j], dx, dy, skin)
        if depth > 0:
            keys[m], shares[m] = i * n + j, depth / min(radius[i], radius[j])
            m += 1
    return keys[:m], shares[:m]


@njit(cache=True, error_model="numpy")
def episodes(
    keys: Ints, shares: Floats, active: Ints, group: Ints,
    per_unit: Ints, counts: Ints, deepest: Floats,
) -> Ints:  # fmt: skip
    """The keys in contact now, given those before (both ascending); counts what begins.

    `per_unit` (N,) counts for both units, `counts` and `deepest` (G + 1,) for each group that takes
    part and, in the last place, for all.
    """
    n, every = len(group), len(counts) - 1
    now, m, a = np.empty(len(keys), dtype=np.int64), 0, 0
    for k in range(len(keys)):
        i, j = keys[k] // n, keys[k] % n
        for g in (group[i], group[j], every):
            deepest[g] = max(deepest[g], shares[k])
        while a < len(active) and active[a] < keys[k]:
            a += 1
        was = a < len(active) and active[a] == keys[k]
        if not was and shares[k] <= BEGINS:
            continue
        now[m] = keys[k]
        m += 1
        if not was:
            per_unit[i] += 1
            per_unit[j] += 1
            counts[every] += 1
            counts[group[i]] += 1
            if group[j] != group[i]:
                counts[group[j]] += 1
    return now[:m]


class Contacts(Observer):
    """Counts separate contacts and keeps the deepest overlap.

    A contact begins when two hulls overlap by more than 0.002 of the smaller radius and ends when
    they no longer overlap; those at the start count. A group's contacts are the ones that one of
    its units takes part in, so a contact between two groups counts in both, and once in the whole.
    The deepest overlap is a share of the smaller radius.
    """

    columns: ClassVar = {"per_unit": 0}

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        groups = len(setting.cohorts) + 1
        self._active = np.empty(0, dtype=np.int64)
        self.per_unit = np.zeros(len(setting), dtype=np.int64)
        self.counts = np.zeros(groups, dtype=np.int64)
        self.deepest = np.zeros(groups)

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came: those of a new setting have these old rows, -1 for new ones."""
        n, now = len(self._setting), Relay(old_rows).new_rows(len(self._setting))
        pairs = np.sort(np.stack([now[self._active // n], now[self._active % n]]), axis=0)
        self._active = np.sort(pairs[0] * len(setting) + pairs[1])
        super().follow(setting, old_rows)

    def observe(self, frame: Frame) -> None:
        """Take in the next frame."""
        if not len(frame.pairs) and not len(self._active):
            return
        setting = self._setting
        keys, shares = overlaps(
            frame.pairs, frame.position, setting.size, setting.reach, setting.radius, frame.hulls
        )
        order = np.argsort(keys)
        self._active = episodes(
            keys[order], shares[order], self._active, setting.group,
            self.per_unit, self.counts, self.deepest,
        )  # fmt: skip
