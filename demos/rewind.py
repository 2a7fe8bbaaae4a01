"""Rewind: two futures from one saved state, with a door open and shut.

What to look for: both pictures go on from one state, saved 1 s into a run. On the left the near
door stays open, and most go through it; on the right it is shut, and all go by the far one. In a
window you do it yourself: Left goes back in time, then B and 4 draw a door.
"""

import numpy as np

import sim
from sim.commands.film import FilmOptions, pixels
from sim.demo import play
from sim.record.run import Run
from sim.record.stage import Stage
from sim.screen.side_by_side import BOX, film_side_by_side

FILM = "--film-speed 2 --film-fps 10"
SAVED, LASTS, EVERY = 1.0, 28.0, 0.1
"""When the state is saved, how long each future is, and how often it is written down, seconds."""


def hall() -> sim.World:
    """The same as maps/rewind.toml, by hand."""
    walls = [(11.5, 0, 12.5, 8), (11.5, 11, 12.5, 16)]
    made = sim.World(seed=1, bounds=(0, 0, 24, 20), edges="wall", boxes=walls)
    made.add_group(
        "people", sim.Region(1, 4, 8, 15), count=36, heading=0.0, color="orange",
        goal=sim.Goal.into((17, 4, 23, 16)),
    )  # fmt: skip
    return made


def futures() -> tuple[sim.World, list[tuple[str, Run]]]:
    """A world, and what came of one state of it with the door open and with the door shut."""
    world = hall()
    while world.time < SAVED:
        world.step()
    state = world.save()
    stayed_open = written_down(world)
    world.load(state)
    world.add_solid(sim.Box(11.5, 8, 12.5, 11), name="door")
    return world, [("open", stayed_open), ("shut", written_down(world))]


def written_down(world: sim.World) -> Run:
    """The next seconds of a world, and what it stands on."""
    stage, times, places, angles = Stage.of(world).text(), [], [], []
    steps = round(EVERY / world.time_step)
    for step in range(round(LASTS / world.time_step)):
        if step % steps == 0:
            times.append(world.time)
            places.append(world.units.position)
            angles.append(world.units.angle)
        world.step()
    names = np.array([world.groups[k].name for k in world.units.group])
    return Run(np.array(times), np.array(places), np.array(angles), names, stage=stage)


def film(options: FilmOptions) -> None:
    """Film the two futures side by side."""
    box = BOX if options.film_size is None else pixels(options.film_size)
    world, runs = futures()
    assert options.film is not None
    film_side_by_side(options.film, world, runs, options.film_fps, options.film_speed, box)
    print(f"wrote {options.film}")


if __name__ == "__main__":
    play(__file__, film=film)
