"""A built wheel runs the demos from any folder: they and their scenario files are in it."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: object, folder: Path) -> str:
    """Run a command in a folder, with nothing of the checkout on the path; what it printed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder, env=environment, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel, and the libraries of this one."""
    import pymunk

    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "-q", "-w", folder, folder=folder)
    (wheel,) = folder.glob("groupmove-*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel, folder=folder)
    here = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))",
               folder=folder)  # fmt: skip
    # the libraries only: a checkout that is installed for editing must not be found through them
    libraries = folder / "libraries"
    libraries.mkdir()
    for each in Path(pymunk.__file__).parents[1].iterdir():
        if (
            not each.name.startswith(("sim", "_sim", "groupmove", "_groupmove", "__editable__"))
            and each.suffix != ".pth"
        ):
            (libraries / each.name).symlink_to(each)
    (Path(here.strip()) / "libraries.pth").write_text(f"{libraries}\n")
    return python


@pytest.mark.slow
def test_demos_from_a_wheel(installed: Path, tmp_path: Path):
    """`python -m sim demo` lists them all and runs one, from a folder that has nothing of ours."""
    where = run(installed, "-c", "import sim; print(sim.__file__)", folder=tmp_path)
    assert str(ROOT) not in where
    listed = {line.split()[0] for line in run(installed, "-m", "sim", "demo", folder=tmp_path)
              .splitlines()}  # fmt: skip
    assert listed == {path.stem for path in (ROOT / "demos").glob("[!_]*.py")}
    run(installed, "-m", "sim", "demo", "flocking", "--seconds", "1", "--gif-size", "160x120",
        folder=tmp_path)  # fmt: skip
    assert [each.name for each in tmp_path.iterdir()] == ["flocking.gif"]


@pytest.mark.slow
def test_a_page_from_a_wheel(installed: Path, tmp_path: Path):
    """The parts of the page that plays a recorded run are in it."""
    run(installed, "-m", "sim", "demo", "flocking", "--seconds", "1", "--trajectory", "run.npz",
        folder=tmp_path)  # fmt: skip
    run(installed, "-m", "sim", "replay", "run.npz", "--html", "run.html", folder=tmp_path)
    assert "new Player(" in (tmp_path / "run.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_from_a_wheel(installed: Path, tmp_path: Path):
    """So does the `sim` command, which stands beside its Python."""
    said = run(installed.parent / "sim", "models", folder=tmp_path)
    assert "flock_book" in said


@pytest.mark.slow
def test_types_are_shipped(installed: Path, tmp_path: Path):
    """The wheel says that it is typed, and brings no tests along."""
    code = "import os, sim; print(*sorted(os.listdir(os.path.dirname(sim.__file__))))"
    names = run(installed, "-c", code, folder=tmp_path).split()
    assert "py.typed" in names
    assert "_shipped" in names
    assert "tests" not in names


TYPED = """\
import sim

world = sim.World(bounds=(0, 0, 100, 100), edges="wrap")
birds = world.add_group("birds", sim.Region(0, 0, 100, 100), count=5, model="flock")
birds.goal = sim.Goal("chase", "player")
reveal_type(birds.name)
"""


@pytest.mark.slow
def test_types_from_outside(installed: Path, tmp_path: Path):
    """Mypy finds the types of the installed package, and a wrong call by them."""
    (tmp_path / "game.py").write_text(TYPED)
    said = run(installed, "-m", "mypy", "--strict", "game.py", folder=tmp_path)
    assert 'Revealed type is "builtins.str"' in said or 'Revealed type is "str"' in said
    (tmp_path / "wrong.py").write_text(TYPED + "sim.Region('left')\n")
    with pytest.raises(AssertionError, match=r"call-arg|arg-type"):
        run(installed, "-m", "mypy", "--strict", "wrong.py", folder=tmp_path)


@pytest.mark.slow
def test_version_from_a_wheel(installed: Path, tmp_path: Path):
    """The installed distribution and the package tell the same version."""
    code = "import importlib.metadata as m, sim; print(m.version('groupmove'), sim.__version__)"
    told = run(installed, "-c", code, folder=tmp_path).split()
    assert told[0] == told[1]
    assert run(installed, "-m", "sim", "--version", folder=tmp_path) == f"groupmove {told[0]}\n"
