"""`python -m sim new`, `check`, `schema`, `--version`, and an example in every command's help."""

import json
import os
import runpy
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image

import sim
from sim.commands.app import COMMANDS, app
from sim.commands.new import text_of
from sim.record.probe import probe
from sim.scenario.json_schema import about_keys, json_schema
from sim.scenario.load import loads
from sim.scenario.messages import TABLES

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((ROOT / "maps").rglob("*.toml"))
EVERY_KEY = runpy.run_path(str(ROOT / "tests" / "scenario" / "documents.py"))["EVERY_KEY"]


def test_version(cli):
    """The name and the version, as one line."""
    assert cli("--version") == (0, f"groupmove {sim.__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(cli, name: str):
    """The help of a command ends with a line of that command, whose options it knows."""
    said = cli(name, "--help")
    example = " ".join(said.out.partition("Example: ")[2].split())
    words = shlex.split(example)
    assert words[:4] == ["python", "-m", "sim", name]
    assert "completion" not in said.out  # that is the whole program's
    command = typer.main.get_command(app).commands[name]
    known = {option for each in command.params for option in each.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_completion():
    """The shell is told the names of the commands that begin as what was typed does."""
    asked = {"_SIM_COMPLETE": "complete_bash", "COMP_WORDS": "sim ne", "COMP_CWORD": "1"}
    code = "import sys; sys.argv = ['sim']; from sim.commands.app import app; app(prog_name='sim')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | asked | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == ["new"], done.stderr


def test_new(cli, tmp_path):
    """A file with that name and title is written, and it alone; the suffix may be left out."""
    said = cli("new", tmp_path / "My game", "--model", "flock")
    assert (said.status, said.err) == (0, "")
    assert [each.name for each in tmp_path.iterdir()] == ["My game.toml"]
    found = tomllib.loads((tmp_path / "My game.toml").read_text())
    assert (found["title"], found["groups"][0]["model"]) == ("My game", "flock")


def test_new_of_large_hulls(cli, tmp_path):
    """Squares are 14 wide: there was no room for twelve where they start."""
    assert cli("new", tmp_path / "a", "--model", "squares").status == 0
    assert cli("check", tmp_path / "a.toml").status == 0


def test_new_with_a_long_name(cli, tmp_path):
    """The title is the whole name: one that is cut would be no TOML."""
    assert cli("new", tmp_path / ("game" * 20)).status == 0
    assert tomllib.loads((tmp_path / f"{'game' * 20}.toml").read_text())["title"] == "game" * 20


def test_new_never_overwrites(cli, tmp_path):
    """A file that is there stays as it is, and so does a link that leads nowhere."""
    (tmp_path / "a.toml").write_text("mine")
    (tmp_path / "b.toml").symlink_to(tmp_path / "gone")
    for name in ("a", "a.toml", "b"):
        said = cli("new", tmp_path / name)
        assert (said.status, said.out) == (2, "")
        assert "is there already" in said.err
    assert (tmp_path / "a.toml").read_text() == "mine"
    assert not (tmp_path / "gone").exists()


def test_new_refuses(cli, tmp_path):
    """An unknown model, and a folder that is not there."""
    assert "did you mean 'flock'?" in cli("new", tmp_path / "a", "--model", "flok").err
    assert cli("new", tmp_path / "no" / "a").status == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("switched_on", [False, True])
def test_new_file_is_accepted(switched_on: bool):
    """As it is written, and with every setting in it switched on."""
    text = text_of("game", "crowd")
    if switched_on:
        text = "\n".join(
            line.removeprefix("# ") if " = " in line or line.startswith("# [") else line
            for line in text.splitlines()
        )
    plan = loads(text, "game.toml")
    assert (plan.groups[0].color is not None) == switched_on
    assert bool(plan.groups[0].behaviours) == switched_on


def test_check_tile_map(cli):
    """Its kind and what is in it."""
    said = cli("check", ROOT / "maps" / "level.tmx")
    assert said.status == 0
    assert said.out.startswith("tile map\nsize ")


def test_check_recording(cli, tmp_path):
    """Its units, frames and seconds."""
    np.savez(tmp_path / "a.npz", time=[0.0, 0.5], position=np.zeros((2, 3, 2)),
             angle=np.zeros((2, 3)), group=["a", "a", "b"])  # fmt: skip
    said = cli("check", tmp_path / "a.npz")
    assert said.status == 0
    assert "3 in 2 groups" in said.out
    assert "2, 0.5 s" in said.out


LATE = """
[[events]]
at = {event}
hold = "east"

[[sources]]
group = "east"
spawn = {{ region = [0, 0, 200, 150] }}
times = [0.1, {time}]

[[sources]]
group = "east"
spawn = {{ region = [0, 0, 200, 150] }}
start = {start}
rate = 1.0
"""


def test_what_comes_after_the_end_is_said(cli, scenario):
    """Events and units due when the run is over were taken without a word; by check and by run."""
    ends = "never comes, the run ends at 0.5 s"
    said = [
        f"events[0].at = 0.5: {ends}", f"sources[0].times[1] = 7: {ends}",
        f"sources[1].start = 60: {ends}",
    ]  # fmt: skip
    file = scenario(more=LATE.format(event=0.5, time=7.0, start=60.0))
    assert cli("check", file).out.splitlines()[-3:] == [f"note      {each}" for each in said]
    ran = cli("run", file, "--headless")
    assert (ran.status, ran.err.splitlines()) == (0, [f"{file}: {each}" for each in said])
    assert cli("run", file, "--headless", "--seconds", 0.2).err == ""
    in_time = scenario(more=LATE.format(event=0.48, time=0.4, start=0.0))
    assert "note" not in cli("check", in_time).out


def test_times_beyond_the_start_and_end_of_a_source_are_said(cli, scenario):
    """Those units never enter: the source has not begun, or is over."""
    late = LATE.format(event=0.1, time=0.3, start=0.0)
    file = scenario(more=late.replace("0.3]", "0.3, 0.4]\nstart = 0.2\nend = 0.4"))
    assert cli("check", file).out.splitlines()[-2:] == [
        "note      sources[0].times[0] = 0.1: never comes, its source starts at 0.2 s",
        "note      sources[0].times[2] = 0.4: never comes, its source ends at 0.4 s",
    ]


def test_check_metrics(cli, tmp_path):
    """What was run, and how many figures there are."""
    keys = ("units", "steps", "seed", "time_step_s", "trajectory_sha256")
    (tmp_path / "m.json").write_text(json.dumps({"title": "Run", **dict.fromkeys(keys, 1)}))
    said = cli("check", tmp_path / "m.json")
    assert said.status == 0
    assert said.out.startswith("metrics   Run\n")


def film(path: Path) -> Path:
    """A film of three pictures, a tenth of a second each."""
    pictures = [Image.new("RGB", (16, 12), (80 * each, 0, 0)) for each in range(3)]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100, format=None)
    return path


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png"])
def test_check_film(cli, tmp_path, name: str):
    """Its pictures, their size, and how long it plays."""
    said = cli("check", film(tmp_path / name))
    assert (said.status, said.out) == (0, "film      3 pictures, 16 x 12 pixels, 0.3 s\n")


def test_check_mp4(tmp_path):
    """How long an MP4 plays stands in its header; a file that is cut short is refused."""
    whole = box(b"ftyp", b"isom") + box(b"moov", box(b"mvhd", header(1000, 2500))) + box(b"mdat")
    (tmp_path / "a.mp4").write_bytes(whole)
    assert probe(tmp_path / "a.mp4").seconds == 2.5
    for cut in (2, len(whole) - 1):
        (tmp_path / "b.mp4").write_bytes(whole[:cut])
        with pytest.raises(sim.BadInput, match=r"b\.mp4: not "):
            probe(tmp_path / "b.mp4")


def box(name: bytes, inside: bytes = b"") -> bytes:
    """A box of an MP4."""
    return (8 + len(inside)).to_bytes(4, "big") + name + inside


def header(scale: int, units: int) -> bytes:
    """What a box `mvhd` begins with."""
    return b"".join(each.to_bytes(4, "big") for each in (0, 0, 0, scale, units))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", "title = 1", "duration: required"),
        ("a.tmx", "<map>", "a.tmx: "),
        ("a.npz", "no", "not a trajectory"),
        ("a.txt", "no", "no '# framerate: F'"),
        ("a.json", "{", "not JSON"),
        ("a.json", '{"title": 3}', "does not tell seed, steps"),
        ("a.gif", "GIF89a", "not a film"),
        ("a.mp4", "not at all", "not a film"),
        ("a.doc", "text", "must end in one of: .toml, .tmx"),
    ],
)  # fmt: skip
def test_check_refuses(cli, tmp_path, name: str, text: str, said: str):
    """One message that names the file, exit status 2, nothing on standard output."""
    (tmp_path / name).write_text(text)
    for file in (tmp_path / name, tmp_path / f"gone.{name}"):
        found = cli("check", file)
        assert (found.status, found.out) == (2, "")
        assert found.err.startswith(f"error: {file}: ")
    assert said in cli("check", tmp_path / name).err


@pytest.mark.slow
@pytest.mark.parametrize("file", SCENARIOS, ids=lambda path: path.stem)
def test_check_scenarios(cli, file: Path):
    """Every shipped scenario is told as one."""
    said = cli("check", file)
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("scenario  ")


def keys_of(schema: dict, document: dict, whole: dict) -> set[str]:
    """The keys of a document that a schema does not know."""
    schema = whole["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    unknown = set(document) - schema.get("properties", {}).keys()
    for key in document.keys() - unknown:
        below = schema["properties"][key]
        inside = document[key]
        for each in inside if isinstance(inside, list) else [inside]:
            of = below.get("items", below)
            if isinstance(each, dict) and ("$ref" in of or "properties" in of):
                unknown |= keys_of(of, each, whole)
    return unknown


def test_schema_knows_every_key():
    """Every key of every table and shipped file is in the schema, and is described."""
    whole = json_schema()
    tables = {"Scenario": whole, **whole["$defs"]}
    for table in set(TABLES.values()):
        told = tables[table.__name__]["properties"]
        assert set(told) == set(table.model_fields) == set(about_keys(table))
        assert all(each["description"] for each in told.values())
    for text in (EVERY_KEY, *(file.read_text() for file in SCENARIOS)):
        assert not keys_of(whole, tomllib.loads(text), whole)


def test_schema_bounds():
    """Bounds are those of the checks, rules have those of their `Within`; null is nowhere."""
    whole = json_schema()
    assert whole["properties"]["time_step"]["maximum"] == 0.25
    group = whole["$defs"]["Group"]["properties"]
    assert group["view"]["enum"] == ["wide", "limited", "narrow", "all"]
    assert "flock" in group["model"]["enum"]
    rule = group["behaviours"]["properties"]["cohesion"]["anyOf"][1]["properties"]
    assert set(rule) > {"weight", "view", "range", "whom", "gain"}
    assert '"null"' not in json.dumps(whole)


@cache
def validator():
    """One for all files: to check the schema itself takes longer than to check a file."""
    jsonschema = pytest.importorskip("jsonschema")
    checks = jsonschema.validators.validator_for(json_schema())
    checks.check_schema(json_schema())
    return checks(json_schema())


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda path: path.stem)
def test_schema_accepts(file: Path):
    """A validator of another origin accepts every shipped scenario."""
    validator().validate(tomllib.loads(file.read_text()))


def test_schema_command(cli, tmp_path):
    """It is printed, or written to a file."""
    printed = json.loads(cli("schema").out)
    assert cli("schema", "--out", tmp_path / "s.json").status == 0
    assert json.loads((tmp_path / "s.json").read_text()) == printed


def test_maps_of_the_package_are_at_hand(cli, tmp_path, monkeypatch):
    """`maps/NAME` is found from a folder that has none; a file of one's own comes first."""
    monkeypatch.chdir(tmp_path)
    assert cli("check", "maps/crossing.toml").status == 0
    assert cli("maps", "maps/level.tmx").status == 0
    said = cli("run", "maps/crossing.toml", "--seconds", "0.1", "--headless")
    assert said.status == 0, said.err
    assert "maps/crossin.toml: no such file" in cli("check", "maps/crossin.toml").err
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "crossing.toml").write_text("duration = -1\n")
    assert "duration = -1" in cli("check", "maps/crossing.toml").err
