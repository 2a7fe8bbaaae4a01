"""The findings as one page: a table, and a diagram where there is one."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from sim.core.files import AnyPath, atomic
from sim.study.plots import figure_class
from sim.study.sweep_table import as_markdown
from sim.study.verify.case import Case, Finding, Picture


@dataclass(frozen=True)
class Result:
    """A case with what was found with each seed, and what its diagram shows with the first."""

    case: Case
    findings: Sequence[Finding]
    picture: Picture | None = None

    @property
    def verdict(self) -> str:
        """holds, fails or told: with every seed, or with some."""
        judged = [each.holds for each in self.findings if each.holds is not None]
        if not judged:
            return "told"
        return "holds" if all(judged) else "fails"

    @property
    def measured(self) -> str:
        """Of the first seed, or of the first that fails."""
        failed = [each for each in self.findings if each.holds is False]
        told = (failed or list(self.findings))[0].measured
        if len(self.findings) > 1 and failed:
            told += f" ({len(failed)} of {len(self.findings)} seeds)"
        return told


def markdown(results: Sequence[Result], left_out: Mapping[str, str]) -> str:
    """The table as Markdown, and what was left out."""
    told = [(r.case.name, r.case.asks, r.measured, r.verdict) for r in results]
    rows = [[cell.replace("|", "\\|") for cell in cells] for cells in told]
    table = as_markdown(("test", "asked", "measured", "verdict"), rows)
    gone = [f"- {name}: {why}" for name, why in left_out.items()]
    return "\n".join([table, "", "Left out:", "", *gone]) + "\n"


def write_page(
    target: AnyPath, heading: str, results: Sequence[Result], left_out: Mapping[str, str]
) -> None:
    """One HTML file that needs no other: the table, the diagrams, and what was left out."""
    rows = "".join(
        f"<tr><td>{escape(each.case.name)}</td><td>{escape(each.case.asks)}</td>"
        f"<td>{escape(each.measured)}</td><td class='{each.verdict}'>{each.verdict}</td></tr>\n"
        for each in results
    )
    drawn = "".join(
        f"<h2>{escape(each.case.name)}</h2>\n<figure>{_svg(each.picture)}</figure>\n"
        for each in results
        if each.picture is not None
    )
    gone = "".join(f"<li>{escape(name)}: {escape(why)}</li>" for name, why in left_out.items())
    page = Template(files("sim.study.verify").joinpath("page.html").read_text(encoding="utf-8"))
    with atomic(target, "w") as file:
        file.write(page.substitute(heading=escape(heading), rows=rows, drawn=drawn, gone=gone))


def _svg(picture: Picture) -> str:
    """A diagram as SVG: our points, and the others' as lines."""
    figure = figure_class("the page")(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for measured in picture.sets:
        x, y = zip(*measured.points, strict=True)
        axes.plot(x, y, ".-", linewidth=1, markersize=4, alpha=0.8, label=measured.source)
    x, y = zip(*picture.points, strict=True)
    axes.plot(x, y, "D", color="black", markersize=7, label="this run")
    axes.set(xlabel=picture.across, ylabel=picture.up, ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    file = io.StringIO()
    figure.savefig(file, format="svg")
    text = file.getvalue()
    return text[text.index("<svg") :]
