"""What errors say, wherever they are made and read."""

import pickle

import pytest

import sim
from sim import BadInput, World
from sim.core.errors import ReadOnly
from sim.scenario.load import load

ODD = "a\x1b[31m\x00\u202eb"
"""A terminal turns red at this, and writes from the right; other programs end at the NUL."""


@pytest.mark.parametrize(
    "call",
    [
        lambda: World().add_group("a", [(0, 0)], behaviours={ODD: True}),
        lambda: World().add_group("a", [(0, 0)], color=ODD),
        lambda: World().add_group(ODD, [(0, 0)]),
        lambda: World().add_group("a", [(0, 0)]).configure("cohesion", **{ODD: 1}),
        lambda: World.load(f"/nowhere/{ODD}"),
        lambda: World().save(f"/nowhere/{ODD}"),
        lambda: World().at(0, 3) or World().at(ODD, print),
        lambda: sim.replay(f"/nowhere/{ODD}.npz"),
    ],
)
def test_odd_letters_stand_as_escapes(call):
    """No message has letters that a terminal takes for commands, whatever it names."""
    with pytest.raises(BadInput) as refused:
        call()
    assert str(refused.value).isprintable()


def test_a_message_of_several_lines_keeps_them(tmp_path):
    """A scenario with two faults is told of both, a line each."""
    path = tmp_path / "two.toml"
    path.write_text('title = "Two"\nseed = 0.5\nduration = -1\n', encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        load(path)
    assert len(str(refused.value).splitlines()) >= 2


@pytest.mark.parametrize("error", [BadInput("a = 1: must be 2"), ReadOnly.of("a")])
def test_an_error_comes_to_another_process_as_it_is(error):
    """What says that an attribute cannot be set said it twice."""
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
