"""Cuts the flat text of a LaTeX project into blocks and figures, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from rereview.ingest.numbering import equation_numbers, integer
from rereview.ingest.pieces import Document, FigurePiece, Float, Piece, Range, without_layout
from rereview.ingest.walk import Step, Walk
from rereview.text import environments as env
from rereview.text.arguments import arguments, skip_space
from rereview.text.latex import Token
from rereview.text.macros import Theorem
from rereview.text.modes import DISPLAYS, Region
from rereview.types.manuscript import BlockKind

_ROW_END = re.compile(r"(?:\s*\\label\s*\{[^{}]*\})?\s*(?:\\\\|\\tabularnewline)(?:\[[^\]]{0,100}\])?")
_BLOCK_MARK = re.compile(r"\\(?:begin|includegraphics|title|icml)")


def cut_blocks(document: Document, start: int, stop: int, before: Sequence[Piece] = ()) -> list[Piece]:
    """Cut the tokens from index `start` to `stop` into pieces that follow those `before`."""
    return _Blocks(document, before).run(start, stop)


class _Blocks(Walk):
    """Knows what each environment and command makes."""

    def __init__(self, document: Document, before: Sequence[Piece]) -> None:
        super().__init__(document, before)
        self.steps = {
            "command": self._command,
            "begin": self._begin,
            "end": self._end,
            "par": self._par,
            "display": self._display,
            "definition": self._definition,
            "verbatim": self._verbatim,
        }
        self.commands: dict[str, Step] = {
            **dict.fromkeys(env.LEVELS, self._heading),
            **dict.fromkeys(env.GRAPHICS, self._graphic),
            **dict.fromkeys(("\\[", "\\("), self._display),
            **dict.fromkeys(("\\bibliography", "\\printbibliography"), self._bibliography),
            **dict.fromkeys(("\\caption", "\\captionof", "\\subcaption", "\\tablecaption"), self._caption),
            **dict.fromkeys(("\\abstract", "\\keywords"), self._paragraph_of),
            **dict.fromkeys(("\\setcounter", "\\addtocounter"), self._set_counter),
            "\\par": self._par,
            "\\appendix": self._appendix,
            "\\label": self._float_label,
        }

    # -- paragraphs, displays, verbatim

    def _par(self, token: Token) -> int:
        if self.arguments:
            return self.keep(token.start, token.end)
        self.flush()
        return token.end

    def _display(self, token: Token) -> int:
        region = self.document.regions.get(token.start)
        if region is None or region.kind != "display":
            return self.keep(token.start, token.end)
        number = self._number(region)
        if self.arguments:
            return self.keep(region.start, region.end)
        self.flush()
        name = region.name if region.name in DISPLAYS else None
        self.emit("equation", [(region.start, region.end)], environment=name, number=number)
        return region.end

    def _number(self, region: Region) -> str | None:
        return equation_numbers(self.document.counters, self.text, region.name, self.inside(region))

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
        if self.arguments and name in env.LISTS:
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
            self.document.counters.open_group("equation")
        if name == "appendices":
            self.document.counters.appendix(chapters=self.document.chapters)
        self.context.append(name)
        own = self.document.environment_arguments.get(name, 0)
        return arguments(self.text, token.end, env.ENVIRONMENT_ARGUMENTS.get(name, own)).end

    def _end(self, token: Token) -> int:
        self.flush()
        self.forget_groups()
        if token.name in self.context:
            while (left := self.context.pop()) != token.name:
                self._leave(left)
            self._leave(left)
            if token.name in env.FLOATS and self.floats:
                self.floats.pop().settle(self.pieces)
        return token.end

    def _leave(self, name: str) -> None:
        if name == "subequations":
            self.document.counters.close_group("equation")

    def _theorem(self, name: str, theorem: Theorem | None, region: Region) -> int:
        printed = theorem.printed if theorem else name.rstrip("*").capitalize()
        proof = name.startswith("proof") or printed.lower().startswith("proof")
        counter = self.document.theorem_counters.get(name)
        number = self.document.counters.step(counter) if counter else None
        return self._capture("proof" if proof else "theorem", region, environment=printed, number=number)

    def _capture(
        self,
        kind: BlockKind,
        region: Region,
        *,
        environment: str,
        number: str | None = None,
        holes: Sequence[Range] = (),
    ) -> int:
        """Make one block of an environment; floats in it stand after it."""
        inner = self._floats_in(region)
        ranges, start = [], region.start
        for low, high in sorted([*holes, *((hole.start, hole.end) for hole in inner)]):
            ranges.append((start, low))
            start = high
        index = self.emit(kind, [*ranges, (start, region.end)], environment=environment, number=number)
        if index >= 0 and self.floats:
            self.floats[-1].tables += [index] if kind == "table" else []
        self._count(region)
        for hole in inner:
            self.forget_groups()
            self.run(self.index(hole.start), self.index(hole.end))
        return region.end

    def _floats_in(self, region: Region) -> list[Region]:
        floats: list[Region] = []
        for inner in self.within(region):
            if inner.name in env.FLOATS and inner.outer and (not floats or inner.start >= floats[-1].end):
                floats.append(inner)
        return floats

    def _count(self, region: Region) -> None:
        """Step the counters of what stands inside a block and is no block of its own."""
        for inner in self.within(region):
            if inner.kind == "display":
                self._number(inner)
            elif inner.name in self.document.theorem_counters:
                self.document.counters.step(self.document.theorem_counters[inner.name])

    # -- commands

    def _command(self, token: Token) -> int:
        if token.name == "\\label" and not self.floats:
            return self._group_label(token)
        return self.commands.get(token.name, self._silent)(token)

    def _group_label(self, token: Token) -> int:
        """A label that opens a group of equations is one of the first of them."""
        given = arguments(self.text, token.end, 1)
        if "subequations" not in self.context or not given.groups:
            return self.keep(token.start, token.end)
        self.pending.append(self.text[slice(*given.groups[0])])
        return given.end

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
        start, end = given.groups[-1]
        index = bisect_left(self.block_marks, start)
        return index < len(self.block_marks) and self.block_marks[index] < end

    @cached_property
    def block_marks(self) -> list[int]:
        """Where something stands that makes a block: boxes may stand in each other."""
        return [match.start() for match in _BLOCK_MARK.finditer(self.text)]

    def _heading(self, token: Token) -> int:
        given = arguments(self.text, token.end, 1)
        if not given.groups:
            return self.keep(token.start, token.end)
        self.flush()
        self.forget_groups()
        level, counters = env.LEVELS[token.name], self.document.counters
        numbered = not given.star and level <= counters.depth
        number = counters.step(token.name[1:]) if numbered else None
        labels, end = self._labels_after(given.end)
        self.emit(
            "heading", without_layout(self.text, [given.groups[0]]), level=level, number=number, labels=labels
        )
        return end

    def _labels_after(self, position: int) -> tuple[list[str], int]:
        labels = []
        while found := self.document.labels.at(self.text, skip_space(self.text, position)):
            name, position = found
            labels.append(name)
        return labels, position

    def _paragraph_of(self, token: Token) -> int:
        given = arguments(self.text, token.end, 1)
        if not given.groups:
            return token.end
        self.flush()
        depth = len(self.context)
        self.context.append(token.name[1:])
        start, end = given.groups[0]
        self.run(self.index(start), self.index(end))
        # What stands in the braces may end what was begun before them.
        del self.context[depth:]
        return given.end

    def _set_counter(self, token: Token) -> int:
        given = arguments(self.text, token.end, 2)
        if len(given.groups) == 2:  # noqa: PLR2004, the counter and its value
            name, given_value = (self.text[slice(*span)].strip() for span in given.groups)
            counters, value = self.document.counters, integer(given_value)
            if value is None:
                counters.lost.add(name)
            elif name == "secnumdepth":
                counters.depth = value
            else:
                base = counters.values.get(name, 0) if token.name == "\\addtocounter" else 0
                counters.put(name, base + value)
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
        index = self.emit(
            "caption", without_layout(self.text, [given.groups[-1]]), environment=kind, number=number
        )
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
        captions = [token for token in self.inside(region) if token.name in {"\\caption", "\\tablecaption"}]
        if not captions:
            return self._capture("table", region, environment=region.name)
        # A longtable holds its caption; what repeats it on further pages is no caption of its own.
        float_ = Float("table")
        self.floats.append(float_)
        self._caption(captions[0])
        holes = [self._caption_row(token) for token in captions]
        for label in self.inside(region):
            if label.name == "\\label":
                self._float_label(label)
        self._capture("table", region, environment=region.name, holes=holes)
        self.floats = [other for other in self.floats if other is not float_]
        float_.settle(self.pieces)
        return region.end

    def _caption_row(self, token: Token) -> Range:
        end = arguments(self.text, token.end, 1).end
        match = _ROW_END.match(self.text, end)
        return token.start, match.end() if match else end

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
