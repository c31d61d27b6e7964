"""Where mathematics and environments begin and end: a stack of modes over the tokens of `text.latex`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from rereview.text.latex import Token, named

RegionKind = Literal["inline", "display", "environment"]
FrameKind = Literal["inline", "display", "environment", "group"]

_STARRED = named(
    "equation align gather multline flalign alignat eqnarray displaymath dmath IEEEeqnarray xalignat"
    " xxalignat empheq dgroup darray"
)
DISPLAYS = _STARRED | {f"{name}*" for name in _STARRED}
_TEXT = named(
    "tabular tabular* tabularx tabulary longtable minipage itemize enumerate description tikzpicture"
)
_TEXT_COMMANDS = named(r"\mbox \hbox \vbox \fbox \intertext \shortintertext \tag \footnote \parbox \label")
_OPENERS = {"\\(": "\\)", "\\[": "\\]"}
_CLOSERS = {"\\)": "\\(", "\\]": "\\["}


class Region(NamedTuple):
    """Mathematics or an environment, with its delimiters from `start` to `end`.

    `name` is the environment or the opening delimiter. `outer`: it does not stand in mathematics.
    """

    kind: RegionKind
    name: str
    start: int
    body_start: int
    body_end: int
    end: int
    outer: bool


class Problem(NamedTuple):
    """Something that does not match: what, and where it stands."""

    what: str
    at: int


class Nesting(NamedTuple):
    """Regions in order of their start (the outer one first), and what does not match."""

    regions: tuple[Region, ...]
    problems: tuple[Problem, ...]

    def depth(self) -> int:
        """How many regions stand in each other, at most."""
        deepest = 0
        around: list[int] = []
        for region in self.regions:
            while around and around[-1] <= region.start:
                around.pop()
            around.append(region.end)
            deepest = max(deepest, len(around))
        return deepest


class _Frame(NamedTuple):
    kind: FrameKind
    name: str
    start: int
    body_start: int
    math: bool
    """What stands directly in it is mathematics."""
    outer: bool
    """It does not stand in mathematics, nor in text in mathematics."""
    arguments: int
    """How many of the frames up to this one are arguments of commands."""


def nest(source: str, found: Sequence[Token]) -> Nesting:
    """Match what opens with what closes. What stays open is a problem and no region."""
    return _Modes(source).run(found)


class _Modes:
    def __init__(self, source: str) -> None:
        self.source = source
        self.stack: list[_Frame] = []
        self.modes: list[int] = []
        """Indices of the frames that are no groups."""
        self.open: Counter[str] = Counter()
        """How many of them have each name."""
        self.regions: list[Region] = []
        self.problems: list[Problem] = []
        self.before: Token | None = None
        """The control sequence whose arguments may be standing here."""
        self.steps: dict[str, Callable[[Token], None]] = {
            "open": self._open,
            "close": self._close,
            "command": self._command,
            "math": lambda token: self._dollar(token.start, token.end),
            "display": self._dollars,
            "begin": self._begin,
            "end": self._end,
            "par": lambda _: self._par(),
        }

    def run(self, found: Sequence[Token]) -> Nesting:
        for token in found:
            self._step(token)
        self._drop(0)
        self.regions.sort(key=lambda region: (region.start, -region.end))
        return Nesting(tuple(self.regions), tuple(sorted(self.problems, key=lambda p: p.at)))

    def _step(self, token: Token) -> None:
        if token.kind == "text":
            if not self.source[token.start : token.end].isspace():
                self.before = None
            return
        if token.kind in self.steps:
            self.steps[token.kind](token)
        self.before = token if token.kind == "command" else None

    @property
    def _math(self) -> bool:
        return bool(self.stack) and self.stack[-1].math

    @property
    def _outer(self) -> bool:
        if not self.stack:
            return True
        above = self.stack[-1]
        return above.outer and above.kind not in {"inline", "display"}

    def _mode(self) -> int:
        """Index of the innermost frame that is no group, or -1."""
        return self.modes[-1] if self.modes else -1

    def _push(self, kind: FrameKind, name: str, start: int, end: int, *, math: bool) -> None:
        self.modes.append(len(self.stack))
        self.open[name] += 1
        self.stack.append(_Frame(kind, name, start, end, math, self._outer, self._arguments))

    @property
    def _arguments(self) -> int:
        return self.stack[-1].arguments if self.stack else 0

    def _emit(self, index: int, token_start: int, token_end: int) -> None:
        """Close the frame at `index`; what is open above it is dropped."""
        self._drop(index + 1)
        kind, name, start, body_start, _, outer, _ = self.stack.pop()
        self.modes.pop()
        self.open[name] -= 1
        if kind != "group":
            self.regions.append(Region(kind, name, start, body_start, token_start, token_end, outer))

    def _drop(self, index: int) -> None:
        for frame in self.stack[index:]:
            self.problems.append(Problem(f"{frame.name} is not closed", frame.start))
            self.open[frame.name] -= frame.kind != "group"
        del self.stack[index:]
        while self.modes and self.modes[-1] >= index:
            self.modes.pop()

    def _open(self, token: Token) -> None:
        name = self.before.name if self.before else ""
        text = name in _TEXT_COMMANDS or (name.startswith("\\text") and name != "\\textstyle")
        math = self._math and not text
        arguments = self._arguments + bool(name)
        self.stack.append(_Frame("group", "{", token.start, token.end, math, self._outer, arguments))

    def _close(self, token: Token) -> None:
        if self.stack and self.stack[-1].kind == "group":
            self.stack.pop()
        else:
            self.problems.append(Problem("} closes nothing", token.start))

    def _command(self, token: Token) -> None:
        if token.name in _OPENERS:
            if self._math:
                self.problems.append(Problem(f"{token.name} in mathematics", token.start))
                return
            kind: FrameKind = "inline" if token.name == "\\(" else "display"
            self._push(kind, token.name, token.start, token.end, math=True)
        elif token.name in _CLOSERS:
            mode = self._mode()
            if mode >= 0 and self.stack[mode].name == _CLOSERS[token.name]:
                self._emit(mode, token.start, token.end)
            else:
                self.problems.append(Problem(f"{token.name} closes nothing", token.start))

    def _dollar(self, start: int, end: int) -> None:
        mode = self._mode()
        # In mathematics a $ inside the argument of a macro is text of that macro.
        argument = self._arguments > (self.stack[mode].arguments if mode >= 0 else 0)
        if mode >= 0 and self.stack[mode].name == "$" and not argument:
            self._emit(mode, start, end)
        elif not self._math or argument:
            self._push("inline", "$", start, end, math=True)
        else:
            self.problems.append(Problem("$ in a display", start))

    def _dollars(self, token: Token) -> None:
        mode = self._mode()
        name = self.stack[mode].name if mode >= 0 else ""
        if name == "$$":
            self._emit(mode, token.start, token.end)
        elif name == "$":
            self._dollar(token.start, token.start + 1)
            self._dollar(token.start + 1, token.end)
        elif self._math:
            self.problems.append(Problem("$$ in a display", token.start))
        else:
            self._push("display", "$$", token.start, token.end, math=True)

    def _begin(self, token: Token) -> None:
        if token.name in DISPLAYS:
            self._push("display", token.name, token.start, token.end, math=True)
        elif token.name == "math":
            self._push("inline", token.name, token.start, token.end, math=True)
        else:
            math = self._math and token.name not in _TEXT
            self._push("environment", token.name, token.start, token.end, math=math)

    def _end(self, token: Token) -> None:
        if self.open[token.name]:
            index = next(index for index in reversed(self.modes) if self.stack[index].name == token.name)
            self._emit(index, token.start, token.end)
            return
        self.problems.append(Problem(f"\\end{{{token.name}}} closes nothing", token.start))

    def _par(self) -> None:
        # TeX ends mathematics between delimiters at a blank line; so one stray $ costs one paragraph.
        while (mode := self._mode()) >= 0 and self.stack[mode].name in {"$", "\\(", "$$", "\\["}:
            self._drop(mode)
