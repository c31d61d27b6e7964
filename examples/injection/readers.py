"""Two stand-ins for reviewers of injected errors; neither asks a model.

`Skimmer` quotes places at random: what it seems to find, anybody finds who comments often enough.
`Informed` has the published paper beside it and reports a share of what differs: what it should find is
known beforehand, so the table can be checked against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from rereview.ingest.base import read
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft, Remark

PAPERS = Path(__file__).parent / "papers"
SPOKEN = ("paragraph", "equation", "theorem", "proof")


@dataclass(frozen=True)
class Skimmer:
    """Quotes the first words of places drawn at random, and says nothing of them."""

    remarks: int = 15
    words: int = 25
    needs_model = False

    async def __call__(self, paper: Manuscript, model: None) -> Draft:  # noqa: ARG002  it asks none
        """Throw dice; the same version of a paper gets the same throws."""
        dice = Random(paper.id)  # noqa: S311  dice, not secrets
        places = [block for block in paper.blocks if block.kind in SPOKEN]
        drawn = dice.sample(places, min(self.remarks, len(places)))
        return Draft(
            remarks=tuple(
                Remark(
                    title="Please check this",
                    body="This place was drawn at random.",
                    quote=" ".join(block.text.split()[: self.words]),
                )
                for block in drawn
            )
        )


@dataclass(frozen=True)
class Informed:
    """Compares each place with the published paper, and reports a difference with probability `share`."""

    share: float = 0.6
    needs_model = False

    async def __call__(self, paper: Manuscript, model: None) -> Draft:  # noqa: ARG002  it asks none
        """Report what does not stand in the published paper."""
        published = _published().get(paper.title, frozenset())
        changed = [block for block in paper.blocks if block.kind in SPOKEN and block.text not in published]
        return Draft(
            remarks=tuple(
                Remark(title="This differs", body="The published paper says otherwise.", quote=block.text)
                for block in changed
                if published and Random(block.text).random() < self.share  # noqa: S311  dice, not secrets
            )
        )


@cache
def _published() -> dict[str, frozenset[str]]:
    """The texts of every block of the papers that lie here, by the title of the paper."""
    found = {}
    for domain in sorted(PAPERS.iterdir()):
        for folder in sorted(domain.iterdir()) if domain.is_dir() else ():
            if folder.is_dir() and any(folder.glob("*.tex")):
                paper = read(folder)
                found[paper.title] = frozenset(block.text for block in paper.blocks)
    return found
