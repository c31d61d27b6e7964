r"""One normal form for matching, with an index map back to the original.

Two renderings of one passage (LaTeX, Unicode, text of a PDF, a model's retelling) fold to the same
string; two passages that differ in a digit, a sign or a relation do not. What is left: letters in
lower case without accents, digits, signs, relations and operators. No spaces, except one between
two numbers. Between digits, and only there: the marks of a number (`.`, `:`, `/`, `^`, `·`).
A hyphen inside words is dropped, a minus is kept. LaTeX names become the character they print.

Why no spaces: line breaks, LaTeX spacing, hyphenation and Chinese text then need no rule.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

import numpy as np
from numpy.typing import NDArray

from rereview.text.symbols import SPACES, SYMBOLS, WRAPPERS

Indices = NDArray[np.int32]
_Codes = NDArray[np.uint32]
_Mask = NDArray[np.bool_]


# The first letter of a command, as JSON reads its escape.
_ESCAPES = {"\x07": "a", "\x08": "b", "\t": "t", "\x0b": "v", "\x0c": "f", "\r": "r"}
_AFTER_BACKSLASH = dict.fromkeys(" ;:>\\\n\t~", " ") | {"%": "%"}
_PAIRS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "=>": "⇒", "==": "=", "<<": "≪", ">>": "≫", "+-": "±"}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")

# The first character stands in front, and alternatives look back at it: that lets `re` skip ahead.
_SPECIAL = re.compile(
    r"""
    [\\\x07\x08\t\x0b\x0c\r<>!=+\-&⁰¹²³⁴-⁹⁺⁻≤≥∈∼≡}.]
    (?:(?<=\\)(?:
        (?P<gone>(?:label|ref|eqref|[cC]?ref|autoref|pageref|[a-zA-Z]?cite[a-zA-Z]*|includegraphics|vspace|hspace
            |textcolor|color|href|phantom|vphantom|hphantom|bibitem)\*?(?:\s?\[[^\]\n]*\]){0,2}\s?\{[^{}]*\})
      | (?:begin|end)\s?\{(?P<environment>[^{}\n]*)\}(?P<columns>\{[^{}\n]*\})?
      | [dtc]?frac\s?(?P<over>\d)\s?(?P<under>\d)
      | not\s?(?P<not>=|\\in(?![A-Za-z]))
      | (?P<hat>[cvukbdrt])(?=\{)
      | (?P<name>[A-Za-z]+)
      | \\(?:\[[^\]\n]*\])?(?P<line>)
      | (?P<char>[^A-Za-z])
      )
    | (?<=[\x07\x08\t\x0b\x0c\r])(?P<rest>[A-Za-z]+)
    | (?P<pair>(?<=[<>!=])=|(?<=[-=])>|(?<=<)<|(?<=>)>|(?<=\+)-)
    | (?<=<)/?(?P<tag>br|sub|sup|em|strong|i|b|u|span|p|div)(?:\s[a-z-]+="[^"<>\n]*")*\s?/?>
    | (?<=&)(?P<entity>(?:[a-zA-Z]{2,8}|\#\d{1,6}|\#x[0-9a-fA-F]{1,5});)
    | (?<=[⁰¹²³⁴-⁹⁺⁻])(?P<raised>[⁰¹²³⁴-⁹⁺⁻]*)
    | (?<=[=<>≤≥∈∼≡])(?P<negated>\u0338)
    | (?<=\d\})(?P<fraction>\s?\{)(?=\d)
    | (?<![\w.)\]}]\.)(?<=\.)(?P<point>)(?=\d)
    )
    """,
    re.VERBOSE,
)
_LETTER = r"[^\W\d_Ͱ-Ͽ]"
_HYPHEN = re.compile(
    rf"-(?:(?:(?<={_LETTER}{_LETTER}-)|(?<={_LETTER}{_LETTER}\ -))(?=\ ?(?:{_LETTER}{_LETTER}|\Z))"
    rf"|(?<={_LETTER}{_LETTER}-)(?=\w)"
    rf"|(?:(?<=\w-)|(?<=[0-9]\ -))(?={_LETTER}{_LETTER}))"
)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")

_WHITE = tuple(c for c in map(chr, range(0x3001)) if c.isspace())
_MENDS = (
    (re.compile(r"\\?x3[cC]"), "<"),
    (re.compile(r"\\?x3[eE]"), ">"),
    (re.compile(r"\\?\\u([0-9a-fA-F]{4})"), lambda found: chr(int(found[1], 16))),
    (re.compile(r"\n(?=(?:u|abla|eq|otin|eg|e)(?![A-Za-z]))"), r"\\n"),
    (re.compile(r"\\n(?=\\n|\s|[A-Z$(\[]|$)"), "\n"),
    (re.compile(r"\\\\(?=[A-Za-z])"), r"\\"),
)

_DASHES = frozenset("-‐‑‒–—―−﹘﹣－")
_FIXED = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys("%.,:/^", None),
    **dict.fromkeys("|~*∗⋆™®©^_`´¨", ""),
    **dict.fromkeys("\u2009\u202f\u200a", ""),
    "~": " ",
    "^": "^",
    "ß": "ss",
    "ς": "σ",
    "∆": "δ",
    "⩽": "≤",
    "≦": "≤",
    "⩾": "≥",
    "≧": "≥",
    "⁄": "/",
    "∕": "/",
    "⋅": "·",
    "∙": "·",
    "•": "·",
    "·": "·",
    "°": "∘",
    "∣": "",
    "∶": ":",
}


@dataclass(frozen=True)
class Folded:
    """`text[i]` was made of `original[starts[i]:ends[i]]`; both arrays have the length of `text`."""

    text: str
    starts: Indices
    ends: Indices

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters `start:end` (not empty) stand in the original."""
        return int(self.starts[start]), int(self.ends[end - 1])


def fold(text: str) -> Folded:
    """Fold a text; see the module for what stays.

    Linear in the length: some 50 ms for 200 000 characters of LaTeX.
    """
    spelt, starts, ends = _spell(text)
    if not spelt:
        return Folded("", starts, ends)
    codes, kept = _simplify(spelt)
    starts, ends = starts[kept], ends[kept]
    for select in (_runs, _without_hyphens, _number_marks, _spaces, _operators):
        codes, mask = select(codes)
        codes, starts, ends = codes[mask], starts[mask], ends[mask]
    return Folded(_string(codes), starts, ends)


def collapse(text: str) -> Folded:
    """Make one space of every run of white space; all else stays."""
    codes = _codes(text)
    white = np.zeros(len(codes), dtype=np.bool_)
    for space in _WHITE:
        white |= codes == ord(space)
    before, _ = _around(white)
    position = np.flatnonzero(~(white & before)).astype(np.int32)
    kept = np.where(white, np.uint32(ord(" ")), codes)[position]
    return Folded(_string(kept), position, position + np.int32(1))


def mend_escapes(quote: str) -> str:
    r"""Undo what a careless JSON writer does to LaTeX: `x3C` for `<`, a line break for the `\n` of `\nu`."""
    for pattern, replacement in _MENDS:
        quote = pattern.sub(replacement, quote)
    return quote


def _spell(text: str) -> tuple[str, Indices, Indices]:
    """Replace what takes several characters to say (LaTeX, HTML, `<=`), with the map of the result."""
    parts: list[str] = []
    steps: list[tuple[int, int, int]] = []
    done = 0
    for found in _SPECIAL.finditer(text):
        replacement, end = _spelling(found)
        start = found.start()
        parts += (text[done:start], replacement)
        steps.append((start, end, len(replacement)))
        done = end
    parts.append(text[done:])
    starts, ends = _index(len(text), steps)
    return "".join(parts), starts, ends


def _index(length: int, steps: list[tuple[int, int, int]]) -> tuple[Indices, Indices]:
    if not steps:
        starts = np.arange(length, dtype=np.int32)
        return starts, starts + np.int32(1)
    cut = np.array(steps, dtype=np.int32)
    # Segments alternate: characters that stay, then a replacement.
    begin = np.empty(2 * len(steps) + 1, dtype=np.int32)
    begin[0], begin[2::2], begin[1::2] = 0, cut[:, 1], cut[:, 0]
    size = np.empty_like(begin)
    size[0::2] = np.append(cut[:, 0], np.int32(length)) - begin[0::2]
    size[1::2] = cut[:, 2]
    stays = np.zeros(len(begin), dtype=np.bool_)
    stays[0::2] = True
    out = np.cumsum(size) - size
    moving = np.repeat(stays, size)
    offset = np.arange(int(size.sum())) - np.repeat(out, size)
    starts = np.repeat(begin, size) + np.where(moving, offset, 0)
    finish = np.append(begin[1:], np.int32(length))
    ends = np.where(moving, starts + 1, np.repeat(finish, size))
    return starts.astype(np.int32), ends.astype(np.int32)


def _spelling(found: re.Match[str]) -> tuple[str, int]:
    """Return what stands for a match, and where the match ends (earlier, if only a part counts)."""
    kind = found.lastgroup or ""
    value = found[kind] if kind else ""
    if kind == "name":
        return _command(value), found.end()
    if kind == "char":
        return _AFTER_BACKSLASH.get(value, ""), found.end()
    if kind == "rest":
        name = _ESCAPES[found[0][0]] + value
        known = name in SYMBOLS or name in WRAPPERS
        return (_command(name), found.end()) if known else (" ", found.start("rest"))
    if kind in ("environment", "columns"):
        return " ", found.end("columns") if _has_columns(found) else found.end("environment") + 1
    return _small(kind, value, found), found.end()


def _has_columns(found: re.Match[str]) -> bool:
    return found["columns"] is not None and found["environment"] in ("array", "tabular", "longtable")


def _small(kind: str, value: str, found: re.Match[str]) -> str:
    written = found[0]
    known = {"fraction": "/", "point": "0.", "line": " "}.get(kind)
    if known is not None:
        return known
    match kind:
        case "pair":
            return _PAIRS[written]
        case "under":
            return f"{found['over']}/{value}"
        case "not":
            return "≠" if value == "=" else "∉"
        case "entity":
            return unescape(written)
    return _raised(kind, value, written)


def _raised(kind: str, value: str, written: str) -> str:
    if kind == "raised":
        return "^" + written.translate(_RAISED)
    if kind == "negated":
        return unicodedata.normalize("NFC", written)
    if kind == "tag":
        opens = written[1] != "/"
        return "^" if value == "sup" and opens else " " if value in ("br", "p", "div") else ""
    return ""


def _command(name: str) -> str:
    if name in WRAPPERS:
        return ""
    if name in SPACES:
        return " "
    return SYMBOLS.get(name, name)


@lru_cache(maxsize=8192)
def _folded_character(character: str) -> str:
    fixed = _FIXED.get(character)
    if fixed is not None:
        return fixed
    lower = unicodedata.normalize("NFKC", character).lower()
    if character.isalpha():
        bare = "".join(c for c in unicodedata.normalize("NFD", lower) if not "\u0300" <= c <= "\u036f")
        lower = unicodedata.normalize("NFC", bare)
    return "".join(map(_kept_character, lower))


def _kept_character(character: str) -> str:
    fixed = _FIXED.get(character, "?")
    if fixed != "?":
        return character if fixed is None else fixed
    if character.isspace():
        return " "
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    category = unicodedata.category(character)
    accent = "\u0300" <= character <= "\u036f"
    return character if category[0] in "LN" or category == "Sm" or (category[0] == "M" and not accent) else ""


def _simplify(spelt: str) -> tuple[_Codes, Indices]:
    """Fold each character; return the code points and, for each, its position in `spelt`."""
    codes = _codes(spelt)
    slot = np.zeros(int(codes.max()) + 1, dtype=np.int32)
    slot[codes] = 1
    distinct = np.flatnonzero(slot)
    slot[distinct] = np.arange(len(distinct), dtype=np.int32)
    folded = [_folded_character(chr(code)) for code in distinct]
    sizes = np.array([len(each) for each in folded], dtype=np.int32)
    table = np.array([ord(c) for each in folded for c in each] or [0], dtype=np.uint32)
    which = slot[codes]
    length = sizes[which]
    position = np.repeat(np.arange(len(codes), dtype=np.int32), length)
    first = np.cumsum(sizes) - sizes
    within = np.arange(len(position)) - np.repeat(np.cumsum(length) - length, length)
    return table[first[which[position]] + within], position


def _codes(text: str) -> _Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _string(codes: _Codes) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _around(flags: _Mask) -> tuple[_Mask, _Mask]:
    """For each position: does the flag hold before it, and after it."""
    before, after = np.zeros_like(flags), np.zeros_like(flags)
    before[1:], after[:-1] = flags[:-1], flags[1:]
    return before, after


def _any_of(codes: _Codes, characters: str) -> _Mask:
    mask = np.zeros(len(codes), dtype=np.bool_)
    for character in characters:
        mask |= codes == ord(character)
    return mask


def _digits(codes: _Codes) -> _Mask:
    return (codes >= ord("0")) & (codes <= ord("9"))


def _runs(codes: _Codes) -> tuple[_Codes, _Mask]:
    """Make one of several spaces or dashes."""
    keep = np.ones(len(codes), dtype=np.bool_)
    repeated = codes[1:] == codes[:-1]
    keep[1:] = ~(repeated & _any_of(codes[1:], " -"))
    return codes, keep


def _without_hyphens(codes: _Codes) -> tuple[_Codes, _Mask]:
    keep = np.ones(len(codes), dtype=np.bool_)
    for found in _HYPHEN.finditer(_string(codes)):
        keep[found.start()] = False
    return codes, keep


def _number_marks(codes: _Codes) -> tuple[_Codes, _Mask]:
    """Keep `.` and `:` between digits; a comma there is dropped or separates two numbers."""
    before, after = _around(_digits(codes))
    marks = _any_of(codes, ".,:")
    keep = ~marks | (before & after)
    commas = keep & (codes == ord(","))
    if commas.any():
        for found in _THOUSANDS.finditer(_string(codes)):
            keep[found.start()] = False
        codes = np.where(commas, np.uint32(ord(" ")), codes)
    return codes, keep


def _spaces(codes: _Codes) -> tuple[_Codes, _Mask]:
    """Keep one space where it parts two numbers."""
    codes, keep = _runs(codes)  # a dropped comma leaves two
    kept = codes[keep]
    space = kept == ord(" ")
    before, after = _around(_digits(kept))
    keep[keep] = ~space | (before & after)
    return codes, keep


def _operators(codes: _Codes) -> tuple[_Codes, _Mask]:
    """Keep `/`, `·` and `^` between numbers, where a sign may follow `^`."""
    digit = _digits(codes)
    before, after = _around(digit)
    _, then = _around(_any_of(codes, "+-") & after)
    caret = codes == ord("^")
    keep = ~(caret | _any_of(codes, "/·")) | (before & after) | (caret & before & then)
    times = (codes == ord("×")) & before & after
    return np.where(times, np.uint32(ord("·")), codes), keep
