"""What the text of a paper may refer to: labels, works and macros, each with its place in the page."""

from __future__ import annotations

import re

from rereview.report.latex_reader import Context
from rereview.report.latex_text import read_latex
from rereview.report.pieces import Target, shown_text
from rereview.types.manuscript import Block, Manuscript

KINDS = {"heading": "section", "equation": "equation", "theorem": "theorem", "reference": "reference"}
BIBITEM = re.compile(r"\s*\\bibitem\s*\[(?P<authors>[^\[\]]*?)\((?P<year>\d{4}[a-z]?)\)[^\]]*\]")

ENTRY = re.compile(r"(?P<authors>[^\d\[\]]+?)\.\s+(?P<year>\d{4}[a-z]?)\.\s")
"""How the reader of a .bib file writes an entry: names joined by "and", the year, the title."""
LONGEST_NAME = 40


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
    environments = frozenset(
        block.environment.removesuffix("*") for block in manuscript.blocks if block.environment
    )
    return Context(targets, citations, {macro.name: macro for macro in manuscript.macros}, environments)


def kind_of(block: Block) -> str:
    """What a block is in words: "section", "table", "lemma"."""
    if block.kind == "caption":
        return (block.environment or "figure").removesuffix("*")
    if block.kind == "theorem" and block.environment:
        return block.environment.removesuffix("*").lower()
    return KINDS.get(block.kind, block.kind)


def _work(block: Block, place: str, count: int) -> Target:
    """A work of the list of references; authors and year where its text begins with them."""
    found = BIBITEM.match(block.text) or ENTRY.match(block.text)
    authors, year = (_short_names(_words(found["authors"])), found["year"]) if found else ("", "")
    return Target(f"#{place}", block.number or str(count), authors, year if authors else "", "reference")


def _words(text: str) -> str:
    """Text of the paper without its commands."""
    return shown_text(read_latex(text, Context()).pieces)


def _short_names(authors: str) -> str:
    """Family names as a citation prints them: "Ho", "Ho and Jain", "Ho et al."; "" if in doubt."""
    names = [_family(name) for name in re.split(r"\s+and\s+|;\s*", authors.replace("\xa0", " ").strip())]
    if not all(names) or any(len(name) > LONGEST_NAME for name in names):
        return ""
    if len(names) > 2:  # noqa: PLR2004 as natbib does
        return f"{names[0]} et al."
    return " and ".join(names)


def _family(name: str) -> str:
    """`Ho, Jonathan` or `Jonathan Ho`; "et al." stays with its name."""
    if "," in name:
        return name.split(",", 1)[0].strip()
    return name if name.endswith("et al.") else name.rsplit(" ", 1)[-1]
