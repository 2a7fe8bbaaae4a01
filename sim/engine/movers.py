"""Parts of the ground in the engine: put in, taken out and moved, and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pymunk

from sim.core.arrays import NO_ROW, Floats
from sim.core.errors import BadInput
from sim.core.limits import LARGEST, within_reach
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.engine.bridge import Bridge
from sim.engine.ground import shapes_of
from sim.engine.placing import TOUCH, Place, depth

SQUEEZED = 0.3
"""A part that moves stops before a unit overlaps it and what is behind by more hull radii."""
HARD = 4.0
"""A part that moves stops where it pushes a unit by more, times what sets it moving as fast."""
STRIDE = 0.03
"""How far a part that may push moves between two looks of the engine at most, radii of the smallest
hull: units that it pushes overlap others by about as much as one moves in between."""


def put_in(
    space: pymunk.Space, bridge: Bridge, solids: Solids, plane: Plane, offset: Floats,
    radius: Floats,
) -> tuple[pymunk.Body, int]:  # fmt: skip
    """Put a part in the space at an offset (2,) from where its solids lie, if no units stand there.

    Its kinematic body, and the least row of these units: -1 for none, and then it is in. `radius`
    (N,) is that of the units' hulls: a unit that only touches does not count.
    """
    body, shapes = make_part(solids, plane)
    body.position = offset[0], offset[1]
    found = _units_in(space, bridge, shapes)
    row = min((row for row, _, deep in found if deep > TOUCH * radius[row]), default=NO_ROW)
    if row == NO_ROW:
        space.add(body, *shapes)
    return body, row


def make_part(solids: Solids, plane: Plane) -> tuple[pymunk.Body, list[pymunk.Shape]]:
    """A kinematic body for a part with its shapes, not yet in a space."""
    body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    return body, shapes_of(body, solids, plane)


def take_out(space: pymunk.Space, body: pymunk.Body) -> None:
    """Take a part out of the space."""
    space.remove(body, *body.shapes)


def move(body: pymunk.Body, offset: Floats, to: Floats, dt: float) -> None:
    """Have a part at an offset (2,) move to another within the next dt s."""
    body.position = offset[0], offset[1]
    way = (to - offset) / dt
    body.velocity = way[0], way[1]


def pushing_speed(space: pymunk.Space, body: pymunk.Body, dt: float) -> float:
    """How fast the quickest point of a body moves; 0 where it meets no body within dt s."""
    speed = body.velocity.length
    if body.angular_velocity:
        boxes = [shape.cache_bb() for shape in body.shapes]
        corners = [(x, y) for b in boxes for x in (b.left, b.right) for y in (b.bottom, b.top)]
        reach = max((body.position.get_distance(corner) for corner in corners), default=0.0)
        speed += abs(body.angular_velocity) * reach
    far = 2 * speed * dt
    for shape in body.shapes if speed else ():
        b = shape.cache_bb()
        box = pymunk.BB(b.left - far, b.bottom - far, b.right + far, b.top + far)
        hits = space.bb_query(box, pymunk.ShapeFilter())
        if any(hit.body and hit.body.body_type == pymunk.Body.DYNAMIC for hit in hits):
            return speed
    return 0.0


def squeezed(
    space: pymunk.Space, bridge: Bridge, body: pymunk.Body, to: Floats, radius: Floats
) -> int:
    """The least row of the units that a part at an offset (2,) would squeeze; -1 for none.

    A unit is squeezed between the part and whatever else it is pressed into.
    """
    here = body.position
    body.position = to[0], to[1]
    found = _units_in(space, bridge, body.shapes)
    body.position = here
    rows = []
    for row, shape, deep in found:
        others = (hit for hit in space.shape_query(shape) if hit.shape and hit.shape.body != body)
        pressed = max((depth(hit.contact_point_set) for hit in others), default=0.0)
        if deep > TOUCH * radius[row] and deep + pressed > SQUEEZED * radius[row]:
            rows.append(row)
    return min(rows, default=NO_ROW)


def pressed(bridge: Bridge, body: pymunk.Body, speeds: Floats) -> int:
    """The least row of the units that a part pushed too hard in the engine's last step; -1: none.

    Its push sets a unit moving once. One that cannot give way, as it stands in a pack before a
    wall, is pushed anew in each round of the engine, which keeps all these pushes: they throw it
    through what is there as soon as the part stops. `speeds` (N,) are the units' desired ones.
    """
    pushes: dict[int, float] = {}

    def note(arbiter: pymunk.Arbiter) -> None:
        one, two = arbiter.bodies
        unit = two if one is body else one
        pushes[unit.id] = arbiter.total_impulse.length / unit.mass

    body.each_arbiter(note)
    rows, own = _rows(bridge, set(pushes)), body.velocity.length
    hard = (row for unit, row in rows.items() if pushes[unit] > HARD * (own + speeds[row]))
    return min(hard, default=NO_ROW)


def _units_in(
    space: pymunk.Space, bridge: Bridge, shapes: Iterable[pymunk.Shape]
) -> list[tuple[int, pymunk.Shape, float]]:
    """The units that overlap shapes: row, own shape, and how deep."""
    hits = [(hit.shape, hit) for shape in shapes for hit in space.shape_query(shape)]
    mine = [
        (shape, shape.body.id, hit) for shape, hit in hits
        if shape is not None and shape.body is not None
        and shape.body.body_type == pymunk.Body.DYNAMIC
    ]  # fmt: skip
    rows = _rows(bridge, {body for _, body, _ in mine})
    return [
        (rows[body], shape, depth(hit.contact_point_set))
        for shape, body, hit in mine
        if body in rows
    ]


def _rows(bridge: Bridge, bodies: set[int]) -> dict[int, int]:
    """The row of each unit, by its body's number or by a twin's, whose body is one of a few."""
    if not bodies:
        return {}
    numbers, seam = bridge.held.numbers, bridge.seam
    there = np.flatnonzero(np.isin(numbers, np.array(list(bodies), np.uint64)))
    found = dict(zip(numbers[there].tolist(), there.tolist(), strict=True))
    twins = zip(seam.bodies, seam.row.tolist(), strict=True)
    return found | {b.id: row for b, row in twins if row >= 0 and b.id in bodies}


def there(space: pymunk.Space, bodies: Sequence[pymunk.Body]) -> list[pymunk.Body]:
    """Those of a user's own bodies that are in a space.

    Raises `BadInput` for one whose place or speed is such as none can have.
    """
    for number, body in enumerate(bodies, 1):
        if not within_reach((*body.position, body.angle, *body.velocity, body.angular_velocity)):
            raise BadInput(
                f"body {number} that is seen: its position, angle, velocity and spin must be "
                f"numbers from {-LARGEST:g} to {LARGEST:g}"
            )
    return [body for body in bodies if body.space is space]


def met(body: pymunk.Body) -> list[pymunk.Shape]:
    """Those shapes of a user's own body that units meet: in its space, and solid to them.

    A shape that was taken out of the space is still the body's. Sensors and shapes whose filter
    lets everything through stop no unit.
    """
    return [s for s in body.shapes if s.space is not None and not s.sensor and all(s.filter[1:])]


def solids_of(body: pymunk.Body) -> Solids:
    """What a user's own body fills now: discs, walls and convex polygons that units meet."""
    return _filled(met(body), body.local_to_world)


def solids_in_place(shapes: Iterable[pymunk.Shape]) -> Solids:
    """The same of some shapes of a body where its position is (0, 0) and its angle 0."""
    return _filled(shapes, lambda place: place)


def _filled(shapes: Iterable[pymunk.Shape], placed: Callable[[Place], Place]) -> Solids:
    discs, walls, polygons = [], [], []
    for shape in shapes:
        if isinstance(shape, pymunk.Circle):
            x, y = placed(shape.offset)
            discs.append((x, y, shape.radius))
        elif isinstance(shape, pymunk.Segment):
            ends = [placed(end) for end in (shape.a, shape.b)]
            walls.append((*ends[0], *ends[1]))
            discs += [(*end, shape.radius) for end in ends if shape.radius > 0]
        elif isinstance(shape, pymunk.Poly):
            polygons.append(np.array([placed(v) for v in shape.get_vertices()]))
    found = Solids.of(discs, (), walls)
    return Solids(found.discs, found.boxes, found.walls, tuple(map(_clockwise, polygons)))


def _clockwise(corners: Floats) -> Floats:
    """Corners (k, 2) of a convex polygon, clockwise as seen on screen."""
    x, y = corners.T
    area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
    return corners if area > 0 else corners[::-1].copy()
