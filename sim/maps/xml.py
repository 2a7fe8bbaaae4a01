"""Tiled's XML (TMX, TSX) as the tables of its JSON format, so that one reader serves both.

Safe on files from anywhere: a document type is refused before any of it is read, and with it every
entity; nothing is ever fetched; elements are counted as they come.
Formats: Tiled 1.11 manual, "TMX Map Format" and "JSON Map Format".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from sim.core.errors import BadInput
from sim.maps.files import DEEPEST, MOST_NODES, MOST_TILE_NODES

KINDS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
"""Elements that are layers, and what JSON calls their types."""
PIECE, LONGEST_TAG = 2**16, 2**18
"""Bytes that are parsed at a time, and of a tag with its attributes at most."""


@dataclass(slots=True)
class Node:
    """An XML element."""

    tag: str
    attributes: dict[str, Any]
    children: list[Node] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Node]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Node | None:
        """The first child of that name."""
        return next(self.all(tag), None)

    @property
    def text(self) -> str:
        """The text in it."""
        return "".join(self.texts)


class _Builder:
    """Builds the tree, and refuses what no map needs."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node] = []
        self._count = self._tiles = 0
        self._tile = Node("tile", {})

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        inside = self._open[-1] if self._open else None
        if tag == "tile" and inside is not None and inside.tag in ("data", "chunk"):
            # One element a tile, as very old maps have them: read them as CSV.
            inside.texts.append(f"{attributes.get('gid', 0)},")
            self._open.append(self._tile)
            self._tiles += 1
            if self._tiles > MOST_TILE_NODES:
                raise BadInput("more tiles that are elements than a map has")
            return
        self._count += 1
        if self._count > MOST_NODES or len(self._open) >= DEEPEST:
            raise BadInput("more elements, or deeper ones, than a map has")
        node = Node(tag, dict(attributes))
        if inside is None:
            self.root = node
        else:
            inside.children.append(node)
        self._open.append(node)

    def end(self, _tag: str) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        if self._open:
            self._open[-1].texts.append(text)

    def document_type(self, *_: object) -> None:
        raise BadInput("declares a document type or entities, which Tiled's files do not")


def tree(raw: bytes, root: str) -> Node:
    """The tree of an XML file whose outermost element must be `root`. Raises `BadInput`."""
    builder, parser = _Builder(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.StartDoctypeDeclHandler = builder.document_type
    try:
        for start in range(0, len(raw), PIECE):
            parser.Parse(raw[start : start + PIECE], False)
            if start - parser.CurrentByteIndex > LONGEST_TAG:
                # A million attributes would take the parser minutes.
                raise BadInput("a tag longer than a map has")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        where = f"line {error.lineno}, column {error.offset + 1}"
        said = expat.ErrorString(error.code)
        raise BadInput(f"not XML that can be read: {said} ({where})") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("not XML that can be read: its encoding is not known") from None
    if builder.root is None or builder.root.tag != root:
        found = builder.root.tag if builder.root else "nothing"
        raise BadInput(f"must be a <{root}>, not <{found[:40]}>")
    return builder.root


def map_table(node: Node) -> dict[str, Any]:
    """A <map> as JSON has it."""
    return {
        **node.attributes,
        "tilesets": [tileset_table(each) for each in node.all("tileset")],
        "layers": _layers(node),
    }


def tileset_table(node: Node) -> dict[str, Any]:
    """A <tileset> as JSON has it."""
    tiles = [{**t.attributes, "properties": _properties(t)} for t in node.all("tile")]
    return {**node.attributes, "tiles": tiles}


def _layers(node: Node) -> list[dict[str, Any]]:
    return [_layer(child) for child in node.children if child.tag in KINDS]


def _layer(node: Node) -> dict[str, Any]:
    table = {**node.attributes, "type": KINDS[node.tag], "properties": _properties(node)}
    if node.tag == "group":
        table["layers"] = _layers(node)
    if node.tag == "objectgroup":
        table["objects"] = [_object(each) for each in node.all("object")]
    data = node.first("data")
    if data is not None:
        table |= {key: data.attributes.get(key) for key in ("encoding", "compression")}
        chunks = [{**each.attributes, "data": each.text} for each in data.all("chunk")]
        table |= {"chunks": chunks} if chunks else {"data": data.text}
    return table


def _object(node: Node) -> dict[str, Any]:
    shapes = {child.tag: True for child in node.children if child.tag != "properties"}
    return {**node.attributes, **shapes}


def _properties(node: Node) -> list[dict[str, Any]]:
    found = node.first("properties")
    if found is None:
        return []
    return [{"value": each.text, **each.attributes} for each in found.all("property")]
