"""Rows are kept as they come, whole, and belong to what the folder was made for."""

from __future__ import annotations

import json
import os
import resource

import pytest

from sim.core.errors import BadInput
from sim.study.journal import ROWS, journal


def test_rows_are_there_again(tmp_path):
    """The later of two of one key holds."""
    with journal(tmp_path, {"a": (1, 2)}) as kept:
        for key, value in (("x", 1), ("y", 2), ("x", 3)):
            kept.add(key, {"value": value})
    with journal(tmp_path, {"a": [1, 2]}) as kept:
        assert kept.rows == {"x": {"value": 3}, "y": {"value": 2}}


@pytest.mark.parametrize("torn", ['{"key": "z", "val', "\0\0\0", '{"key"'])
def test_a_line_cut_short_is_dropped(tmp_path, torn):
    """And the next row does not run on from it."""
    with journal(tmp_path, {}) as kept:
        kept.add("x", {"value": 1})
    with (tmp_path / ROWS).open("a") as file:
        file.write(torn)
    with journal(tmp_path, {}) as kept:
        assert list(kept.rows) == ["x"]
        kept.add("y", {"value": 2})
    lines = (tmp_path / ROWS).read_text().splitlines()
    assert [json.loads(line)["key"] for line in lines] == ["x", "y"]


@pytest.mark.parametrize("line", ["[1, 2]", "5", '"x"', '{"value": 1}', '{"key": 5}', "null"])
def test_foreign_lines_are_refused(tmp_path, line):
    """A file that holds something else is named, with the line; and it is left as it is."""
    (tmp_path / ROWS).write_text(f"{line}\n")
    refused = pytest.raises(BadInput, match=r"rows\.jsonl: line 1: must be a row with a \"key\"")
    with refused, journal(tmp_path, {}):
        pass
    assert (tmp_path / ROWS).read_text() == f"{line}\n"


def test_other_work_is_refused(tmp_path):
    """It says what differs; nothing is changed."""
    with journal(tmp_path, {"seeds": 2, "vary": {}}) as kept:
        kept.add("x", {"value": 1})
    refused = pytest.raises(BadInput, match=r"other work \(seeds differ\)")
    with refused, journal(tmp_path, {"seeds": 3, "vary": {}}):
        pass
    with journal(tmp_path, {"seeds": 2, "vary": {}}) as kept:
        assert "x" in kept.rows


def test_a_folder_at_work_is_refused(tmp_path):
    """Two processes would both write."""
    with journal(tmp_path, {}), pytest.raises(BadInput, match="at work"), journal(tmp_path, {}):
        pass


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    """A file has its name, or that of a folder above it."""
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="file: is a file"), journal(tmp_path / "file", {}):
        pass
    with pytest.raises(BadInput, match="file"), journal(tmp_path / "file" / "out", {}):
        pass


def test_a_full_disk_keeps_the_rows_before(tmp_path):
    """One clear error; the file ends with a whole row, and takes more when there is room."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with journal(tmp_path, {}) as kept:
        kept.add("x", {"value": "a" * 100})
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, limits[1]))
        try:
            with pytest.raises(BadInput, match=r"rows\.jsonl \(1 rows are kept\): cannot be"):
                kept.add("y", {"value": "b" * 100})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        (line,) = (tmp_path / ROWS).read_text().splitlines()
        assert json.loads(line)["key"] == "x"
        assert list(kept.rows) == ["x"]
        kept.add("z", {"value": 1})
    with journal(tmp_path, {}) as kept:
        assert list(kept.rows) == ["x", "z"]


def test_an_interrupt_comes_after_the_row(tmp_path, monkeypatch):
    """What has been made is kept, wherever in its writing Ctrl-C strikes."""
    for name in ("lseek", "write", "ftruncate", "fsync"):
        real, struck = getattr(os, name), []

        def strike(*given, real=real, struck=struck):
            """Press Ctrl-C the first time, when half is done."""
            done = real(*given)
            if not struck:
                struck.append(True)
                raise KeyboardInterrupt
            return done

        folder = tmp_path / name
        with journal(folder, {}) as kept:
            monkeypatch.setattr(os, name, strike)
            with pytest.raises(KeyboardInterrupt):
                kept.add("x", {"value": 1})
            monkeypatch.undo()
            assert list(kept.rows) == ["x"]
            kept.add("y", {"value": 2})
        assert len((folder / ROWS).read_text().splitlines()) == 2
