"""Recorded runs for PedPy and JuPedSim: metres, y up, walkable area, groups."""

from pathlib import Path

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.record.exchange import (
    converted,
    frame_rate,
    groups_table,
    jupedsim_file,
    pedpy_text,
    walkable_wkt,
)
from sim.record.run import Run
from sim.record.stage import Stage

PLACES = np.array([[[1.0, 2.0], [3.0, 4.0]], [[1.5, 2.5], [np.nan, np.nan]]])
RUN = Run(np.array([0.0, 0.25]), PLACES, np.array([[0.5, 1.0], [0.5, np.nan]]),
          np.array(["east", 'a "b"']))  # fmt: skip
STAGE = Stage("", Plane((0, 0, 8, 4), "wall"), Solids.of([], [[2, 0, 4, 4]], []), None, ())


def test_metres_and_y_up():
    """Places are scaled, y and angles change their sign, and the run itself stays as it was."""
    run = converted(RUN, 0.5, y_up=True)
    assert run.position[0].tolist() == [[0.5, -1.0], [1.5, -2.0]]
    assert run.angle[0].tolist() == [-0.5, -1.0]
    assert RUN.position[0, 0].tolist() == [1.0, 2.0]
    for metres in (0, 1e13, 1e-13, np.inf, np.nan):
        with pytest.raises(BadInput, match=r"metres = .*: must be from 1e-12 to 1e"):
            converted(RUN, metres)
        with pytest.raises(BadInput, match=r"metres = .*: must be from 1e-12 to 1e"):
            walkable_wkt(STAGE, metres)


def test_text():
    """Units that are present, with the frame rate first."""
    assert pedpy_text(RUN).splitlines() == [
        "# framerate: 4.0", "# id frame x/m y/m", "0 0 1.0 2.0", "1 0 3.0 4.0", "0 1 1.5 2.5",
    ]  # fmt: skip
    uneven = Run(np.array([0.0, 1.0, 3.0]), *(np.zeros((3, 0, *k)) for k in ((2,), ())),
                 np.zeros(0, np.str_))  # fmt: skip
    with pytest.raises(BadInput, match="evenly"):
        frame_rate(uneven)


def test_groups():
    """One row a unit; quotes are doubled."""
    assert groups_table(RUN) == 'id,group\n0,"east"\n1,"a ""b"""\n'


def test_walkable_area():
    """The bounds without the box, in metres, mirrored with the places."""
    shapely = pytest.importorskip("shapely")
    area = shapely.from_wkt(walkable_wkt(STAGE, 0.5, y_up=True))
    assert area.area == pytest.approx(0.25 * (8 * 4 - 2 * 4))
    assert area.bounds == (0, -2, 4, 0)
    walls = Solids.of([], [], [[0, 2, 8, 2]])
    cut = shapely.from_wkt(walkable_wkt(Stage("", STAGE.plane, walls, None, ())))
    assert len(cut.geoms) == 2
    with pytest.raises(BadInput, match="no bounds"):
        walkable_wkt(Stage("", Plane(None, "open"), walls, None, ()))


def test_pedpy_reads_all(tmp_path: Path):
    """PedPy loads the text, and JuPedSim's file with its frame rate and geometry."""
    pedpy = pytest.importorskip("pedpy")
    area = "POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0))"
    (tmp_path / "run.txt").write_text(pedpy_text(RUN))
    (tmp_path / "run.sqlite").write_bytes(jupedsim_file(RUN, area))
    for found in (
        pedpy.load_trajectory(trajectory_file=tmp_path / "run.txt"),
        pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=tmp_path / "run.sqlite"),
    ):
        assert found.frame_rate == 4
        assert found.data[["id", "frame", "x", "y"]].to_numpy().tolist() == [
            [0, 0, 1, 2], [1, 0, 3, 4], [0, 1, 1.5, 2.5],
        ]  # fmt: skip
    found = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=tmp_path / "run.sqlite")
    assert found.area == 32


def test_command(cli, scenario, tmp_path):
    """A run becomes all four files; one without a target, or with another suffix, is refused."""
    pytest.importorskip("shapely")
    run = tmp_path / "run.npz"
    assert cli("run", scenario(), "--headless", "--trajectory", run).status == 0
    names = [tmp_path / name for name in ("run.txt", "run.sqlite", "run.wkt", "run.csv")]
    said = cli("export", run, "--out", names[0], "--walkable", names[2], "--groups", names[3],
               "--y-up", "--metres", "0.5")  # fmt: skip
    assert said.status == 0, said.err
    assert cli("export", run, "--out", names[1]).status == 0
    assert all(name.stat().st_size for name in names)
    assert cli("export", run).status == 2
    assert cli("export", run, "--out", tmp_path / "run.dat").status == 2


@pytest.fixture
def _little_room():
    """No file may be longer than 20 kB."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def recorded(cli, scenario, tmp_path):
    """A recording of some seconds, as a file."""
    run = tmp_path / "run.npz"
    assert cli("run", scenario(), "--seconds", 3, "--trajectory", run).status == 0
    return run


@pytest.mark.usefixtures("recorded", "_little_room")
def test_what_does_not_fit_is_named_and_spares_the_others(cli, tmp_path):
    """The file that cannot be written is at fault, not the recording; files that fit are whole."""
    run, out, groups = (tmp_path / name for name in ("run.npz", "out.txt", "groups.csv"))
    said = cli("export", run, "--out", out, "--groups", groups)
    assert said.status == 2
    assert said.err == f"error: {out}: cannot be written: File too large\n"
    assert said.out == f"wrote {groups}\n"
    assert groups.read_text().startswith("id,group\n")
    assert not out.exists()
    assert not [each for each in tmp_path.iterdir() if each.name.endswith(".part")]


@pytest.mark.usefixtures("recorded", "_little_room")
def test_a_film_that_does_not_fit_is_named(cli, tmp_path):
    """The same for a film of a recording."""
    film = tmp_path / "film.apng"
    said = cli("replay", tmp_path / "run.npz", "--film", film)
    assert (said.status, said.err) == (2, f"error: {film}: cannot be written: File too large\n")
    assert not film.exists()
