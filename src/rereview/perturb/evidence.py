"""What the clean paper holds for and against an edit: its surroundings, related passages, quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rereview.perturb.live import Part, live
from rereview.perturb.places import MARKDOWN
from rereview.perturb.scan import main_of
from rereview.text.latex import TokenKind
from rereview.text.normalise import Folded, collapse
from rereview.text.related import LIMIT, REACH, Passage, related
from rereview.types.manuscript import SourceSpan

CONTEXT = 200
"""Characters shown to each side (paper, appendix)."""

_UNSEEN: frozenset[TokenKind] = frozenset({"comment", "dead", "conditional", "definition", "after-end"})


@dataclass(frozen=True)
class Evidence:
    """The clean source of a paper: its files by name, and the main one (None to find it)."""

    files: Mapping[str, str]
    main: str | None = None

    def around(self, span: SourceSpan, reach: int = CONTEXT) -> tuple[str, str]:
        """What stands before and after a span, white space collapsed; of what no reader sees, nothing."""
        text = self.visible[span.file]
        return (
            collapse(text[max(span.start - reach, 0) : span.start]).text.strip(),
            collapse(text[span.end : span.end + reach]).text.strip(),
        )

    def find(self, quote: str, *, outside: SourceSpan | None = None) -> SourceSpan | None:
        """The first place where a quote stands verbatim, white space aside, cutting no word or number.

        `outside`: a span that it may not share a character with. None: it stands nowhere else.
        """
        words = collapse(quote).text.strip()
        for file, text in self._collapsed.items() if words else ():
            at = text.text.find(words)
            while at >= 0:
                start, end = text.original(at, at + len(words))
                place = SourceSpan(file=file, start=start, end=end)
                if _is_whole(text.text, at, at + len(words)) and not _shares(place, outside):
                    return place
                at = text.text.find(words, at + 1)
        return None

    def related(self, span: SourceSpan, quote: str | None = None, limit: int = LIMIT) -> tuple[str, ...]:
        """At most `limit` passages of the paper about what stands at a span, in the order of the paper.

        The surroundings of `quote` are among them, with nothing to tell them from the others.
        """
        names = tuple(self.files)
        own = names.index(span.file), span.start, span.end
        found = related(
            self.files[span.file][span.start : span.end], tuple(self.visible.values()), own=own, limit=limit
        )
        place = self.find(quote, outside=span) if quote else None
        if place is not None:
            found = self._with(found, place, own, limit)
        return tuple(collapse(each.text).text.strip() for each in found)

    def _with(
        self, found: tuple[Passage, ...], place: SourceSpan, own: tuple[int, int, int], limit: int
    ) -> tuple[Passage, ...]:
        piece = tuple(self.files).index(place.file)
        text = self.visible[place.file]
        start, end = max(place.start - REACH, 0), min(place.end + REACH, len(text))
        if piece == own[0]:
            start, end = (start, min(end, own[1])) if place.end <= own[1] else (max(start, own[2]), end)
        others = [each for each in found if each.piece != piece or each.end <= start or end <= each.start]
        return tuple(sorted([Passage(piece, start, end, text[start:end]), *others[: limit - 1]]))

    @cached_property
    def visible(self) -> Mapping[str, str]:
        """The files with spaces for all that no reader sees; offsets are those of the files."""
        main = self.main or main_of(self.files)
        if main.lower().endswith(MARKDOWN):
            return self.files
        parts = {part.file: part for part in live(self.files, main).parts}
        return {
            name: _seen(parts[name]) if name in parts else " " * len(text)
            for name, text in self.files.items()
        }

    @cached_property
    def _collapsed(self) -> Mapping[str, Folded]:
        return {name: collapse(text) for name, text in self.visible.items()}


def _seen(part: Part) -> str:
    pieces = [
        " " * (each.end - each.start)
        if each.kind in _UNSEEN or not part.start <= each.start < part.stop
        else part.text[each.start : each.end]
        for each in part.tokens
    ]
    return "".join(pieces)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell if neither end lies within a word or a number."""
    before, after = text[max(start - 2, 0) : start + 1], text[end - 1 : end + 2]
    return not (_joins(before[-2:]) or _joins(after[:2]) or _decimal(before) or _decimal(after))


def _joins(pair: str) -> bool:
    return len(pair) == 2 and pair.isalnum()  # noqa: PLR2004 - the characters on both sides of an end


def _decimal(three: str) -> bool:
    return len(three) == 3 and three[0].isdigit() and three[1] in ".," and three[2].isdigit()  # noqa: PLR2004 - and the mark between


def _shares(one: SourceSpan, other: SourceSpan | None) -> bool:
    return other is not None and one.file == other.file and one.start < other.end and other.start < one.end
