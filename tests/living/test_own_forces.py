"""Forces that a program of one's own puts on the bodies of units."""

import pymunk

import sim


def drift(by_halves: bool) -> float:
    """How far aside a unit is after four seconds in which a force pushes it aside."""
    space = pymunk.Space()
    world = sim.World(space=space)
    world.add_group("a", [(0, 0)], goal=sim.Goal.to((30, 0)))
    (body,) = space.bodies
    for _ in range(240):
        if by_halves:
            world.steer()
        body.apply_force_at_world_point((0, 4.5 * body.mass), body.position)
        if by_halves:
            space.step(world.time_step)
        else:
            world.step()
    return abs(float(world.units.position[0, 1]))


def test_forces_act_between_the_halves_of_a_step():
    """They add to those of the unit; before a whole step they are lost, as docs/faq.md says."""
    assert drift(by_halves=True) > 1.0
    assert drift(by_halves=False) < 0.1
