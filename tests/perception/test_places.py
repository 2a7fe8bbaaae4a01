"""Cells list all that reaches into them, and know how far off the rest is."""

from __future__ import annotations

import numpy as np
import pytest

from sim import World
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.outlines import away, outlines_of, standing
from sim.perception.places import BITS, IMAGES, MASK, Places, cell_at, places_of
from sim.perception.still import more_places

PLANES = [Plane(), Plane((0, 0, 60, 40), "wrap"), Plane((0, 0, 60, 40), "wall")]


def some(seed: int) -> Solids:
    """A few solids of each kind."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform((0, 0), (50, 30), (4, 2))
    return Solids(
        np.column_stack([rng.uniform((0, 0), (60, 40), (6, 2)), rng.uniform(0.3, 4, 6)]),
        np.column_stack([corners, corners + rng.uniform(1, 9, (4, 2))]),
        rng.uniform((0, 0, 0, 0), (60, 40, 60, 40), (5, 4)),
    )


def room_at(x: float, y: float, places: Places) -> float:
    """What a place's cell knows; nothing outside all of them."""
    cell = cell_at(x, y, *places[:3])
    return places.room[cell] if cell >= 0 else 0.0


@pytest.mark.parametrize("plane", PLANES, ids=lambda p: p.edges)
@pytest.mark.parametrize("margin", [0.0, 1.5, 30.0])
@pytest.mark.parametrize("side", [0.0, 5.0])
def test_nobody_near_is_missed(plane, margin, side):
    """Whatever lies within the margin of a place is listed where the place is; most else is not."""
    outlines = standing(some(1), plane)
    places = places_of(outlines, plane, margin, side)
    rng = np.random.default_rng(2)
    listed = 0
    for x, y in rng.uniform((0, 0), (60, 40), (300, 2)):
        cell = cell_at(x, y, *places[:3])
        own = places.items[places.first[cell] : places.first[cell + 1]] if cell >= 0 else []
        found = {(int(n) >> BITS, int(n) & MASK) for n in own}
        listed += len({k for k, _ in found})
        near = {
            (k, image)
            for k in range(len(outlines.name))
            for image in (range(IMAGES) if plane.wraps else [4])
            if away(
                outlines.corners, outlines.first[k], outlines.first[k + 1],
                x - (image // 3 - 1) * plane.size[0], y - (image % 3 - 1) * plane.size[1],
            )[0] <= outlines.circle[k, 3] + margin
        }  # fmt: skip
        assert near <= found
    if margin < 9:
        assert listed < 300 * len(outlines.name) / 2
    order = [places.items[a:b] for a, b in zip(places.first[:-1], places.first[1:], strict=True)]
    assert all((np.diff(each) > 0).all() for each in order)


@pytest.mark.parametrize("plane", PLANES, ids=lambda p: p.edges)
def test_room_is_never_too_much(plane):
    """The room round a place is no more than what there is, and mostly a fair part of that."""
    solids = some(3)
    places = places_of(standing(solids, plane), plane, 0.0)
    spots = np.random.default_rng(4).uniform((0, 0), (60, 40), (500, 2))
    clear = -solids.depth(spots, plane)
    room = np.array([room_at(x, y, places) for x, y in spots])
    assert (room <= np.maximum(clear, 0) + 1e-9).all()
    far = clear > 5
    assert far.sum() > 5
    inside = far & (room > 0)  # beyond the solids there are no cells
    assert inside.sum() > 5
    assert np.median(room[inside] / clear[inside]) > 1 / 5


@pytest.mark.parametrize("plane", PLANES, ids=lambda p: p.edges)
@pytest.mark.parametrize("margin", [0.0, 1.5])
def test_more_outlines_in_known_cells(plane, margin):
    """A few outlines more in cells that are known: lists as if made anew, rooms never too much."""
    first, later = some(3), some(6)
    corners = np.array([(0.0, 0, 1, 1), (59, 39, 60, 40)])
    base = Solids(first.discs, np.concatenate([first.boxes, corners]))
    open_ = plane if plane.wraps else Plane()
    more = Solids(discs=later.discs[:1], walls=later.walls[:2] / 2 + 10)
    each = [Solids(discs=more.discs), *(Solids(walls=wall[None]) for wall in more.walls)]
    old = standing(base, plane)
    known = places_of(old, plane, margin)
    found = more_places(known, len(old.name), outlines_of(more), margin)
    assert found is not None
    for x, y in np.random.default_rng(7).uniform((0, 0), (60, 40), (400, 2)):
        cell = cell_at(x, y, *found[:3])
        if cell < 0:
            continue
        begin, end = known.first[cell : cell + 2]
        here = found.items[found.first[cell] : found.first[cell + 1]]
        assert (here[: end - begin] == known.items[begin:end]).all()
        listed = {(int(n) >> BITS) - len(old.name) for n in here[end - begin :]}
        clear = [-part.depth(np.array([(x, y)]), open_)[0] - margin for part in each]
        assert {k for k, off in enumerate(clear) if off <= 0} <= listed
        assert found.room[cell] <= min(known.room[cell], *(max(off, 0.0) for off in clear)) + 1e-9
    assert (found.room > 0).mean() > (known.room > 0).mean() / 2


def test_no_solids():
    """Without solids there is room without end on a torus, and no cell lists anything."""
    for plane in PLANES[:2]:
        places = places_of(standing(Solids(), plane), plane, 9.0)
        assert len(places.items) == 0
        assert np.isinf(places.room).all()


def test_away():
    """Distances and ways off a disc's middle, a wall and a box, from outside and inside."""
    box = np.array([(0.0, 0), (4, 0), (4, 2), (0, 2)])
    assert away(box, 0, 4, 6.0, 1.0) == (2, 1, 0)
    assert away(box, 0, 4, 3.5, 1.0) == (-0.5, 1, 0)
    assert away(box, 0, 4, 7.0, 6.0) == pytest.approx((5, 0.6, 0.8))
    assert away(box, 0, 2, 2.0, -3.0) == (3, 0, -1)
    assert away(box, 0, 1, 3.0, 4.0) == pytest.approx((5, 0.6, 0.8))


def test_rules_look_at_near_solids_only():
    """With few solids near, the lists that the rules of avoidance go through are short."""
    rng = np.random.default_rng(5)
    discs = np.column_stack([rng.uniform(0, 4000, (200, 2)), np.full(200, 5.0)])
    world = World(bounds=(0, 0, 4000, 4000), edges="wrap", discs=discs)
    places = world.site.around.discs.within(104.0)
    assert len(places.items) / len(places.room) < 200 / 20
