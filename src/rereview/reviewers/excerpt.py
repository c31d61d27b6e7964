"""The part of a paper that a model of few tokens is given, and the words that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rereview.reviewers.base import as_text
from rereview.types.manuscript import Block, Manuscript

CHARACTERS_A_TOKEN = 3
"""Of the small vocabularies of small models, on text with formulas: fewer than elsewhere."""
INSTRUCTIONS = 1_000
"""Tokens kept free for what is asked: a venue's form takes up to 900."""
WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
END = re.compile(rf"(?<=\S)(?=\s)|(?<=[{WIDE}])|(?<=\S)(?=[{WIDE}])")
"""Where a word ends: before a space, and at characters of scripts that are written without spaces."""
FIRST = (
    ("introduction", re.compile(r"\bintroduction\b", re.IGNORECASE)),
    ("conclusion", re.compile(r"\b(conclu\w+|summary|discussion)\b", re.IGNORECASE)),
)


class Excerpt(NamedTuple):
    """Text in the order of the paper. `note` says what was left out; None: nothing was."""

    text: str
    note: str | None


def excerpt(paper: Manuscript, tokens: int | None) -> Excerpt:
    """Title, abstract, introduction and conclusion, each as far as `tokens` allow; None: the whole paper."""
    whole = as_text(paper)
    if tokens is None or len(whole) <= _room(tokens):
        return Excerpt(whole, None)
    parts = dict(_parts(paper))
    shares = _shares([len(text) for text in parts.values()], _room(tokens))
    cut = {name: _cut(text, share) for (name, text), share in zip(parts.items(), shares, strict=True)}
    text = "\n\n".join(part for part in cut.values() if part)
    named = [f"{name} (its beginning)" if len(cut[name]) < len(parts[name]) else name for name in parts]
    read, of = (-(-len(words) // CHARACTERS_A_TOKEN) for words in (text, whole))
    return Excerpt(
        text,
        f"The model reads at most {tokens:,} tokens. It was given about {read:,} of {of:,}: "
        f"{', '.join(named) or 'the beginning'}.",
    )


def _room(tokens: int) -> int:
    return max(0, tokens - INSTRUCTIONS) * CHARACTERS_A_TOKEN


def _parts(paper: Manuscript) -> Iterator[tuple[str, str]]:
    title = [block for block in paper.blocks if block.kind == "title"]
    abstract = [block for block in paper.blocks if block.environment == "abstract"]
    yield from (
        (name, _text(paper, some)) for name, some in (("title", title), ("abstract", abstract)) if some
    )
    found = [(name, section) for name, words in FIRST if (section := _section(paper, words))]
    yield from ((name, _text(paper, section)) for name, section in found)
    if not found:
        rest = [block for block in paper.blocks if block not in title and block not in abstract]
        yield "the beginning", _text(paper, rest)


def _section(paper: Manuscript, words: re.Pattern[str]) -> list[Block]:
    """The first section with such a heading, with its subsections; [] without one."""
    start = next(
        (n for n, each in enumerate(paper.blocks) if each.kind == "heading" and words.search(each.text)), None
    )
    if start is None:
        return []
    level = paper.blocks[start].level or 0
    rest = paper.blocks[start + 1 :]
    end = next(
        (n for n, each in enumerate(rest) if each.kind == "heading" and (each.level or 0) <= level), len(rest)
    )
    return [paper.blocks[start], *rest[:end]]


def _text(paper: Manuscript, blocks: Sequence[Block]) -> str:
    return as_text(paper.but(blocks=tuple(blocks), figures=(), sequence=tuple(each.id for each in blocks)))


def _shares(lengths: Sequence[int], room: int) -> list[int]:
    """How much of each: short ones whole, long ones alike."""
    shares = [0] * len(lengths)
    left, order = room, sorted(range(len(lengths)), key=lambda at: lengths[at])
    for done, at in enumerate(order):
        shares[at] = min(lengths[at], left // (len(order) - done))
        left -= shares[at]
    return shares


def _cut(text: str, length: int) -> str:
    """A beginning that ends with a whole word."""
    if len(text) <= length:
        return text
    ends = [each.end() for each in END.finditer(text, 0, max(length, 0) + 1) if each.end() <= length]
    return text[: ends[-1]] if ends else ""
