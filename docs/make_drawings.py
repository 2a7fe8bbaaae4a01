"""Makes the drawings of concepts.md: `python docs/make_drawings.py [NAME...]`.

All but two show runs. It needs matplotlib, which comes with the extra `study`.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon, Rectangle, Wedge

import sim
from sim.perception.views import VIEWS

FOLDER = Path(__file__).resolve().parent / "drawings"
BLUE, RED, GREY = "#2f6fb3", "#c8452f", "#888888"
STEPS = (
    ("read", "one snapshot of all units"),
    ("orders", "goals, routes, who has arrived"),
    ("look", "neighbours, rays, contacts"),
    ("rules", "one named term each"),
    ("arbiter", "weights and priorities"),
    ("helm", "force and torque"),
    ("engine", "contacts, integration"),
)


def step() -> None:
    """The list of a step, from the engine and back to it."""
    _, axes = plt.subplots(figsize=(7.2, 1.6))
    for k, (name, about) in enumerate(STEPS):
        axes.add_patch(Rectangle((k, 0), 0.86, 1, fc="#eef3f8", ec=BLUE))
        axes.text(k + 0.43, 0.68, name, ha="center", weight="bold", size=9)
        axes.text(k + 0.43, 0.3, fill(about, 14), ha="center", va="center", size=5.5)
        if k:
            axes.annotate("", (k, 0.5), (k - 0.14, 0.5), arrowprops={"arrowstyle": "->"})
    axes.set(xlim=(-0.1, len(STEPS)), ylim=(-0.1, 1.1))
    axes.axis("off")


def views() -> None:
    """What each view sees of the same neighbours."""
    spots = np.random.default_rng(3).uniform(-60, 60, (40, 2))
    _, panels = plt.subplots(1, 3, figsize=(7.2, 2.6))
    for axes, name in zip(panels, ("wide", "limited", "narrow"), strict=True):
        view = VIEWS[name]
        half = np.degrees(view.angle / 2)
        axes.add_patch(Wedge((0, 0), min(view.radius, 90), -half, half, color="#dbe7f3"))
        angle = np.abs(np.degrees(np.arctan2(spots[:, 1], spots[:, 0])))
        seen = (angle <= half) & (np.hypot(*spots.T) <= view.radius)
        axes.scatter(*spots[seen].T, s=12, color=BLUE)
        axes.scatter(*spots[~seen].T, s=12, facecolors="none", edgecolors=GREY)
        craft(axes, 0, 0, 0, 8, RED)
        axes.set_title(f"{name}: {2 * half:.0f} degrees, {view.radius:.0f} lengths", size=8)
        frame(axes, -62, -62, 62, 62)


def rules() -> None:
    """The weighted terms of one unit of a flock."""
    world = sim.World(seed=4, bounds=(0, 0, 200, 200), edges="wrap")
    birds = world.add_group("birds", sim.Region(60, 60, 140, 140), count=14, model="flock")
    for _ in range(20):
        world.step()
    at, angle = world.units.position, world.units.angle
    _, axes = plt.subplots(figsize=(4.2, 3.2))
    for (x, y), a in zip(at, angle, strict=True):
        craft(axes, x, y, a, 4, BLUE)
    nearest = int(np.hypot(*(at - at.mean(axis=0)).T).argmin())
    (x, y), a = at[nearest], angle[nearest]
    craft(axes, x, y, a, 4, RED)
    for color, (name, term) in zip(
        mpl.colormaps["Dark2"].colors, birds.terms.items(), strict=False
    ):
        ahead, starboard = 25 * term[nearest]
        c, s = np.cos(a), np.sin(a)
        tip = x + ahead * c - starboard * s, y + ahead * s + starboard * c
        if np.hypot(ahead, starboard) > 0.5:
            arrow(axes, (x, y), tip, color, name)
    frame(axes, x - 45, y - 35, x + 45, y + 35)


def helm() -> None:
    """Where the three forces of a craft act."""
    _, axes = plt.subplots(figsize=(4.2, 2.2))
    craft(axes, 0, 0, 0, 8, "#dbe7f3")
    arrow(axes, (-4, 0), (9, 0), RED, "thrust,\n along the keel")
    arrow(axes, (4, 0), (4, 5), BLUE, "steering, at the bow")
    arrow(axes, (0, 0), (-3, -4), GREY, "grip of ground or water,\n at the centre")
    frame(axes, -8, -7, 18, 7)


def ways() -> None:
    """The tracks of a crowd round what is solid."""
    boxes = [[-6, -9, -4, 3], [2, -3, 4, 9]]
    world = sim.World(seed=2, boxes=boxes, bounds=(-14, -9, 14, 9), edges="wall")
    crowd = world.add_group("crowd", sim.Region(-13, -7, -9, 7), count=12, model="crowd")
    crowd.go_to((11, 0))
    tracks = follow(world, 25)
    _, axes = plt.subplots(figsize=(4.6, 3))
    solids(axes, boxes)
    axes.plot(tracks[:, :, 0], tracks[:, :, 1], color=BLUE, lw=0.8)
    axes.plot(11, 0, "x", color=RED)
    frame(axes, -14, -9, 14, 9)


def turns() -> None:
    """Where two sides are over time as they take turns in a door."""
    boxes = [[-1, -9, 1, -0.7], [-1, 0.7, 1, 9]]
    world = sim.World(seed=1, boxes=boxes, bounds=(-14, -9, 14, 9), edges="wall")
    hull = sim.Hull.disc(0.5)
    for name, left, right, to in (("west", -13, -4, 9), ("east", 4, 13, -9)):
        group = world.add_group(name, sim.Region(left, -8, right, 8), count=6, hull=hull)
        group.go_to((to, 0))
    tracks = follow(world, 45)
    seconds = np.arange(len(tracks)) * world.time_step
    _, axes = plt.subplots(figsize=(5.2, 2.8))
    axes.axhspan(-1, 1, color="#dddddd")
    axes.plot(seconds, tracks[:, :6, 0], color=BLUE, lw=0.9)
    axes.plot(seconds, tracks[:, 6:, 0], color=RED, lw=0.9)
    axes.set(xlabel="s", ylabel="x; grey: the door")


def rest() -> None:
    """A pack that rests round the point to which all were sent."""
    world = sim.World(seed=1)
    crowd = world.add_group("crowd", sim.Region(-14, -4, -6, 4), count=30, model="crowd")
    crowd.go_to((0, 0))
    follow(world, 30)
    _, axes = plt.subplots(figsize=(3, 3))
    moving = world.orders.minds.moving
    for (x, y), moves in zip(world.units.position, moving, strict=True):
        axes.add_patch(
            Circle((x, y), crowd.hull.radius, fc="none" if moves else "#dbe7f3", ec=BLUE)
        )
    axes.plot(0, 0, "x", color=RED)
    frame(axes, -6, -5, 4, 5)


def seeds() -> None:
    """One unit in two runs of one seed, and in one of another seed."""
    _, axes = plt.subplots(figsize=(5.2, 2.4))
    for seed, style in ((1, {"color": BLUE, "lw": 4, "alpha": 0.4}), (1, {"color": BLUE}),
                        (3, {"color": RED})):  # fmt: skip
        world = sim.World(seed=seed, bounds=(0, 0, 400, 300), edges="wrap")
        world.add_group("birds", sim.Region(0, 0, 400, 300), count=20, model="flock")
        axes.plot(np.unwrap(follow(world, 8)[:, 0, 1], period=300), **style)
    axes.set(xlabel="step", ylabel="y of unit 0")


def follow(world: sim.World, seconds: float) -> np.ndarray:
    """The places (steps, N, 2) of all units over some seconds."""
    places = []
    for _ in range(round(seconds / world.time_step)):
        places.append(world.units.position.copy())
        world.step()
    return np.array(places)


def craft(axes: Axes, x: float, y: float, angle: float, length: float, color: str) -> None:
    """A wedge whose bow points along an angle."""
    outline = length * np.array([[0.5, 0], [-0.5, 0.3], [-0.5, -0.3]])
    c, s = np.cos(angle), np.sin(angle)
    axes.add_patch(Polygon(outline @ np.array([[c, s], [-s, c]]) + (x, y), color=color))


def arrow(axes: Axes, start: tuple, end: tuple, color: str, text: str) -> None:
    """An arrow with a label at its tip."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": color, "lw": 1.6})
    axes.text(*end, f" {text}", color=color, size=7)


def solids(axes: Axes, boxes: list[list[float]]) -> None:
    """Boxes left, top, right, bottom."""
    for left, top, right, bottom in boxes:
        axes.add_patch(Rectangle((left, top), right - left, bottom - top, color=GREY))


def frame(axes: Axes, left: float, top: float, right: float, bottom: float) -> None:
    """Show this part of the plane, y downwards, without ticks."""
    axes.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[])
    axes.set_aspect("equal")


DRAWINGS: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (step, views, rules, helm, ways, turns, rest, seeds)
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or DRAWINGS:
        DRAWINGS[name]()
        plt.savefig(FOLDER / f"{name}.png", dpi=110, bbox_inches="tight")
        plt.close()
