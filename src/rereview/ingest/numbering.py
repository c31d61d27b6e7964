"""The numbers that LaTeX would print: counters, what resets them, and how each is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rereview.text.arguments import arguments
from rereview.text.latex import Token, named
from rereview.text.macros import Theorem

_ROWS = named("align gather flalign alignat eqnarray IEEEeqnarray xalignat")
_SINGLE = named("equation multline dmath")
_UNNUMBERED = frozenset({"\\nonumber", "\\notag", "\\IEEEnonumber"})
_FORM = re.compile(r"\\(arabic|Alph|alph|Roman|roman)\s*\{(\w+)\}|\\the(\w+)|\\(\w+)\s*|([^\\{}]+)|([{}])")
_FORM_MARKS = re.compile(r"[\\{}]")
_REVTEX = {
    "section": r"\Roman{section}",
    "subsection": r"\thesection \Alph{subsection}",
    "subsubsection": r"\thesubsection \arabic{subsubsection}",
    "table": r"\Roman{table}",
}
_IEEE = {
    "section": r"\Roman{section}",
    "subsection": r"\thesection-\Alph{subsection}",
    "subsubsection": r"\thesubsection\arabic{subsubsection}",
    "table": r"\Roman{table}",
}
_OF_CLASS = {**dict.fromkeys(named("revtex4 revtex4-1 revtex4-2"), _REVTEX), "IEEEtran": _IEEE}
"""Numbers as the class refers to them: Section II B, Section II-B."""
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}")
_LARGEST_ROMAN = 9999
_LONGEST_FORM = 200
_MOST_PARTS = 100
"""A printed number is made of a few parts; forms that use one another may ask for millions."""


class Counters:
    """Counters of one document, in their present state. A number that is not known is None."""

    def __init__(self, *, chapters: bool) -> None:
        self.values: dict[str, int] = {}
        self.within: dict[str, str] = {}
        self.below: dict[str, set[str]] = {}
        """Of each counter those that are within it."""
        self.forms: dict[str, str] = {}
        self.lost: set[str] = set()
        self.groups: list[tuple[str, int, str | None, bool]] = []
        """Of the groups that are open: counter, value, form, and whether its number was lost before."""
        self.depth = 2 if chapters else 3
        order = ("chapter", "section", "subsection", "subsubsection")[0 if chapters else 1 :]
        self.forms["part"] = "\\Roman{part}"
        self.forms[order[0]] = f"\\arabic{{{order[0]}}}"
        for upper, lower in pairwise(order):
            self.reset_by(lower, upper)
        for name in ("equation", "figure", "table"):
            self.forms[name] = f"\\arabic{{{name}}}"
            if chapters:
                self.reset_by(name, "chapter")

    def reset_by(self, counter: str, upper: str) -> None:
        """Count `counter` anew in each `upper`, and show the number of `upper` before it."""
        self.below.get(self.within.get(counter, ""), set()).discard(counter)
        self.below.setdefault(upper, set()).add(counter)
        self.within[counter] = upper
        self.forms[counter] = f"\\the{upper}.\\arabic{{{counter}}}"

    def step(self, counter: str) -> str | None:
        """Add one, reset what counts within it, and give the number."""
        self.put(counter, self.values.get(counter, 0) + 1)
        # Counters may be declared to reset each other in a circle.
        met, waiting = {counter}, [counter]
        while waiting:
            lower = self.below.get(waiting.pop(), set()) - met
            self.values.update(dict.fromkeys(lower, 0))
            met |= lower
            waiting += lower
        return self.show(counter)

    def put(self, counter: str, value: int) -> None:
        r"""Set a counter, as `\setcounter` does."""
        self.values[counter] = value

    def show(self, counter: str) -> str | None:
        r"""Give the number as `\the<counter>` would."""
        form = self.forms.get(counter)
        return None if form is None or counter in self.lost else self._shown(form, iter(range(_MOST_PARTS)))

    def _shown(self, form: str, parts: Iterator[int]) -> str | None:
        """Show a form; None for one that uses itself, or others without end: `parts` runs out."""
        if len(form) > _LONGEST_FORM:
            return None
        shown = ""
        for match in _FORM.finditer(form):
            if next(parts, None) is None:
                return None
            style, counter, other, word, literal, _ = match.groups()
            if style:
                shown += styled(self.values.get(counter, 0), style)
            elif other:
                inner = self.forms.get(other)
                part = None if inner is None else self._shown(inner, parts)
                if part is None:
                    return None
                shown += part
            elif word:
                return None
            else:
                shown += literal or ""
        return shown.strip()

    def open_group(self, counter: str) -> None:
        """Step a counter, and give what is counted in the group its number with letters: 3a, 3b."""
        shown = self.step(counter)
        self.groups.append((counter, self.values[counter], self.forms.get(counter), counter in self.lost))
        self.values[counter] = 0
        if shown is None or _FORM_MARKS.search(shown):
            self.lost.add(counter)
        else:
            self.forms[counter] = f"{shown}\\alph{{{counter}}}"

    def close_group(self, counter: str) -> None:
        """Count on as before the group."""
        if not self.groups or self.groups[-1][0] != counter:
            return
        _, value, form, lost = self.groups.pop()
        self.values[counter] = value
        if form is not None:
            self.forms[counter] = form
        if not lost:
            self.lost.discard(counter)

    def of_class(self, name: str) -> None:
        """Take over how a document class numbers, where that is not as in an article."""
        for counter, form in _OF_CLASS.get(name, {}).items():
            self.forms[counter] = form

    def appendix(self, *, chapters: bool) -> None:
        r"""Go over to letters, as `\appendix` does."""
        top = "chapter" if chapters else "section"
        self.values[top] = 0
        self.forms[top] = f"\\Alph{{{top}}}"


def integer(text: str) -> int | None:
    """Read a number that a counter can hold; None for an expression, or for one that is too large."""
    return int(text) if _INTEGER.fullmatch(text) else None


def styled(value: int, style: str) -> str:
    """Write a counter as LaTeX does: arabic, Alph, alph, Roman, roman."""
    if style == "arabic" or value <= 0:
        return str(value)
    if style in {"Alph", "alph"}:
        letters = "" if value > 26 else chr(ord("a") + value - 1)  # noqa: PLR2004, the alphabet
    else:
        letters = "" if value > _LARGEST_ROMAN else "".join(_roman(value))
    return letters.upper() if style[0].isupper() else letters


def _roman(value: int) -> Iterable[str]:
    for size, sign in _ROMAN:
        while value >= size:
            yield sign
            value -= size


def declare(counters: Counters, theorems: Iterable[Theorem]) -> dict[str, str]:
    """Give each numbered theorem environment its counter; returns environment -> counter."""
    names: dict[str, str] = {}
    for theorem in theorems:
        if not theorem.numbered:
            continue
        if theorem.shared:
            names[theorem.environment] = names.get(theorem.shared, theorem.shared)
        else:
            names[theorem.environment] = theorem.environment
            counters.forms[theorem.environment] = f"\\arabic{{{theorem.environment}}}"
            if theorem.within:
                counters.reset_by(theorem.environment, theorem.within)
    return names


def equation_numbers(counters: Counters, source: str, name: str, found: Sequence[Token]) -> str | None:
    """Number a display: `found` are the tokens of its body. Several rows are joined with ", "."""
    plain = name.rstrip("*")
    if name.startswith(("$$", "\\[", "displaymath")) or name.endswith("*") or plain not in _ROWS | _SINGLE:
        if plain in {"empheq", "dgroup", "darray"} and not name.endswith("*"):
            counters.lost.add("equation")
        return ", ".join(number for row in [found] for number in [_tag(source, row)] if number) or None
    rows = [found] if plain in _SINGLE else _rows(found)
    numbers = [_row_number(counters, source, row) for row in rows]
    return None if None in numbers else ", ".join(number for number in numbers if number) or None


def _row_number(counters: Counters, source: str, row: Sequence[Token]) -> str | None:
    """Number a row; "" if it has none, None if it is not known."""
    if (tag := _tag(source, row)) is not None:
        return tag
    if any(token.name in _UNNUMBERED for token in row):
        return ""
    return counters.step("equation")


def _tag(source: str, row: Sequence[Token]) -> str | None:
    for token in row:
        if token.kind == "command" and token.name == "\\tag":
            groups = arguments(source, token.end, 1).groups
            return source[slice(*groups[0])] if groups else None
    return None


def _rows(found: Sequence[Token]) -> list[list[Token]]:
    rows: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        depth += {"open": 1, "begin": 1, "close": -1, "end": -1}.get(token.kind, 0)
        if depth == 0 and token.kind == "command" and token.name == "\\\\":
            rows.append([])
        else:
            rows[-1].append(token)
    return rows
