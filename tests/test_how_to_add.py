"""What docs/how-to-add.md says of the package's own files, done to the letter."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from sim.record import film
from sim.record.reel import Bytes, Film
from sim.scenario import parts

PAGE = Path(__file__).parents[1] / "docs" / "how-to-add.md"
BEFORE = '    """The kinds of goals that name another group, a key each."""\n\n'


def test_a_kind_of_goal_is_one_key_of_one_class(tmp_path, monkeypatch):
    """With the lines of the page it is a goal of files, with its target; the others still are."""
    (lines,) = re.findall(r"```text\n(    herd: .*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    text = Path(str(parts.__file__)).read_text(encoding="utf-8")
    assert BEFORE in text
    file = tmp_path / "parts_and_herd.py"
    file.write_text(text.replace(BEFORE, BEFORE + lines), encoding="utf-8")
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    added = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, file.stem, added)
    spec.loader.exec_module(added)
    goal = added.Goal(herd="sheep")
    assert (goal.kind, goal.target) == ("herd", "sheep")
    assert added.Goal(chase="sheep").kind == "chase"
    assert {"required": ["herd"]} in added.Goal.model_json_schema()["oneOf"]
    with pytest.raises(ValueError, match="says herd and chase; must say only one of"):
        added.Goal(herd="sheep", chase="sheep")


class Raw(Film):
    """The bytes of all frames, and how often they are played."""

    FASTEST = 1000.0

    def _take(self, frame: Bytes) -> None:
        self._out.write(frame.tobytes())

    def _finish(self) -> None:
        self._out.write(bytes([self._loop]))
        self._out.commit()


def test_a_film_format_is_a_class_and_a_line(tmp_path, monkeypatch):
    """What the page names is all that a writer needs."""
    monkeypatch.setitem(film._TRUE_COLOR, ".raw", Raw)
    film.check_film(tmp_path / "x.raw", 500)
    made = film.open_film(tmp_path / "x.raw", (2, 1), 500, np.zeros((1, 3), np.uint8), loop=3)
    made.write(np.arange(6, dtype=np.uint8).reshape(1, 2, 3))
    made.close()
    assert (tmp_path / "x.raw").read_bytes() == bytes([0, 1, 2, 3, 4, 5, 3])
