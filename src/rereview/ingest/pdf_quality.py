"""Whether the text that a PDF gives is language: fonts without a usable encoding give garbage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rereview.ingest.pdf_text import Line, Page
from rereview.text.plurals import many

_MOST_ODD = 0.05
"""Control, private and unassigned characters among all of a page's; good text layers have below 0.01."""
_FEWEST_CHARACTERS = 200
"""Below this a page (a title, a figure) cannot be judged."""
_MOST_BAD = 0.2
"""Share of unreadable pages at which a paper is refused."""
_FEWEST_WORDS = 300
_FEWEST_STOP_WORDS = 0.01
_FEWEST_VOWELS = 0.75

_GLYPH_NAME = re.compile(r"\(cid:\d+\)|/[A-Z]{1,2}\d{1,3}(?=\W|$)|/g\d+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LATIN = re.compile(r"[a-zA-ZÀ-ɏ]+\Z")
_VOWEL = re.compile(r"[aeiouyà-æè-ïò-öø-ýăąēėęěīįıōőœũūůűų]")
_STOP_WORDS = frozenset(
    word
    for language in (
        "the of and to in is that for we with as are by this on an be it from which at or can not",
        "der die das und von zu den mit ist im für auf ein eine des",
        "le la les de et des est dans pour que une un du par el los las en del y se por con una",
        "il di che e per non della o da os em um uma do het van een dat is te op att och av som är det",
        "i w na z się do je že v",
    )
    for word in language.split()
)


def unreadable(pages: Sequence[Page]) -> str | None:
    """Say why the text cannot be used, or None where it can."""
    judged = [page for page in pages if _size(page) >= _FEWEST_CHARACTERS]
    bad = [page for page in judged if _is_garbled(page)]
    if judged and len(bad) > _MOST_BAD * len(judged):
        return (
            f"the text layer is unreadable on {len(bad)} of {many(len(judged), 'page')} with text "
            "(control characters or names of glyphs instead of letters)"
        )
    return _no_language(_words(pages))


def _words(pages: Sequence[Page]) -> list[str]:
    return [word.lower() for page in pages for line in page.lines for word in _WORD.findall(line.text)]


def _no_language(words: Sequence[str]) -> str | None:
    latin = [word for word in words if _LATIN.match(word)]
    if len(latin) < _FEWEST_WORDS or len(latin) < len(words) / 2:
        return None
    stop = sum(word in _STOP_WORDS for word in latin) / len(latin)
    vowels = sum(bool(_VOWEL.search(word)) for word in latin) / len(latin)
    if stop < _FEWEST_STOP_WORDS and vowels < _FEWEST_VOWELS:
        return f"the text layer is no language ({stop:.1%} stop words in {len(latin)} words)"
    return None


def bad_pages(pages: Sequence[Page]) -> list[int]:
    """Numbers (from 1) of pages to be read in another way: garbled, no language, an image without text."""
    return [number for number, page in enumerate(pages, start=1) if _is_bad(page)]


def _is_bad(page: Page) -> bool:
    if not page.lines:
        return page.image
    return _size(page) >= _FEWEST_CHARACTERS and (
        _is_garbled(page) or _no_language(_words([page])) is not None
    )


def readable_lines(page: Page) -> Page:
    """Leave out lines of which a third and more is garbage (labels of figures, mostly)."""
    return page.but(lines=tuple(line for line in page.lines if not _is_noise(line)))


def _size(page: Page) -> int:
    return sum(len(line.text) + line.odd for line in page.lines)


def _is_garbled(page: Page) -> bool:
    odd = sum(line.odd for line in page.lines)
    names = sum(len(found) for line in page.lines for found in _GLYPH_NAME.findall(line.text))
    return odd + names > _MOST_ODD * _size(page)


def _is_noise(line: Line) -> bool:
    return line.odd * 2 > len(line.text)
