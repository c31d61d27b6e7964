"""A model that is not there: it answers with the least that is allowed, and keeps what it was asked.

So a dry run really builds every request, and its input can be measured before anything is sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rereview.text.answers import ReadStatus
from rereview.types.call import Call, Completion, Picture, Request, Usage

_LONGEST = 50
"""Steps into a schema; one that refers to itself has no smallest answer."""


def _unknown(_: Request) -> Call | None:
    """Nothing has been answered yet."""
    return None


@dataclass
class DryModel:
    """A `Model` that asks nobody. `requests` are those that would be asked, in order.

    `known` gives the calls that are answered already; they are not among the requests.
    """

    name: str
    requests: list[Request] = field(default_factory=list)
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    call_ids: tuple[str, ...] = ()
    repaired: bool = False
    reads: int | None = None
    peers: tuple[DryModel, ...] = ()
    answering: Callable[[Request], str] | None = None
    """Gives the text of an answer; None: the smallest that the request's schema allows."""
    answers: list[str] = field(default_factory=list)
    """What was answered, in the order of `requests`."""
    known: Callable[[Request], Call | None] = _unknown
    replayed: int = field(default=0, init=False)
    """Requests that were answered already."""

    async def __call__(self, request: Request) -> Call:
        """An answer at once; without a schema the smallest is no text."""
        kept = self.known(request)
        self.replayed += kept is not None
        return kept or self._answered(request)

    def _answered(self, request: Request) -> Call:
        self.requests.append(request)
        text = _least(request) if self.answering is None else self.answering(request)
        self.answers.append(text)
        return Call(
            id=f"dry-{len(self.requests)}",
            model=self.name,
            host="",
            sample="dry",
            request=request,
            completion=Completion(text=text, finish="stop", usage=Usage()),
            started="1970-01-01T00:00:00+00:00",
            seconds=0.0,
            usd=None,
        )

    def read(self, status: ReadStatus) -> None:
        """Nothing hangs on it."""


def _least(request: Request) -> str:
    return "" if request.answer_schema is None else json.dumps(smallest(json.loads(request.answer_schema)))


def smallest(schema: Mapping[str, Any]) -> object:
    """A value that fits a JSON schema: no text, no items, the lowest numbers.

    Raises ValueError for a schema that refers to itself.
    """
    return _smallest(schema, schema.get("$defs", {}), _LONGEST)


def _smallest(schema: Mapping[str, Any], known: Mapping[str, Any], left: int) -> object:
    if left <= 0:
        raise ValueError("the schema refers to itself")
    if "$ref" in schema:
        return _smallest(known[schema["$ref"].rpartition("/")[2]], known, left - 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            nothing = [each for each in schema[choice] if each.get("type") == "null"]
            return None if nothing else _smallest(schema[choice][0], known, left - 1)
    return _of_type(schema, known, left)


def _of_type(schema: Mapping[str, Any], known: Mapping[str, Any], left: int) -> object:
    match schema.get("type"):
        case "object":
            wanted = schema.get("required", ())
            parts = schema.get("properties", {})
            return {name: _smallest(parts[name], known, left - 1) for name in wanted}
        case "array":
            fewest = int(schema.get("minItems", 0))
            return [_smallest(schema.get("items", {}), known, left - 1) for _ in range(fewest)]
        case "integer" | "number":
            return schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        case "string":
            return "-" * int(schema.get("minLength", 0))
        case "boolean":
            return False
    return None
