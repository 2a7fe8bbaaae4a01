"""Bad input on the command line: one clear message, exit status 2, nothing lost, no traceback."""

import json

import pytest

FILE_FAULTS = [
    (("duration = 0.5", "duraton = 0.5"), "duraton = 0.5: unknown key; did you mean 'duration'?"),
    (("count = 6", 'count = "6"'), 'groups.east.count = "6": must be a whole number'),
    (("count = 6", "count = -1"), "groups.east.count = -1: must be a whole number from 0 to "),
    (("duration = 0.5", "duration = nan"), "duration = nan: must be a finite number"),
    (("duration = 0.5", "duration = inf"), "duration = inf: must be a finite number"),
    (("duration = 0.5", "duration = 0"), "duration = 0: must be greater than 0"),
    (("count = 6", "count = 6\nspeed = -1"), "groups.east.speed = -1: must be greater than 0"),
    (("count = 6", 'count = 6\nhull = { shape = "disc", radius = 0 }'),
     "groups.east.hull.radius = 0: must be greater than 0"),
    (('"flock"', '"flok"'), 'groups.east.model = "flok": unknown model; did you mean \'flock\'?'),
    (("count = 6", 'count = 6\ncolor = "bleu"'), 'groups.east.color = "bleu": must be the name of'),
    (("count = 6", 'count = 6\nview = "far"'), 'groups.east.view = "far": must be one of '),
    (("count = 6", "count = 6\nbehaviours = { cohesoin = true }"),
     "groups.east.behaviours.cohesoin: unknown behaviour; did you mean 'cohesion'?"),
    (("count = 6", "count = 6\nbehaviours = { cohesion = { weight = nan } }"),
     "groups.east.behaviours.cohesion.weight = nan: must be a finite number"),
    (("count = 6", "count = 9000"),
     "groups.east.spawn.region = [0, 0, 200, 150]: room for 1732 hulls at the very"),
    (("[0, 0, 200, 150] }", "[0, 0, 2, 150] }"),
     "groups.east.spawn.region = [0, 0, 2, 150]: too small for one"),
    (('edges = "wrap"', 'edges = "wrap"\ncircles = [[100, 75, 126]]'),
     "groups.east.spawn.region = [0, 0, 200, 150]: room for 0 hulls was found at "
     "random, not for 6; it seems to"),
    (("region = [0, 0, 200, 150]", "points = [[1, 1], [2, 1], [9, 9], [20, 20], [3, 30], [9, 30]]"),
     "groups.east.spawn: unit 0 at (1, 1) overlaps another at (2, 1)"),
    (("count = 6\nspawn = { region = [0, 0, 200, 150] }", "spawn = { points = [[5, 5]] }\ngoal = "
      "{ approach = \"player\" }\n[[player]]\nspawn = { points = [[50, 50]] }"),
     "groups.east.goal.approach: model 'flock' cannot do that yet; it can: "),
]  # fmt: skip


@pytest.fixture
def refusal(cli, tmp_path):
    """Run a command line that must be refused: what it says on standard error, and no more."""

    def call(*arguments: object) -> str:
        before = {each: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
        said = cli(*arguments)
        assert said.status == 2, said
        assert said.out == ""
        assert "Traceback" not in said.err
        after = {each: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
        assert after == before
        return said.err

    return call


@pytest.mark.parametrize(("change", "said"), FILE_FAULTS, ids=[each[1] for each in FILE_FAULTS])
def test_bad_scenarios(refusal, scenario, tmp_path, change: tuple[str, str], said: str):
    """File, key, value and what is allowed, in one line; targets from before stay."""
    (tmp_path / "out.json").write_text("old")
    file = scenario(change)
    err = refusal("run", file, "--metrics", tmp_path / "out.json", "--gif", tmp_path / "out.gif")
    assert err.startswith(f"error: {file}: {said}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("solid", "place"),
    [
        ("circles = [[40, 40, 9]]", "[[42, 41]]"),
        ("boxes = [[30, 30, 50, 50]]", "[[42, 41]]"),
        ('edges = "wall"', "[[-42, 41]]"),
    ],
)
@pytest.mark.parametrize("whose", ["groups.east", "player"])
def test_spawned_in_a_solid(refusal, scenario, solid: str, place: str, whose: str):
    """Units that start inside a solid are refused, the player too."""
    group = f"spawn = {{ points = {place} }}"
    old = "count = 6\nspawn = { region = [0, 0, 200, 150] }"
    changes, more = [(old, group)], ""
    if whose == "player":
        changes, more = [("count = 6", "count = 1")], f"[[player]]\n{group}\n"
    file = scenario(('edges = "wrap"', solid), *changes, more=more)
    err = refusal("run", file)
    assert err.startswith(f"error: {file}: {whose}.spawn: unit 0 at (")
    assert err.endswith("starts inside a solid or outside the walls\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "groups.east.sped=1"], "groups.east.sped = 1: unknown key; did you mean 'speed"),
        (["--set", "groups.west.speed=1"], "--set groups.west.speed=1: no group 'west'; did you"),
        (["--set", "speed"], "--set speed: must be KEY=VALUE, such as groups.east.speed=1.6"),
        (["--set", "duration=soon"], 'duration = "soon": must be a number'),
        (["--seconds", "-1"], "duration = -1.0: must be greater than 0"),
        (["--seconds", "nan"], "duration = nan: must be a finite number"),
        (["--seed", "-1"], "seed = -1: must be a whole number from 0 to "),
        (["--view", "sideways"], "groups.east.view = 'sideways': must be one of wide, limited, na"),
        (["--view", ""], "groups.east.view = '': must be one of wide, limited, narrow"),
    ],
)  # fmt: skip
def test_bad_overrides(refusal, scenario, options: list[str], said: str):
    """What the command line changes is checked as if the file said it."""
    file = scenario()
    assert refusal("run", file, "--headless", *options).startswith(f"error: {file}: {said}")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--metrics", "none/m.json"], "none/m.json: cannot be written: there is no folder"),
        (["--trajectory", "none/t.txt"], "none/t.txt: cannot be written: there is no folder"),
        (["--gif", "none/g.gif"], "none/g.gif: cannot be written: there is no folder"),
        (["--metrics", "small.toml"], "small.toml: is read by this command"),
        (["--gif", "x", "--metrics", "./x"], "x: is another output too"),
        (["--gif", "."], ".: cannot be written: it is a folder"),
        (["--trajectory", "t.csv"], "t.csv: suffix '.csv': a trajectory is a .txt or .npz file"),
        (["--gif", "g.gif", "--gif-size", "big"], "--film-size big: must be WIDTHxHEIGHT, each "),
        (["--gif", "g.gif", "--gif-size", "0x9"], "--film-size 0x9: must be WIDTHxHEIGHT, each "),
        (["--gif", "g.gif", "--gif-size", ""], "--film-size : must be WIDTHxHEIGHT, each "),
        (["--gif", "g.gif", "--gif-fps", "0"], "g.gif: fps = 0: must be from 0.001 to 50"),
        (["--gif", "g.gif", "--gif-fps", "nan"], "g.gif: fps = nan: must be from 0.001 to"),
        (["--trajectory", "t.txt", "--gif", "g.gif", "--gif-fps", "99"], "g.gif: fps = 99: must"),
        (["--film", "g.avi"], "g.avi: a film ends in .gif, .webp, .apng, .png or .mp4"),
        (["--film", "g.gif", "--film-speed", "0"], "g.gif: speed = 0: must be from 0.001 to 1e+06"),
        (["--film", "g.gif", "--film-loop", "65536"], "g.gif: loop = 65536: must be 0 to 65535"),
        (["--film", "g.gif", "--film-region", "0,0,9"], "--film-region 0,0,9: must be X1,Y1,X2"),
        (["--film", "g.gif", "--film-region", "9,0,0,9"], "--film-region 9,0,0,9: must be X1,Y1"),
        (["--film", "g.gif", "--film-region", "0,0,nan,9"], "--film-region 0,0,nan,9: must be X"),
        (["--film", "g.gif", "--film-scale", "0"], "--film-scale 0: must be a number above 0"),
        (["--film", "g.gif", "--film-scale", "99"], "--film-scale 99: a film of 19800 x 14850"),
        (["--film", "g.gif", "--film-scale", "2", "--film-size", "64x64"], "--film-size, --film-s"),
        (["--film", "g.gif", "--film-from", "0.5"], "--film-from 0.5: must be from 0 to less than"),
        (["--film", "g.gif", "--film-from", "nan"], "--film-from nan: must be from 0 to less than"),
        (["--film", "g.gif", "--film-to", "0"], "--film-to 0: must be above 0"),
    ],
)  # fmt: skip
def test_bad_targets(refusal, scenario, tmp_path, monkeypatch, options: list[str], said: str):
    """Targets that cannot be written are refused before the run, and leave nothing behind."""
    monkeypatch.chdir(tmp_path)
    for name in ("m.json", "t.txt", "g.gif"):
        (tmp_path / name).write_text("old")
    assert refusal("run", scenario(), *options).startswith(f"error: {said}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "FILE: is missing: name a scenario file"),
        (["run", "a.toml", "--sed", "1"], "No such option: --sed"),
        (["run", "a.toml", "--seed", "x"], "Invalid value for '--seed'"),
        (["run", "a.toml", "--seconds", "x"], "Invalid value for '--seconds'"),
        (["run", "a.toml", "--trajectory-every", "0"], "Invalid value for '--trajectory-every'"),
        (["run", "a.toml", "b.toml"], "unexpected extra argument"),
        (["dance"], "No such command 'dance'"),
        (["models", "flok"], "error: model = 'flok': no such model; did you mean 'flock'?"),
        (["demo", "flokcing"], "error: demo 'flokcing': no such demo; did you mean 'flocking'?"),
        (["demo", "flocking", "--sed", "1"], "No such option: --sed"),
    ],
)
def test_bad_usage(refusal, arguments: list[str], said: str):
    """Options, commands and names that do not exist."""
    assert said in refusal(*arguments)


def test_bad_files(refusal, tmp_path):
    """A missing file, a folder, no TOML and no text are told apart."""
    missing, folder, spoiled, binary = (tmp_path / name for name in ("m", "f", "s", "b"))
    folder.mkdir()
    spoiled.write_text("title = ")
    binary.write_bytes(b"\xff\xfe")
    assert refusal("run", missing) == f"error: {missing}: no such file\n"
    assert refusal("run", folder) == f"error: {folder}: is a directory, not a scenario file\n"
    assert refusal("run", spoiled).startswith(f"error: {spoiled}: end of document: not TOML")
    assert refusal("run", binary) == f"error: {binary}: not UTF-8 text (byte 0)\n"


def test_unreadable_file(refusal, scenario, tmp_path, monkeypatch):
    """A file without permission to read it."""
    from sim.scenario import load

    class Sealed(type(tmp_path)):
        """A path that may not be read, whoever asks: root may read all files."""

        def open(self, *_: object) -> None:
            raise PermissionError(13, "Permission denied")

    file = scenario()
    monkeypatch.setattr(load, "Path", Sealed)
    assert refusal("run", file) == f"error: {file}: cannot be read: Permission denied\n"


@pytest.mark.parametrize("full", ["m.json", "t.txt", "t.npz", "g.gif"])
def test_full_disk(cli, scenario, tmp_path, full: str):
    """A file that does not fit is refused by name; it leaves nothing, and the old one stays."""
    import resource

    target = tmp_path / full
    target.write_text("old")
    option = {"m": "--metrics", "t": "--trajectory", "g": "--gif"}[full[0]]
    file = scenario()
    warm = tmp_path / f"warm.{full.partition('.')[2]}"
    assert cli("run", file, "--seconds", 0.1, option, warm).status == 0  # kernels are cached now
    warm.unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, hard))
    try:
        said = cli("run", file, option, target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert said.status == 2
    assert said.err.startswith(f"error: {target}: cannot be written: ")
    assert "Traceback" not in said.err
    assert target.read_text() == "old"
    assert {each.name for each in tmp_path.iterdir()} == {"small.toml", full}


def test_full_disk_spares_the_others(cli, scenario, tmp_path, monkeypatch):
    """Where one output fails, outputs that fit are written whole."""
    from sim.record.gif import GifWriter
    from sim.record.trajectory import load

    def full(*_) -> None:
        from sim.core.errors import BadInput

        raise BadInput("out.gif: cannot be written: No space left on device")

    monkeypatch.setattr(GifWriter, "close", full)
    target = tmp_path / "t.txt"
    said = cli("run", scenario(), "--trajectory", target, "--gif", tmp_path / "out.gif")
    assert said.status == 2
    assert "No space left on device" in said.err
    assert len(load(target).time) == 31


@pytest.mark.usefixtures("own_rules")
def test_not_finite(cli, scenario, tmp_path):
    """A unit whose state is no longer finite: exit status 1, its number, the step, the rule."""
    from sim.behaviours import rule
    from sim.record.trajectory import load

    @rule("own")
    def burst(me):
        """Push with infinite force."""
        return me.velocity + float("nan")

    target = tmp_path / "t.npz"
    said = cli("run", scenario(), "--set", "groups.east.behaviours.burst=true",
               "--trajectory", target, "--metrics", tmp_path / "m.json")  # fmt: skip
    assert (said.status, said.out) == (1, "")
    rule = "rule burst of group east: row 0: nan: must be finite"
    assert said.err == f"error: unit 0 at step 1: its state is no longer finite; {rule}\n"
    assert load(target).time.tolist() == [0]  # what was seen so far
    assert not (tmp_path / "m.json").exists()
    assert not list(tmp_path.glob(".*"))


def test_metrics_stay_json(cli, scenario, tmp_path):
    """Figures that a scenario has none of are null, never NaN."""
    target = tmp_path / "m.json"
    assert cli("run", scenario(("count = 6", "count = 1")), "--metrics", target).status == 0
    found = json.loads(target.read_text())
    assert found["arrived_share"] is None
    assert found["mean_nearest_distance"] is None
