"""Errors in formulas: a relation, operator or sign turned round, an index moved, a number changed.

No rule renames a letter: a dummy index that is called otherwise everywhere is no error, and a letter that
the paper does not know is a typing error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from rereview.perturb.proposals import BLANK, Proposal
from rereview.types.edit import ErrorType

_PAIRS = (
    ("leq", "geq"), ("le", "ge"), ("leqslant", "geqslant"), ("ll", "gg"), ("lesssim", "gtrsim"),
    ("subset", "supset"), ("subseteq", "supseteq"), ("cap", "cup"), ("bigcap", "bigcup"), ("min", "max"),
    ("inf", "sup"), ("sum", "prod"), ("forall", "exists"), ("wedge", "vee"), ("lfloor", "lceil"),
    ("implies", "impliedby"), ("Rightarrow", "Leftarrow"), ("uparrow", "downarrow"), ("sin", "cos"),
    ("argmin", "argmax"), ("liminf", "limsup"),
)  # fmt: skip
_OTHER = {**dict(_PAIRS), **{two: one for one, two in _PAIRS}}
_DELIMITERS = {"lfloor", "lceil"}
_CONTROL = re.compile(r"\\([A-Za-z]+)")
_DIRECTED = re.compile(
    r"\\(?:leq|geq|le|ge|leqslant|geqslant|ll|gg|lesssim|gtrsim|lt|gt|prec|succ|preceq|succeq"
    r"|(?:sub|sup)set(?:eq)?|implies|impliedby|(?:Right|Left)arrow)(?![A-Za-z])|(?<![\\-])[<>]"
)
_BARE_RELATION = re.compile(r"(?<![\\<>=-])(?<!\\left)(?<!\\right)(?<!\\[bB]ig)[<>](?![<>=])")
_SIGN = re.compile(r"(?<=[\w})\]|'])(?<!\d[eE])\s*(?P<sign>[+-])(?=\s*(?:[\w\\({\[|]))")
_EXPONENT_SIGN = re.compile(r"\^\s*\{\s*(?P<sign>-)\s*(?=[\w\\({])")
_SHIFTED = re.compile(r"_\s*\{\s*[a-zA-Z]\s*(?P<sign>[+-])\s*\d\s*\}")
_SINGLE = re.compile(r"(?<=[A-Za-z}])_(?:\{(?P<braced>[ijklmnst])\}|(?P<bare>[ijklmnst])(?![A-Za-z0-9]))")
_TWO = re.compile(r"_\s*\{\s*(?P<one>[a-z])(?P<comma>\s*,?\s*)(?P<two>[a-z])\s*\}")
_LOWER = re.compile(
    r"\\(?:sum|prod|bigcup|bigcap|int)\s*(?:\\limits\s*)?_\s*\{[^{}]*?=\s*(?P<number>[01])\s*\}"
)
_NUMBER = re.compile(
    r"(?<![\w.\\_^])(?<!\d[eE][+-])(?P<number>\d{1,20}(?:\.\d{1,20})?)(?![\w.]|\s*\^|\s*\\(?:times|cdot)\s*10)"
)
_POWER = re.compile(r"10\s*\^\s*\{?\s*(?P<number>-?\d{1,6})(?!\d)")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{[^{}]*\}\s*\{\s*(?P<number>\d{1,20})\s*\}")
_RESULT = re.compile(r"=\s*(?P<number>-?\d{1,20}(?:\.\d{1,20})?)(?![\w.]|\s*[\\^_(])")
_ARITHMETIC = re.compile(r"\d\s*(?:[+*/-]|\\(?:times|cdot|div|frac|pm)(?![A-Za-z]))|\\[dt]?frac\s*\{\s*\d")
_FACTORS = (Decimal(2), Decimal(10), Decimal("0.1"), Decimal("0.5"))
_YEARS = range(1900, 2101)


def formula_proposals(formulas: str) -> Iterator[Proposal]:
    """Every error that a rule knows for formulas; other text in the place is blanked."""
    yield from _controls(formulas)
    yield from _signs(formulas)
    yield from _indices(formulas)
    yield from _numbers(formulas)


def relation_proposals(formulas: str, error: ErrorType) -> Iterator[Proposal]:
    """Relations, quantifiers and implications turned round, as an error of another family."""
    for each in _controls(formulas):
        yield each._replace(error=error)


def _controls(text: str) -> Iterator[Proposal]:
    for match in _CONTROL.finditer(text):
        other = _OTHER.get(match[1])
        if other is None or match[1] in _DELIMITERS:
            continue
        if _DIRECTED.match(text, match.start()) and not _alone(text, match.start()):
            continue
        yield _turned(match.start(), match.end(), match[0], f"\\{other}")
    for match in _BARE_RELATION.finditer(text):
        if _alone(text, match.start()):
            yield _turned(match.start(), match.end(), match[0], "<" if match[0] == ">" else ">")


def _turned(start: int, end: int, old: str, new: str) -> Proposal:
    why = f"{new} is wrong here: it turns the statement round, which needs {old}."
    return Proposal(start, end, new, "operator-or-sign", why)


def _alone(text: str, at: int) -> bool:
    """True where a formula has one relation with a direction: of a chain all would have to turn."""
    low, high = _formula_around(text, at)
    return len(_DIRECTED.findall(text[low:high])) == 1


def _formula_around(text: str, at: int) -> tuple[int, int]:
    low = text.rfind(BLANK, 0, at) + 1
    high = text.find(BLANK, at)
    return low, len(text) if high < 0 else high


def _signs(text: str) -> Iterator[Proposal]:
    for match in _SIGN.finditer(text):
        old = match["sign"]
        new = "-" if old == "+" else "+"
        if not _in_script(text, match.start("sign")):
            why = f"The sign before this term is wrong: it has to be {old}, and {new} changes the value."
            yield Proposal(*match.span("sign"), new, "operator-or-sign", why)
    for match in _EXPONENT_SIGN.finditer(text):
        why = "The exponent has lost its minus sign."
        yield Proposal(*match.span("sign"), "", "operator-or-sign", why)


def _in_script(text: str, at: int) -> bool:
    """True inside `_{…}`: what is wrong there is an index."""
    opened = text.rfind("{", 0, at)
    return opened > 0 and text[:opened].rstrip().endswith("_") and "}" not in text[opened:at]


def _indices(text: str) -> Iterator[Proposal]:
    error: ErrorType = "index-or-subscript"
    for match in _SHIFTED.finditer(text):
        new = "+" if match["sign"] == "-" else "-"
        why = f"The index is shifted the wrong way: {match[0]} is meant, not its neighbour on the other side."
        yield Proposal(*match.span("sign"), new, error, why)
    for match in _SINGLE.finditer(text):
        letter = match["braced"] or match["bare"]
        if _bound(text, match.start(), letter):
            continue
        why = f"The index is off by one: the term belongs to {letter}, not to {letter}+1."
        yield Proposal(*match.span(), f"_{{{letter}+1}}", error, why)
    for match in _TWO.finditer(text):
        if match["one"] != match["two"]:
            new = f"{match['two']}{match['comma']}{match['one']}"
            why = f"The indices {match['one']} and {match['two']} are exchanged: rows are taken for columns."
            yield Proposal(match.start("one"), match.end("two"), new, error, why)
    for match in _LOWER.finditer(text):
        new = "2" if match["number"] == "1" else "1"
        why = f"The first term is left out: the index has to start at {match['number']}, not at {new}."
        yield Proposal(*match.span("number"), new, error, why)


def _bound(text: str, at: int, letter: str) -> bool:
    """True for an index under a sum, which is no use of it but its declaration."""
    return re.search(r"\\(?:sum|prod|max|min|sup|inf|lim|arg)[a-z]*\s*\Z", text[:at]) is not None or (
        re.search(rf"_\{{\s*{letter}\s*(?:=|\\in)", text[at : at + 12]) is not None
    )


def _numbers(text: str) -> Iterator[Proposal]:
    taken: set[int] = set()
    for pattern in (_FRACTION, _RESULT):
        for match in pattern.finditer(text):
            if pattern is _RESULT and not _ARITHMETIC.search(
                text[slice(*_formula_around(text, match.start()))]
            ):
                continue
            taken.update(range(*match.span("number")))
            old, new = match["number"], _miscounted(match["number"])
            why = f"The result is miscounted: it is {old}, not {new}."
            yield Proposal(*match.span("number"), new, "computation", why)
    for match in _POWER.finditer(text):
        new = str(int(match["number"]) + (3 if int(match["number"]) < 0 else -1))
        taken.update(range(*match.span("number")))
        if new not in {"0", "1"}:
            why = f"The order of magnitude is wrong: 10 to the {match['number']}, not to the {new}."
            yield Proposal(*match.span("number"), new, "numeric-parameter", why)
    for match in _NUMBER.finditer(text):
        if match.start("number") not in taken:
            yield from _parameter(match)


def _parameter(match: re.Match[str]) -> Iterator[Proposal]:
    for new in other_values(match["number"]):
        why = f"The value is wrong: the paper works with {match['number']}, not with {new}."
        yield Proposal(*match.span("number"), new, "numeric-parameter", why)


def other_values(printed: str) -> Iterator[str]:
    """Numbers that are wrong by a factor and look like the first one; none for 0, 1 and for years."""
    value = Decimal(printed)
    if value in {0, 1} or ("." not in printed and int(printed) in _YEARS):
        return
    for factor in _FACTORS:
        new = value * factor
        if "." not in printed and new != new.to_integral_value():
            continue
        shown = f"{new.normalize():f}"
        if shown != printed and len(shown) <= len(printed) + 2:
            yield shown


def _miscounted(printed: str) -> str:
    value = Decimal(printed)
    places = len(printed.partition(".")[2])
    step = Decimal(10) ** (1 - places) if places else Decimal(1)
    return f"{value + (step if value >= 0 else -step):f}" if value != 1 else "2"
