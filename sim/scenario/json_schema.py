"""The scenario format as JSON Schema, made from the code that checks it; for editors.

It tells every key, its kind, its bounds and what it means. What depends on several keys at once
(names of groups, times in order) only `sim.scenario.load` checks.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

from pydantic import BaseModel

from sim.behaviours import RULES
from sim.behaviours.parameters import Parameter
from sim.behaviours.table import MOST_NEAREST, Rule
from sim.core.limits import LARGEST
from sim.models import MODELS
from sim.perception.sights import WHOM
from sim.perception.views import FARTHEST, VIEWS
from sim.scenario.drawn import DRAWN
from sim.scenario.messages import TABLES
from sim.scenario.schema import PLAYER, Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The schema of a scenario file: tables, keys, rules and models, each with its meaning."""
    whole = _tidied(Scenario.model_json_schema())
    tables = {"Scenario": whole, **whole["$defs"]}
    for table in set(TABLES.values()):
        told = about_keys(table)
        for key, value in tables[table.__name__]["properties"].items():
            value["description"] = told[key]
    keys = whole["$defs"]["Group"]["properties"]
    keys["model"]["enum"] = [name for name in MODELS if name != PLAYER]
    keys["behaviours"] |= {
        "properties": {name: _rule(each) for name, each in RULES.items()},
        "additionalProperties": False,
    }
    return {"$schema": DIALECT, **whole}


def about_keys(table: type[BaseModel]) -> dict[str, str]:
    """What each key of a table means: the text below it in the code."""
    told = {}
    for each in table.__mro__[: table.__mro__.index(BaseModel)]:
        body = ast.parse(inspect.getsource(each)).body[0]
        assert isinstance(body, ast.ClassDef)
        for key, below in zip(body.body, body.body[1:], strict=False):
            if isinstance(key, ast.AnnAssign) and isinstance(below, ast.Expr):
                told[ast.unparse(key.target)] = ast.literal_eval(below.value)
    return told


def _tidied(value: Any) -> Any:
    """Without titles, and without null: TOML has none, a key is left out instead."""
    if isinstance(value, list):
        return [_tidied(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {
        key: _tidied(each)
        for key, each in value.items()
        if not (key == "title" and isinstance(each, str)) and (key, each) != ("default", None)
    }
    others = [each for each in kept.pop("anyOf", ()) if each != {"type": "null"}]
    if len(others) == 1:
        return kept | others[0]
    return kept | {"anyOf": others} if others else kept


def _rule(rule: Rule) -> dict[str, Any]:
    """What may stand behind a rule's name: a table of its parameters, or true or false."""
    weight = _number(-LARGEST, LARGEST, "0 switches the rule off.")
    keys: dict[str, Any] = {"weight": _or_drawn(weight)}
    if rule.looks != "nobody":
        keys["view"] = {"enum": list(VIEWS), "description": "Instead of the group's view."}
        keys["range"] = _or_drawn(_number(0, FARTHEST, "How far the rule reaches, hull lengths."))
        keys["nearest"] = {
            "type": "integer", "minimum": 0, "maximum": MOST_NEAREST,
            "description": "How many of those seen count, the nearest; 0: all.",
        }  # fmt: skip
        keys["whom"] = {"enum": list(WHOM), "description": "Which neighbours count."}
    keys |= {name: _parameter(each) for name, each in rule.parameters.items()}
    table = {"type": "object", "properties": keys, "additionalProperties": False}
    return {"description": rule.about, "anyOf": [{"type": "boolean"}, table]}


def _parameter(of: Parameter) -> dict[str, Any]:
    about = of.within.about
    if isinstance(of.default, bool):
        return {"type": "boolean", "description": about, "default": of.default}
    number = {**_number(of.within.low, of.within.high, about), "default": of.default}
    return _or_drawn(number) if of.drawn else number


def _or_drawn(number: dict[str, Any]) -> dict[str, Any]:
    """The same, or a table that says how the number is drawn for each unit."""
    told: dict[str, Any] = {
        key: number.pop(key) for key in ("description", "default") if key in number
    }
    return {**told, "anyOf": [number, DRAWN]}


def _number(low: float, high: float, about: str) -> dict[str, Any]:
    bounds = {"minimum": max(low, -LARGEST), "maximum": min(high, LARGEST)}
    return {"type": "number", **bounds, "description": about}
