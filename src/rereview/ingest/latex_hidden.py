r"""Commands of LaTeX by which words are printed and not seen: white, tiny, transparent, not painted.

White on a dark ground is seen: where a box, a cell, a row or a drawing gives a ground, nothing is
said of it. `\phantom` and white digits that only keep a place are no words, and stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rereview.ingest.hidden import says_something, words
from rereview.text.arguments import arguments
from rereview.text.latex import Token
from rereview.types.manuscript import HiddenKind

_LIGHT = 0.93
"""Of 1: a lighter colour than this on all three channels differs from white by less than a reader sees."""
_SMALL_POINTS = 2.0
_SMALL_FACTOR = 0.2
_FAINT = 0.1
_FEWEST = 3
_PHANTOM_WORDS = 3
_POINTS = {
    "pt": 1.0,
    "bp": 1.0,
    "mm": 2.85,
    "cm": 28.5,
    "in": 72.3,
    "em": 10.0,
    "ex": 4.3,
    "sp": 0.00002,
    "": 1.0,
}
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}")
_LENGTH = re.compile(r"\s*([\d.]+)\s*([a-z]{0,2})\s*\Z")
_ENDS = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.|%[^\n]*|[{}]", re.DOTALL)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]{0,200}\])?|[{}$&~^_]")
_GROUND = re.compile(
    r"\\(?P<box>f?colorbox|tcbox|hl)\b|\\(?P<cell>cellcolor|columncolor)\b|\\(?P<row>rowcolors?)\b"
    r"|\\(?P<drawing>node|draw|filldraw|fill|shade|path)\b"
)
_LEAVES = {"cell": re.compile(r"(?<!\\)&|\\\\"), "row": re.compile(r"\\\\"), "drawing": re.compile(";")}
_DRAWINGS = (
    "tikzpicture",
    "tcolorbox",
    "mdframed",
    "forest",
    "pgfpicture",
    "beamercolorbox",
    "tikzcd",
    "frame",
)
_GROUND_CHANGES = re.compile(rf"\\(?:(begin|end)\{{({'|'.join(_DRAWINGS)})\}}|pagecolor)")
_NEAR = 300
_DEFINED = re.compile(r"\\definecolor\s*\{([^{}]+)\}\s*\{([^{}]+)\}\s*\{([^{}]+)\}")
_NAMED = re.compile(r"\\colorlet\s*\{([^{}]+)\}\s*(?:\[[^\]]*\])?\{([^{}]+)\}")
_MACRO = re.compile(
    r"\\(?:(?:new|renew|provide)command|DeclareRobustCommand)\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*\[1\]\s*\{([^\n]{0,200})"
)
_SAYS = re.compile(r"pdf(?:author|subject|keywords)\s*=", re.IGNORECASE)
_LITERAL = re.compile(r"\s*(?:direct|page|shipout)?\s*\{\s*(\d)\s+Tr\s*\}")


class Concealed(NamedTuple):
    """`source[start:end]` is taken out; `text` is what it would say."""

    kind: HiddenKind
    start: int
    end: int
    text: str


@dataclass
class Conceals:
    """What is known so far of the paper's own colours and macros."""

    whites: set[str] = field(default_factory=lambda: {"white"})
    macros: dict[str, HiddenKind] = field(default_factory=dict)
    patience: int = 20_000_000
    """Characters that may be looked at in vain: what conceals nothing may stand in each other, or be long."""

    def learn(self, source: str) -> None:
        """Read the definitions of a file."""
        for name, model, value in _DEFINED.findall(source):
            if _is_light(model.strip(), value):
                self.whites.add(name.strip())
        self.whites |= {name.strip() for name, value in _NAMED.findall(source) if self.is_white(value)}
        for name, body in _MACRO.findall(source):
            found = re.match(r"\s*\{?\s*(\\[A-Za-z]+)", body)
            if found and "#1" in body:
                token = Token("command", found.start(1), found.end(1), found[1])
                inside = self.concealed(body.replace("#1", "some words here"), token)
                if inside is not None:
                    self.macros[name] = inside.kind

    def is_white(self, colour: str) -> bool:
        """Read a colour as xcolor does, as far as it mixes with white and black."""
        name, *mixed = colour.strip().split("!")
        if not mixed:
            return name in self.whites
        share = (_number(mixed[0]) or 0.0) / 100
        if name in self.whites:
            other = mixed[1] if len(mixed) > 1 else "white"
            return other in self.whites or share >= _LIGHT
        return (len(mixed) == 1 or mixed[1] in self.whites) and share <= 1 - _LIGHT

    def concealed(self, source: str, token: Token) -> Concealed | None:
        """What the command that begins here conceals; None if nothing, or nothing that is said."""
        if token.kind != "command":
            return None
        if token.name in self.macros:
            return self.argument(self.macros[token.name], source, token, 1)
        found = _RULES.get(token.name)
        return found(self, source, token) if found else None

    def textcolor(self, source: str, token: Token) -> Concealed | None:
        r"""`\textcolor{white}{...}`."""
        if not self._paints_white(source, token) or _has_ground(source, token.start):
            return None
        return self.argument("no-contrast", source, token, 2)

    def color(self, source: str, token: Token) -> Concealed | None:
        r"""`{\color{white} ...}`."""
        if not self._paints_white(source, token) or _has_ground(source, token.start):
            return None
        return self.rest("no-contrast", source, token, arguments(source, token.end, 1).end, r"\color")

    def argument(
        self, kind: HiddenKind, source: str, token: Token, count: int, fewest_words: int = 0
    ) -> Concealed | None:
        """What a command conceals in the last of its arguments, if that says something."""
        given = arguments(source, token.end, count)
        if len(given.groups) < count:
            return None
        text = source[slice(*given.groups[-1])]
        said = _COMMAND.sub(" ", text)
        if not says_something(said, _FEWEST) or words(said) < fewest_words:
            self.patience -= len(text)
            return None
        return Concealed(kind, token.start, given.end, text)

    def rest(self, kind: HiddenKind, source: str, token: Token, begin: int, until: str) -> Concealed | None:
        """What it conceals to the end of its group, or to the command that ends it."""
        end = _group_rest(source, begin, until)
        text = source[begin:end]
        if not says_something(_COMMAND.sub(" ", text), _FEWEST):
            self.patience -= len(text)
            return None
        return Concealed(kind, token.start, end, text)

    def _paints_white(self, source: str, token: Token) -> bool:
        given = arguments(source, token.end, 1)
        if not given.groups:
            return False
        start, end = given.groups[0]
        model = re.search(r"\[([^\]]*)\]", source[token.end : start])
        value = source[start:end]
        return _is_light(model[1].strip(), value) if model else self.is_white(value)


def _is_light(model: str, value: str) -> bool:
    parts = [part.strip() for part in value.split(",")]
    try:
        if model == "HTML":
            numbers = [int(value.strip()[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        elif model == "RGB":
            numbers = [float(part) / 255 for part in parts]
        elif model == "cmyk":
            numbers = [1 - float(part) for part in parts]
        elif model in {"rgb", "gray"}:
            numbers = [float(part) for part in parts]
        else:
            return False
    except ValueError:
        return False
    return min(numbers) >= _LIGHT


def _has_ground(source: str, position: int) -> bool:
    """Whether a box, cell, row or drawing around this place may give it a colour."""
    for match in _GROUND.finditer(source, max(0, position - _NEAR), position):
        kind = match.lastgroup or ""
        if kind == "box":
            inside = arguments(source, match.end(), 3)
            if any(start <= position < end for start, end in inside.groups):
                return True
        elif not _LEAVES[kind].search(source, match.end(), position):
            return True
    places, grounds = _grounds(source)
    return grounds[bisect_left(places, position)]


@lru_cache(maxsize=64)
def _grounds(source: str) -> tuple[list[int], list[bool]]:
    """Where coloured pages and drawings begin and end; whether there is a ground before each, and at last."""
    places, grounds = [], [False]
    open_now: set[str] = set()
    for match in _GROUND_CHANGES.finditer(source):
        word, name = match.groups()
        if word == "end":
            open_now.discard(name)
        else:
            open_now.add(name or "page")
        places.append(match.start())
        grounds.append(bool(open_now))
    return places, grounds


def _group_rest(source: str, begin: int, until: str) -> int:
    depth = 0
    for match in _ENDS.finditer(source, begin):
        piece = match.group()
        if depth == 0 and (
            piece == "}" or piece.startswith("\\end") or source.startswith(until, match.start())
        ):
            return match.start()
        if piece == "{" or piece.startswith("\\begin"):
            depth += 1
        elif piece == "}" or piece.startswith("\\end"):
            depth -= 1
    return len(source)


def _length(text: str) -> float | None:
    match = _LENGTH.match(text)
    number = _number(match[1]) if match else None
    return None if match is None or number is None else number * _POINTS.get(match[2], 1.0)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _first(source: str, token: Token) -> str:
    groups = arguments(source, token.end, 1).groups
    return source[slice(*groups[0])] if groups else ""


def _fontsize(known: Conceals, source: str, token: Token) -> Concealed | None:
    size = _length(_first(source, token))
    if size is None or size >= _SMALL_POINTS:
        return None
    begin = arguments(source, token.end, 2).end
    select = re.compile(r"\s*\\selectfont").match(source, begin)
    return known.rest("tiny", source, token, select.end() if select else begin, r"\fontsize")


def _scalebox(known: Conceals, source: str, token: Token) -> Concealed | None:
    factor = _length(_first(source, token))
    return None if factor is None or factor >= _SMALL_FACTOR else known.argument("tiny", source, token, 2)


def _resizebox(known: Conceals, source: str, token: Token) -> Concealed | None:
    width = _length(_first(source, token))
    return None if width is None or width >= 2 * _SMALL_POINTS else known.argument("tiny", source, token, 3)


def _phantom(known: Conceals, source: str, token: Token) -> Concealed | None:
    found = known.argument("invisible", source, token, 1, _PHANTOM_WORDS)
    if found is None:
        return None
    # A phantom that keeps the place of words repeats words that are printed.
    known.patience -= len(source) // 50
    repeats = source.count(found.text.strip()) > source.count(f"phantom{{{found.text}}}")
    return None if repeats else found


def _pdfliteral(known: Conceals, source: str, token: Token) -> Concealed | None:
    mode = _LITERAL.match(source, token.end)
    return (
        None
        if mode is None or mode[1] not in "37"
        else known.rest("invisible", source, token, mode.end(), token.name)
    )


def _pdfrender(known: Conceals, source: str, token: Token) -> Concealed | None:
    options = _first(source, token).replace(" ", "").lower()
    hides = re.search(r"textrenderingmode=(?:3|7|invisible|clip)\b", options)
    return known.argument("invisible", source, token, 2) if hides else None


def _transparent(known: Conceals, source: str, token: Token) -> Concealed | None:
    opacity = _length(_first(source, token))
    if opacity is None or opacity >= _FAINT:
        return None
    if token.name == "\\texttransparent":
        return known.argument("transparent", source, token, 2)
    return known.rest("transparent", source, token, arguments(source, token.end, 1).end, token.name)


def _access(known: Conceals, source: str, token: Token) -> Concealed | None:
    return known.argument("actual-text", source, token, 1) if "ActualText" in _first(source, token) else None


def _setup(known: Conceals, source: str, token: Token) -> Concealed | None:
    return known.argument("metadata", source, token, 1) if _SAYS.search(_first(source, token)) else None


_RULES = {
    "\\textcolor": Conceals.textcolor,
    "\\color": Conceals.color,
    "\\fontsize": _fontsize,
    "\\scalebox": _scalebox,
    "\\resizebox": _resizebox,
    "\\phantom": _phantom,
    "\\hphantom": _phantom,
    "\\vphantom": _phantom,
    "\\pdfliteral": _pdfliteral,
    "\\pdfextension": _pdfliteral,
    "\\textpdfrender": _pdfrender,
    "\\transparent": _transparent,
    "\\texttransparent": _transparent,
    "\\BeginAccSupp": _access,
    "\\hypersetup": _setup,
}
