r"""Which mathematics is a place for an error of its own: not a part of a number, a word or a price.

What can be wrong in a formula is an operator, an index, a number or a result; a lone symbol or plain
number has none, and a formula that continues what stands beside it (`5$\times 10^{-6}$`, `CO$_2$`,
`log$_2$FC`) is a piece of a token.
"""

from __future__ import annotations

import re

from rereview.types.edit import CandidateKind

_SPACE = r"(?:[\s~]|\\[,;:! ]|\\(?:quad|thinspace|hspace)(?![A-Za-z])|\{\})*"
_JOINS = r"(?:\\(?:times|cdot|pm|mp)(?![A-Za-z])|[×·±∓])"
_PLAIN_NUMBER = re.compile(r"[\s\d.,{}+\-−]*")
_LONE = re.compile(
    r"[\s{}&]*(?:\\(?:math(?:rm|bf|it|sf|tt|cal|bb|frak|scr|normal)|text(?:rm|bf|it|sf|tt)?|boldsymbol|bm"
    r"|operatorname|hat|bar|tilde|vec|dot|overline|widehat|widetilde|ensuremath)\s*)*"
    r"\{*\s*(?:\\(?:[A-Za-z]+|.)|[^\\{}])?[\s{}]*",
    re.DOTALL,
)
_WORD_ONLY = re.compile(
    r"\s*\\(?:text|mathrm|mathsf|mathtt|operatorname|mathit|mathbf|textbf|textit|textrm|textsc)\s*"
    r"\{[^{}$\\]*\}\s*"
)
_SCRIPT_FIRST = re.compile(r"\s*[\^_]")
_JOIN_FIRST = re.compile(rf"{_SPACE}{_JOINS}")
_JOIN_LAST = re.compile(rf"{_JOINS}{_SPACE}\Z")
_NUMBER_LAST = re.compile(r"[\d}]\s*\Z")
_NUMBER_BEFORE = re.compile(rf"(?:\d|\d\s*\$){_SPACE}\Z")
_JOIN_BEFORE = re.compile(rf"{_JOINS}{_SPACE}\$?{_SPACE}\Z")
_NUMBER_AFTER = re.compile(rf"{_SPACE}\$?\s*\d")
_JOIN_AFTER = re.compile(rf"{_SPACE}\$?{_SPACE}{_JOINS}")
_GLUED_BEFORE = re.compile(r"(?:[^\W_]|\d[.,])\Z")
_GLUED_AFTER = re.compile(r"(?!(?:st|nd|rd|th|s)(?![^\W_]))(?:[^\W_]|[.,]\d|\$)")
_AMOUNT = re.compile(r"\d[\d.,]*(?:\s*(?:k|K|M|m|bn|million|billion|per cent|%))?[\s;:.,)(-]+[A-Za-z]{2,}")
_PROSE = re.compile(r"(?<![\\A-Za-z])[a-z]{2,}\s+[a-z]{2,}")
_NO_PROSE = re.compile(r"\\[A-Za-z]+\s*(?:\{[^{}]*\})?")
_AROUND = 40
_SHORT = 60
"""Characters; no lone symbol takes more."""


def kind_of(delimiter: str) -> CandidateKind:
    r"""What a formula is called: `delimiter` is `$`, `\(`, `$$`, `\[`, or an environment."""
    if delimiter in {"$", "\\(", "math"}:
        return "inline-equation"
    return "display-equation" if delimiter in {"$$", "\\["} else "named-equation"


def is_place(text: str, span: tuple[int, int], body: tuple[int, int], *, inline: bool) -> bool:
    """True if a formula can carry an error of its own; `span` is the whole, `body` what is in it."""
    return why_not(text, span, body, inline=inline) is None


def why_not(text: str, span: tuple[int, int], body: tuple[int, int], *, inline: bool) -> str | None:
    """Say why a formula is no place for an error; None for one that is."""
    inside = text[slice(*body)]
    if not inside.strip():
        return "empty"
    if not inline:
        return None
    if _PLAIN_NUMBER.fullmatch(inside):
        return "a plain number"
    if (len(inside) <= _SHORT and _LONE.fullmatch(inside)) or _WORD_ONLY.fullmatch(inside):
        return "a lone symbol or word"
    if is_price(inside):
        return "prices and the words between them"
    before = text[max(span[0] - _AROUND, 0) : span[0]]
    after = text[span[1] : span[1] + _AROUND]
    return _piece(before, inside, after)


def _piece(before: str, inside: str, after: str) -> str | None:
    if _SCRIPT_FIRST.match(inside):
        return "the index or exponent of what stands before it"
    if _GLUED_BEFORE.search(before) or _GLUED_AFTER.match(after):
        return "a piece of a word or number that goes on beside it"
    if _JOIN_FIRST.match(inside) and _NUMBER_BEFORE.search(before):
        return "a part of a number that begins before it"
    if _JOIN_LAST.search(inside) and _NUMBER_AFTER.match(after):
        return "a part of a number that goes on after it"
    if _JOIN_BEFORE.search(before) or (_NUMBER_LAST.search(inside) and _JOIN_AFTER.match(after)):
        return "a part of a number that goes on beside it"
    return None


def is_price(inside: str) -> bool:
    """True for what two unescaped dollar signs of prices enclose: an amount and words, no formula."""
    bare = _NO_PROSE.sub(" ", inside)
    return _AMOUNT.match(inside) is not None or (
        inside[:1].isdigit() and _PROSE.search(bare) is not None and "=" not in bare
    )
