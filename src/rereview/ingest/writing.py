"""Writes a paper that is not text (DOCX, HTML) down as blocks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rereview.ingest.begun import Begun
from rereview.ingest.hidden import unseen_characters, without_unseen
from rereview.ingest.wording import ABSTRACT, CAPTION, KEY, NUMBER, REFERENCES
from rereview.types.manuscript import Block, BlockKind, Gap, Hidden, HiddenKind, Manuscript, Span

SHOWN = frozenset({".png", ".jpg", ".jpeg", ".webp"})
_TITLE_WORDS = 30
_MARKS = re.compile(r"[`$*]|\\(?=[!-/:-@\[-`{-~])|(?<!\w)_|_(?!\w)|\](?=\()|<(?=https?:)")
_OPENING = re.compile(r"\A(?:[-+>]|#{1,6})(?=\s)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DISPLAY = re.compile(r"(?<!\\)\$\$((?:[^$\\]|\\.)+)\$\$", re.DOTALL)
_BAR = re.compile(r"\\?\|")


def escaped(text: str) -> str:
    """Words as Markdown that shows them as they are."""
    return _MARKS.sub(r"\\\g<0>", text)


def joined(pieces: Iterable[str]) -> str:
    """Pieces of running text; two formulas side by side become one, since `$$` opens another kind."""
    text = ""
    for piece in pieces:
        if not (text.endswith("$") and not text.endswith("\\$") and piece.startswith("$")):
            text += piece
        elif text.endswith("$$") or piece.startswith("$$"):
            text += f" {piece}"
        else:
            text = f"{text[:-1]} {piece[1:]}"
    return text


def unescaped(text: str) -> str:
    """Markdown without its backslashes."""
    return _ESCAPE.sub(r"\1", text)


def raised(text: str, *, lowered: bool = False) -> str:
    """A superscript (or subscript) as mathematics, so that 10^18 stays what it is; "" for none."""
    plain = unescaped(text).strip()
    if not plain:
        return ""
    inner = plain if re.fullmatch(r"[A-Za-z0-9+−,.*′-]+", plain) else f"\\text{{{plain}}}"
    bare = not re.search(r"[\\{}$%#&_^~]", plain)
    return f"${'_' if lowered else '^'}{{{inner}}}$" if bare else text


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a table of Markdown; the first row is its head. "" for no rows."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    lines = ["| " + " | ".join([*map(_cell, row), *[""] * (width - len(row))]) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(text: str) -> str:
    """A cell on one line; a bar of a formula is written as a command, any other one is escaped."""
    parts = re.split(r"(?<!\\)(\$)", " ".join(text.split()))
    inside = False
    for index, part in enumerate(parts):
        if part == "$":
            inside = not inside
        elif inside:
            parts[index] = _BAR.sub(lambda m: r"\Vert " if len(m.group()) > 1 else r"\vert ", part)
        else:
            parts[index] = part.replace("|", "\\|")
    return "".join(parts)


@dataclass
class Writing(Begun):
    """The blocks and figures of a paper so far, whose text is written here."""

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        environment: str | None = None,
        labels: tuple[str, ...] = (),
        number: str | None = None,
    ) -> str | None:
        """Add a block; None, and nothing is added, where there is no text."""
        unseen = list(unseen_characters(text))
        text = without_unseen(text).strip()
        if not text:
            return None
        name = self.put(kind, text, level=level, environment=environment, labels=labels, number=number)
        for stretch in unseen:
            self.hide("characters", stretch.shown)
        return name

    def heading(self, text: str, level: int, number: str | None = None) -> None:
        """Add a heading; those of the abstract and of the references say what follows."""
        words = unescaped(text)
        self.enter(words, level)
        found = NUMBER.match(words)
        self.add("heading", text, level=level, number=number or (found["number"] if found else None))

    def paragraph(self, text: str, environment: str | None = None) -> None:
        """Add a paragraph, or the caption or the reference that it is; displays in it stand alone."""
        words = text.strip()
        parts = _DISPLAY.split(words)
        if len(parts) > 1:
            for index, part in enumerate(parts):
                if index % 2:
                    self.equation(part)
                elif re.search(r"\w", part):
                    self.paragraph(part, environment)
            return
        if environment is None and (ABSTRACT.match(words) or REFERENCES.match(words)):
            # A heading that nothing marks as one; it is as high as the highest.
            self.heading(text, min((b.level for b in self.blocks if b.level), default=1))
        elif environment is None and CAPTION.match(words):
            self.caption(text)
        elif environment is None and self.section == "references":
            self.reference(text)
        elif environment == "proof":
            self.add("proof", text, environment="proof")
        elif environment and environment.startswith("theorem "):
            self.add("theorem", text, environment=environment.removeprefix("theorem "))
        else:
            marked = _OPENING.sub(r"\\\g<0>", words) if environment != "itemize" else words
            self.add("paragraph", marked, environment=environment or self.section)

    def reference(self, text: str, label: str | None = None) -> None:
        """Add an entry of the bibliography, under the key that it begins with."""
        key = KEY.match(unescaped(text).strip())
        label = label or (key and (key["key"] or key["number"])) or None
        self.add("reference", text, labels=(label,) if label else ())

    def caption(self, text: str, environment: str | None = None) -> None:
        """Add a caption; one of a figure belongs to the figures just before it."""
        found = CAPTION.match(text.strip())
        table = found is not None and found["what"].lower() == "table"
        environment = environment or ("table" if table else "figure")
        name = self.add("caption", text, environment=environment, number=found["number"] if found else None)
        if name is None or environment == "table":
            return
        for place in reversed(self.sequence[:-1]):
            if not place.startswith("f") or self.figures[int(place[1:]) - 1].caption:
                break
            self.figures[int(place[1:]) - 1] = self.figures[int(place[1:]) - 1].but(caption=name)

    def equation(self, tex: str, number: str | None = None, labels: tuple[str, ...] = ()) -> None:
        """Add a formula that stands alone."""
        if tex.strip():
            self.add("equation", f"$${tex.strip()}$$", number=number, labels=labels)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add a table."""
        if any(cell.strip() for row in rows for cell in row):
            self.add("table", pipe_table(rows))

    def figure(self, name: str, path: str | None, content: bytes | None) -> None:
        """Add an image; without content it is a gap."""
        if content is None:
            self.gaps.append(Gap(kind="figure", name=name))
        shown = path if path and content is not None and Path(path).suffix.lower() in SHOWN else None
        self.put_figure(name, shown, None if content is None else sha256(content).hexdigest())

    def hide(self, kind: HiddenKind, text: str, place: str = "") -> None:
        """Keep what no reader sees aside; it would stand after the last block."""
        text = " ".join(text.split())
        if not text:
            return
        last = self.blocks[-1] if self.blocks else None
        at = last and Span(block_id=last.id, start=len(last.text), end=len(last.text))
        before = self.hidden[-1] if self.hidden else None
        if before and (before.kind, before.at, before.place) == (kind, at, place):
            self.hidden[-1] = before.but(text=f"{before.text} {text}")
        else:
            self.hidden.append(Hidden(kind=kind, text=text, at=at, place=place))

    def manuscript(self, path: Path, expected: str) -> Manuscript:
        """The whole paper. Raises UnusableInput for one that says nothing beside its title."""
        blocks = _with_title(self.blocks)
        return self.finished(path, blocks, _title(blocks), expected)


def _with_title(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Blocks with headings counted from 1; the one highest heading that comes first is the title."""
    levels = [block.level for block in blocks if block.kind == "heading" and block.level]
    if not levels:
        return tuple(blocks)
    outer, title = min(levels), None
    if (
        not any(block.kind == "title" for block in blocks)
        and levels.count(outer) == 1 == levels.index(outer) + 1
    ):
        title = next(block.id for block in blocks if block.kind == "heading")
        outer = min(levels[1:], default=outer)
    return tuple(_leveled(block, outer, title) for block in blocks)


def _leveled(block: Block, outer: int, title: str | None) -> Block:
    if block.id == title:
        return block.but(kind="title", level=None, number=None)
    return block.but(level=block.level - outer + 1) if block.level else block


def _title(blocks: Sequence[Block]) -> str:
    kinds = ("title", "heading", "paragraph")
    found = next((block for kind in kinds for block in blocks if block.kind == kind), None)
    return " ".join(unescaped(found.text).split()[:_TITLE_WORDS]) if found else ""
