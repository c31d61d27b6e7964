r"""The entries of a bibliography: `.bib` data, and the `\bibitem`s of a `thebibliography`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rereview.ingest.flatten import Sourced
from rereview.ingest.pieces import Range, trimmed
from rereview.text.arguments import arguments, group_end
from rereview.text.latex import Token, tokens
from rereview.types.manuscript import SourceRun

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"\s*([^,\s{}]{1,500})\s*,")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w+:.-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,{}\"#()]+")
_JOIN = re.compile(r"\s*#\s*")
_BRACES = re.compile(r"\\.|\{|\}", re.DOTALL)
_QUOTE = re.compile(r"\\.|\{|\}|\"", re.DOTALL)
_BREAK = re.compile(r"[{}]|(?<!\s)\s*[\r\n]\s*")
_BREAK_LATEX = re.compile(r"(?<!\s)\s*[\r\n]\s*")
_CITE = re.compile(r"\\[A-Za-z]*[Cc]ite[A-Za-z]*|\\citation")
_MOST_JOINED = 100
"""So many pieces a value gets from names that stand for strings: each may double the one before."""
_LONGEST_STRING = 2000
_PATIENCE = 20
"""So many quotes that nothing closes are looked for in a data base."""
_NO_KEYS = frozenset({"\\citestyle", "\\setcitestyle", "\\defcitealias", "\\citetext", "\\bibcite"})
_VENUES = ("journal", "journaltitle", "booktitle", "publisher", "school", "institution", "howpublished")
_TITLE_END = ("?", "!", ".")


@dataclass(frozen=True)
class Entry:
    """One entry of a `.bib`: of each field the ranges of its value in the text `where`."""

    key: str
    where: Sourced
    fields: Mapping[str, tuple[Range, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Reference:
    """An entry as readable text, with the runs of it that stand in a file."""

    key: str
    text: str
    runs: tuple[SourceRun, ...]


def cited(text: str, found: Iterable[Token]) -> list[str]:
    r"""The keys that tokens of a text cite, each once, in order; "*" stands for `\nocite{*}`."""
    keys: dict[str, None] = {}
    for token in found:
        if token.kind != "command" or token.name in _NO_KEYS or not _CITE.fullmatch(token.name):
            continue
        for start, end in arguments(text, token.end, 1).groups:
            keys.update(dict.fromkeys(key.strip() for key in text[start:end].split(",") if key.strip()))
    return list(keys)


def entries(where: Sourced) -> dict[str, Entry]:
    """Read the entries of a `.bib` by key; the first of a key wins, as in BibTeX."""
    return _Base(where).entries()


class _Base:
    """A data base on its way into entries."""

    def __init__(self, where: Sourced) -> None:
        self.where = where
        self.text = where.text
        self.strings: dict[str, tuple[Range, ...]] = {}
        self.patience = _PATIENCE

    def entries(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        position = 0
        while (match := _ENTRY.search(self.text, position)) is not None:
            kind = match.group(1).lower()
            position = match.end()
            if kind in {"comment", "preamble"}:
                position = group_end(self.text, match.end() - 1) or position
            elif kind == "string":
                fields, position = self._fields(position)
                self.strings.update({name: value for name, value in fields.items() if _small(value)})
            elif (key := _KEY.match(self.text, position)) is not None:
                fields, position = self._fields(key.end())
                found.setdefault(key.group(1), Entry(key.group(1), self.where, fields))
        return found

    def _fields(self, position: int) -> tuple[dict[str, tuple[Range, ...]], int]:
        fields: dict[str, tuple[Range, ...]] = {}
        while (match := _FIELD.match(self.text, position)) is not None:
            ranges, position = self._value(match.end())
            if position == match.end():
                break
            fields.setdefault(match.group(1).lower(), ranges)
        return fields, position

    def _value(self, position: int) -> tuple[tuple[Range, ...], int]:
        """Read a value with its `#` joins: the ranges inside its delimiters, and where it ends."""
        ranges: list[Range] = []
        while True:
            end = self._braced(position) or self._quoted(position)
            if end is not None:
                ranges.append((position + 1, end - 1))
            elif (bare := _BARE.match(self.text, position)) is not None:
                end = bare.end()
                known = self.strings.get(bare.group().lower(), ())
                ranges += known if 0 < len(known) <= _MOST_JOINED - len(ranges) else [(position, end)]
            else:
                return tuple(ranges), position
            join = _JOIN.match(self.text, end)
            if join is None:
                return tuple(ranges), end
            position = join.end()

    @cached_property
    def pairs(self) -> dict[int, int]:
        """Where each brace is closed: in one pass, as nothing may close them."""
        pairs: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACES.finditer(self.text):
            if match.group() == "{":
                opened.append(match.start())
            elif match.group() == "}" and opened:
                pairs[opened.pop()] = match.end()
        return pairs

    def _braced(self, position: int) -> int | None:
        return self.pairs.get(position)

    def _quoted(self, position: int) -> int | None:
        if not self.text.startswith('"', position) or self.patience <= 0:
            return None
        depth = 0
        for match in _QUOTE.finditer(self.text, position + 1):
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            if depth == 0 and match.group() == '"':
                return match.end()
        self.patience -= 1
        return None


def _small(value: Sequence[Range]) -> bool:
    return sum(end - start for start, end in value) <= _LONGEST_STRING


def reference(entry: Entry) -> Reference:
    """Authors. Year. Title. Venue volume(number):pages. Unknown fields are left out."""
    parts: list[Range | str] = []
    for name in ("author", "editor", "year", "title", "venue"):
        value = _readable(entry, name, known=parts)
        if value:
            parts += [" ", *value] if parts else value
            parts += [] if _last(entry, value).endswith(_TITLE_END) else ["."]
    text, runs = entry.where.cut(parts or [entry.key])
    return Reference(entry.key, text, runs)


def _readable(entry: Entry, name: str, *, known: list[Range | str]) -> list[Range | str]:
    if name == "editor" and known:
        return []
    if name == "year" and "year" not in entry.fields:
        return [(start, min(start + 4, end)) for start, end in entry.fields.get("date", ())[:1]]
    if name != "venue":
        return _pieces(entry, name)
    venue = next((_pieces(entry, place) for place in _VENUES if place in entry.fields), [])
    for detail, before, after in (("volume", " ", ""), ("number", "(", ")"), ("pages", ": ", "")):
        value = _pieces(entry, detail) if venue else []
        venue += [before, *value, after] if value else []
    return venue


def _pieces(entry: Entry, name: str) -> list[Range | str]:
    """Cut a value so that braces that only protect letters, and line breaks, fall out."""
    text = entry.where.text
    spans = trimmed(text, entry.fields.get(name, ()))
    return [piece for span in spans for piece in _plain_pieces(text, *span)]


def _plain_pieces(text: str, position: int, end: int) -> list[Range | str]:
    value = text[position:end]
    pattern = _BREAK_LATEX if "\\" in value or "$" in value else _BREAK
    pieces: list[Range | str] = []
    for match in pattern.finditer(text, position, end):
        pieces.append((position, match.start()))
        pieces += [] if match.group() in "{}" else [" "]
        position = match.end()
    pieces.append((position, end))
    return [piece for piece in pieces if isinstance(piece, str) or piece[0] < piece[1]]


def _last(entry: Entry, pieces: list[Range | str]) -> str:
    return entry.where.cut_text(pieces)


def bibitems(where: Sourced, start: int, end: int) -> Iterator[tuple[str, Range]]:
    r"""The key and the range of the text of each `\bibitem` in `where.text[start:end]`."""
    text = where.text
    found = tokens(text[start:end])
    marks = [token for token in found if token.name == "\\bibitem"]
    end = next((start + t.start for t in found if t.kind == "end" and t.name == "thebibliography"), end)
    stops = [start + mark.start for mark in marks] + [end]
    for mark, stop in zip(marks, stops[1:], strict=True):
        given = arguments(text, start + mark.end, 1)
        if given.groups:
            yield text[slice(*given.groups[0])].strip(), (given.end, stop)


def chosen(keys: Iterable[str], found: Mapping[str, Entry]) -> list[Entry]:
    """The cited entries in order of citation, each once; with "*" all others follow."""
    order: dict[str, Entry] = {}
    for key in keys:
        if key == "*":
            order.update({name: entry for name, entry in found.items() if name not in order})
        elif key in found:
            order.setdefault(key, found[key])
    return list(order.values())


def whole(name: str, text: str) -> Sourced:
    """The text of a file, all of it from that file."""
    return Sourced(text, (SourceRun(file=name, start=0, end=len(text), text_start=0),))


def file_name(text: str, token: Token) -> str:
    """The name that `filecontents` gives to the file inside it."""
    begin = text.index("}", token.start) + 1
    groups = arguments(text, begin, 1).groups
    return text[slice(*groups[0])].strip() if groups else ""
