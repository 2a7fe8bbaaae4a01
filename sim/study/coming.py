"""Units that come, or are sent elsewhere, while a run is measured."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.study.setting import Goals, Setting


class Coming(NamedTuple):
    """Some k units: units that have just come, and units that were there."""

    ids: Ints
    """(k,)"""
    group: Ints
    """(k,) the number of each unit's group."""
    goals: Goals
    """Of the k units, from now on."""
    start: Floats
    """(k, 2) where they are, world units; of units that have just come it is where they start."""
    speed: Floats
    """(k,) desired speeds, world units / s."""
    hull: Ints
    """(k,) the number of the group whose hull each has from now on."""
    radius: Floats
    """(k,) the radius of that hull, world units."""


def rows_of(ids: Ints, some: Ints) -> Ints:
    """The rows in which `some` of the units with these ids stand."""
    order = np.argsort(ids)
    return order[np.searchsorted(ids, some, sorter=order)]


def followed(before: Setting, ids: Ints, now: Coming) -> tuple[Setting, Ints, Ints]:
    """What is known of a run once some have come or have other goals.

    `ids` are those of the units in the rows of `before`. Returns the setting, the ids of its rows,
    and the row that each had before, -1 for units that have come.
    """
    fresh = np.flatnonzero(~np.isin(now.ids, ids))
    n, group = len(ids), np.append(before.group, now.group[fresh])
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(len(before.cohorts) + 1)).tolist()
    cohorts = tuple(
        replace(cohort, rows=slice(ends[k], ends[k + 1])) for k, cohort in enumerate(before.cohorts)
    )
    ids = np.append(ids, now.ids[fresh])[order]
    source = order.copy()
    source[rows_of(ids, now.ids)] = n + np.arange(len(now.ids))
    goals = before.goals.joined(now.goals, source)
    start = np.concatenate([before.start, now.start[fresh]])[order]
    speed = np.append(before.speed, now.speed[fresh])[order]
    hull, radius = (
        np.append(getattr(before, name), getattr(now, name))[source] for name in ("hull", "radius")
    )
    setting = replace(
        before, cohorts=cohorts, goals=goals, start=start, speed=speed, radius=radius,
        own_hull=hull,
    )  # fmt: skip
    return setting, ids, np.where(order < n, order, -1)
