"""A value as a model wrote it, brought into the shape of a record where there is only one way to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from rereview.text.lenient import Json
from rereview.text.scanning import scan
from rereview.types.record import Record

T = TypeVar("T", bound=Record)
Node = dict[str, Any]
"""A node of a JSON schema."""

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_WORDS)}
_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_RATED = re.compile(
    rf"(?:(?:overall|final|my)?\s*(?:score|rating|confidence)?\s*(?:is|:|=)?\s*)?"
    rf"(?P<value>{_NUMBER}|{'|'.join(_NUMBERS)})"
    rf"(?:\s*(?:/|out of|of)\s*(?P<top>\d+))?"
    rf"\.?(?P<rest>\s*[:(,;–—-].*)?",
    re.IGNORECASE | re.DOTALL,
)
_HEDGED = re.compile(
    rf"\d|\?|\b(?:or|to|maybe|perhaps|possibly|might|could|between|not|nor|than|{'|'.join(_NUMBERS)})\b",
    re.IGNORECASE,
)
_DEPTH = 3
"""Wrappers around an answer (a tool call, `{"review": ...}`) that are opened."""


@dataclass(frozen=True)
class Fit(Generic[T]):
    """The record, or why there is none. `notes` say what was changed or left out on the way."""

    value: T | None
    notes: tuple[str, ...]
    problem: str | None = None
    unread_number: bool = False
    """True if a number was given in a way that says no single number."""


def fit(value: Json, shape: type[T]) -> Fit[T]:
    """Bring `value` into `shape`. A number that could mean two things is never chosen."""
    fitter = _Fitter(schema_node(shape))
    fitted = fitter.fit(value, fitter.root, "")
    while True:
        try:
            record = shape.model_validate_json(json.dumps(fitted), strict=True)
        except ValidationError as error:
            if not _without_bad_items(fitted, error, fitter):
                return Fit(None, tuple(fitter.notes), _problem(error), fitter.unread_number)
        else:
            return Fit(record, tuple(fitter.notes))


def answers_in(value: Json, shape: type[Record]) -> tuple[tuple[Json, bool], ...]:
    """The parts of a value that are meant as `shape`, and whether they had to be unwrapped."""
    return tuple((part, part is not value) for part in _unwrapped(value, schema_node(shape), _DEPTH))


@cache
def schema_node(shape: type[Record]) -> Node:
    """The JSON schema of a record."""
    return shape.model_json_schema()


@dataclass
class _Fitter:
    """Walks a value along a schema and notes each change."""

    root: Node
    notes: list[str] = field(default_factory=list)
    unread_number: bool = False

    def fit(self, value: Json, node: Node, where: str) -> Json:
        node = self._resolved(node, value)
        options = node.get("enum", [node["const"]] if "const" in node else None)
        if options is not None:
            return self._choice(value, options, where)
        match node.get("type"):
            case "integer" | "number":
                return self._number(value, node["type"], node.get("maximum"), where)
            case "string":
                return self._string(value, where)
            case "array":
                return self._list(value, node, where)
            case "object":
                return self._object(value, node, where)
        return value

    def _resolved(self, node: Node, value: Json) -> Node:
        """Through references; of alternatives the one that is not null, where there is one."""
        while "$ref" in node or "anyOf" in node:
            if "$ref" in node:
                node = self.root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
                continue
            real = [option for option in node["anyOf"] if option.get("type") != "null"]
            if (value is None and len(real) < len(node["anyOf"])) or len(real) != 1:
                return {}
            node = real[0]
        return node

    def _choice(self, value: Json, options: list[Json], where: str) -> Json:
        if any(type(value) is type(option) and value == option for option in options):
            return value
        numbers = [option for option in options if isinstance(option, int | float)]
        if numbers:
            kind = "integer" if all(number == int(number) for number in numbers) else "number"
            return self._number(value, kind, max(numbers), where)
        if isinstance(value, str):
            same = [
                option for option in options if isinstance(option, str) and _plain(option) == _plain(value)
            ]
            if len(same) == 1:
                return self._noted(same[0], f"{where} was {value!r}")
        return value

    def _number(self, value: Json, kind: str, top: float | None, where: str) -> Json:
        if isinstance(value, bool) or value is None:
            return value
        number = value if isinstance(value, int | float) else _rated(value, top)
        whole = isinstance(number, float) and number.is_integer() and kind == "integer"
        number = int(number) if whole and number is not None else number
        if number is None or (kind == "integer" and isinstance(number, float)):
            self.unread_number = True
            return value
        if isinstance(value, int | float) and not whole:
            return value
        return self._noted(number, f"{where} was {_shown(value)}")

    def _string(self, value: Json, where: str) -> Json:
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return self._noted("\n".join(str(item) for item in value), f"{where} was a list")
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._noted(str(value), f"{where} was a number")
        return value

    def _list(self, value: Json, node: Node, where: str) -> Json:
        if isinstance(value, str | dict | int) and not isinstance(value, bool) and "prefixItems" not in node:
            value = self._noted([value], f"{where} was one item and no list")
        if not isinstance(value, list) or "items" not in node or "prefixItems" in node:
            return value
        return [self.fit(item, node["items"], f"{where}[{n}]") for n, item in enumerate(value)]

    def _object(self, value: Json, node: Node, where: str) -> Json:
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            value = self._noted(value[0], f"{where or 'the answer'} was a list of one")
        if not isinstance(value, dict):
            return value
        if "properties" not in node:
            inner = node.get("additionalProperties")
            each = inner if isinstance(inner, dict) else {}
            return {key: self.fit(item, each, f"{where}.{key}".strip(".")) for key, item in value.items()}
        return self._fields(value, node["properties"], where)

    def _fields(self, value: dict[str, Json], fields: Node, where: str) -> Json:
        """Names are matched without case and separators; null for what cannot be null is not given."""
        known = {_plain(name): name for name in fields}
        fitted: dict[str, Json] = {}
        for key, item in value.items():
            name = key if key in fields else known.get(_plain(key))
            path = f"{where}.{key}".strip(".")
            if name is None or (name != key and name in value):
                self.notes.append(f"{path} left out, the form does not have it")
            elif item is None and not _nullable(fields[name]):
                self.notes.append(f"{path} was null")
            else:
                fitted[name] = self.fit(item, fields[name], path)
        return fitted

    def _noted(self, value: Json, note: str) -> Json:
        self.notes.append(note)
        return value


def _rated(value: Json, top: float | None) -> int | float | None:
    """The one number that a text names ("8/10", "8: accept"), or None: it names none or several."""
    match = _RATED.fullmatch(" ".join(value.split())) if isinstance(value, str) else None
    if match is None or _HEDGED.search(match["rest"] or ""):
        return None
    if match["top"] and top is not None and float(match["top"]) != float(top):
        return None
    word = match["value"].lower()
    number = float(_NUMBERS.get(word, word))
    if not isfinite(number):
        return None
    return int(number) if "." not in word else number


def _unwrapped(value: Json, node: Node, depth: int) -> list[Json]:
    """Down from a value to what shares a field with the shape."""
    fields = {_plain(name) for name in node["properties"]}
    if isinstance(value, dict):
        if fields & {_plain(key) for key in value}:
            return [value]
        inner = [part for item in value.values() for part in _inside(item)] if depth else []
        return _unwrapped(inner[0], node, depth - 1) if len(inner) == 1 else []
    if not isinstance(value, list):
        return []
    if len(value) == 1 and depth:
        whole = _unwrapped(value[0], node, depth - 1)
        if whole:
            return whole
    lists = [name for name, part in node["properties"].items() if part.get("type") == "array"]
    if len(lists) == 1 and any(isinstance(item, dict) for item in value):
        return [{lists[0]: value}]
    return []


def _inside(item: Json) -> list[Json]:
    """Containers that a field holds, as they are or as text."""
    if isinstance(item, str) and item.lstrip()[:1] in {"{", "["}:
        return [found.value for found in scan(item).found if found.closed]
    return [item] if isinstance(item, dict | list) and item else []


def _without_bad_items(fitted: Json, error: ValidationError, fitter: _Fitter) -> bool:
    """Take the items of lists out that cannot be read, and note each; False if that is no way."""
    bad: dict[tuple[str, int], str] = {}
    for entry in error.errors(include_url=False, include_input=False):
        loc = entry["loc"]
        if len(loc) < 2 or not isinstance(loc[0], str) or not isinstance(loc[1], int):  # noqa: PLR2004 - field, item
            return False
        bad.setdefault(
            (loc[0], loc[1]), f"{'.'.join(str(part) for part in loc[2:])}: {entry['msg']}".strip(": ")
        )
    if not isinstance(fitted, dict):
        return False
    for (name, number), why in sorted(bad.items(), reverse=True):
        items = fitted[name]
        if not isinstance(items, list) or len(items) == 1:
            return False
        del items[number]
        fitter.notes.append(f"{name}[{number}] left out, {why}")
    return True


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    given = "" if first["type"] == "missing" else f", not {_shown(first['input'])}"
    return f"{where}: {first['msg']}{given}" if where else f"{first['msg']}{given}"


def _nullable(node: Node) -> bool:
    return any(option.get("type") == "null" for option in node.get("anyOf", ())) or not node.keys() & {
        "type",
        "enum",
        "const",
        "$ref",
    }


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004 - a line of a message
