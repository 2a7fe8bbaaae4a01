"""Writes rules.md: every rule and its parameters, from the code. `python docs/make_rules.py`."""

from pathlib import Path

from sim.behaviours import RULES
from sim.behaviours.sources import SOURCES
from sim.behaviours.table import Rule

TOP = """# Rules

Every rule also takes `weight` (0 switches it off); rules that look at others take `view`, `range`
(hull lengths) and `whom`. A rule fits a model if the model's helm takes what the rule gives: thrust
and steering (`flock`, `flock_book`, `player`), a velocity (`crowd`, `mages`, `soldiers`, `walkers`)
or an acceleration (`squares`). [Scenario files](scenarios.md) tells how the rules are used. The
source of a rule is the paper or document that its formula is from: [sources](sources.md) has them
in full. This page is made from the code by `python docs/make_rules.py`.
"""


def page() -> str:
    """The whole page, by the alphabet: what imports what changes nothing in it."""
    families: dict[str, list[Rule]] = {}
    for rule in sorted(RULES.values(), key=lambda rule: (rule.family, rule.name)):
        families.setdefault(rule.family, []).append(rule)
    parts = [TOP]
    for family, rules in families.items():
        parts.append(f"## Family `{family}`\n")
        parts += [_about(rule) for rule in rules]
    return "\n".join(parts)


def _about(rule: Rule) -> str:
    lines = [f"### `{rule.name}`", "", rule.about.replace("|", r"\|"), ""]
    if rule.unsent:
        lines += ["Without a goal.", ""]
    if rule.serves:
        lines += [f"For goals: {', '.join(f'`{each}`' for each in sorted(rule.serves))}.", ""]
    if rule.gives:
        lines += [f"Gives: {' or '.join(sorted(rule.gives))}.", ""]
    if rule.name in SOURCES:
        lines += [f"Source: {SOURCES[rule.name]}.", ""]
    if rule.parameters:
        lines += [
            "| parameter | meaning | from | to | default |",
            "| --- | --- | --- | --- | --- |",
        ]
    for each in rule.parameters.values():
        bounds = [f"{each.within.low:g}", f"{each.within.high:g}"]
        value = each.default
        shown = str(value).lower() if isinstance(value, bool) else f"{value:g}"
        if isinstance(value, bool):
            bounds = ["false", "true"]
        about = each.within.about.replace("|", r"\|")
        lines.append(f"| `{each.name}` | {about} | {' | '.join(bounds)} | {shown} |")
    return "\n".join([*lines, ""]) if rule.parameters else "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_name("rules.md").write_text(page(), encoding="utf-8")
