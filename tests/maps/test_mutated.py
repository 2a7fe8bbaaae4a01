"""Good maps spoiled at random: read or refused, and nothing else."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.core.errors import BadInput
from sim.maps import read

from .making import ROOMS, TILESET, layer, octile, tmj, tmx
from .test_objects import PLACES
from .test_tiled import chunks

INFINITE = 'tilewidth="30" tileheight="30" infinite="1"'
GOOD = {
    "csv.tmx": tmx(layer(ROOMS) + PLACES),
    "zlib.tmx": tmx(layer(ROOMS, encoding="base64", compression="zlib")),
    "gzip.tmx": tmx(
        f'<group name="g">{layer(ROOMS, encoding="base64", compression="gzip")}</group>'
    ),
    "xml.tmx": tmx(layer(ROOMS, encoding="xml")),
    "chunks.tmx": tmx(chunks(ROOMS, -3, 2, 4), attributes=INFINITE),
    "outer.tmx": tmx(layer(ROOMS), tileset='<tileset firstgid="1" source="t.tsx"/>'),
    "map.tmj": tmj(),
    "map.map": octile(),
}
SPLICES = st.one_of(
    st.binary(max_size=8),
    st.sampled_from(
        [b"<", b"&#0;", b'"', b"-1", b"nan", b"1e999", b"99999999999999999999", b"\xff", b"]]>",
         b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<![CDATA[", b'infinite="1"', b"../t.tsx", b"\x00",
         b'encoding="base64"', b'compression="zstd"', b"<chunk/>", b"[[[[", b"null", b"{}", b"true"]
    ),
)  # fmt: skip
CUTS = st.tuples(st.floats(0, 1), st.integers(0, 40), SPLICES)
QUIET = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def check(path):
    """Read a map; if it is refused, then in one line that names it."""
    try:
        tiles = read(path)
    except BadInput as error:
        said = str(error)
    else:
        assert tiles.edges.shape[1] == 8
        assert sum(tiles.regions) + tiles.solid.sum() == tiles.rows * tiles.columns
        return
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < len(str(path)) + 300


@pytest.mark.parametrize("name", GOOD)
@QUIET
@given(cuts=st.lists(CUTS, min_size=1, max_size=4))
def test_spliced_bytes(tmp_path, name, cuts):
    """Bytes cut out and put in anywhere never end in a traceback."""
    (tmp_path / "t.tsx").write_text(TILESET)
    raw = GOOD[name].encode()
    for place, length, splice in cuts:
        at = int(place * len(raw))
        raw = raw[:at] + splice + raw[at + length :]
    (tmp_path / name).write_bytes(raw)
    check(tmp_path / name)


@QUIET
@given(cuts=st.lists(CUTS, min_size=1, max_size=4))
def test_spliced_tilesets(tmp_path, cuts):
    """The same for tilesets in files of their own."""
    raw = TILESET.encode()
    for place, length, splice in cuts:
        at = int(place * len(raw))
        raw = raw[:at] + splice + raw[at + length :]
    (tmp_path / "t.tsx").write_bytes(raw)
    (tmp_path / "outer.tmx").write_text(GOOD["outer.tmx"])
    check(tmp_path / "outer.tmx")


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
        st.sampled_from([0, -1, 2**31, 2**64, 10**30, "csv", "base64", "zlib", "objectgroup", ""]),
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)  # fmt: skip


def places(value, at=()):
    """Where in a document something could be put instead."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index in range(min(len(value), 3)):
            yield from places(value[index], (*at, index))


TABLE = json.loads(tmj())
WHERE = [at for at in places(TABLE) if at]


@settings(QUIET, max_examples=300)
@given(changes=st.lists(st.tuples(st.sampled_from(WHERE), VALUES), min_size=1, max_size=3))
def test_changed_values(tmp_path, changes):
    """Any value in place of any other in the tables of a .tmj never ends in a traceback."""
    table = json.loads(tmj())
    for at, value in changes:
        inside = table
        try:
            for step in at[:-1]:
                inside = inside[step]
            inside[at[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    (tmp_path / "map.tmj").write_text(json.dumps(table))
    check(tmp_path / "map.tmj")
