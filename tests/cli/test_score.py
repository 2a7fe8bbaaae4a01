"""`python -m sim score` and `compare`."""

from __future__ import annotations

import json

import pytest


def test_score_writes_tables_and_pictures_and_goes_on_where_it_was(cli, walk, tmp_path):
    """What was finished is not run again; a row that is gone is."""
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    options = ["score", walk, "--models", "crowd", "--workers", 1, "--out", out]
    said = cli(*options)
    assert said.status == 0, said.err
    assert "| walk (2) | 1/1" in said.out
    names = {path.name for path in out.iterdir()}
    assert {"score.md", "score.json", "time_ratio.png", "contacts.png", "arrivals.png"} <= names
    assert (out / "traces" / "walk.png").stat().st_size
    rows = out / "rows.jsonl"
    kept = json.loads(rows.read_text())
    kept["figures"]["mean_time_ratio"] = 7.0
    rows.write_text(f"{json.dumps(kept)}\n")
    assert "| walk (2) | 1/7" in cli(*options).out


def test_score_refuses_before_it_runs(cli, walk, tmp_path):
    """Unknown scenes, models and peers; nobody at all."""
    pytest.importorskip("matplotlib")
    for options, words in (
        (["nowhere"], "nowhere"),
        ([walk, "--models", "crowt"], "crowt"),
        ([walk, "--peers", "orka"], "did you mean 'orca'"),
        ([walk, "--models", "none"], "no model and no peer to run"),
    ):
        said = cli("score", *options, "--out", tmp_path / "o")
        assert (said.status, words in said.err) == (2, True), said.err
        assert len(said.err.splitlines()) == 1


def test_score_of_a_scene_without_units(cli, tmp_path):
    """A row and an empty picture."""
    pytest.importorskip("matplotlib")
    scene, out = tmp_path / "none.toml", tmp_path / "o"
    scene.write_text('title = "n"\nduration = 1\n[[groups]]\nname = "a"\ncount = 0\n')
    said = cli("score", scene, "--models", "crowd", "--workers", 1, "--out", out)
    assert (said.status, "| none (0) | -/-/-/0 |" in said.out) == (0, True), said.err
    assert (out / "traces" / "none.png").stat().st_size


def test_score_of_a_scene_without_room_ends_as_run_does(cli, walk, tmp_path):
    """Status 2 and what is wrong with it, also when asked again; the others have their rows."""
    pytest.importorskip("matplotlib")
    full = tmp_path / "full.toml"
    full.write_text(walk.read_text().replace("[[0, 0], [0, 2]]", "[[0, 0], [0, 0.1]]"))
    options = ["score", walk, full, "--models", "crowd", "--workers", 1, "--out", tmp_path / "o"]
    for _ in range(2):
        said = cli(*options)
        assert (said.status, said.err) == (2, cli("run", full, "--headless").err)
        assert "| walk (2) | 1/1" in said.out
        assert "| full (0) | error |" in said.out


@pytest.mark.parametrize(
    ("name", "said"), [("w" * 248, "File name too long"), ("w\udcff", "must be text on one line")]
)
def test_score_refuses_names_its_files_cannot_have(cli, walk, tmp_path, name: str, said: str):
    """Too long with runner and seed, or no text: said before a run, and no row is left."""
    pytest.importorskip("matplotlib")
    scene = walk.rename(walk.with_stem(name))
    bad = cli("score", scene, "--models", "crowd", "--workers", 1, "--out", tmp_path / "o")
    assert (bad.status, said in bad.err) == (2, True), bad.err
    assert "Traceback" not in bad.err
    assert not any(rows.stat().st_size for rows in tmp_path.glob("o/rows.jsonl"))


def test_compare_films_side_by_side(cli, walk, tmp_path):
    """A panel a model; it says which arrived."""
    target = tmp_path / "two.gif"
    said = cli("compare", walk, "--models", "crowd,squares", "--gif", target, "--speed", 4)
    if said.status == 2 and "squares" in said.err:
        said = cli("compare", walk, "--models", "crowd", "--gif", target, "--speed", 4)
    assert said.status == 0, said.err
    assert "crowd: " in said.out
    assert "arrived 1.00" in said.out
    assert target.read_bytes().startswith(b"GIF89a")


def test_compare_refuses_what_is_not_there(cli, walk, tmp_path):
    """Before anything runs."""
    for options in (["--models", "crowt"], ["--models", ","]):
        said = cli("compare", walk, *options, "--gif", tmp_path / "x.gif")
        assert said.status == 2
    assert cli("compare", walk, "--gif", tmp_path / "none" / "x.gif").status == 2
