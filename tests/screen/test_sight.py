import numpy as np
import pytest

from sim import Hull, Percepts, Terms, World, rule
from sim.perception.views import VIEWS
from sim.screen import sight
from sim.screen.scene import Scene

from .worlds import DISC, GROUND, color_at, leave, painted, plane


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.usefixtures("own_rules")
def test_the_overlay_marks_what_the_unit_sees(view):
    """Marked are exactly as many as the unit's own rules are shown, across the seam too."""
    counted = {}

    @rule("test", looks="summary")
    def count_heads(me: Percepts) -> Terms:
        counted[view] = me.seen.summary.count.tolist()
        return np.zeros_like(me.velocity)

    world = World(bounds=(0, 0, 600, 600), edges="wrap")
    world.add_group(
        "flock",
        lattice(9, 66.0),
        model="flock",
        view=view,
        heading="random",
        behaviours={"count_heads": True},
    )
    world.steer()
    assert [int(sight.seen(world, row).sum()) for row in range(81)] == counted[view]
    assert max(counted[view]) > 5


def lattice(side, step, seed=0):
    """Places (side x side, 2) in a square of side x step, each off its node by up to a third."""
    nodes = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return (nodes + np.random.default_rng(seed).uniform(0.2, 0.8, nodes.shape)) * step


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("angle", [0.0, 2.1])
def test_the_outline_holds_what_the_view_holds(view, angle):
    """A place lies between the outline's edges if and only if the view sees it."""
    world, places = World(), lattice(10, 7.0) - 35
    group = world.add_group(
        "all", places, model="flock", hull=Hull.disc(0.5), view=view, heading=angle
    )
    row = int(np.argmin(np.hypot(*places.T)))
    corners = sight.outline(*group.resolve(sight.OWN), angle) + places[row]
    others = np.arange(len(places)) != row
    inside = [_inside(corners, place) for place in places[others]]
    assert inside == sight.seen(world, row)[others].tolist()


def test_an_outline_is_cut_at_walls():
    """It ends at a wall; beside it, and where the wall is farther than the view, it does not."""
    round_ = sight.outline(*World().add_group("a", [(0, 0)], model="flock", view="all").resolve(
        sight.OWN), 0.0)  # fmt: skip
    radius = np.hypot(*round_[0])
    walls = np.array([[20.0, -30, 20, 30], [-radius - 1, -900, -radius - 1, 900]])
    cut = sight.cut_at_walls(round_, walls)
    behind = np.abs(np.arctan2(round_[:, 1], round_[:, 0])) < np.arctan2(30, 20)
    assert np.allclose(cut[behind, 0], 20)
    assert np.array_equal(cut[~behind], round_[~behind])
    assert 0 < behind.sum() < len(behind)
    assert np.array_equal(sight.cut_at_walls(round_, np.empty((0, 4))), round_)


def test_views_of_groups_stay_in_their_rooms():
    """What one unit of each group sees is shown as far as a wall; the selected one's, past it."""
    world = World(bounds=(0, 0, 100, 100), edges="wall", walls=[[50, 0, 50, 100]])
    world.add_group("one", [[30, 50]], model="flock", hull=DISC, view="limited", heading=0.0)
    scene = Scene(views=True)
    for selected, beyond in ((None, False), (0, True)):
        scene.selected = selected
        picture = painted(world, scene=scene)
        assert color_at(picture, world, (45, 60)) != GROUND
        assert (color_at(picture, world, (56, 60)) != GROUND) == beyond


def _inside(corners, place):
    """Whether a ray from a place crosses the outline an odd number of times."""
    after = np.roll(corners, -1, axis=0)
    (x1, y1), (x2, y2) = corners.T, after.T
    crosses = (y1 > place[1]) != (y2 > place[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x1 + (place[1] - y1) * (x2 - x1) / (y2 - y1)
    return bool((crosses & (at > place[0])).sum() % 2)


def test_rules_answer_only_the_near():
    """Units that separation answers one by one stand within five lengths; others are only seen."""
    world = plane()
    world.add_group("flock", [[20, 20], [35, 25], [90, 20]], model="flock", heading=0.0)
    assert sight.seen(world, 0).tolist() == [False, True, True]
    assert sight.answered(world, 0).tolist() == [False, True, False]


def test_no_unit_sees_a_unit_that_left():
    """An absent unit is neither seen nor picked."""
    world = plane()
    world.add_group("flock", [[20, 20], [25, 20]], model="flock", heading=0.0)
    leave(world, 1)
    assert not sight.seen(world, 0).any()
    assert sight.pick(world, np.array([25.0, 20.0]), 1.0) is None


def test_a_click_means_the_nearest_hull():
    """A place within 1.5 reaches picks a unit, the nearest of several, also across the seam."""
    world = plane("wrap")
    world.add_group("discs", [[50, 50], [60, 50], [1, 10]], model="flock", hull=DISC, heading=0.0)
    picked = [
        sight.pick(world, np.array(place), 0.5)
        for place in ([54.0, 50.0], [56.0, 50.0], [50.0, 57.0], [97.0, 10.0])
    ]
    assert picked == [0, 1, None, 2]


def test_a_click_beside_a_small_unit_means_it():
    """The tolerance serves hulls that are small on the picture."""
    world = plane()
    world.add_group("flock", [[50, 50]], model="flock", heading=0.0)
    assert sight.pick(world, np.array([56.0, 50.0]), 1.0) is None
    assert sight.pick(world, np.array([56.0, 50.0]), 7.0) == 0


@pytest.mark.parametrize(
    ("model", "decides"), [("flock", {"view_angle", "view_radius"}), ("crowd", set())]
)
def test_the_view_shown_is_one_that_rules_go_by(model, decides):
    """A group's own view is not shown where its rules all have views and ranges of their own."""
    world = plane()
    group = world.add_group("all", [[50, 50], [58, 50]], model=model, view="narrow", heading=np.pi)
    group.go_to((10, 50))
    assert sight.decides(group) == decides
    used = [group.resolve(each) for each in sight.used(group)]
    assert group.resolve(sight.main(group)) == max(used, key=lambda each: each[2])
    assert sight.seen(world, 0).any() == (model == "crowd")  # astern of it
