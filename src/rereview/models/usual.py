"""What calls usually cost, by answers of the usual length and a cache of prefixes, before any is made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from typing import Any

from rereview.models.base import Caching
from rereview.models.marks import beginning, marked
from rereview.models.prices import (
    CHARACTERS_A_TOKEN,
    LIST_ITEMS,
    TEXT_TOKENS,
    Price,
    cost,
    estimate_input,
    estimate_tokens,
)
from rereview.types.call import Request, Usage

LEAST, STEP = 1_024, 128
"""Tokens of the shortest prefix that a provider keeps, and of the steps in which it does; as OpenAI's guide
to prompt caching states them."""
_DEEPEST = 20


def usual_answer(request: Request) -> str:
    """An answer of the usual length to a request: its texts are words that the request holds.

    Lists hold three items; but nothing is merged, dropped or told by its number, for what hangs on that is
    not known.
    """
    if request.answer_schema is None:
        return "-" * (TEXT_TOKENS * int(CHARACTERS_A_TOKEN))
    schema = json.loads(request.answer_schema)
    return json.dumps(_Usual(schema.get("$defs", {}), _words(request)).value(schema, _DEEPEST))


def _words(request: Request) -> Iterator[str]:
    """Pieces of the request's last message, each from another place."""
    text, length = request.messages[-1].text, TEXT_TOKENS * int(CHARACTERS_A_TOKEN)
    places = max(1, len(text) - length)
    return (text[at : at + length] for at in (number * 7_919 % places for number in count(1)))


@dataclass(frozen=True)
class _Usual:
    known: Mapping[str, Any]
    words: Iterator[str]

    def value(self, node: Mapping[str, Any], left: int) -> object:
        node = self._resolved(node)
        if left <= 0:
            return None
        choices = [node["const"]] if "const" in node else node.get("enum", ())
        return choices[0] if choices else self._of_type(node, left - 1)

    def _of_type(self, node: Mapping[str, Any], left: int) -> object:
        match node.get("type"):
            case "object":
                return {name: self.value(part, left) for name, part in node.get("properties", {}).items()}
            case "array":
                return [self.value(node.get("items", {}), left) for _ in range(self._length(node))]
            case "integer" | "number":
                return node.get("minimum", 1)
            case "string":
                return next(self.words)
        return False if node.get("type") == "boolean" else None

    def _resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" in node:
            return self._resolved(self.known[node["$ref"].rpartition("/")[2]])
        some = [each for each in node.get("anyOf", ()) if each.get("type") != "null"]
        return self._resolved(some[0]) if some else node

    def _length(self, node: Mapping[str, Any]) -> int:
        item = self._resolved(node.get("items", {}))
        numbers = item.get("type") in ("integer", "number") or {"number", "numbers"} & set(
            item.get("properties", {})
        )
        fewest = int(node.get("minItems", 0))
        return fewest if numbers else max(fewest, min(LIST_ITEMS, int(node.get("maxItems", LIST_ITEMS))))


def usual_cost(
    requests: Sequence[Request], answers: Iterable[str], price: Price, caching: Caching | None = None
) -> float:
    """USD of these calls in this order, without reasoning, which is billed as output and comes on top.

    Where the price of cached input is known, what a request shares with the beginning of an earlier one is
    read from the cache; with `caching` only what is marked is, and it is first written there.
    """
    used = usages(requests, answers, price, caching)
    return sum(cost(each, price) or 0.0 for each in used)


def usages(
    requests: Iterable[Request], answers: Iterable[str], price: Price, caching: Caching | None = None
) -> list[Usage]:
    """The tokens of these calls in this order, as `usual_cost` prices them."""
    kept: set[bytes] = set()
    used = []
    for request, answer in zip(requests, answers, strict=True):
        read, written = estimate_input(request), 0
        if price.cached is None:
            shared = 0
        elif caching is None:
            shared = min(read, _shared(request, kept))
        else:
            shared, written = _of_marks(request, caching, kept)
        usage = Usage(
            input_tokens=read,
            cached_tokens=shared,
            cache_write_tokens=written,
            output_tokens=estimate_tokens(answer),
        )
        used.append(usage)
    return used


def _of_marks(request: Request, caching: Caching, kept: set[bytes]) -> tuple[int, int]:
    """Tokens that are read from the cache and that are written to it; those of this request are kept then."""
    read = end = 0
    for at in marked(request, caching, len(request.messages)):
        begun = beginning(request, at)
        key, end = blake2b(begun.to_json().encode("utf-8", "surrogatepass")).digest(), estimate_input(begun)
        read = end if key in kept else read
        kept.add(key)
    return read, end - read


def _shared(request: Request, kept: set[bytes]) -> int:
    """Tokens of the longest kept prefix; those of this request are kept then."""
    text = (request.answer_schema or "") + "".join(message.text for message in request.messages)
    prefixes = list(_prefixes(text))
    shared = next((number for number, each in enumerate(prefixes) if each not in kept), len(prefixes))
    kept.update(prefixes)
    return LEAST + (shared - 1) * STEP if shared else 0


def _prefixes(text: str) -> Iterator[bytes]:
    running, start = blake2b(digest_size=16), 0
    for tokens in range(LEAST, len(text) // int(CHARACTERS_A_TOKEN) + 1, STEP):
        end = tokens * int(CHARACTERS_A_TOKEN)
        running.update(text[start:end].encode("utf-8", "surrogatepass"))
        start = end
        yield running.digest()
