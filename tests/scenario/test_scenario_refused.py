"""What a scenario file may not say, and what its author is told."""

import pytest

from sim.core.errors import BadInput
from sim.models import check_composition
from sim.scenario import load as loading
from sim.scenario.load import load

from .documents import GOOD

PLAYER = "\n[[player]]\nspawn = { points = [[0, 0]] }\n"
NO_NUMBER = "must be a number"
POSITIVE = "must be greater than 0"

# what --set puts into a good file, and what is said of it
REFUSED = [
    # keys
    ("groups.east.spede=1", "groups.east.spede = 1: unknown key; did you mean 'speed'?"),
    ("sede=1", "sede = 1: unknown key; did you mean 'seed'?"),
    ("map.eges=wrap", "map.eges = \"wrap\": unknown key; did you mean 'edges'?"),
    (
        "map.zzz=1",
        "map.zzz = 1: unknown key; "
        "allowed: file, tile, bounds, edges, walls, boxes, circles, parts",
    ),
    (
        "groups.east.goal={route=[{at=[1,2],wit=1}]}",
        "groups.east.goal.route[0].wit = 1: unknown key; allowed: at, wait, serve",
    ),
    (
        "groups.east.goal={route=[{at=[1,2]}]}",
        "groups.east.goal.route[0]: must have exactly one of wait, serve",
    ),
    (
        "groups.east.goal={route=[{at=[1,2],serve=0}]}",
        "groups.east.goal.route[0].serve = 0: must be greater than 0",
    ),
    ("groups.east.hull.mas=1", "groups.east.hull.mas = 1: unknown key; did you mean 'mass'?"),
    ("groups.east.goal.pont=1", "groups.east.goal.pont = 1: unknown key; did you mean 'point'?"),
    (
        "groups.east.spawn.headin=1",
        "groups.east.spawn.headin = 1: unknown key; did you mean 'heading'?",
    ),
    # numbers
    ("groups.east.speed=-1", f"groups.east.speed = -1: {POSITIVE}"),
    ("groups.east.speed=0", f"groups.east.speed = 0: {POSITIVE}"),
    ("groups.east.speed=true", f"groups.east.speed = true: {NO_NUMBER}"),
    ("groups.east.speed=fast", f'groups.east.speed = "fast": {NO_NUMBER}'),
    ("groups.east.speed=nan", "groups.east.speed = nan: must be a finite number"),
    ("groups.east.speed=-inf", "groups.east.speed = -inf: must be a finite number"),
    (
        "groups.east.speed=1e300",
        "groups.east.speed = 1e+300: must be greater than 0 and at most 1e12",
    ),
    ("groups.east.speed=1e-300", "groups.east.speed = 1e-300: must be at least 1e-12"),
    ("duration=0", f"duration = 0: {POSITIVE}"),
    ("duration=1e12", "duration = 1000000000000.0: must be at most 1e12 time steps"),
    ("time_step=-0.1", f"time_step = -0.1: {POSITIVE}"),
    ("seed=1.5", "seed = 1.5: must be a whole number"),
    ("seed=true", "seed = true: must be a whole number"),
    ("seed=-1", "seed = -1: must be a whole number from 0 to 9223372036854775807"),
    ("stop_when_arrived=1", "stop_when_arrived = 1: must be true or false"),
    ("title=3", "title = 3: must be a text in quotes"),
    ("title=", 'title = "": must be a name on one line, not empty'),
    ('title="a\\tb"', 'title = "a\\tb": must be a name on one line, not empty'),
    ("about=3", "about = 3: must be a text in quotes"),
    # the map
    ("map=3", "map = 3: must be a table"),
    ("map.file=a.png", 'map.file = "a.png": must be a .tmx, .tmj or .map file'),
    ("map.tile=30", "map.tile = 30: needs a map file beside it, whose tiles have this size"),
    (
        "map.edges=wrp",
        "map.edges = \"wrp\": must be one of 'open', 'wall', 'wrap'; did you mean 'wrap'?",
    ),
    (
        "map.edges=wall",
        'map.edges = "wall": needs bounds = [left, top, right, bottom] beside it',
    ),
    ("map.bounds=[5, 0, 5, 9]", "map.bounds = [5, 0, 5, 9]: left must be less than right"),
    (
        "map.bounds=[0, 9, 5, 0]",
        "map.bounds = [0, 9, 5, 0]: top must be less than bottom (y grows downwards)",
    ),
    (
        "map.walls=[[0, 0, 1]]",
        "map.walls[0] = [0, 0, 1]: must be an array [x1, y1, x2, y2]",
    ),
    (
        "map.walls=[[1, 2, 1, 2]]",
        "map.walls[0] = [1, 2, 1, 2]: must end elsewhere than where it starts",
    ),
    ("map.boxes=[[1, 0, 0, 1]]", "map.boxes[0] = [1, 0, 0, 1]: left must be less than right"),
    ("map.circles=[[0, 0, 0]]", f"map.circles[0][2] = 0: {POSITIVE}"),
    (
        'map.parts={"" = { box = [0, 0, 1, 1] }}',
        'map.parts."": must be a name on one line, not empty',
    ),
    ("map.circles=3", "map.circles = 3: must be an array of circles [x, y, radius]"),
    # groups
    (
        "groups.east.name=player",
        'groups.player.name = "player": is the name of the player\'s group',
    ),
    ("groups.east.name=west", 'groups[1].name = "west": another group has this name'),
    ("groups.east.name=3", "groups[0].name = 3: must be a text in quotes"),
    ("groups.east.count=-1", "groups.east.count = -1: must be a whole number from 0 to 1000000"),
    ("groups.east.count=2.0", "groups.east.count = 2.0: must be a whole number"),
    (
        "groups.west.count=3",
        "groups.west.count = 3: must be 2, as many as spawn.points, or left out",
    ),
    (
        "groups.east.view=wde",
        "groups.east.view = \"wde\": must be one of 'wide', 'limited', 'narrow', 'all'; "
        "did you mean 'wide'?",
    ),
    (
        "groups.east.color=bleu",
        "groups.east.color = \"bleu\": must be the name of a colour or '#rrggbb'; "
        "did you mean 'blue'?",
    ),
    (
        "groups.east.color='#12345'",
        "groups.east.color = \"#12345\": must be the name of a colour or '#rrggbb'; "
        "such as 'red', 'steelblue' or '#4682b4'",
    ),
    (
        "groups.east.model=player",
        'groups.east.model = "player": unknown model; allowed: crowd, flock, flock_book',
    ),
    (
        "groups.east.model=flok",
        "groups.east.model = \"flok\": unknown model; did you mean 'flock'?",
    ),
    # hulls
    (
        "groups.east.hull.shape=disk",
        "groups.east.hull.shape = \"disk\": must be one of 'disc', 'box', 'wedge'; "
        "did you mean 'disc'?",
    ),
    ("groups.east.hull.radius=0", f"groups.east.hull.radius = 0: {POSITIVE}"),
    ("groups.east.hull.mass=0", f"groups.east.hull.mass = 0: {POSITIVE}"),
    ("groups.east.hull.length=2", "groups.east.hull.length = 2: a disc has radius instead"),
    ("groups.east.hull={ shape = 'disc' }", "groups.east.hull.radius: required for a disc"),
    (
        "groups.east.hull={ shape = 'box', length = 1 }",
        "groups.east.hull.width: required for a box",
    ),
    (
        "groups.east.hull={ shape = 'wedge', radius = 1 }",
        "groups.east.hull.radius = 1: a wedge has length and width instead",
    ),
    (
        "groups.west.hull.radius=1",
        "groups.west.hull.radius = 1: needs the shape beside it: shape = 'disc'",
    ),
    # spawns
    (
        "groups.east.spawn={}",
        "groups.east.spawn: must say one of: region, points, circle, object",
    ),
    (
        "groups.east.spawn.circle=[0, 0, 1]",
        "groups.east.spawn: says region and circle; must say only one of: "
        "region, points, circle, object",
    ),
    ("groups.east.spawn=3", "groups.east.spawn = 3: must be a table"),
    (
        "groups.west.spawn.points=[]",
        "groups.west.spawn.points = []: must be an array of at least 1 points [x, y]",
    ),
    ("groups.west.spawn.points=[[0, '1']]", f'groups.west.spawn.points[0][1] = "1": {NO_NUMBER}'),
    (
        "groups.west.spawn.points=[[0, 1, 2]]",
        "groups.west.spawn.points[0] = [0, 1, 2]: must be an array [x, y]",
    ),
    ("groups.east.spawn={ circle = [0, 0, -1] }", f"groups.east.spawn.circle[2] = -1: {POSITIVE}"),
    (
        "groups.east.spawn.heading=north",
        "groups.east.spawn.heading = \"north\": must be a number of degrees or 'random'",
    ),
    ("groups.east.spawn.heading=inf", "groups.east.spawn.heading = inf: must be a finite number"),
    (
        "groups.east.spawn={ object = 'door' }",
        'groups.east.spawn.object = "door": needs a Tiled map that has this object: map.file',
    ),
    # goals
    (
        "groups.east.goal={ tolerance = 1 }",
        "groups.east.goal: must say one of: point, points, antipode, region, object, chase, "
        "intercept, flee, approach, follow, route, routes, patrol",
    ),
    (
        "groups.east.goal.chase=west",
        "groups.east.goal: says point and chase; must say only one of: point, points, antipode, "
        "region, object, chase, intercept, flee, approach, follow, route, routes, patrol",
    ),
    ("groups.east.goal.tolerance=0", f"groups.east.goal.tolerance = 0: {POSITIVE}"),
    ("groups.east.goal.leave=yes", 'groups.east.goal.leave = "yes": must be true or false'),
    (
        "groups.east.goal.loop=true",
        "groups.east.goal.loop = true: belongs to a route or routes, not to point",
    ),
    (
        "groups.east.goal={ region = [0, 0, 1, 1], tolerance = 1 }",
        "groups.east.goal.tolerance = 1: a region has no tolerance: anywhere inside is arrived",
    ),
    (
        "groups.east.goal={ points = [[0, 0]] }",
        "groups.east.goal.points = [[0, 0]]: has 1 for 2 units; must be one a unit",
    ),
    (
        "groups.west.goal={ routes = [[[0, 0]]] }",
        "groups.west.goal.routes = [[[0, 0]]]: has 1 for 2 units; must be one a unit",
    ),
    (
        "groups.west.goal={ routes = [[[0, 0]], []] }",
        "groups.west.goal.routes[1] = []: must be an array of at least 1 points [x, y]",
    ),
    (
        "groups.east.goal={ point = [0, 0], formation = { shape = 'wegde' } }",
        "groups.east.goal.formation.shape = \"wegde\": must be one of 'line', 'column', 'box', "
        "'wedge', 'circle', 'echelon'; did you mean 'wedge'?",
    ),
    (
        "groups.east.goal={ point = [0, 0], formation = { shape = 'line', spacing = 0.5 } }",
        "groups.east.goal.formation.spacing = 0.5: must be from 1 to 1e+06",
    ),
    (
        "groups.east.goal={ point = [0, 0], formation = { shape = 'line', facin = 0 } }",
        "groups.east.goal.formation.facin = 0: unknown key; did you mean 'facing'?",
    ),
    (
        "groups.east.goal={ point = [0, 0], formation = { spacing = 2 } }",
        "groups.east.goal.formation: must say one of: shape, offsets",
    ),
    (
        "groups.east.goal={ point = [0, 0], formation = { offsets = [[0, 0], [0]] } }",
        "groups.east.goal.formation.offsets[1] = [0]: must be an array [ahead, starboard]",
    ),
    (
        "groups.east.goal={ antipode = [0, 0], formation = { shape = 'line' } }",
        "groups.east.goal.formation: belongs to point, object, route, patrol, not to antipode",
    ),
    (
        "groups.east.goal={ chase = 'wst' }",
        "groups.east.goal.chase = \"wst\": no such group; did you mean 'west'?",
    ),
    (
        "groups.east.goal={ flee = 'east' }",
        'groups.east.goal.flee = "east": a group cannot flee itself',
    ),
    (
        "groups.east.goal={ follow = 'player' }",
        'groups.east.goal.follow = "player": there is no [[player]]',
    ),
    (
        "groups.east.goal={ object = 'exit' }",
        'groups.east.goal.object = "exit": needs a Tiled map that has this object: map.file',
    ),
    # behaviours
    (
        "groups.east.behaviours.cohesoin=true",
        "groups.east.behaviours.cohesoin: unknown behaviour; did you mean 'cohesion'?",
    ),
    (
        "groups.east.behaviours.cohesion=0.5",
        "groups.east.behaviours.cohesion = 0.5: must be true, false or a table of parameters "
        "such as { weight = 0.5 }",
    ),
    (
        "groups.east.behaviours.cohesion.weight=nan",
        "groups.east.behaviours.cohesion.weight = nan: must be a finite number from -1e12 to 1e12",
    ),
    (
        f"groups.east.behaviours.cohesion.weights=[1, {'9' * 400}]",
        f"groups.east.behaviours.cohesion.weights[1] = {'9' * 56} ...: "
        "must be a finite number from -1e12 to 1e12",
    ),
]


@pytest.mark.parametrize(("setting", "said"), REFUSED)
def test_each_refusal_in_full(refusal, setting: str, said: str) -> None:
    """The key's whole path, the value, what is allowed, and the nearest name."""
    assert refusal(GOOD, setting) == said


@pytest.mark.parametrize(
    ("addition", "said"),
    [
        (PLAYER * 2, "player: there must be at most one [[player]]"),
        (PLAYER.replace("[[player]]", "[player]"), "player: must be written [[player]]"),
        (
            PLAYER.replace("[0, 0]", "[0, 0], [9, 9]"),
            "player.spawn.points = [[0, 0], [9, 9]]: must be one point: the player is one unit",
        ),
        (
            f"{PLAYER}color = 'red'",
            'player.color = "red": unknown key; allowed: spawn, script',
        ),
        (f"{PLAYER}script = [[0, 0, 2, 0]]", "player.script[0][2] = 2: must be from 0 to 1"),
        (f"{PLAYER}script = [[-1, 0, 0, 0]]", "player.script[0][0] = -1: must be from 0 to 1e12"),
        (
            f"{PLAYER}script = [[0, 0, 0]]",
            "player.script[0] = [0, 0, 0]: must be an array [t, port, starboard, thrust]",
        ),
        (
            f"{PLAYER}script = [[2, 0, 0, 0], [1, 0, 0, 0]]",
            "player.script[1] = [1, 0, 0, 0]: its time must not be less than 2, the row's before",
        ),
    ],
)
def test_players_refused(refusal, addition: str, said: str) -> None:
    """A second player, keys that it has not, and thrusters out of range."""
    assert refusal(GOOD + addition) == said


ONE = "[[events]]\nat = 2\norder = 'east'\ngoal = { points = [[0, 0]] }\n"
ONE_KEY = "events[{}].goal.points = [[0, 0]]: has 1 for 2 units; must be one a unit"


@pytest.mark.parametrize(
    ("addition", "said"),
    [
        (ONE, ONE_KEY.format(0)),
        (
            ONE.replace("points", "routes").replace("[[0, 0]]", "[[[0, 0]], [[9, 9]], [[0, 9]]]"),
            "events[0].goal.routes = [[[0, 0]], [[9, 9]], [[0, 9]]]: has 3 for 2 units; "
            "must be one a unit",
        ),
        (
            ONE.replace("points = [[0, 0]]", "point = [0, 0], formation = { offsets = [[0, 0]] }"),
            "events[0].goal.formation.offsets = [[0, 0]]: has 1 for 2 units; must be one a unit",
        ),
        # done before the units are taken out
        ("[[events]]\nat = 3\nremove = 'east'\n" + ONE, ONE_KEY.format(1)),
        (f"{ONE}[[sources]]\ngroup = 'west'\nrate = 1\n", ONE_KEY.format(0)),
    ],
)
def test_orders_for_another_number_of_units(refusal, addition: str, said: str) -> None:
    """As it is of the goal of a group, where no unit comes or goes before."""
    assert refusal(GOOD + addition) == said


@pytest.mark.parametrize(
    "addition",
    [
        "[[events]]\nat = 1\nremove = 'east'\n",
        "[[events]]\nat = 1\nregroup = 'west'\nto = 'east'\n",
        "[[events]]\nat = 1\nregroup = 'east'\nto = 'west'\n",
        "[[events]]\nat = 1\norder = 'east'\ngoal = { point = [0, 0], leave = true }\n",
        "[[sources]]\ngroup = 'east'\nrate = 1\n",
    ],
)
def test_orders_for_an_unknown_number_of_units(read, addition: str) -> None:
    """They are read, for how many are there then is not known."""
    assert len(read(GOOD + addition + ONE).events) > 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title = ", "titel = ", "titel = \"Two groups\": unknown key; did you mean 'title'?"),
        ("duration = 10", "", "duration: required"),
        ("count = 2", "", "groups.east.count: required; only spawn.points says it by itself"),
        ("spawn = { region = [0, 0, 10, 10] }", "", "groups.east.spawn: required unless count = 0"),
        ('name = "east"', "", "groups[0].name: required"),
        ('name = "east"', 'name = "a b"\nsped = 1', None),
    ],
)
def test_keys_left_out(refusal, old: str, new: str, said: str | None) -> None:
    """A missing key is named, once, and not where a misspelled one stands for it."""
    said = said or "groups.\"a b\".sped = 1: unknown key; did you mean 'speed'?"
    assert refusal(GOOD.replace(old, new, 1)) == said


def test_no_model_is_crowd(read) -> None:
    """A group without a model is of the default one."""
    assert read(GOOD.replace('model = "flock"\n', "", 1)).groups[0].model == "crowd"


def test_the_models_that_are_there(refusal, monkeypatch) -> None:
    """The real models are asked about behaviours: a misspelled rule gets the nearest name."""
    monkeypatch.setattr(loading, "check_composition", check_composition)
    said = refusal(GOOD, "groups.east.behaviours.cohesoin=true")
    assert said.startswith("groups.east.behaviours.cohesoin")
    assert "did you mean 'cohesion'?" in said


def test_the_most_useful_first(refusal) -> None:
    """Of many faults the first few are told: misspelled keys, then values, then what is missing."""
    text = GOOD.replace("duration = 10", "seed = -1\nabuot = 1").replace("count = 2", "count = -1")
    first, second, third, more = refusal(text).splitlines()
    assert first == "abuot = 1: unknown key; did you mean 'about'?"
    assert second.startswith("seed = -1")
    assert third.startswith("groups.east.count = -1")
    assert more == "and 1 more"


def test_long_values_are_cut(refusal) -> None:
    """A value of many lines or characters stays on one short line."""
    said = refusal(GOOD, f"groups.east.speed='{'x' * 500}'")
    assert len(said) < 120
    assert refusal(GOOD, f"groups.east.spawn.circle={[0] * 5000}").count("\n") == 0
    text = GOOD.replace("speed = 1", 'speed = """a\nb"""')
    assert refusal(text) == f'groups.east.speed = "a\\nb": {NO_NUMBER}'


def test_maps_are_looked_for_beside_the_scenario(refusal, tmp_path) -> None:
    """A map file is looked for beside the scenario; what is wrong with it is told."""
    hall = tmp_path / "hall.tmx"
    assert refusal(GOOD, "map.file=hall.tmx") == f'map.file = "hall.tmx": {hall}: no such file'
    hall.touch()
    said = refusal(GOOD, "map.file=hall.tmx")
    assert said.startswith(f'map.file = "hall.tmx": {hall}: not XML that can be read: no element')


@pytest.mark.parametrize(
    ("setting", "where"),
    [
        ("groups.east.goal={ object = 'exit' }", "groups.east.goal.object"),
        (
            "sources=[{ group = 'east', rate = 1, spawn = { object = 'exit' } }]",
            "sources[0].spawn.object",
        ),
        (
            "events=[{ at = 1, order = 'east', goal = { object = 'exit' } }]",
            "events[0].goal.object",
        ),
    ],
)
@pytest.mark.parametrize("ground", ["map={}", "map.file=a.map"])
def test_objects_need_a_tiled_map(refusal, ground: str, setting: str, where: str) -> None:
    """No map, and one of Moving AI, has objects that anything in the file could name."""
    said = refusal(GOOD, ground, setting)
    assert said.startswith(f'{where} = "exit": needs a Tiled map')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"title = \n", "line 1, column 9: not TOML: Invalid value"),
        (b"a = 1\na = 2\n", "line 2, column 6: not TOML: Cannot overwrite a value"),
        (b"title", "end of document: not TOML: Expected '=' after a key in a key/value pair"),
        (b'title = "\xff"', "not UTF-8 text (byte 9)"),
    ],
)
def test_files_that_are_no_toml(tmp_path, text: bytes, said: str) -> None:
    """The line and column of what is no TOML."""
    path = tmp_path / "bad.toml"
    path.write_bytes(text)
    with pytest.raises(BadInput) as caught:
        load(path)
    assert str(caught.value) == f"{path}: {said}"


@pytest.mark.parametrize("text", ["a = " + "[" * 9999, "a = " + "9" * 9999])
def test_toml_that_python_cannot_hold(tmp_path, text: str) -> None:
    """Arrays nested too deep and numbers too long are refused like any bad file."""
    path = tmp_path / "deep.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match="not TOML that can be read"):
        load(path)


def test_files_that_cannot_be_read(tmp_path) -> None:
    """A missing file, a directory and an impossible name are told apart."""
    for path, said in [
        (tmp_path / "none.toml", "no such file"),
        (tmp_path, "is a directory, not a scenario file"),
        (f"{tmp_path}/a.toml/", "no such file"),
        ("a\0b", "not the name of a file"),
    ]:
        with pytest.raises(BadInput) as caught:
            load(path)
        assert str(caught.value).endswith(f": {said}")
