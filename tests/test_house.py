"""Which module may use what: each outside library has one home, and data flows one way."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "sim").rglob("*.py"))
DEMOS = sorted((ROOT / "demos").glob("*.py"))
CORE = (
    "core", "living", "world", "looking", "selection", "group", "engine", "perception",
    "behaviours", "steering", "models", "maps", "orders", "navigation", "saving",
)  # fmt: skip
SHELL = (
    "screen",
    "record",
    "study",
    "scenario",
    "commands",
    "run",
    "demo",
    "warm_up",
    "notebook",
)
RANDOM = {"default_rng", "Generator", "PCG64", "SeedSequence", "BitGenerator"}
"""What of numpy.random keeps its state to itself."""


def name_of(path: Path) -> str:
    """The dotted name of a module of the house."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    """A module as Python parses it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> list[str]:
    """The dotted name of everything that a module imports, at any depth."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            found += (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
    return found


def users(library: str, sources: list[Path] = SOURCES) -> set[str]:
    """The modules that import a library or a part of it."""
    return {
        name_of(path)
        for path in sources
        if any(f"{each}.".startswith(f"{library}.") for each in imports(path))
    }


def rooms(modules: set[str]) -> set[str]:
    """The second part of dotted names: the room of each module."""
    return {name.split(".")[1] for name in modules if "." in name}


def test_engine_alone_uses_pymunk():
    """Only sim/engine imports pymunk, so that another engine, or version, is one room's matter."""
    assert rooms(users("pymunk")) == {"engine"}
    # This one is a program with a body of its own in the world's space.
    assert users("pymunk", DEMOS) == {"demos.own_bodies"}


def test_batch_calls_are_in_one_file():
    """The experimental batch calls are checked in one file, which two others import."""
    assert users("pymunk.batch") == {"sim.engine.batch"}
    assert users("sim.engine.batch") == {"sim.engine.bridge", "sim.engine.contacts"}


def test_screen_alone_uses_pygame():
    """Only sim/screen imports pygame: everything else runs without one."""
    assert rooms(users("pygame")) == {"screen"}


def test_panel_alone_uses_pygame_gui():
    """Another set of widgets would be the matter of the panel's two files."""
    assert users("pygame_gui") == {"sim.screen.panel", "sim.screen.panel_rows"}


def test_core_knows_nothing_of_its_users():
    """What simulates never imports what shows, records, measures or reads files."""
    found = {
        (name_of(path), each)
        for path in SOURCES
        if name_of(path).split(".")[1:2] and name_of(path).split(".")[1] in CORE
        for each in imports(path)
        if each.startswith("sim.") and each.split(".")[1] in SHELL
    }
    assert {module for module, _ in found} == {"sim.world"}
    assert {each.split(".")[1] for _, each in found} == {"notebook"}, "`world.show()` alone does"


def test_every_room_is_known():
    """A new module joins the core or what is built on it, and the test above knows which."""
    here = rooms({name_of(path) for path in SOURCES}) - {"__main__"}
    assert here <= {*CORE, *SHELL}


@pytest.mark.parametrize(
    "module", ["sim", "sim.scenario.build", "sim.study.report", "sim.record.trajectory"]
)
def test_no_window_at_import(module: str):
    """A machine without pygame can simulate, measure and record."""
    code = (
        f"import sys; sys.modules['pygame'] = None; import {module}; "
        "sys.exit(any(name.startswith('sim.screen') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_world_brings_in_little():
    """What few runs need is imported when it is needed: these take half a second."""
    heavy = "{'scipy.optimize', 'scipy.spatial', 'pydantic', 'pygame'}"
    code = f"import sys, sim; sim.World; print(*{heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "", done.stderr


def test_no_shared_random_state():
    """Random numbers come from generators that are passed in, never from global state."""
    for path in [*SOURCES, *DEMOS]:
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Attribute)
                and getattr(node.value, "attr", None) == "random"
                and ast.unparse(node.value) in ("np.random", "numpy.random")
            ):
                assert node.attr in RANDOM, f"{path}:{node.lineno}"
        assert not {"random", "numpy.random"} & set(imports(path)), path


OF_OTHERS = {"_space", "_body", "_shape", "_shapes", "_bodies", "_locked", "_cache", "_fields"}
"""Names of `sim` that pymunk, numba and named tuples also give to parts that others read."""


def private_names(path: Path) -> set[str]:
    """The private names of the classes of a module: methods, and attributes of `self`."""
    found = set()
    for kind in (node for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)):
        for node in ast.walk(kind):
            if isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.add(node.target.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found |= {node.attr} if ast.unparse(node.value) in ("self", "cls") else set()
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def test_private_is_private():
    """What one module calls private (`x._name`) no other module uses, but of its own `self`."""
    own = {path: private_names(path) for path in SOURCES}
    ours = set().union(*own.values()) - OF_OTHERS
    used = []
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            names: set[str] = set()
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "cls"):
                names = {node.attr} & (ours - own[path])
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sim."):
                names = {alias.name for alias in node.names if alias.name.startswith("_")}
            used += [f"{path}:{node.lineno}: {name}" for name in names]  # type: ignore[attr-defined]
    assert not used


def public(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, ast.AST]]:
    """Public functions and classes, and the public methods of those, by name."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(each, ast.Attribute) and each.attr == "setter"
            for each in node.decorator_list
        ):
            continue
        yield f"{owner}.{node.name}", node
        protocol = isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases)
        if isinstance(node, ast.ClassDef) and not protocol:
            yield from public(node.body, f"{owner}.{node.name}")


def test_public_things_say_what_they_are():
    """Every module, and everything public in it, has a docstring."""
    bare = []
    for path in SOURCES:
        if path.name == "__init__.py" and not path.read_text(encoding="utf-8").strip():
            continue
        module = tree(path)
        found = [(name_of(path), module), *public(module.body, name_of(path))]
        bare += [name for name, node in found if not ast.get_docstring(node)]  # type: ignore[arg-type]
    assert not bare


def test_files_stay_small():
    """A file that outgrows 250 lines holds two things."""
    long = {
        name_of(path): lines
        for path in SOURCES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 250
    }
    assert not long
