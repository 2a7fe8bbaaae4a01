"""What a world hands out cannot be written to, and kernels are compiled for one kind of array."""

import gc

import numpy as np
import pytest
from numba.core import types
from numba.core.dispatcher import Dispatcher

from sim import Box, Goal, Polygon, Region, World
from sim.behaviours import rule
from sim.core.errors import BadInput
from sim.core.units import read_only
from sim.screen.camera import Camera
from sim.screen.heat import Heat
from sim.screen.painter import visible
from sim.screen.sight import seen
from sim.study.report import Report


def flock(**options) -> World:
    """Thirty of the default flock on a torus."""
    world = World(seed=1, bounds=(0, 0, 300, 200), edges="wrap")
    world.add_group("a", Region(0, 0, 300, 200), count=30, **options)
    return world


@pytest.mark.parametrize(
    "name", ["position", "velocity", "angle", "spin", "heading", "present", "group"]
)
def test_a_snapshot_cannot_be_written_to(name: str):
    """To write to what `units` shows is refused, and the run goes on as if nothing had been."""
    one, other = flock(), flock()
    with pytest.raises(ValueError, match="read-only"):
        getattr(one.units, name)[:] = 5
    for world in (one, other):
        world.step()
    assert np.array_equal(one.units.position, other.units.position)


def test_a_copy_can_be_written_to():
    """A copy of a snapshot is its owner's: the world does not change with it."""
    world = flock()
    mine = world.units.copy()
    mine.position[:] -= 5000
    assert world.units.position.min() >= 0


def test_what_units_wanted_cannot_be_written_to():
    """Terms, command, forces and who leads stay as they were at the step."""
    world = flock()
    world.step()
    group = world.groups[0]
    for shown in (*group.terms.values(), group.command, group.leads, *group.forces):
        with pytest.raises(ValueError, match="read-only"):
            shown[:] = 5
        with pytest.raises(ValueError, match="WRITEABLE"):
            shown.flags.writeable = True


def test_ids_are_shown_apart():
    """A user who gives `world.ids` another shape changes an array of their own."""
    world = flock()
    ids = world.ids
    assert world.ids is ids
    ids.shape = (5, 6)
    world.step()
    assert world.groups[0].ids.shape == (30,)


SHOWN = (
    "orders.leg", "orders.first", "orders.aim", "orders.stops", "orders.minds.end",
    "orders.patience.best", "orders.narrows.turns.turn", "orders.guide.parties[0].at",
    "orders.guide.parties[0].place", "orders.guide.parties[0].lines.first", "solids.discs",
    "fixed_solids.discs", "solids.boxes", "parts['lift'].path", "parts['lift'].offset",
    "parts['lift'].shape.solids.boxes", "groups[0].hull.outline", "orders.queue.entries[0].route",
    "orders.guide.parties[0].fields[0].distance", "orders.guide.parties[0].fields[0].grid.items",
    "orders.outlines.area", "orders.guide.bare.solids.discs", "orders.guide.bare.plane.size",
    "orders.columns['minds'].moving", "orders.narrows.columns['bound'].place",
    "areas[0].extent[0]", "groups[0].state['_radii']",
)  # fmt: skip
"""Arrays that kernels use as places in others, or that the run goes by."""


def led(**options) -> World:
    """Five that are led round a disc, beside a part that moves."""
    world = World(seed=1, discs=[(50, 50, 10)], **options)
    path = [(0, 0, 0), (5, 0, 12), (10, 0, 0)]
    world.add_solid(Box(200, 0, 210, 5), name="lift", path=path, loop=True)
    world.add_area(Box(0, 80, 20, 100), speed=0.5)
    world.add_group("a", Region(0, 40, 20, 60), count=5, goal=Goal.to((90, 50)))
    world.select(world.ids).go_to((10, 90), queue=True)
    return world


@pytest.fixture(scope="module")
def going() -> World:
    """The same after some steps, for many tests: none of them can change it."""
    world = led()
    for _ in range(10):
        world.step()
    return world


@pytest.mark.parametrize("path", SHOWN)
def test_what_a_world_goes_by_cannot_be_written_to(going: World, path: str):
    """Orders and solids are shown as `units` are: to write to them once ended in the kernels."""
    world = going
    array = eval(f"world.{path}", {"world": world})
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 10**12
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True
    world.step()


def test_controls_that_someone_holds_are_of_the_units_they_were_of():
    """They may be written to, also after a unit has left: that steers no other unit."""
    world = World(seed=1)
    group = world.add_group("a", [(0, 0), (30, 0), (60, 0)], model="player")
    held = group.controls
    held.shape = 9
    held[:] = 0.5
    assert group.controls.tolist() == [[0.5] * 3] * 3
    world.remove(group.ids[:1])
    held[:] = 0.25
    assert group.controls.tolist() == [[0.5] * 3] * 2


HANDED_OUT = (
    "ids", "units.position", "units.present", "groups[0].ids", "groups[0].position",
    "groups[0].radii", "select(world.ids).ids", "contacts.first", "save().owner",
    "save().parts['units']['ids']", "save().engine.motion",
)  # fmt: skip
"""Arrays of what there is, of parts of it, of a selection and of a saved state."""


@pytest.mark.parametrize("path", HANDED_OUT)
def test_what_is_read_only_stays_so(going: World, path: str):
    """An array that is handed out, or a part of it, cannot be made one that can be written to."""
    array = eval(f"world.{path}", {"world": going})
    for shown in (array, array[:1], array.view()):
        with pytest.raises(ValueError, match="WRITEABLE"):
            shown.flags.writeable = True


KINDS = "?", "i1", "u8", ">f8", "f2", "g", "c16", "M8[s]", "U3", "S3", "V5", "O", "i4,f8"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 4), (0, 2), ()])
def test_read_only_shows_what_there_is(kind: str, shape: tuple[int, ...]):
    """Whatever is in an array, of whatever kind and shape, is in what shows it."""
    held = np.zeros(shape, kind)[..., ::2] if shape else np.zeros(shape, kind)
    shown = read_only(held)
    assert (shown.dtype, shown.shape, shown.tolist()) == (held.dtype, held.shape, held.tolist())
    with pytest.raises(ValueError, match="read-only"):
        shown[...] = held


def test_a_plane_that_is_handed_out_is_a_copy():
    """The size of a torus stays what it is, whatever is written to that of its plane."""
    one, other = flock(), flock()
    one.plane.size[:] = 1.0
    for world in (one, other):
        world.step()
    assert np.array_equal(one.units.position, other.units.position)


def test_a_polygon_keeps_its_corners():
    """A list that it was made of may be changed: the polygon, and what is saved of it, does not."""
    corners = [[0, 0], [4, 0], [0, 3]]
    made = Polygon(corners)
    corners.append([9, 9])
    assert len(made.points) == len(made.solids.polygons[0]) == 3
    assert hash(made) == hash(Polygon([[0, 0], [4, 0], [0, 3]]))


def test_what_a_world_is_cannot_be_set():
    """Seed, time step, plane and groups are those of the start: set, they changed half the run."""
    world = led()
    for name, value in (("time_step", 1e9), ("seed", 5), ("plane", None), ("groups", [])):
        with pytest.raises(AttributeError, match=f"{name} cannot be set"):
            setattr(world, name, value)
    assert isinstance(world.groups, tuple)
    with pytest.raises(AttributeError, match="leg cannot be set"):
        world.orders.leg = None
    world.step()


@pytest.mark.usefixtures("own_rules")
def test_a_rule_cannot_write_to_what_it_is_told():
    """Rules of others get arrays they can only read; returning one of them is fine."""
    tried = []

    @rule("own", looks="summary", range=10.0)
    def greedy(me):
        """Write to all that comes."""
        me.plane.size[:] = 0  # its own
        for array in (me.velocity, me.units.position, me.seen.summary.offset, me.minds.timer):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
            tried.append(array)
        return me.velocity

    world = flock(behaviours={"greedy": True})
    world.step()
    assert len(tried) == 4


@pytest.mark.usefixtures("own_rules")
@pytest.mark.parametrize("wants", [["a", "b"], [[1.0, 2.0], [1.0]], [[1j, 0j]] * 30, object()])
def test_a_rule_that_returns_no_numbers(wants):
    """Text, ragged rows and the like are refused, with the name of the rule."""

    @rule("own")
    def odd(_):
        """Return something else."""
        return wants

    world = flock(behaviours={"odd": True})
    with pytest.raises(BadInput, match=r"behaviour 'odd' returned .*must be numbers of shape"):
        world.step()


@pytest.mark.usefixtures("own_rules")
def test_a_rule_cannot_change_which_units_there_are():
    """A rule that adds a group, or takes a step, in the middle of one is refused."""
    calls = []

    @rule("own")
    def meddling(me):
        """Add a group at first, then take a step."""
        calls.append(me)
        if len(calls) == 1:
            world.add_group("b", [(150.0, 100.0)])
        world.step()

    world = flock(behaviours={"meddling": True})
    with pytest.raises(BadInput, match="group 'b': cannot be added while units decide"):
        world.step()
    with pytest.raises(BadInput, match="step: a rule cannot take one"):
        world.step()
    world.groups[0].configure("meddling", weight=0)
    world.step()
    assert len(world.groups) == 1


def test_no_kernel_is_compiled_twice():
    """Whatever shows and measures a world hands kernels arrays of one kind: those of its own."""
    before = read_only_builds()  # of tests that call a kernel themselves
    world, heat, camera = flock(), Heat(), Camera((0.0, 0.0), 1.0, (300, 200))
    report = Report(world, "all")
    for _ in range(3):
        world.step()
        report.observe(world)
        heat.observe(world, world.time_step)
        seen(world, 0)
        visible(world.units.position, 9, world, camera)
        assert len(world.groups[0].leads) == 30
    report.result(1.0)
    assert read_only_builds() == before


def read_only_builds() -> set[tuple[str, str, str]]:
    """Module, name and signature of all kernels built for an array that cannot be written to."""
    gc.unfreeze()  # most were made while tests were collected
    kernels = [each for each in gc.get_objects() if issubclass(type(each), Dispatcher)]
    assert len(kernels) > 50
    return {
        (kernel.py_func.__module__, kernel.__name__, str(signature))
        for kernel in kernels
        for signature in kernel.signatures
        if (kernel.py_func.__module__ or "").startswith("sim.")
        and any(map(is_read_only, signature))
    }


def is_read_only(kind: types.Type) -> bool:
    """Whether a type is of an array that is read-only, or holds one."""
    if isinstance(kind, types.Array):
        return not kind.mutable
    return isinstance(kind, types.BaseTuple) and any(map(is_read_only, kind))
