"""Whatever is done to a scenario file, it is read or refused in lines that name it."""

import copy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.core.errors import BadInput
from sim.scenario import load as loading
from sim.scenario.schema import Scenario

from .documents import EVERY_KEY

GOOD = EVERY_KEY.replace('model = "crowd"', 'model = "flock"').replace("approach = true", "")
GOOD = GOOD.replace('file = "../maps/hallway.tmx"\ntile = 30.0', "")

VALUES = st.one_of(
    st.none().map(lambda _: {}),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, -1, 10**30, 10**400, 1e308, -1e308, 5e-324, float("nan"), float("inf")]),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["east", "player", "random", "wrap", "disc", "#ff0000", "a.tmx", "a" * 300]),
    st.lists(st.one_of(st.floats(), st.integers(), st.text(max_size=3)), max_size=5),
    st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["point", "shape", "weight", "name"]), st.floats(), max_size=2),
)
KEYS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(["speed", "sped", "goal", "chase", "radius", "spawn", "path", "_path", "text"]),
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document, as a container and a key in it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(inside):
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


def spoil(document: dict[str, Any], data: st.DataObject) -> None:
    """Change, rename, remove or add one thing somewhere."""
    container, key = data.draw(st.sampled_from(list(places(document))), "place")
    how = data.draw(st.sampled_from(["replace", "remove", "rename", "add"]), "how")
    if how == "replace":
        container[key] = data.draw(VALUES, "value")
    elif how == "remove":
        del container[key]
    elif isinstance(container, list):
        container.append(data.draw(VALUES, "value"))
    else:
        value = container.pop(key) if how == "rename" else data.draw(VALUES, "value")
        container[data.draw(KEYS, "key")] = value


def assert_in_our_words(file: str, *overrides: str) -> None:
    """Load a file; it is fine, or refused in printable lines that begin with its name."""
    said = ""
    try:
        scenario = loading.load(file, overrides)
    except BadInput as bad:
        said = str(bad)
    if not said:
        assert scenario.steps >= 1
        return
    for line in said.split("\n"):
        assert line.startswith(f"{file}: ")
        assert line.isprintable()
        assert "pydantic" not in line


def read(document: dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    """Load a document as though it had been read from a file."""
    patch.setattr(loading, "read_text", lambda _: "")
    patch.setattr(loading, "_parse", lambda *_: document)
    assert_in_our_words("spoiled.toml")


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_spoiled_documents_are_refused_in_our_words(data: st.DataObject) -> None:
    """One to three changes anywhere raise `BadInput` or nothing, in printable lines."""
    document = tomllib.loads(GOOD)
    for _ in range(data.draw(st.integers(1, 3), "changes")):
        if document:
            spoil(document, data)
    with pytest.MonkeyPatch.context() as patch:
        read(document, patch)


def test_each_place_with_each_kind_of_nonsense() -> None:
    """No place of a document lets a wrong kind of value through to a traceback."""
    good = tomllib.loads(GOOD)
    nonsense = [True, -1, 0, 10**400, float("nan"), "x", "", [], [[]], [1], {}, {"x": 1}]
    count = len(list(places(good)))
    with pytest.MonkeyPatch.context() as patch:
        for number in range(count):
            for value in nonsense:
                document = copy.deepcopy(good)
                container, key = list(places(document))[number]
                container[key] = value
                read(document, patch)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=40), place=st.integers(0, len(GOOD)))
def test_any_text_is_refused_or_read(tmp_path_factory, text: str, place: int) -> None:
    """Characters put anywhere in a file raise nothing but `BadInput` with the file."""
    path = tmp_path_factory.mktemp("texts") / "a.toml"
    path.write_text(GOOD[:place] + text + GOOD[place:], encoding="utf-8")
    assert_in_our_words(str(path))


@settings(max_examples=200, deadline=None)
@given(
    key=st.one_of(
        st.text(max_size=20),
        st.sampled_from(["groups.east.speed", "map.edges", "groups.", "player", "groups.east."]),
    ),
    value=st.text(max_size=20),
)
def test_any_override_is_refused_or_taken(key: str, value: str) -> None:
    """Whatever is typed after --set raises nothing but `BadInput` with the file."""
    document = tomllib.loads(GOOD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "read_text", lambda _: "")
        patch.setattr(loading, "_parse", lambda *_: document)
        assert_in_our_words("any.toml", f"{key}={value}")


def test_the_unspoiled_document_is_right() -> None:
    """What the tests above spoil is read without a complaint before."""
    assert Scenario.model_validate(tomllib.loads(GOOD)).title == "Every key"
