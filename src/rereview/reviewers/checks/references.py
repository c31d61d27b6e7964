"""References whose target is not there: labels, keys of the list, authors and years, typed numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from rereview.reviewers.checks import author_year, labels, numbered
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


@dataclass(frozen=True)
class References:
    """A mention in the text without its label, entry, author, year or number.

    What was not read counts as unknown: a missing file may hold every label and every entry.
    """

    name: ClassVar[str] = "references"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """One remark for each target that is missing, at the first place that mentions it."""
        found = chain(labels.findings(paper), author_year.findings(paper), numbered.findings(paper))
        yield from (remark.but(rule=self.name) for remark in found)
