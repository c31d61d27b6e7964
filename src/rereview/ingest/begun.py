"""A paper that is being read, as far as it has been read: what every format that ends as Markdown grows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rereview.errors import UnusableInput
from rereview.ingest.identity import manuscript_id, paper_id
from rereview.ingest.wording import ABSTRACT, REFERENCES
from rereview.types.manuscript import Block, BlockKind, Figure, Gap, Hidden, Manuscript, SourceRun


@dataclass
class Begun:
    """The blocks and figures so far, in reading order."""

    blocks: list[Block] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    sequence: list[str] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    section: str | None = None
    """What the paragraphs stand in: "abstract", "references" or nothing."""
    section_level: int = 0

    def enter(self, heading: str, level: int) -> None:
        """Go on in the section of a heading; those below that of the abstract or the references are of it."""
        if self.section is None or level <= self.section_level:
            self.section = "references" if REFERENCES.match(heading) else None
            self.section = "abstract" if ABSTRACT.match(heading) else self.section
            self.section_level = level

    def put(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        environment: str | None = None,
        labels: tuple[str, ...] = (),
        number: str | None = None,
        source: tuple[SourceRun, ...] = (),
    ) -> str:
        """Add a block, and give its id."""
        block = Block(
            id=f"b{len(self.blocks) + 1}",
            text=text,
            kind=kind,
            level=level,
            environment=environment,
            labels=labels,
            number=number,
            source=source,
        )
        self.blocks.append(block)
        self.sequence.append(block.id)
        return block.id

    def put_figure(self, name: str, path: str | None, sha256: str | None, caption: str | None = None) -> str:
        """Add an image behind the last block, and give its id."""
        figure = Figure(
            id=f"f{len(self.figures) + 1}",
            path=path,
            sha256=sha256,
            after=self.blocks[-1].id if self.blocks else None,
            caption=caption,
            name=name,
        )
        self.figures.append(figure)
        self.sequence.append(figure.id)
        return figure.id

    def finished(self, path: Path, blocks: Sequence[Block], title: str, expected: str) -> Manuscript:
        """The whole paper, with these blocks. Raises UnusableInput for one without text beside its title."""
        if not any(block.kind != "title" and re.search(r"\w", block.text) for block in blocks):
            raise UnusableInput("no text beside a title", where=str(path), expected=expected)
        kept, figures, name = tuple(blocks), tuple(self.figures), paper_id(path)
        return Manuscript(
            id=manuscript_id("markdown", kept, figures),
            paper_id=name,
            title=title or name,
            format="markdown",
            blocks=kept,
            figures=figures,
            sequence=tuple(self.sequence),
            hidden=tuple(self.hidden),
            gaps=tuple(self.gaps),
        )
