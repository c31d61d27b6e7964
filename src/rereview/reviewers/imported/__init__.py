"""Reviews that exist already, whoever wrote them: read by what they hold, not by their name."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from rereview.errors import UnusableInput, UsageError
from rereview.models.base import Model
from rereview.reviewers.imported import documents, sectioned, venues
from rereview.reviewers.imported.base import ReadReview
from rereview.text.scanning import scan
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

__all__ = ["Imported", "ReadReview", "read_reviews", "read_text"]

EXPECTED = (
    "a review as JSON (OpenAIReview, coarse, Reviewer3, prebuttal, refereed, AI-Scientist, OpenReview notes,"
    " a Draft), Markdown (coarse, Refine, Reviewer3), CSV or form of HotCRP, or plain text"
)
_BINARY = {b"%PDF": "a PDF", b"PK\x03\x04": "a ZIP archive (.docx is one)", b"\x1f\x8b": "gzip data"}


def read_reviews(path: Path) -> tuple[ReadReview, ...]:
    """All reviews in a file, each with what wrote it. Raises UnusableInput in one line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnusableInput(
            f"cannot be read: {error.strerror or error}", where=str(path), expected=EXPECTED
        ) from error
    return read_text(_decoded(content, str(path)), where=str(path))


def _decoded(content: bytes, where: str) -> str:
    kind = next((name for start, name in _BINARY.items() if content.startswith(start)), None)
    if kind is None and content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    if kind is None and b"\0" in content:
        kind = "binary"
    if kind is not None:
        raise UnusableInput(f"the content is {kind}, no review", where=where, expected=EXPECTED)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def read_text(text: str, *, where: str = "review") -> tuple[ReadReview, ...]:
    """All reviews in a text; `where` names it in an error."""
    if not text.strip():
        raise UnusableInput("the file is empty", where=where, expected=EXPECTED)
    if text.lstrip()[:200].lower().startswith(("<!doctype", "<html")):
        raise UnusableInput("the content is HTML, no review", where=where, expected="the page saved as text")
    found = _document(text, where)
    try:
        reviews = tuple(_of_text(text) if found is None else _of_document(found, where))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UnusableInput(f"{place}: {first['msg']}", where=where, expected=EXPECTED) from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, csv.Error) as error:
        what = f"it begins like a known format and is none: {' '.join(str(error).split())}"
        raise UnusableInput(what, where=where, expected=EXPECTED) from error
    if not any(each.says_something for each in reviews):
        raise UnusableInput("there is no comment, summary or score in it", where=where, expected=EXPECTED)
    return reviews


def _document(text: str, where: str) -> documents.Json | None:
    """The JSON in a text, also a value a line; None for text that is none."""
    start = text.lstrip()
    if not start.startswith(("{", "[")) or start.startswith("[!"):
        return _fenced(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            if start.startswith("{"):
                raise UnusableInput(
                    f"this is no whole JSON: {error}", where=where, expected=EXPECTED
                ) from error
            return None


def _fenced(text: str) -> documents.Json | None:
    """The last object in a fence of JSON, if it is a review that is known: what a model was asked for."""
    if "```json" not in text:
        return None
    held = [each.value for each in scan(text).found if isinstance(each.value, dict)]
    return next(
        (each for each in reversed(held) if any(fits(each) for _, fits, _ in documents.READERS)), None
    )


def _of_document(found: documents.Json, where: str) -> Iterable[ReadReview]:
    if venues.notes_in(found):
        return venues.openreview(found)
    for _, fits, read in documents.READERS:
        if fits(found):
            return read(found)
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        return [review for each in found for review in _of_document(each, where)]
    names = (
        f"fields {', '.join(map(repr, list(found)[:6]))}" if isinstance(found, dict) else type(found).__name__
    )
    raise UnusableInput(f"no known review: JSON with {names}", where=where, expected=EXPECTED)


def _of_text(text: str) -> Iterator[ReadReview]:
    if sectioned.is_coarse(text):
        yield sectioned.coarse(text)
    elif sectioned.is_reviewer3(text):
        yield sectioned.reviewer3(text)
    elif venues.is_hotcrp_form(text):
        yield from venues.hotcrp_form(text)
    elif venues.is_hotcrp_csv(text):
        yield from venues.hotcrp_csv(text)
    elif sectioned.is_stanford(text):
        yield sectioned.stanford(text)
    else:
        yield sectioned.in_words(text)


@dataclass(frozen=True)
class Imported:
    """A review that exists already, as a reviewer. `review` names one where the file holds several."""

    needs_model: ClassVar[bool] = False
    argument: ClassVar[str] = "file"

    file: str
    review: str | None = None

    async def __call__(self, paper: Manuscript, model: Model | None = None) -> Draft:  # noqa: ARG002  the shape of a reviewer
        """The draft in the file; the paper is where its quotes are looked for."""
        read = read_reviews(Path(self.file))
        if self.review is None and len(read) == 1:
            return read[0].draft
        found = {each.system: each for each in read}
        names = [each.system for each in read]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None and self.review in (None, twice):
            raise UsageError(
                f"{names.count(twice)} reviews in it are called {twice!r}",
                where=self.file,
                expected="a file for each",
            )
        if self.review not in found:
            what = "it holds several reviews" if self.review is None else f"no review {self.review!r} in it"
            raise UsageError(what, where=self.file, expected=f"review= one of {', '.join(found)}")
        return found[self.review].draft
