"""Scenario files to check, and models that stand in for the real ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sim.core.errors import BadInput, suggest
from sim.scenario import load as loading
from sim.scenario.load import load
from sim.scenario.schema import Scenario

RULES = ("cohesion", "alignment", "separation")


def check_composition(model: str, behaviours: dict) -> None:
    """Know three rules, as the real one knows its own."""
    assert model in ("flock", "flock_book", "crowd")
    for name in behaviours:
        if name not in RULES:
            raise BadInput(f"behaviours.{name}: unknown behaviour; {suggest(name, RULES)}")


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three models, by name only."""
    monkeypatch.setattr(loading, "MODELS", {"crowd": 0, "flock": 1, "flock_book": 2, "player": 3})
    monkeypatch.setattr(loading, "check_composition", check_composition)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Scenario]:
    """Write a scenario file and load it."""

    def write_and_load(text: str, *overrides: str, seed: int | None = None) -> Scenario:
        path = tmp_path / "a.toml"
        path.write_text(text, encoding="utf-8")
        return load(path, overrides, seed)

    return write_and_load


@pytest.fixture
def refusal(read: Callable[..., Scenario], tmp_path: Path) -> Callable[..., str]:
    """What is said about a bad file, the file's name left out."""

    def message(text: str, *overrides: str, seed: int | None = None) -> str:
        with pytest.raises(BadInput) as caught:
            read(text, *overrides, seed=seed)
        lines = str(caught.value).splitlines()
        start = f"{tmp_path / 'a.toml'}: "
        assert all(line.startswith(start) for line in lines)
        return "\n".join(line.removeprefix(start) for line in lines)

    return message
