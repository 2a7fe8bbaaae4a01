"""Changes of a document have reverses, and documents that are written read back as the same."""

import pytest

from sim.core.resources import folder
from sim.scenario.editing import Edit, added, free_name
from sim.scenario.load import document_of, read_text
from sim.scenario.toml import dumps

MAPS = sorted(folder("maps").glob("**/*.toml"))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_documents_read_back(path):
    """What is written of any scenario that is shipped is the same document."""
    document = document_of(read_text(path), path)
    assert document_of(dumps(document), path) == document


@pytest.mark.parametrize(
    "edit",
    [
        Edit(("map", "boxes"), 1, None, [0, 0, 1, 1]),
        Edit(("map", "boxes"), 0, [1, 2, 3, 4], None),
        Edit(("map", "parts"), "gate", None, {"box": [0, 0, 1, 1]}),
        Edit(("groups", 0), "goal", None, {"point": [1, 2]}),
        Edit(("groups",), 0, {"name": "a"}, {"name": "b"}),
    ],
)
def test_a_reverse_takes_back(edit):
    """The document is as before, and the one given is never changed."""
    before = {"map": {"boxes": [[1, 2, 3, 4]], "parts": {}}, "groups": [{"name": "a"}]}
    kept = repr(before)
    after = edit.applied(before)
    assert after != before
    assert edit.reverse.applied(after) == before
    assert edit.reverse.reverse == edit
    assert repr(before) == kept


def test_names_and_numbers():
    """New things go to the end of their list, and names are not used twice."""
    document = {"groups": [{"name": "red 1"}], "map": {}}
    assert added(document, ("groups",), {}).key == 1
    assert added(document, ("map", "boxes"), [0, 0, 1, 1]).key == 0
    assert free_name(document, ("groups",), "red") == "red 2"
    assert free_name(document, ("map", "parts"), "door") == "door 1"
