"""Numbers that are allowed, and files that are small, never ask for much memory or time."""

import resource
import tracemalloc

import pytest

MOST = 400 << 20
"""Bytes that any of these may take at a time."""


@pytest.fixture
def lean():
    """Take no more memory than that; a machine that would give more is no excuse."""
    tracemalloc.start()
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + (2 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST


GOAL = ("spawn = { region = [0, 0, 200, 150] }",
        "spawn = { region = [0, 0, 200, 150] }\ngoal = { point = [150, 100] }")  # fmt: skip


@pytest.mark.usefixtures("lean")
def test_a_box_that_reaches_to_the_end_of_the_world(cli, scenario, tmp_path):
    """The planning grid takes no more nodes for a solid that is long and thin."""
    file = scenario(
        GOAL, ("edges", "boxes = [[-1e12, 40, 10, 41]]\nedges"), ('"wrap"', '"open"'),
        ("[0, 0, 200, 150] }", "[20, 60, 190, 140] }"),
    )  # fmt: skip
    said = cli("run", file, "--seconds", 0.1, "--metrics", tmp_path / "m.json")
    assert (said.status, said.err) == (0, "")


@pytest.mark.usefixtures("lean")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("walls = [[0, 0, 1e12, 0]]", "walls[0] = (0, 0, 1e+12, 0): must lie within one period"),
        ("circles = [[0, 0, 1e9]]", "discs[0] = (0, 0, 1e+09): must lie within one period"),
        ("boxes = [[900, 0, 910, 10]]", "boxes[0] = (900, 0, 910, 10): must lie within one period"),
    ],
)
def test_a_solid_that_goes_round_a_torus_many_times(cli, scenario, change, said):
    """On a torus solids lie within a period of its bounds: others would have images without end."""
    found = cli("run", scenario(("edges", f"{change}\nedges")), "--headless")
    assert found.status == 2
    assert said in found.err


@pytest.mark.usefixtures("lean")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "time_step=1e-9"], "time_step = 1e-09: must be at least 1e-05 s"),
        (["--film", "a.gif", "--film-speed", "1e-9"], "speed = 1e-09: must be from 0.001 to 1e+06"),
        (["--film", "a.gif", "--film-fps", "1e-9"], "fps = 1e-09: must be from 0.001 to 50"),
        (["--set", "a." * 20_000 + "b=1"], "unknown key"),
        (["--set", "seed=" + "[" * 20_000], "must be a whole number"),
    ],
)
def test_options_out_of_bounds(cli, scenario, options, said):
    """Each is refused at once, with what is allowed."""
    found = cli("run", scenario(), *options)
    assert found.status == 2
    assert said in found.err


@pytest.mark.usefixtures("lean")
@pytest.mark.parametrize("more", ["a." * 20_000 + "b = 1", "b = " + "[" * 1500 + "]" * 1500])
def test_tables_nested_too_deep(cli, scenario, more):
    """A file is refused before its tables are made."""
    found = cli("run", scenario(("duration", f"{more}\nduration")), "--headless")
    assert found.status == 2
    assert "nested deeper than 64 levels" in found.err


@pytest.mark.usefixtures("lean")
def test_a_map_of_as_many_walls_as_tiles(cli, tmp_path):
    """A map has no more walls than the engine can hold; a checkerboard says so at once."""
    file = tmp_path / "checkers.map"
    rows = ["@." * 500, ".@" * 500] * 500
    head = "type octile\nheight 1000\nwidth 1000\nmap\n"
    file.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    found = cli("maps", file)
    assert found.status == 2
    assert "corners: must be at most 400,000" in found.err


def test_places_that_are_none(cli):
    """A way from or to beyond the limit of places is refused, one outside the map told of."""
    for ends in (("1e300,1", "1,1"), ("45,45", "1e300,-1e300"), ("45,45", "nan,1")):
        found = cli("maps", "maps/level.tmx", "--path", *ends)
        assert found.status == 2
        assert "must be two numbers, 1e+12 at most" in found.err
    for ends in (("1e12,1", "1,1"), ("45,45", "1e11,-1e12")):
        assert cli("maps", "maps/level.tmx", "--path", *ends).status == 0


LONG = "a" * 300


@pytest.mark.parametrize(
    "words",
    [
        ("run", f"{LONG}.toml"), ("check", f"{LONG}.toml"), ("check", f"{LONG}.npz"),
        ("maps", f"{LONG}.tmx"), ("sweep", f"{LONG}.toml"),
        ("compare", LONG, "--gif", "a.gif", "--models", "crowd"),
        ("tune", f"{LONG}.toml", "--objective", "polarisation"), ("score", LONG),
    ],
)  # fmt: skip
def test_names_that_no_file_can_have(cli, tmp_path, monkeypatch, words):
    """A name too long for the file system is refused like that of a file that is not there."""
    monkeypatch.chdir(tmp_path)
    said = cli(*words)
    assert said.status == 2, said.err
    assert f"{LONG}" in said.err
    assert "File name too long" in said.err or "no such file and no shipped scene" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--steps", 10**25, "--steps"), ("--blocks", 10**25, "--blocks"),
        ("--neighbours", 1e300, "--neighbours"), ("--neighbours", 900, "neighbours = 900"),
    ],
)  # fmt: skip
def test_benches_without_end(cli, option, value, said):
    """Blocks and steps have a limit, and so has the density; each is named."""
    found = cli("bench", "--units", 20, option, value)
    assert (found.status, said in found.err) == (2, True), found.err
