r"""A formula sign for sign: what is printed, whatever it is set in.

Left out is what prints nothing or only changes the face of a letter: white space, dollars and other
delimiters of mathematics, `\left` and `\right`, spacing, font commands with their braces, and braces
around a single sign. All else stays as it is written: case, brackets, indices, relations, numbers.
"""

from __future__ import annotations

import re

import numpy as np

from rereview.text.latex import named
from rereview.text.normalise import Folded

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_SWITCHES = named(r"\rm \bf \it \bfseries \itshape")
_FONTS = _SWITCHES | named(
    r"\mathrm \mathbf \mathit \mathsf \mathtt \mathnormal \boldsymbol \bm \text \textrm \textbf \textit"
    r" \operatorname \mbox \hbox"
)
_NOTHING = named(
    r"\left \right \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm"
    r" \displaystyle \textstyle \limits \nolimits \quad \qquad \, \; \: \! \> \( \) \[ \]"
) | {"\\ ", "\\\n"}
_DELIMITERS = frozenset({r"\left", r"\right"})
_GAPS = frozenset("$&~")


def printed(text: str) -> Folded:
    """The signs of a text; each with its place. Linear in the length."""
    scan = _Scan()
    for found in _TOKEN.finditer(text):
        scan.take(found.group(), found.start(), found.end())
    kept = [sign for sign in scan.signs if sign[0]]
    lengths = [len(word) for word, _, _ in kept]
    return Folded(
        "".join(word for word, _, _ in kept),
        np.repeat(np.array([start for _, start, _ in kept], dtype=np.int32), lengths),
        np.repeat(np.array([end for _, _, end in kept], dtype=np.int32), lengths),
    )


class _Scan:
    """Signs with their places, and the braces that are open."""

    def __init__(self) -> None:
        self.signs: list[tuple[str, int, int]] = []
        self.count = 0
        self.open: list[tuple[int, int, bool]] = []
        """Of each open brace its place in `signs`, the signs before it, and if it is that of a font."""
        self.last = ""

    def take(self, sign: str, start: int, end: int) -> None:
        """Go on by a command, a brace or a character."""
        last = self.last
        if sign.isspace() or sign in _GAPS:
            return
        self.last = sign
        if sign in _SWITCHES and last == "{":
            self._of_font()
        elif sign in _FONTS or sign in _NOTHING or (sign == "." and last in _DELIMITERS):
            return
        elif sign == "{":
            font = last in _FONTS
            self.open.append((len(self.signs), self.count, font))
            self.signs.append(("" if font else sign, start, end))
        elif sign == "}" and self.open:
            self._close(start, end)
        else:
            self.signs.append((sign, start, end))
            self.count += 1

    def _of_font(self) -> None:
        """The brace that is open was there for what comes: a font for all that stands in it."""
        at, before, _ = self.open.pop()
        self.open.append((at, before, True))
        self._drop(at)

    def _drop(self, at: int) -> None:
        self.signs[at] = ("", *self.signs[at][1:])

    def _close(self, start: int, end: int) -> None:
        at, before, font = self.open.pop()
        if font:
            return
        if self.count - before == 1:
            self._drop(at)
            return
        self.signs.append(("}", start, end))
