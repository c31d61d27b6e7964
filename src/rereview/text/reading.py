r"""LaTeX as a reader sees it, with spaces and case kept, and the way back to the source.

`normalise.fold` makes one form for matching and drops what sentences are read by; this form is for
rules that read sentences: `$t(28) = 2.20$, $p<.05$` becomes `t(28) = 2.20, p<.05`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from rereview.text.symbols import SPACES, SYMBOLS, WRAPPERS
from rereview.types.manuscript import Format

_MARKUP = re.compile(
    r"""
    \\(?:(?P<gone>(?:label|vspace|hspace|color|textcolor|includegraphics|phantom|vphantom|hphantom|index)
            \*?(?:\[[^\]\n]*\])?\s?\{[^{}]*\})
      | (?P<pointer>(?:[a-zA-Z]*[cC]ite[a-zA-Z]*|(?:eq|[cC]|auto|page|name|v)?[rR]efs?)
            \*?(?:\s?\[[^\]\n]*\]){0,2}\s?\{[^{}]*\})
      | (?P<environment>(?:begin|end)\s?\{[^{}\n]*\})
      | [dtc]?frac\s?(?:\{(?P<over>\w+)\}|(?P<one>\d))\s?(?:\{(?P<under>\w+)\}|(?P<two>\d))
      | (?P<name>[A-Za-z]+)\*?[ ]?
      | (?P<char>[^A-Za-z]))
    | (?P<comma>\{,\})
    | (?P<dashes>---?)
    | (?P<tie>~)
    | (?P<mark>[{}$])
    """,
    re.VERBOSE,
)
_CHARACTERS = {",": "\u2009", ";": " ", ":": " ", " ": " ", "\n": " ", "\\": " ", "!": "", "[": " ", "]": " "}
_PRINTED = "%$&#_{}"
_NAMED = {
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "textless": "<", "textgreater": ">",
    "ldots": "…", "dots": "…", "cdots": "…", "textendash": "–", "textemdash": "—", "textminus": "−",
    "minus": "−", "degree": "°", "textdegree": "°", "item": "; ", "footnote": " † ", "lceil": "⌈",
    "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "thinspace": "\u2009", "lbrace": "{", "rbrace": "}",
    "langle": "⟨", "rangle": "⟩", "mid": "|", "vert": "|", "ast": "*", "star": "*", "textasciitilde": "~",
}  # fmt: skip


@dataclass(frozen=True)
class Readable:
    """`text` as read; pieces of it stand at `outs` and came from the source at `sources`.

    A piece that stays has its length in both; one that a command stands for has `fixed`.
    """

    text: str
    outs: tuple[int, ...]
    sources: tuple[tuple[int, int, bool], ...]
    """For each piece: its start and end in the source, and whether it stands there as it is."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters `start:end` of the reading (not empty) stand in the source."""
        return self._at(start)[0], self._at(end - 1)[1]

    def _at(self, position: int) -> tuple[int, int]:
        piece = bisect_right(self.outs, position) - 1
        start, end, stays = self.sources[piece]
        if not stays:
            return start, end
        at = start + position - self.outs[piece]
        return at, at + 1


@lru_cache(maxsize=4096)
def readable(text: str, *, format: Format) -> Readable:  # noqa: A002 - the name that Manuscript.format has
    """What a reader sees of the text of a block; the text of a PDF is that already."""
    if format == "pdf":
        return Readable(text, (0,), ((0, len(text), True),))
    parts: list[str] = []
    outs: list[int] = []
    sources: list[tuple[int, int, bool]] = []
    done = length = 0
    for found in _MARKUP.finditer(text):
        shown = _shown(found)
        for piece, place in (
            (text[done : found.start()], (done, found.start(), True)),
            (shown, (found.start(), found.end(), False)),
        ):
            if piece:
                parts.append(piece)
                outs.append(length)
                sources.append(place)
                length += len(piece)
        done = found.end()
    if done < len(text) or not parts:
        parts.append(text[done:])
        outs.append(length)
        sources.append((done, len(text), True))
    return Readable("".join(parts), tuple(outs), tuple(sources))


def _shown(found: re.Match[str]) -> str:
    """What one piece of markup prints."""
    if found["over"] or found["one"]:
        return f"{found['over'] or found['one']}/{found['under'] or found['two']}"
    kind = found.lastgroup
    if kind == "name":
        return _command(found["name"], spaced=found[0].endswith(" "))
    if kind == "char":
        return found["char"] if found["char"] in _PRINTED else _CHARACTERS.get(found["char"], "")
    if kind == "dashes":
        return "—" if len(found[0]) == len("---") else "–"
    return {"pointer": "[#]", "environment": " ", "comma": ",", "tie": " "}.get(kind or "", "")


def _command(name: str, *, spaced: bool) -> str:
    """What a command prints: a symbol, a space, nothing, or its own name where that is not known."""
    printed = _NAMED.get(name) or (SYMBOLS.get(name) if name not in WRAPPERS else None)
    if printed:
        return printed + " " * spaced
    if name in WRAPPERS:
        return ""
    return " " if name in SPACES else f"\\{name}" + " " * spaced
