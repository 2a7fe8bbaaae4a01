import numpy as np
import pytest

from sim import World
from sim.screen.camera import Camera, Framing, picture_size

from .worlds import DISC, leave, plane


@pytest.mark.parametrize("size", [(640, 360), (333, 777)])
def test_pixels_and_places_are_inverse(size):
    """What to_screen does, to_world undoes, for any place, scale and size."""
    rng = np.random.default_rng(1)
    camera = Camera((12.5, -7.0), 3.7, size)
    places = rng.normal(size=(50, 2)) * 100
    assert np.allclose(camera.to_world(camera.to_screen(places)), places, atol=1e-9)


def test_y_grows_down_and_x_to_the_right():
    """The centre is in the middle; one unit right and down is `scale` pixels each."""
    camera = Camera((10.0, 20.0), 5.0, (100, 60))
    assert camera.to_screen((11.0, 21.0)).tolist() == [55.0, 35.0]


@pytest.mark.parametrize("edges", ["open", "wall", "wrap"])
@pytest.mark.parametrize("size", [(640, 200), (200, 640)])
def test_bounds_are_shown_whole(edges, size):
    """Both corners of the bounds are on the picture; the tighter side decides the scale."""
    world = plane(edges)
    camera = Framing().camera(world, size)
    corners = camera.to_screen([(0, 0), (100, 100)])
    assert (corners >= 0).all()
    assert (corners <= size).all()
    assert camera.scale == pytest.approx(2.0, rel=0.1)


def test_a_torus_fills_the_picture_and_walls_leave_room():
    """No ground is shown beyond a seam; walls are drawn outside the bounds and need room."""
    assert Framing().camera(plane("wrap"), (400, 400)).scale == 4.0
    assert Framing().camera(plane("wall"), (400, 400)).scale < 4.0


def _open_flock(**options):
    world = World(**options)
    world.add_group("flock", [[0, 0], [30, 10], [-20, 30]], model="flock", heading=0.0)
    return world


def test_without_bounds_everybody_stays_in_the_picture():
    """A flock on its way is followed: after seconds of travel every unit is on the picture."""
    world, framing = _open_flock(), Framing()
    first = framing.camera(world, (640, 360))
    for _ in range(180):
        world.step()
        camera = framing.camera(world, (640, 360))
    pixels = camera.to_screen(world.units.position)
    assert np.hypot(*(np.array(camera.centre) - first.centre)) > 100
    assert (pixels > 0).all()
    assert (pixels < (640, 360)).all()


def test_a_camera_that_follows_does_not_trail_behind():
    """After two seconds of steady travel the flock's middle is near the middle of the picture."""
    world, framing = _open_flock(), Framing()
    for _ in range(120):
        world.step()
        camera = framing.camera(world, (640, 360))
    middle = (world.units.position.min(axis=0) + world.units.position.max(axis=0)) / 2
    assert np.abs(camera.to_screen(middle) - (320, 180)).max() < 60


def test_nobody_outruns_the_camera():
    """Two units that part at full speed are on every picture, however quickly it has to widen."""
    world, framing = World(), Framing()
    for name, x, heading in (("east", 5, 0.0), ("west", -5, np.pi)):
        group = world.add_group(name, [[x, 0]], model="player", heading=heading)
        group.controls[:, 2] = 1.0
    for _ in range(90):
        world.step()
        pixels = framing.camera(world, (640, 360)).to_screen(world.units.position)
        assert (pixels >= 0).all()
        assert (pixels <= (640, 360)).all()


def test_a_camera_rests_while_the_run_rests():
    """The same moment of the run gives the same camera, however often it is painted."""
    world, framing = _open_flock(), Framing()
    first = framing.camera(world, (640, 360))
    world.step()
    second = framing.camera(world, (640, 360))
    assert first != second
    assert framing.camera(world, (640, 360)) == second


def test_solids_belong_to_the_picture_while_somebody_is_near():
    """A disc beside the flock is framed, one far away is not."""
    near = Framing().camera(_open_flock(discs=[[60, 0, 10]]), (640, 360))
    far = Framing().camera(_open_flock(discs=[[9000, 0, 10]]), (640, 360))
    assert (near.to_screen((70, 0)) < (640, 360)).all()
    assert far.scale > 1


def test_a_unit_that_left_does_not_count():
    """A unit that left the world has no place, and does not spoil the camera."""
    world = _open_flock()
    leave(world, 1)
    assert np.isfinite(Framing().camera(world, (640, 360)).centre).all()


def test_a_single_unit_gets_some_room():
    """One unit alone is shown with ground around it, not filling the picture."""
    world = World()
    world.add_group("one", [[5, 5]], model="flock", hull=DISC, heading=0.0)
    camera = Framing().camera(world, (400, 400))
    assert DISC.length * camera.scale < 40


def test_picture_size_follows_the_bounds():
    """A picture has the world's shape, fits the box, has even sides, and no side is a sliver."""
    assert picture_size((0, 0, 1024, 768), (640, 480)) == (640, 480)
    assert picture_size(None, (640, 480)) == (640, 360)
    assert picture_size((0, 0, 100, 5), (640, 480)) == (640, 160)
