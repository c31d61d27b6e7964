"""Paragraphs of LaTeX source as passages: exact ranges in which every brace and environment closes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from rereview.perturb.live import Part
from rereview.perturb.passages import Passage
from rereview.perturb.statements import environment_at, kind_at
from rereview.text import environments as env
from rereview.text.arguments import arguments
from rereview.text.inclusions import INPUTS, inclusion
from rereview.text.latex import Token, named
from rereview.text.macros import Theorem
from rereview.text.modes import Region

_SILENT_PREFIX = ("\\cite", "\\Cite", "\\parencite", "\\textcite", "\\footcite", "\\hspace", "\\vspace")
_SILENT_SUFFIX = ("ref", "ref*", "cite", "citep", "citet", "graphics", "label")
_CUTS = named(
    r"\par \maketitle \newpage \clearpage \cleardoublepage \bigskip \medskip \smallskip \appendix"
    r" \tableofcontents \caption \captionof \subcaption \bibliography \printbibliography \item \bibitem"
)
_CAPTIONS = named(r"\caption \captionof \subcaption")
_THANKS = re.compile(r"acknowledge?ments?\*?\Z|acks?\Z", re.IGNORECASE)
_HELD = named("thebibliography restatable restatable*")
_SKIPPED = env.PICTURES | env.CAPTURED | env.DROPPED | env.TABULARS | frozenset(env.FLOATS)
_BEFORE = re.compile(r"(?:\s|%[^\r\n]*(?:[\r\n]|\Z)|\\label\s*\{[^{}]*\})+")
_AFTER = re.compile(r"(?:\s+|(?<!\\)%[^\r\n]*|\\label\s*\{[^{}]*\})\Z")
_MARKUP = re.compile(r"\\[A-Za-z]+|\$[^$]*\$|[{}]")


def passages(part: Part, theorems: Mapping[str, Theorem]) -> Iterator[Passage]:
    """The paragraphs of a file in order, without those of floats, theorems, proofs and references."""
    return _Cutter(part, theorems).run()


def captions(part: Part) -> Iterator[Passage]:
    """The captions of a file in order, each as a passage of its own."""
    text = part.text
    for token in part.live:
        if token.kind != "command" or token.name not in _CAPTIONS:
            continue
        count = 2 if token.name == "\\captionof" else 1
        groups = arguments(text, token.end, count).groups
        if len(groups) == count:
            start, end = _trimmed(text, *groups[-1])
            if start < end:
                yield Passage(start, end, part.mark(start).headings, _words(text[start:end]))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out white space, comments and labels at both ends."""
    first = _BEFORE.match(text, start, end)
    start = first.end() if first else start
    while (last := _AFTER.search(text, start, end)) is not None and last.start() < end:
        end = last.start()
    return start, end


@dataclass
class _Cutter:
    part: Part
    theorems: Mapping[str, Theorem]
    start: int | None = None
    """Where the paragraph that is being read begins; None between two."""
    end: int = 0
    prose: list[str] = field(default_factory=list)
    depth: int = 0
    """Braces that are open in it."""
    lists: list[str] = field(default_factory=list)
    """Lists that are cut into their items."""

    def run(self) -> Iterator[Passage]:
        part = self.part
        regions = {region.start: region for region in part.regions}
        position = part.start
        front = _front(part, regions)
        for token in part.live:
            if token.start < position:
                continue
            cut, position = self._step(token, regions)
            if cut:
                yield from self._passage(front)
        yield from self._passage(front)

    def _step(  # noqa: PLR0911  a return for each kind of token
        self, token: Token, regions: Mapping[int, Region]
    ) -> tuple[bool, int]:
        """Whether a paragraph ends before this token, and the position from which to go on."""
        region = regions.get(token.start)
        if region is not None and region.kind != "environment":
            return False, self._keep(region.start, region.end)
        if token.kind == "begin":
            return self._begin(token, region)
        if token.kind == "end" or (token.kind == "verbatim" and not token.name.startswith("\\")):
            return True, token.end
        if token.kind == "par":
            return self.depth == 0, token.end
        if token.kind in {"open", "close"}:
            return self._brace(token)
        if token.kind == "command":
            return self._command(token)
        if token.kind == "text":
            self._text(token)
        return False, token.end

    def _begin(self, token: Token, region: Region | None) -> tuple[bool, int]:
        if region is None:
            return True, token.end
        name, written = token.name, environment_at(self.part.text, token.start) or token.name
        if name in _SKIPPED or name in _HELD or _THANKS.match(name) or {name, written} & self.theorems.keys():
            return True, region.end
        if kind_at(self.part.text, token.start, name, self.theorems):
            return True, region.end
        if name in env.LISTS and not self._has_blank_line(region):
            self.prose.append(_words(self.part.text[region.body_start : region.body_end]))
            return False, self._keep(region.start, region.end)
        return True, arguments(self.part.text, token.end, env.ENVIRONMENT_ARGUMENTS.get(name, 0)).end

    def _has_blank_line(self, region: Region) -> bool:
        first = bisect_left(self.part.live, region.body_start, key=_start)
        last = bisect_left(self.part.live, region.body_end, first, key=_start)
        inside = islice(self.part.live, first, last)
        return any(token.kind == "par" or token.name in _SKIPPED for token in inside)

    def _brace(self, token: Token) -> tuple[bool, int]:
        if token.kind == "close" and self.depth == 0:
            return True, token.end
        self.depth += 1 if token.kind == "open" else -1
        return False, self._keep(token.start, token.end)

    def _command(self, token: Token) -> tuple[bool, int]:  # noqa: PLR0911  a return for each kind
        name, text = token.name, self.part.text
        if name in env.LEVELS or name in env.TITLES or name in _CAPTIONS:
            return True, arguments(text, token.end, 2 if name == "\\captionof" else 1).end
        if name in INPUTS:
            return True, inclusion(text, token).end
        if name in _CUTS:
            return True, arguments(text, token.end, 0).end
        if name in env.GRAPHICS or name.startswith(_SILENT_PREFIX) or name.endswith(_SILENT_SUFFIX):
            end = arguments(text, token.end, 1).end
            return False, self._keep(token.start, end) if self.start is not None or _is_cited(name) else end
        if env.SILENT.get(name):
            return self.start is None, arguments(text, token.end, env.SILENT[name]).end
        if self.start is None and (name in env.SILENT or name in env.SIZES):
            return False, token.end
        return False, self._keep(token.start, token.end)

    def _text(self, token: Token) -> None:
        text = self.part.text[token.start : token.end]
        bare = text.strip()
        if not bare:
            return
        self.prose.append(text)
        low = token.start + len(text) - len(text.lstrip())
        self._keep(low, token.start + len(text.rstrip()))

    def _keep(self, start: int, end: int) -> int:
        if self.start is None:
            self.start = start
        self.end = max(self.end, end)
        return end

    def _passage(self, front: tuple[int, Sequence[tuple[int, int]]]) -> Iterator[Passage]:
        start, end, prose, depth = self.start, self.end, "".join(self.prose), self.depth
        self.start, self.end, self.depth = None, 0, 0
        self.prose.clear()
        if start is None or (start < front[0] and not any(low <= start < high for low, high in front[1])):
            return
        if depth == 0:
            yield Passage(start, end, self.part.mark(start).headings, prose)


def _front(part: Part, regions: Mapping[int, Region]) -> tuple[int, Sequence[tuple[int, int]]]:
    """Where the front matter ends, and the abstracts in it: names and addresses claim nothing."""
    abstracts = [(r.body_start, r.body_end) for r in regions.values() if r.name.startswith("abstract")]
    heads = [token.start for token in part.live if token.kind == "command" and token.name in env.LEVELS]
    first = min(heads, default=part.stop)
    made = [token.end for token in part.live if token.name == "\\maketitle" and token.start < first]
    return max([*(high for _, high in abstracts if high < first), *made], default=0), abstracts


def _start(token: Token) -> int:
    return token.start


def _is_cited(name: str) -> bool:
    return "cite" in name or name.endswith("ref")


def _words(text: str) -> str:
    return _MARKUP.sub(" ", text)
