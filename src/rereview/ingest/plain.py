"""Reads a paper in Markdown. The text of a block is the Markdown, with HTML comments taken out."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from rereview.errors import UnusableInput
from rereview.ingest.begun import Begun
from rereview.ingest.hidden import unseen_characters
from rereview.ingest.markdown_blocks import Part, front_matter, parts
from rereview.ingest.notices import bound
from rereview.ingest.wording import CAPTION, KEY, NUMBER
from rereview.types.manuscript import (
    Block,
    BlockKind,
    Gap,
    Hidden,
    Manuscript,
    SourceRun,
    SourceSpan,
    Span,
)

# What is taken out of the text: comments (but not what code says of them) and carriage returns.
_CUT = re.compile(r"(?P<ticks>`+)|(?P<comment><!--)|\r(?=\n)")
_TICKS = re.compile("`+")
_HEADING_OPENS = re.compile(r"#{1,6}[ \t]+")
_HEADING_CLOSES = re.compile(r"[ \t]+#+[ \t]*\Z|\s*\n[=-]+[ \t]*\Z")
_IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\](?:\([^)]*\)|\[[^\]]*\])(?:\{[^}]*\})?")
_LIST_ITEM = re.compile(r"^(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
_KEYED = re.compile(r"^\[\^?[^\]\s]{1,40}\]", re.MULTILINE)
_LABEL = re.compile(r"\\label\{([^{}]+)\}")
_TAG = re.compile(r"\\tag\*?\{([^{}]+)\}")
_TITLE_MARKS = re.compile(r"[*_`]+")

_LONGEST_NAME = 200
_ENVIRONMENTS = {
    "bullet_list": "itemize",
    "ordered_list": "enumerate",
    "fence": "verbatim",
    "code_block": "verbatim",
    "blockquote": "quote",
}


def read(path: Path, content: bytes | None = None) -> Manuscript:
    """Read a Markdown file; its images are looked for in its folder and below, and nowhere else.

    `content` stands in for the content of the file. Offsets are those of its characters, a byte-order mark
    among them. Raises UnusableInput for a file that is no UTF-8 text or holds no words.
    """
    source = _source(path, content)
    reading = _Reading(path=path, source=source)
    reading.run()
    title = _title(reading.blocks)
    return bound(reading.finished(path, reading.blocks, title, "expected a paper in Markdown"))


def _source(path: Path, content: bytes | None) -> str:
    try:
        return (path.read_bytes() if content is None else content).decode("utf-8")
    except OSError as error:
        raise UnusableInput(
            f"cannot be read ({error.strerror})", where=str(path), expected="expected a file"
        ) from error
    except UnicodeDecodeError as error:
        raise UnusableInput(
            f"byte {error.start} (0x{error.object[error.start]:02x}) is not UTF-8",
            where=str(path),
            expected="expected Markdown saved as UTF-8",
        ) from error


def _title(blocks: Sequence[Block]) -> str:
    for kind in ("title", "heading", "paragraph"):
        for block in blocks:
            if block.kind == kind:
                line = _TITLE_MARKS.sub("", block.text.strip().split("\n")[0])
                return line if kind != "paragraph" else " ".join(line.split()[:12])
    return ""


class _Cut(NamedTuple):
    """What is not seen: where it stood in the source, and where it would stand in the text."""

    start: int
    end: int
    at: int
    characters: str | None = None
    """What characters without ink say; None for a comment."""


class _Text(NamedTuple):
    text: str
    runs: tuple[SourceRun, ...]
    comments: tuple[_Cut, ...]


@dataclass
class _Reading(Begun):
    path: Path = field(kw_only=True)
    source: str = field(kw_only=True)

    def run(self) -> None:
        header = front_matter(self.source)
        found = parts(self.source, header.end)
        if header.title:
            self.add("title", *header.title)
        title = None if header.title else _title_part(found)
        outer = min((part.level for part in found if part.level and part is not title), default=1)
        for part in found:
            if part.level:
                self.heading(part, None if part is title else part.level - outer + 1)
            else:
                self.read(part)

    def read(self, part: Part) -> None:
        if part.type == "math_block":
            self.equation(part)
        elif part.type == "table":
            self.add("table", part.start, part.end)
        elif part.type in _ENVIRONMENTS and part.type != "blockquote" and self.section != "references":
            self.add("paragraph", part.start, part.end, environment=_ENVIRONMENTS[part.type])
            self.add_images(part, None)
        elif part.type != "hr":
            self.prose(part)

    def heading(self, part: Part, level: int | None) -> None:
        start, end = _without_marks(self.source, part)
        text = self.source[start:end]
        if level is None:
            self.add("title", start, end)
            return
        self.enter(text, level)
        number = NUMBER.match(text)
        self.add("heading", start, end, level=level, number=number["number"] if number else None)

    def equation(self, part: Part) -> None:
        text = self.source[part.start : part.end]
        tag = _TAG.search(text)
        labels = tuple(_LABEL.findall(text))
        self.add("equation", part.start, part.end, labels=labels, number=tag[1] if tag else None)

    def prose(self, part: Part) -> None:
        if self.section == "references":
            for start, end in _items(self.source, part):
                key = KEY.match(self.source, start, end)
                label = key and (key["key"] or key["number"])
                self.add("reference", start, end, labels=(label,) if label else ())
        elif not (part.images and self.image_alone(part)):
            self.paragraph(part)

    def paragraph(self, part: Part) -> None:
        caption = CAPTION.match(self.source, part.start, part.end)
        if caption:
            name = "table" if caption["what"].lower() == "table" else "figure"
            made = self.add("caption", part.start, part.end, environment=name, number=caption["number"])
        else:
            environment = "quote" if part.type == "blockquote" else self.section
            made = self.add("paragraph", part.start, part.end, environment=environment)
        self.add_images(part, made if caption else None)

    def image_alone(self, part: Part) -> bool:
        """Read a paragraph that is one image, with or without its caption below; tell if it was."""
        image = _IMAGE.match(self.source, part.start, part.end)
        if image is None or len(part.images) != 1:
            return False
        rest = self.source[image.end() : part.end]
        caption = CAPTION.match(rest.lstrip())
        if rest.strip() and not caption:
            return False
        start, end = image.span("alt")
        if caption:
            start, end = part.end - len(rest.lstrip()), part.end
        name = self.image(part.images[0])
        if self.source[start:end].strip():
            made = self.add(
                "caption", start, end, environment="figure", number=caption["number"] if caption else None
            )
            self.figures[-1] = self.figures[-1].but(caption=made)
        return name is not None

    def add_images(self, part: Part, caption: str | None) -> None:
        for destination in part.images:
            self.image(destination, caption)

    def image(self, destination: str, caption: str | None = None) -> str:
        path = _image_path(self.path.parent, destination)
        digest = sha256((self.path.parent / path).read_bytes()).hexdigest() if path else None
        if path is None:
            self.gaps.append(Gap(kind="figure", name=destination[:_LONGEST_NAME]))
        return self.put_figure(destination[:_LONGEST_NAME], path, digest, caption)

    def add(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        *,
        level: int | None = None,
        environment: str | None = None,
        labels: tuple[str, ...] = (),
        number: str | None = None,
    ) -> str | None:
        """Add a block with the source from `start` to `end`; nothing is added for comments alone."""
        cut = _cut(self.path.name, self.source, start, end)
        name = None
        if cut.text.strip():
            name = self.put(
                kind,
                cut.text,
                level=level,
                environment=environment,
                labels=labels,
                number=number,
                source=cut.runs,
            )
        self.hidden += [self._comment(comment, inside=name is not None) for comment in cut.comments]
        return name

    def _comment(self, comment: _Cut, *, inside: bool) -> Hidden:
        at = None
        if self.blocks:
            last = self.blocks[-1]
            position = comment.at if inside else len(last.text)
            at = Span(block_id=last.id, start=position, end=position)
        return Hidden(
            kind="comment" if comment.characters is None else "characters",
            text=comment.characters or self.source[comment.start : comment.end],
            source=SourceSpan(file=self.path.name, start=comment.start, end=comment.end),
            at=at,
        )


def _title_part(found: list[Part]) -> Part | None:
    """The first heading of level 1; without one, a heading that the paper begins with."""
    first = next((part for part in found if part.level == 1), None)
    return first or next((part for part in found[:1] if part.level), None)


def _without_marks(source: str, part: Part) -> tuple[int, int]:
    text = source[part.start : part.end]
    opening, closing = _HEADING_OPENS.match(text), _HEADING_CLOSES.search(text)
    start = opening.end() if opening else 0
    return part.start + start, part.start + max(start, closing.start() if closing else len(text))


def _items(source: str, part: Part) -> Iterator[tuple[int, int]]:
    """Cut a list into its items, a paragraph at lines that begin with a key; anything else is one."""
    text = source[part.start : part.end]
    mark = _LIST_ITEM if part.type in ("bullet_list", "ordered_list") else _KEYED
    marks = list(mark.finditer(text))
    starts = sorted({0, *(found.start() for found in marks)})
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield part.start + start, part.start + start + len(text[start:end].rstrip())


def _cut(file: str, source: str, start: int, end: int) -> _Text:
    """Take comments, characters without ink and carriage returns out of a stretch of the source."""
    pieces: list[str] = []
    runs: list[SourceRun] = []
    comments: list[_Cut] = []
    length, begin = 0, start
    for cut in [*_cuts(source, start, end), _Cut(end, end, 0, "")]:
        if cut.start > begin:
            pieces.append(source[begin : cut.start])
            runs.append(SourceRun(file=file, start=begin, end=cut.start, text_start=length))
            length += cut.start - begin
        begin = max(begin, cut.end)
        if cut.characters != "":
            comments.append(cut._replace(at=length))
    return _Text("".join(pieces), tuple(runs), tuple(comments))


def _cuts(source: str, start: int, end: int) -> list[_Cut]:
    """What is cut out of a stretch, ascending; of a carriage return nothing is to be said."""
    cuts = list(_marked(source, start, end))
    starts = [cut.start for cut in cuts]
    for stretch in unseen_characters(source[start:end]):
        low, high = start + stretch.start, start + stretch.end
        around = bisect_right(starts, low) - 1
        if around < 0 or low >= cuts[around].end:
            cuts.append(_Cut(low, high, 0, stretch.shown))
    return sorted(cuts)


def _marked(source: str, start: int, end: int) -> Iterator[_Cut]:
    """Comments and carriage returns that do not stand in code, which as many ticks close as open it."""
    runs: dict[int, list[int]] = {}
    for found in _TICKS.finditer(source, start, end):
        runs.setdefault(len(found.group()), []).append(found.start())
    position, last = start, source.rfind("-->", start, end)
    while (mark := _CUT.search(source, position, end)) is not None:
        position = mark.end()
        if mark["ticks"]:
            same = runs[len(mark["ticks"])]
            closing = bisect_left(same, position)
            position = same[closing] + len(mark["ticks"]) if closing < len(same) else position
        elif mark["comment"] is None:
            yield _Cut(*mark.span(), 0, "")
        elif position <= last:
            position = source.find("-->", position, end) + len("-->")
            yield _Cut(mark.start(), position, 0)


def _image_path(folder: Path, destination: str) -> str | None:
    """The image relative to the folder; None if it is elsewhere or not there."""
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//", destination):
        return None
    path = (folder / unquote(destination)).resolve()
    root = folder.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) and path.is_file() else None
