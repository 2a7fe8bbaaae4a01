"""Writes modules.md: every file of the package in one line. `python docs/make_modules.py`."""

import ast
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "sim"
TOP = """# The code, file by file

Folders stand in the order in which they build on each other: each imports from folders above it
alone. The line beside a file is the first of its docstring. This page is made from the code by
`python docs/make_modules.py`.
"""
FOLDERS = (
    "core", "maps", "engine", "navigation", "orders", "perception", "behaviours",
    "behaviours/avoidance", "steering", "models", "group", "living", "saving", ".", "scenario",
    "record", "study", "study/peers", "study/verify", "screen", "commands",
)  # fmt: skip
TOPICS = {
    "navigation": {
        "The planning grid": "grid marking distances regions wrapping beyond sight renewal "
        "relisting joined",
        "Flow fields": "flow ring marching remarching bends ahead areas costs jams trails through",
        "Ways of single units": "paths search buckets tangents rounds edges routes",
        "Narrow ground": "survey passages mouths",
        "Planning beside the simulation": "planner chart jobs tickets readying",
    },
    "orders": {
        "What units are told": "goal goal_checks formation queue stop stays sending reach",
        "The state of all units": "orders minds progress aim ordered shown",
        "Ways of the units of one order": "guide party along_fields membership renewing rerouting",
        "Pursuit": "pursuits hunt hunts opponents",
        "Formations": "bands forming assigning standing_room free_lines closing_up halts folding",
        "Coming to rest": "settle resting standing_by packs filling moving_up near timers",
        "Narrow places": "entering narrows places shared_stops registry turns lanes counters",
    },
    "study": {
        "All figures of a run": "metrics report setting frame pairs solids goal_notes",
        "Its figures": "arrival contacts walls travel order lanes flow free_path detours",
        "Many runs": "trial job journal engines extras",
        "Sweeps and tuning": "sweep sweep_table objective tune tune_space tune_report",
        "Comparisons": "score score_table plots views",
        "Benches": "bench bench_world bench_blocks bench_curve bench_models bench_paths "
        "bench_peers bench_flocks bench_crowds density",
    },
    "screen": {
        "Windows": "window replay_window pane wiring plays compiling status",
        "Keys, mouse and panel": "keys switches controls pointer hand tools "
        "builders edits workbench acts tuning squad panel panel_rows",
        "Time": "course timeline replay",
        "The picture": "scene picture camera painter sprites land shapes theme roles",
        "What is laid over it": "overlays sight thoughts errands ways pushes trails heat",
        "Words": "hud plate",
        "Films and pictures": "capture side_by_side chart bench_draw",
    },
}
"""Files by topic, where a folder has many."""


def page() -> str:
    """The whole page. Raises `ValueError` where topics do not name the files of a folder."""
    return "\n".join([TOP, *map(_folder, FOLDERS)])


def _folder(name: str) -> str:
    files = {file.stem: _about(file) for file in sorted((ROOT / name).glob("*.py"))}
    about = files.pop("__init__")
    topics = {title: said.split() for title, said in TOPICS.get(name, {}).items()}
    if topics and sorted(chain.from_iterable(topics.values())) != sorted(files):
        raise ValueError(f"sim/{name}: TOPICS must name each file once")
    where = "sim" if name == "." else f"sim/{name}"
    lines = [f"## `{where}/`", "", about, ""] if name != "." else ["## `sim/`", ""]
    for title, stems in (topics or {"": list(files)}).items():
        lines += [f"### {title}", ""] if title else []
        lines += ["| file | what it holds |", "| --- | --- |"]
        lines += [f"| [{stem}](../{where}/{stem}.py) | {files[stem]} |" for stem in stems]
        lines.append("")
    return "\n".join(lines)


def _about(file: Path) -> str:
    """The first line of a docstring, with what continues it."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].partition("\n")[0].replace("|", r"\|").split())


if __name__ == "__main__":
    Path(__file__).with_name("modules.md").write_text(page(), encoding="utf-8")
