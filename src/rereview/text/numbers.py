r"""Numbers as papers print them: `0.67*`, `$-0.3$`, `1{,}234`, `12.8\%`, `$3 \times 10^{-4}$`, `(0.42)`.

The value is exact, and the printed digits say how far it is known: half a unit of the last place.
A number that could be read in two ways (`0,5`; a version such as `1.2.3`) is left out, and so is one of more
digits or a greater power than any quantity has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_SIGN = r"(?P<sign>(?<![\w)}.\-−–])(?:[-−–+]|\$\s*[-−+]\s*\$\s*|\\textminus\s*))?"
_GROUPS = r"[1-9]\d{0,2}(?:(?:,|\{,\}|\\,|\u2009|\u202f)\d{3})+(?![\d])"
_DIGITS = rf"(?P<digits>(?:{_GROUPS}|\d+)(?:\.\d+)?|\.\d+)"
_TIMES = r"\s*\$?\s*(?:\\times|\\cdot|×|·)\s*\$?\s*10\s*\$?\s*"
_POWER = r"(?:\^\s*\{?\s*(?P<power>[-−+]?\d+)\s*\}?\$?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
_EXPONENT = rf"(?:{_TIMES}{_POWER}|[eE](?P<e>[-−+]?\d+)(?!\w))?"
_UNIT = (
    r"(?:\s*\$?\s*(?P<percent>\\%|%|\bper\s?cent\b)"
    r"|(?P<unit>[A-Za-zµμ°][A-Za-z]{0,3}(?![\w\\{])|×(?!\s*1)|\\times(?![\sa-z$]*1))?)"
)
_NUMBER = re.compile(rf"(?<![\w.^_,]){_SIGN}{_DIGITS}(?![\d])(?!\.\d)(?!,\d)(?!\{{,\}}\d){_EXPONENT}{_UNIT}")
_STARS = re.compile(
    r"(?:\s|\$|\^|\{|\}|\\(?:textsuperscript|sym|rlap|mathrm|text|tnote|ssymbol)(?![a-zA-Z]))*"
    r"(?P<stars>(?:\*|∗|⋆|\\ast\b\s*|\\star\b\s*)+)[\s$}]*"
)
_LARGEST = 300
"""Digits and powers of ten, taken together, beyond which a number is none to reckon with."""
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")


@dataclass(frozen=True)
class Number:
    """One printed number; `text[start:end]` holds it with its sign, exponent and unit.

    `decimals` is the place of the last printed digit (2: hundredths, -3: thousands of a power of
    ten); `unit` is "%" or what is glued to it ("K", "ms"), "" for none; `enclosed` is the bracket in
    which a whole cell stands, "" for none; `stars` counts the stars behind it.
    """

    value: Fraction
    decimals: int
    unit: str
    start: int
    end: int
    stars: int = 0
    enclosed: str = ""

    @property
    def half(self) -> Fraction:
        """Half a unit of the last printed place."""
        return Fraction(1, 2) * Fraction(10) ** -self.decimals

    @property
    def low(self) -> Fraction:
        """The least value that is printed so."""
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        """The greatest value that is printed so."""
        return self.value + self.half

    def __str__(self) -> str:
        """The value with its printed places, and the unit."""
        return f"{float(self.value):.{max(self.decimals, 0)}f}{self.unit}"


def numbers(text: str) -> Iterator[Number]:
    """The numbers in `text`, in order. A number that is part of a word (`H2`, `x_1`) is none.

    Nor is one of hundreds of digits, or with an exponent of hundreds: a constant, a key, a bound.
    """
    for found in _NUMBER.finditer(text):
        if not _is_ordinary(found):
            continue
        stars = _STARS.match(text, found.end())
        yield _number(found, len(re.findall(r"\*|∗|⋆|\\ast|\\star", stars["stars"])) if stars else 0)


_ENCLOSED = re.compile(r"\s*\$?\s*(?P<open>[(\[])?(?P<inner>.*?)[)\]]?\s*\$?\s*", re.DOTALL)


def number(text: str) -> Number | None:
    """The number that the whole of `text` is: with sign, unit, stars and one bracket, and no word more."""
    read = next(numbers(text), None)
    if read is None:
        return None
    left, right = text[: read.start], text[read.end :]
    bracket = re.fullmatch(
        r"[\s${}]*(?:\\(?:left|textbf|mathbf|textit|emph|underline)\b)?[\s${}]*([(\[])?[\s${}]*", left
    )
    if bracket is None:
        return None
    close = {"(": r"\)", "[": r"\]", None: ""}[bracket[1]]
    rest = rf"[\s$}}]*(?:\\right)?{close}[\s$}}]*(?:{_STARS.pattern})?[\s$}}]*(?:\\right)?"
    starred = rf"[\s$}}]*(?:{_STARS.pattern.replace('?P<stars>', '')})?[\s$}}]*(?:\\right)?{close}[\s$}}]*"
    found = re.fullmatch(rest, right)
    if found is None and not re.fullmatch(starred, right):
        return None
    stars = _STARS.search(right)
    return Number(
        read.value,
        read.decimals,
        read.unit,
        read.start,
        read.end,
        stars=len(re.findall(r"\*|∗|⋆|\\ast|\\star", stars["stars"])) if stars else 0,
        enclosed=bracket[1] or "",
    )


def _is_ordinary(found: re.Match[str]) -> bool:
    exponent = _exponent(found)
    digits = len(found["digits"])
    return digits + len(exponent) <= _LARGEST and digits + abs(int(exponent or 0)) <= _LARGEST


def _exponent(found: re.Match[str]) -> str:
    """The digits of the power of ten, with their sign; "" for none."""
    return str(found["power"] or found["raised"] or found["e"] or "").translate(_PLAIN)


def _number(found: re.Match[str], stars: int) -> Number:
    """The number of one match."""
    digits = re.sub(r"[^\d.]", "", found["digits"].replace("\\,", "").replace("{,}", ""))
    exponent = int(_exponent(found) or 0)
    whole, _, decimals = digits.partition(".")
    value = Fraction(int(whole + decimals or "0"), 10 ** len(decimals)) * Fraction(10) ** exponent
    negative = found["sign"] and any(sign in found["sign"] for sign in ("-", "−", "–", "minus"))
    unit = "%" if found["percent"] else (found["unit"] or "")
    return Number(
        -value if negative else value, len(decimals) - exponent, unit, found.start(), found.end(), stars
    )
