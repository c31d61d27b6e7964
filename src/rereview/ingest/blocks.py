"""Cuts the flat text of a LaTeX project into blocks and figures, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from rereview.ingest import environments as env
from rereview.ingest.numbering import LEVELS, equation_numbers
from rereview.ingest.pieces import (
    BlockPiece,
    Document,
    FigurePiece,
    Float,
    Piece,
    Range,
    balanced,
    says_something,
    trimmed,
)
from rereview.text.latex import Token, arguments, skip_space
from rereview.text.macros import Theorem
from rereview.text.modes import DISPLAYS, Region
from rereview.types.manuscript import BlockKind

Step = Callable[[Token], int]

_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")


def cut_blocks(document: Document, start: int, stop: int, before: Sequence[Piece] = ()) -> list[Piece]:
    """Cut the tokens from index `start` to `stop` into pieces that follow those `before`."""
    return Walk(document, before).run(start, stop)


class Walk:
    """One pass over the tokens of a document."""

    def __init__(self, document: Document, before: Sequence[Piece]) -> None:
        self.document = document
        self.text = document.flat.text
        self.tokens = document.tokens
        self.starts = [token.start for token in document.tokens]
        self.pieces: list[Piece] = list(before)
        self.ranges: list[Range] = []
        self.context: list[str] = []
        self.floats: list[Float] = []
        self.groups: list[bool] = []
        """Of each open brace, whether it opens an argument, in which a paragraph does not end."""
        self.closed = False
        self.steps: dict[str, Step] = {
            "command": self._command,
            "begin": self._begin,
            "end": self._end,
            "par": self._par,
            "display": self._display,
            "definition": self._definition,
            "verbatim": self._verbatim,
        }
        self.commands: dict[str, Step] = {
            **dict.fromkeys(LEVELS, self._heading),
            **dict.fromkeys(env.GRAPHICS, self._graphic),
            **dict.fromkeys(("\\[", "\\("), self._display),
            **dict.fromkeys(("\\bibliography", "\\printbibliography"), self._bibliography),
            **dict.fromkeys(("\\caption", "\\captionof", "\\subcaption"), self._caption),
            **dict.fromkeys(("\\abstract", "\\keywords"), self._paragraph_of),
            **dict.fromkeys(("\\setcounter", "\\addtocounter"), self._set_counter),
            "\\par": self._par,
            "\\appendix": self._appendix,
            "\\label": self._float_label,
        }

    def run(self, start: int, stop: int) -> list[Piece]:
        """Cut; returns all pieces found so far."""
        index = start
        while index < stop:
            token = self.tokens[index]
            position = self._step(index, token)
            index = index + 1 if position <= token.end else self._index(position)
        self.flush()
        return self.pieces

    def _index(self, position: int) -> int:
        return bisect_left(self.starts, position)

    # -- one token; each returns the position from which to go on

    def _step(self, index: int, token: Token) -> int:
        if token.kind in self.steps:
            return self.steps[token.kind](token)
        if token.kind == "open":
            self.groups.append(self._opens_argument(index))
        elif token.kind == "close":
            self.closed = self.groups.pop() if self.groups else False
        return self.keep(token.start, token.end)

    def _opens_argument(self, index: int) -> bool:
        before = self.tokens[index - 1] if index else None
        if before is None:
            return False
        if before.kind == "command":
            return (
                before.name not in env.SWITCHES and before.name not in env.BOXES and before.name[1:].isalpha()
            )
        if before.kind == "close":
            return self.closed
        return before.kind == "text" and self.text[before.end - 1] == "]"

    def keep(self, start: int, end: int) -> int:
        """Let this range belong to the paragraph that is being read."""
        if self.ranges and self.ranges[-1][1] == start:
            self.ranges[-1] = (self.ranges[-1][0], end)
        elif start < end:
            self.ranges.append((start, end))
        return end

    def flush(self) -> None:
        """End the paragraph that is being read."""
        ranges, self.ranges = self.ranges, []
        text = self.document.flat.cut(ranges)[0] if ranges else ""
        if not says_something(text, in_float=bool(self.floats)):
            return
        environment = next((name for name in reversed(self.context) if name not in env.LAYOUT), None)
        if self.floats:
            environment = self.floats[-1].kind
        self.emit("paragraph", balanced(self.text, ranges), environment=environment)

    def emit(
        self,
        kind: BlockKind,
        ranges: Sequence[Range],
        *,
        level: int | None = None,
        environment: str | None = None,
        labels: Sequence[str] = (),
        number: str | None = None,
    ) -> int:
        """Add a block; returns its index, or -1 for one without text."""
        ranges = trimmed(self.text, ranges)
        if not ranges:
            return -1
        text, runs = self.document.flat.cut(ranges)
        labels = tuple(dict.fromkeys((*labels, *_LABEL.findall(text))))
        self.pieces.append(BlockPiece(kind, text, runs, tuple(ranges), level, environment, labels, number))
        return len(self.pieces) - 1

    # -- paragraphs, displays, verbatim

    def _par(self, token: Token) -> int:
        if any(self.groups):
            return self.keep(token.start, token.end)
        self.flush()
        return token.end

    def _display(self, token: Token) -> int:
        region = self.document.regions.get(token.start)
        if region is None or region.kind != "display":
            return self.keep(token.start, token.end)
        number = self._number(region)
        if any(self.groups):
            return self.keep(region.start, region.end)
        self.flush()
        name = region.name if region.name in DISPLAYS else None
        self.emit("equation", [(region.start, region.end)], environment=name, number=number)
        return region.end

    def _number(self, region: Region) -> str | None:
        if "subequations" in self.context:
            return None
        body = self.tokens[self._index(region.body_start) : self._index(region.body_end)]
        return equation_numbers(self.document.counters, self.text, region.name, body)

    def _definition(self, token: Token) -> int:
        parts = arguments(self.text, token.start + len(token.name), 2)
        name = self.text[slice(*parts.groups[0])].strip() if parts.groups else ""
        if token.name == "\\renewcommand" and name.startswith("\\the") and len(parts.groups) > 1:
            self.document.counters.forms[name[4:]] = self.text[slice(*parts.groups[1])]
        return token.end

    def _verbatim(self, token: Token) -> int:
        if token.name.startswith("\\"):
            return self.keep(token.start, token.end)
        self.flush()
        if token.name not in env.DROPPED:
            self.emit("paragraph", [(token.start, token.end)], environment=token.name)
        return token.end

    # -- environments

    def _begin(self, token: Token) -> int:
        name, region = token.name, self.document.regions.get(token.start)
        if region is None:
            return token.end
        if name in DISPLAYS:
            return self._display(token)
        if region.name == "math" or not region.outer:
            return self.keep(token.start, token.end)
        if any(self.groups) and name in env.LISTS:
            return self.keep(region.start, region.end)
        self.flush()
        return self._environment(name, region, token)

    def _environment(self, name: str, region: Region, token: Token) -> int:
        theorem = self.document.theorems.get(name)
        if name == "thebibliography":
            self.pieces += self.document.references((region.body_start, region.body_end))
        if name == "thebibliography" or name in env.DROPPED:
            return region.end
        if theorem is not None or name.rstrip("*") in env.THEOREMS or name.startswith("proof"):
            return self._theorem(name, theorem, region)
        if name in env.LISTS or name in env.CAPTURED:
            return self._capture("paragraph", region, environment=name)
        return self._table(region) if name in env.TABULARS else self._enter(name, token, region)

    def _enter(self, name: str, token: Token, region: Region) -> int:
        if name in env.PICTURES:
            return self._picture(region.start, region.end, "TikZ picture", picture=True)
        if name in env.FLOATS:
            self.floats.append(Float(env.FLOATS[name]))
        if name == "subequations":
            self.document.counters.step("equation")
        if name == "appendices":
            self.document.counters.appendix(chapters=self.document.chapters)
        self.context.append(name)
        return arguments(self.text, token.end, env.ENVIRONMENT_ARGUMENTS.get(name, 0)).end

    def _end(self, token: Token) -> int:
        self.flush()
        self.groups.clear()
        if token.name in self.context:
            while self.context.pop() != token.name:
                pass
            if token.name in env.FLOATS and self.floats:
                self.floats.pop().settle(self.pieces)
        return token.end

    def _theorem(self, name: str, theorem: Theorem | None, region: Region) -> int:
        printed = theorem.printed if theorem else name.rstrip("*").capitalize()
        proof = name.startswith("proof") or printed.lower().startswith("proof")
        counter = self.document.theorem_counters.get(name)
        number = self.document.counters.step(counter) if counter else None
        return self._capture("proof" if proof else "theorem", region, environment=printed, number=number)

    def _capture(
        self, kind: BlockKind, region: Region, *, environment: str, number: str | None = None
    ) -> int:
        """Make one block of an environment; floats in it stand after it."""
        inner = [r for r in self._within(region) if r.name in env.FLOATS and r.outer]
        ranges, start = [], region.start
        for hole in inner:
            ranges.append((start, hole.start))
            start = hole.end
        index = self.emit(kind, [*ranges, (start, region.end)], environment=environment, number=number)
        if index >= 0 and self.floats:
            self.floats[-1].tables += [index] if kind == "table" else []
        self._count(region)
        for hole in inner:
            groups, self.groups = self.groups, []
            self.run(self._index(hole.start), self._index(hole.end))
            self.groups = groups
        return region.end

    def _within(self, region: Region) -> list[Region]:
        starts = self.starts[self._index(region.body_start) : self._index(region.body_end)]
        return [self.document.regions[start] for start in starts if start in self.document.regions]

    def _count(self, region: Region) -> None:
        """Step the counters of what stands inside a block and is no block of its own."""
        for inner in self._within(region):
            if inner.kind == "display":
                self._number(inner)
            elif inner.name in self.document.theorem_counters:
                self.document.counters.step(self.document.theorem_counters[inner.name])

    # -- commands

    def _command(self, token: Token) -> int:
        if token.name == "\\label" and not self.floats:
            return self.keep(token.start, token.end)
        return self.commands.get(token.name, self._silent)(token)

    def _bibliography(self, token: Token) -> int:
        self.flush()
        self.pieces += self.document.references(None)
        return arguments(self.text, token.end, 1 if token.name == "\\bibliography" else 0).end

    def _appendix(self, token: Token) -> int:
        self.flush()
        self.document.counters.appendix(chapters=self.document.chapters)
        return token.end

    def _silent(self, token: Token) -> int:
        name = token.name
        if name in env.TITLES:
            return arguments(self.text, token.end, 1).end
        if name in env.SPACES:
            match = env.DIMENSION.match(self.text, token.end)
            return match.end() if match else token.end
        if name in env.BOXES and self._boxed(token):
            return arguments(self.text, token.end, env.BOXES[name]).end if env.BOXES[name] else token.end
        if name in env.SILENT:
            count = env.SILENT[name]
            return arguments(self.text, token.end, count).end if count else token.end
        return self.keep(token.start, token.end)

    def _boxed(self, token: Token) -> bool:
        """True if a box holds blocks of its own, and is not a word in a line."""
        given = arguments(self.text, token.end, env.BOXES[token.name] + 1)
        if not given.groups:
            return token.name == "\\twocolumn"
        inside = self.text[slice(*given.groups[-1])]
        return any(word in inside for word in ("\\begin", "\\includegraphics", "\\title", "\\icml"))

    def _heading(self, token: Token) -> int:
        given = arguments(self.text, token.end, 1)
        if not given.groups:
            return self.keep(token.start, token.end)
        self.flush()
        self.groups.clear()
        level, counters = LEVELS[token.name], self.document.counters
        numbered = not given.star and level <= counters.depth
        number = counters.step(token.name[1:]) if numbered else None
        labels, end = self._labels_after(given.end)
        self.emit("heading", [given.groups[0]], level=level, number=number, labels=labels)
        return end

    def _labels_after(self, position: int) -> tuple[list[str], int]:
        labels = []
        while match := _LABEL.match(self.text, skip_space(self.text, position)):
            labels.append(match.group(1))
            position = match.end()
        return labels, position

    def _paragraph_of(self, token: Token) -> int:
        given = arguments(self.text, token.end, 1)
        if not given.groups:
            return token.end
        self.flush()
        self.context.append(token.name[1:])
        start, end = given.groups[0]
        self.run(self._index(start), self._index(end))
        self.context.pop()
        return given.end

    def _set_counter(self, token: Token) -> int:
        given = arguments(self.text, token.end, 2)
        if len(given.groups) == 2:  # noqa: PLR2004, the counter and its value
            name, value = (self.text[slice(*span)].strip() for span in given.groups)
            counters = self.document.counters
            if not value.lstrip("-").isdigit():
                counters.lost.add(name)
            elif name == "secnumdepth":
                counters.depth = int(value)
            else:
                base = counters.values.get(name, 0) if token.name == "\\addtocounter" else 0
                counters.put(name, base + int(value))
        return given.end

    # -- floats

    def _caption(self, token: Token) -> int:
        of = token.name == "\\captionof"
        given = arguments(self.text, token.end, 2 if of else 1)
        if len(given.groups) < (2 if of else 1):
            return self.keep(token.start, token.end)
        if not of:
            self.flush()
        kind = self.text[slice(*given.groups[0])] if of else self.floats[-1].kind if self.floats else "figure"
        sub = token.name == "\\subcaption" or bool(env.SUBFLOATS.intersection(self.context))
        number = None if given.star or sub else self.document.counters.step(kind)
        index = self.emit("caption", [given.groups[-1]], environment=kind, number=number)
        if index >= 0 and self.floats and not sub:
            self.floats[-1].captions.append(index)
        return given.end

    def _float_label(self, token: Token) -> int:
        given = arguments(self.text, token.end, 1)
        if given.groups and not env.SUBFLOATS.intersection(self.context):
            float_ = self.floats[-1]
            float_.labels.append((len(float_.captions), self.text[slice(*given.groups[0])]))
        return given.end

    def _table(self, region: Region) -> int:
        return self._capture("table", region, environment=region.name)

    def _graphic(self, token: Token) -> int:
        given = arguments(self.text, token.end, env.GRAPHICS[token.name])
        for start, end in given.groups:
            self._picture(start, end, self.text[start:end].strip(), picture=False)
        return given.end

    def _picture(self, start: int, end: int, name: str, *, picture: bool) -> int:
        self.pieces.append(FigurePiece(name, (start, end), picture))
        if self.floats:
            self.floats[-1].figures.append(len(self.pieces) - 1)
        return end
