"""The files that a review leaves in its folder."""

from __future__ import annotations

from pathlib import Path

from rereview.cli.images import Originals
from rereview.study.store import write_files
from rereview.types.document import ReviewDocument


def write(document: ReviewDocument, originals: Originals, out: Path) -> None:
    """The files of a review in its folder: figures, `review.json`, `review.md` and the report."""
    from rereview.report.export import review_markdown  # noqa: PLC0415  not needed for a bad option
    from rereview.report.page import page  # noqa: PLC0415  the same

    paper = document.manuscript
    write_files(
        out,
        {
            **originals.stored(paper),
            "review.json": document.to_json().encode(),
            "review.md": review_markdown(document).encode(),
            "report.html": page(document, originals).encode(),
        },
    )
