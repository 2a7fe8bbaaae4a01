"""What --set changes."""

import pytest

from .documents import GOOD

PLAYER = "\n[[player]]\nspawn = { points = [[0, 0]] }\n"


def test_values_are_read_as_toml(read) -> None:
    """Numbers, arrays, tables and bare words arrive as what they are."""
    scenario = read(
        GOOD,
        "duration=20",
        "map.bounds = [0, 0, 9, 9]",
        "map.edges=wrap",
        "groups.east.speed=1.6",
        "groups.east.hull.radius=2",
        "groups.west.goal={ chase = 'east' }",
    )
    assert (scenario.duration, scenario.map.edges) == (20, "wrap")
    east, west = scenario.groups
    assert east.hull is not None
    assert (east.speed, east.hull.radius) == (1.6, 2)
    assert west.goal is not None
    assert west.goal.target == "east"


def test_one_parameter_of_a_behaviour(read) -> None:
    """Its neighbours stay, and a rule that was only switched gets a table."""
    text = GOOD + "[groups.behaviours]\ncohesion = { weight = 1, range = 5 }\nalignment = false\n"
    scenario = read(
        text,
        "groups.west.behaviours.cohesion.weight=0",
        "groups.west.behaviours.alignment.weight=0.5",
        "groups.east.behaviours.separation=false",
    )
    assert scenario.groups[1].behaviours == {
        "cohesion": {"weight": 0, "range": 5},
        "alignment": {"weight": 0.5},
    }
    assert scenario.groups[0].behaviours == {"separation": False}


def test_the_last_one_counts(read) -> None:
    """Overrides apply in order, and the seed of --seed stands above them."""
    scenario = read(GOOD, "seed=1", "seed=2", "duration=1", "duration=2", seed=9)
    assert (scenario.seed, scenario.duration) == (9, 2)


@pytest.mark.parametrize("name", ["north east", "a.b", "ost-1", "süd"])
def test_names_that_toml_would_quote(read, name: str) -> None:
    """A group is found by its name as it is, and in quotes too."""
    text = GOOD.replace('"east"', f'"{name}"')
    assert read(text, f"groups.{name}.speed=3").groups[0].speed == 3
    assert read(text, f'groups."{name}".speed=4').groups[0].speed == 4


def test_a_name_that_begins_another(read) -> None:
    """The longest name that fits is meant: "a.b" is not key b of group "a"."""
    text = GOOD.replace('"east"', '"a"').replace('"west"', '"a.b"')
    assert [each.speed for each in read(text, "groups.a.b.speed=3").groups] == [1, 3]


def test_the_player(read) -> None:
    """The one player is named without a number."""
    scenario = read(GOOD + PLAYER, "player.script=[[0, 1, 0, 1]]", "player.spawn.heading=5")
    assert scenario.player[0].script == ((0, 1, 0, 1),)
    assert scenario.player[0].spawn.heading == 5


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("groups.eastt.speed=1", "no group 'eastt'; did you mean 'east'?"),
        ("groups.zzz.speed=1", "no group 'zzz'; allowed: east, west"),
        ("groups.east=1", "must name a group and a key, such as groups.east.speed"),
        ("groups=1", "must name a group and a key, such as groups.east.speed"),
        ("title.x=1", "title is not a table"),
        ("groups.east.speed.x=1", "speed is not a table"),
        ("player.script=[]", "there is no [[player]]"),
        ("duration", "must be KEY=VALUE, such as groups.east.speed=1.6"),
        ("=3", "must be KEY=VALUE, such as groups.east.speed=1.6"),
    ],
)
def test_settings_refused(refusal, setting: str, said: str) -> None:
    """A setting that leads nowhere is told as it was typed."""
    assert refusal(GOOD, setting) == f"--set {setting}: {said}"


def test_a_bad_seed(refusal) -> None:
    """The seed of --seed is checked like the file's."""
    assert refusal(GOOD, seed=-1).startswith("seed = -1: must be a whole number from 0")


def test_a_value_cannot_smuggle_in_keys(refusal) -> None:
    """A line break in a value starts no second key."""
    assert refusal(GOOD, "duration=1\nseed = 5") == 'duration = "1\\nseed = 5": must be a number'
