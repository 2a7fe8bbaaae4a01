"""A run that is measured at each step."""

from sim import World
from sim.study.report import Report


def figures(world: World, steps: int) -> dict:
    """What the report says of this many steps."""
    report = Report(world, "t")
    for _ in range(steps):
        world.step()
        report.observe(world)
    return report.result(1.0)
