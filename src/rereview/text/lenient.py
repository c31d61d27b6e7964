r"""JSON as models write it: one forgiving reader, which says what it had to forgive.

Strict JSON is read as the standard says, with one difference: in a string, a backslash before a
LaTeX command is that command. `"\theta"` is no tab and four letters, nor `"\nabla"` a line break.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from math import isfinite

from rereview.text.commands import COMMAND, is_command

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

MAX_DEPTH = 64
"""No answer nests deeper; what does is given up, and is found empty."""
MAX_DIGITS = 300
"""A longer number stays text."""

BARE_KEY = "a key without quotes"

GAP = r"(?:[\s\ufeff\u200b]|//[^\n]*|/\*.{0,2000}?\*/)*"
_SPACE = re.compile(GAP, re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}])")
_LITERAL = re.compile(r"(true|false|null)(?=[\s,\]}])")
_BARE = re.compile(r"[^,\[\]{}\n]+")
_BARE_KEY = re.compile(r"[A-Za-z_][\w -]*(?=\s*:)")
_WORD = re.compile(r"[A-Za-z]+")
_STRICT = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/]|[bfr](?![A-Za-z])|(?!' + COMMAND + r")[nt]"
    r'|u(?!0000|[dD][89a-fA-F])[0-9a-fA-F]{4}))*+"'
)
"""A string in which nothing needs forgiving; most are, and this is quicker."""
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_OPENERS = re.compile(r"[\[{\s]*")
_LITERALS: dict[str, Json] = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_CLOSERS = {'"': '"', "'": "'", "“": '”“"', "”": '”“"', "‘": "’‘", "’": "’‘"}
_STOPS = {mark: re.compile(f"[{re.escape(marks)}\\\\\x00-\x1f]") for mark, marks in _CLOSERS.items()}
_KEY = (
    r"(?:\"(?:[^\"\\\x00-\x1f]|\\.)*+\"\s*(?::|\Z)"  # as JSON has it
    r"|[\"'“”‘’][^\"'“”‘’\n]{0,80}(?:[\"'“”‘’]\s*(?::|\Z)|\Z))"
)
_ENDS_IN_OBJECT = re.compile(rf"\s*(?:\}}|\Z|,\s*(?:{_KEY}|\}}|\Z)|{_KEY}|\]\s*[,}}\]])")
_ENDS_BEFORE_BARE_KEY = re.compile(rf"{_ENDS_IN_OBJECT.pattern}|\s*,\s*[A-Za-z_]\w*\s*:")
_ENDS_IN_LIST = re.compile(
    r"\s*(?:\]|\Z|\}\s*[,}\]]|,\s*(?:[\"'“”‘’{\[\]\d-]|true|false|null|True|False|None|\Z)|\n\s*[\"'“])"
)
_BRACE_BEFORE = re.compile(r"\{\s*\Z")
_KEY_AFTER = re.compile(r"\"([^\"\n]{1,80})\"\s*:")
_LOST_QUOTE = re.compile(r"\s*\n\s*(\"\w[\w -]{0,40}\"\s*:)")


@dataclass(frozen=True)
class Found:
    """An object or list in a text: `text[start:end]`, and what was forgiven while it was read."""

    value: dict[str, Json] | list[Json]
    start: int
    end: int
    closed: bool
    """False: the text ends within it, and only what was whole is here."""
    repairs: tuple[str, ...]


class _Cut(Exception):  # noqa: N818 - a signal within this module: the text ends, or cannot go on, here
    """The value that is being read is not whole."""


@dataclass
class _Open:
    """A container that is being read. `ready` is true where a comma has been seen or none is due."""

    value: dict[str, Json] | list[Json]
    key: str | None = None
    """Of the object: the key whose value comes next."""
    ready: bool = True
    comma: bool = False


@dataclass
class Reader:
    """Reads the one container that begins at `start`. Never raises for any text; linear in its length."""

    text: str
    start: int
    at: int = field(init=False)
    _repairs: dict[str, None] = field(default_factory=dict, init=False)
    _stack: list[_Open] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.at = self.start

    def read(self) -> Found:
        """The container, as far as it goes."""
        root = self._push()
        try:
            while self._stack:
                self._step()
        except _Cut:
            self._unwind()
            return Found(root, self.start, self.at, closed=False, repairs=tuple(self._repairs))
        return Found(root, self.start, self.at, closed=True, repairs=tuple(self._repairs))

    def _step(self) -> None:
        top = self._stack[-1]
        self._skip_space()
        mark = self._here()
        if mark in "}]":
            self._close(mark, top)
        elif mark == ",":
            self.at += 1
            if not top.value or top.ready:
                self._forgive("a stray comma")
            top.ready = top.comma = True
        elif isinstance(top.value, dict) and top.key is None:
            top.key = self._key(top)
        else:
            self._value(mark)

    def _value(self, mark: str) -> None:
        if mark in "{[":
            if len(self._stack) >= MAX_DEPTH:
                self._stack[0].value.clear()
                del self._stack[1:]
                self.at = _match_end(_OPENERS, self.text, self.at)
                raise _Cut
            self._push()
        elif mark in _CLOSERS:
            self._put(self._string(mark, in_key=False))
        else:
            self._put(self._bare())

    def _key(self, top: _Open) -> str | None:
        """The key and its colon; None where a value without a key was passed over."""
        if not top.ready:
            self._forgive("a missing comma")
        mark = self._here()
        bare = _BARE_KEY.match(self.text, self.at)
        if mark in _CLOSERS:
            key = self._string(mark, in_key=True)
        elif bare:
            self.at = bare.end()
            self._forgive(BARE_KEY)
            key = bare.group().strip()
        elif mark in "{[":
            raise _Cut  # prose with a brace: what begins here is looked at by itself
        else:
            self._forgive("something that is no key")
            self.at = max(_match_end(_BARE, self.text, self.at), self.at + 1)
            return None
        self._skip_space()
        if self._here() != ":":
            self._forgive("a key without a value")
            return None
        self.at += 1
        return key

    def _close(self, mark: str, top: _Open) -> None:
        wanted = "}" if isinstance(top.value, dict) else "]"
        if mark != wanted and not any(
            isinstance(outer.value, dict) == (mark == "}") for outer in self._stack
        ):
            self._forgive("a stray bracket")
            self.at += 1
            return
        if mark == wanted:
            self.at += 1
        else:
            self._forgive("a missing bracket")
        if top.comma and top.ready:
            self._forgive("a trailing comma")
        if top.key is not None:
            self._forgive("a key without a value")
        self._stack.pop()
        if self._stack:
            self._put(top.value)

    def _push(self) -> dict[str, Json] | list[Json]:
        value: dict[str, Json] | list[Json] = {} if self._here() == "{" else []
        self.at += 1
        self._stack.append(_Open(value))
        return value

    def _put(self, value: Json) -> None:
        top = self._stack[-1]
        if isinstance(top.value, list):
            if not top.ready:
                self._forgive("a missing comma")
            top.value.append(value)
        elif top.key is not None:
            self._set(top.value, top.key, value)
        top.key, top.ready, top.comma = None, False, False

    def _set(self, into: dict[str, Json], key: str, value: Json) -> None:
        """A second value for a key stands beside the first: neither is chosen."""
        if key not in into:
            into[key] = value
            return
        self._forgive("a duplicated key")
        first = into[key]
        if _same(first, value):
            return
        both: list[Json] = []
        for given in (first, value):
            both.extend(given if isinstance(given, list) else [given])
        into[key] = both

    def _unwind(self) -> None:
        """Keep what is whole: an object that is cut is no item of a list."""
        while len(self._stack) > 1:
            cut = self._stack.pop()
            outer = self._stack[-1]
            alone = len(self._stack) == 1 and not outer.value
            if isinstance(cut.value, dict) and isinstance(outer.value, list) and not alone:
                continue
            self._put(cut.value)

    def _bare(self) -> Json:
        """A number or a word without quotes, up to a comma, a bracket or the end of the line."""
        number = _NUMBER.match(self.text, self.at)
        literal = _LITERAL.match(self.text, self.at)
        if number or literal:
            match = number or literal
            self.at = match.end() if match else self.at
            return _number(number.group()) if number else _LITERALS[literal.group()] if literal else None
        end = _match_end(_BARE, self.text, self.at)
        if end == len(self.text):
            self.at = end
            raise _Cut
        word, self.at = self.text[self.at : end].strip(), max(end, self.at + 1)
        self._forgive("a value without quotes")
        return _word(word)

    def _string(self, mark: str, *, in_key: bool) -> str:
        """The string whose opening quote stands here. Raises _Cut where it does not end."""
        if mark != '"':
            self._forgive("other quotes than JSON's")
        strict = _STRICT.match(self.text, self.at)
        if strict and self._ends_at(strict.end(), in_key=in_key):
            self.at = strict.end()
            return str(json.loads(strict.group()))
        triple = self.text.startswith('"""', self.at)
        if triple:
            self._forgive("triple quotes")
        self.at += 3 if triple else 1
        parts: list[str] = []
        while True:
            stop = _STOPS[mark].search(self.text, self.at)
            if stop is None:
                self.at = len(self.text)
                raise _Cut
            parts.append(self.text[self.at : stop.start()])
            self.at = stop.end()
            sign = stop.group()
            if sign == "\\":
                parts.append(self._escape())
            elif sign in _CLOSERS[mark]:
                if self._ends(in_key=in_key, triple=triple):
                    return "".join(parts)
                self._begun_anew(stop.start())
                self._forgive("a quote within a string")
                parts.append(sign)
            elif sign == "\n" and not in_key and (lost := _LOST_QUOTE.match(self.text, stop.start())):
                self._begun_anew(lost.start(1))
                self._forgive("a missing quote")
                return "".join(parts).rstrip().removesuffix(",")
            else:
                self._forgive("a control character in a string")
                parts.append("\ufffd" if sign == "\0" else sign)

    def _begun_anew(self, quote: int) -> None:
        """Raises _Cut where an object with a key of the outermost one begins: the answer is given again."""
        brace = _BRACE_BEFORE.search(self.text, max(0, quote - 20), quote)
        key = _KEY_AFTER.match(self.text, quote)
        if brace and key and key[1] in self._stack[0].value:
            self.at = brace.start()
            raise _Cut

    def _ends(self, *, in_key: bool, triple: bool) -> bool:
        """True if the quote just before `at` ends its string."""
        if not triple:
            return self._ends_at(self.at, in_key=in_key)
        ends = self.text.startswith('""', self.at)
        self.at += 2 if ends else 0
        return ends

    def _ends_at(self, after: int, *, in_key: bool) -> bool:
        """True if a quote before `after` ends its string, by what comes after it."""
        if in_key:
            return True
        inside = _ENDS_IN_LIST
        if isinstance(self._stack[-1].value, dict):
            inside = _ENDS_BEFORE_BARE_KEY if BARE_KEY in self._repairs else _ENDS_IN_OBJECT
        return inside.match(self.text, after) is not None

    def _escape(self) -> str:
        """What the backslash just before `at` stands for, with the characters it takes."""
        if self.at >= len(self.text):
            raise _Cut
        sign = self.text[self.at]
        word = _WORD.match(self.text, self.at)
        if sign == "u" and _HEX.match(self.text, self.at + 1):
            return self._unicode()
        if word and is_command(word.group()):
            self._forgive("an unescaped LaTeX command")
            self.at = word.end()
            return "\\" + word.group()
        self.at += 1
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        self._forgive("an invalid escape")
        return sign if sign in "'\n“”‘’" else "\\" + sign

    def _unicode(self) -> str:
        code = int(self.text[self.at + 1 : self.at + 5], 16)
        self.at += 5
        low = _HEX.match(self.text, self.at + 2) if self.text.startswith("\\u", self.at) else None
        if code in _HIGH and low and int(low.group(), 16) in _LOW:
            self.at += 6
            return chr(0x10000 + ((code - _HIGH.start) << 10) + int(low.group(), 16) - _LOW.start)
        if code in _HIGH or code in _LOW or code == 0:
            self._forgive("a character that cannot be stored")
            return "\ufffd"
        return chr(code)

    def _here(self) -> str:
        if self.at >= len(self.text):
            raise _Cut
        return self.text[self.at]

    def _skip_space(self) -> None:
        begin, self.at = self.at, _match_end(_SPACE, self.text, self.at)
        if "/" in self.text[begin : self.at]:
            self._forgive("a comment")

    def _forgive(self, what: str) -> None:
        self._repairs[what] = None


def _number(text: str) -> Json:
    if len(text) > MAX_DIGITS:
        return text
    if text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    return value if isfinite(value) else text


def _word(word: str) -> Json:
    """A word without quotes: Python's literals, numbers as people write them, or the word itself."""
    if word.lower() in _LITERALS:
        return _LITERALS[word.lower()]
    try:
        value = float(word) if "_" not in word and len(word) < MAX_DIGITS else None
    except ValueError:
        return word
    if value is None:
        return word
    return (int(word) if re.fullmatch(r"[+-]?\d+", word) else value) if isfinite(value) else None


def _same(first: Json, second: Json) -> bool:
    return type(first) is type(second) and first == second


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
