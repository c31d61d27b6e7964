"""What the text of a paper may refer to: labels, works and macros, each with its place in the page."""

from __future__ import annotations

import re

from rereview.report.latex_text import Context
from rereview.report.pieces import Target
from rereview.types.manuscript import Block, Manuscript

KINDS = {"heading": "section", "equation": "equation", "theorem": "theorem", "reference": "reference"}
BIBITEM = re.compile(r"\s*\\bibitem\s*\[(?P<authors>[^\[\]]*?)\((?P<year>\d{4}[a-z]?)\)[^\]]*\]")


def address(manuscript: Manuscript) -> dict[str, str]:
    """The id in the page of each block."""
    return {block.id: f"b{at}" for at, block in enumerate(manuscript.blocks, start=1)}


def context_of(manuscript: Manuscript) -> Context:
    """Everything that a command of the text may point to."""
    ids = address(manuscript)
    targets: dict[str, Target] = {}
    citations: dict[str, Target] = {}
    references = 0
    for block in manuscript.blocks:
        if block.kind == "reference":
            references += 1
            target = _work(block, ids[block.id], references)
            citations.update({label: target for label in block.labels if label not in citations})
        else:
            target = Target(f"#{ids[block.id]}", block.number or "", kind=kind_of(block))
            targets.update({label: target for label in block.labels if label not in targets})
    return Context(targets, citations, {macro.name: macro for macro in manuscript.macros})


def kind_of(block: Block) -> str:
    """What a block is in words: "section", "table", "lemma"."""
    if block.kind == "caption":
        return (block.environment or "figure").removesuffix("*")
    if block.kind == "theorem" and block.environment:
        return block.environment.removesuffix("*").lower()
    return KINDS.get(block.kind, block.kind)


def _work(block: Block, place: str, count: int) -> Target:
    match = BIBITEM.match(block.text)
    authors, year = (match["authors"].strip(" {}"), match["year"]) if match else ("", "")
    return Target(f"#{place}", block.number or str(count), authors.replace("~", " "), year, "reference")
