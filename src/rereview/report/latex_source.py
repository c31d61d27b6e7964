"""LaTeX text that knows where each of its characters stands, also after macros were expanded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rereview.report.pieces import Run


@dataclass(frozen=True)
class Source:
    """Text with the place of each of its characters: an expanded macro stands where it was called."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str, at: int = 0) -> Source:
        """The text of a block, or a part of it that starts at `at`."""
        return cls(text, tuple(range(at, at + len(text))), tuple(range(at + 1, at + len(text) + 1)))

    def cut(self, start: int, end: int) -> Source:
        """A part, with its places."""
        return Source(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def runs(self, start: int, end: int) -> Iterator[Run]:
        """`text[start:end]` as it is, cut where it is not one stretch of the block's text."""
        while start < end:
            first, last, stop = self.starts[start], self.ends[start], start + 1
            exact = last - first == 1
            while stop < end and self._goes_on(stop, last, (first, last), exact=exact):
                last, stop = self.ends[stop], stop + 1
            yield Run(first, last, self.text[start:stop], exact)
            start = stop

    def _goes_on(self, at: int, last: int, whole: tuple[int, int], *, exact: bool) -> bool:
        if exact:
            return self.starts[at] == last and self.ends[at] == last + 1
        return (self.starts[at], self.ends[at]) == whole

    def placed(self, text: str, start: int, end: int) -> Source:
        """`text`, all of it standing where `self.text[start:end]` stands."""
        first, last = self.starts[start], self.ends[end - 1]
        return Source(text, (first,) * len(text), (last,) * len(text))


def joined(parts: Sequence[Source]) -> Source:
    """One source after the other."""
    return Source(
        "".join(part.text for part in parts),
        tuple(place for part in parts for place in part.starts),
        tuple(place for part in parts for place in part.ends),
    )


def fellow_of(text: str, start: int, mark: str) -> int:
    r"""The place of the dollar signs that end a formula begun before `start`; -1 if there are none.

    Those inside braces (`\text{for $x$}`) come last in question.
    """
    first, depth, at = -1, 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if text.startswith(mark, at):
            if depth <= 0:
                return at
            first = at if first < 0 else first
        at += 1
    return first


def closing_of(text: str, start: int, opening: str, closing: str) -> int | None:
    """The place of the delimiter that closes the one at `start`."""
    depth, at = 0, start
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
            continue
        if character == opening:
            depth += 1
        elif character == closing:
            depth -= 1
            if depth == 0:
                return at
        elif character == "}" and opening == "[" and _leaves_group(text, start, at):
            return None
        at += 1
    return None


def _leaves_group(text: str, start: int, at: int) -> bool:
    """True if a bracket was left open in a group that ends at `at`."""
    return text.count("{", start, at) < text.count("}", start, at + 1)
