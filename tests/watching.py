"""A run that is measured at each step."""

from sim import World
from sim.study.report import Report


def figures(world: World, steps: int, until_done: bool = False) -> dict:
    """What the report says of this many steps, or of those until all is done."""
    report = Report(world, "t")
    for _ in range(steps):
        if until_done and report.done:
            break
        world.step()
        report.observe(world)
    return report.result(1.0)
