r"""What of hidden text in PDFs is found, and what is taken for hidden that is not, as two tables.

    python -P benchmarks/hidden.py [DATA]

Attacks are made by `tests/attacks.py`: each technique in four places and three languages. One counts as
found where all its words are reported, on the right page, and are no part of the text. PDFs in which all
is seen are made by `tests/innocents.py`; DATA is a folder of real papers, of which no one is known to hide
anything: each of its PDFs is read, but those in folders named `*-toys` and `near-white-text`, which do, and
each LaTeX source with a `\documentclass`. Documents of one title are one paper. A document is flagged if
something is said to be hidden on its pages, or in a source by other means than a comment. The bound is that
of Clopper and Pearson (1934) for the share of papers that are flagged, one-sided at 95%.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scipy.stats import beta

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import attacks
import innocents
from rereview.errors import UnusableInput
from rereview.ingest import pdf_child
from rereview.ingest.base import read
from rereview.ingest.pdf import hidden
from rereview.ingest.pdf_text import Extract
from rereview.types.manuscript import Hidden

BESIDE = {"metadata", "annotation", "ocr-layer"}
"""Listed, and no sign of anything."""
IN_SOURCES = {"comment", "dead-branch", "after-end"}
"""What every source may hold; it is listed, and is what it is called."""
LEVEL = 0.95
FEWEST_WORDS = 300
"""A file with fewer is a test of a font or a format, and no paper."""


def folded(text: str) -> str:
    """Letters and digits."""
    return "".join(c for c in text.lower() if c.isalnum())


def extracted(content: bytes, folder: Path) -> Extract:
    """What the reader makes of a file."""
    path = folder / "paper.pdf"
    path.write_bytes(content)
    return pdf_child.read(path, 400)


def is_found(technique: str, place: str, words: str, folder: Path) -> bool:
    """Whether an attack is reported in full, with its page, and kept out of the text."""
    found = extracted(attacks.attack(technique, place, words), folder)
    said = folded(" ".join(each.text for each in hidden(found)))
    text = folded(" ".join(line.text for page in found.pages for line in page.lines))
    pages = {each.page for each in hidden(found) if each.kind not in BESIDE}
    beside = technique in attacks.SIDE
    return folded(words) in said and folded(words) not in text and (beside or pages == {2})


def attack_rows(folder: Path) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Of each technique how many of how many were found, by place."""
    for technique in (*attacks.TECHNIQUES, *sorted(attacks.SIDE)):
        places = attacks.PLACES if technique in attacks.TECHNIQUES else ["foot"]
        counts = []
        for place in places:
            found = [is_found(technique, place, words, folder) for words in attacks.LANGUAGES.values()]
            counts.append((sum(found), len(found)))
        yield technique, counts


def flagged(found: Extract) -> list[Hidden]:
    """What is said to be hidden on the pages."""
    return [each for each in hidden(found) if each.kind not in BESIDE]


class Seen(NamedTuple):
    """A real document: its file, the paper that it is of, and what is said to be hidden in it."""

    name: str
    paper: str
    flagged: list[Hidden]


def real(data: Path) -> Iterator[Seen]:
    """Real papers and what is said to be hidden in each; a file with the same bytes is read once."""
    known: set[bytes] = set()
    for path in sorted((*data.rglob("*.pdf"), *data.rglob("*.tex"))):
        content = path.read_bytes()
        if content in known or path.parent.name == "near-white-text" or path.parent.name.endswith("-toys"):
            continue
        known.add(content)
        if path.suffix == ".pdf" or (b"\\documentclass" in content and b"\\begin{document}" in content):
            try:
                paper = read(path)
            except UnusableInput as error:
                print(f"  not read: {path.name}: {error.what}", file=sys.stderr)
                continue
            if sum(len(block.text.split()) for block in paper.blocks) >= FEWEST_WORDS:
                said = [each for each in paper.hidden if each.kind not in BESIDE | IN_SOURCES]
                yield Seen(str(path.relative_to(data)), folded(paper.title)[:40], said)


def bound(flagged: int, papers: int) -> float:
    """The upper bound of Clopper and Pearson for a share; 1 where all are flagged."""
    return 1.0 if flagged == papers else float(beta.ppf(LEVEL, flagged + 1, papers - flagged))


def _of_papers(seen: Sequence[Seen]) -> None:
    papers = {each.paper for each in seen}
    wrong = {each.paper for each in seen if each.flagged}
    _summary("real documents", [(each.name, each.flagged) for each in seen])
    print(f"| real papers, by title | {len(papers)} | {len(wrong)} |")
    print(
        f"\nOf {len(papers)} papers none flagged would bound the share by {bound(0, len(papers)):.1%}; ",
        end="",
    )
    print(f"{len(wrong)} flagged bound it by {bound(len(wrong), len(papers)):.1%}.")


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path, nargs="?")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"| technique | {' | '.join(attacks.PLACES)} |\n|{'---|' * (1 + len(attacks.PLACES))}")
        total: Counter[str] = Counter()
        for technique, counts in attack_rows(folder):
            total.update(found=sum(a for a, _ in counts), all=sum(b for _, b in counts))
            cells = [f"{a}/{b}" for a, b in counts] + ["–"] * (len(attacks.PLACES) - len(counts))
            print(f"| {technique} | {' | '.join(cells)} |", flush=True)
        print(f"\nFound: {total['found']} of {total['all']} ({total['found'] / total['all']:.1%}).\n")
        print("| where nothing is hidden | files | flagged |\n|---|---|---|")
        made = [(what, flagged(extracted(content, folder))) for what, content in innocents.all_of_them()]
        _summary("made: white on dark, labels on pictures, small ticks, layers of OCR, ...", made)
        if given.data:
            _of_papers(list(real(given.data)))
    print(f"\n{time.strftime('%Y-%m-%d')}")


def _summary(name: str, found: list[tuple[str, list[Hidden]]]) -> None:
    wrong = [(what, items) for what, items in found if items]
    print(f"| {name} | {len(found)} | {len(wrong)} |", flush=True)
    for what, items in wrong:
        print(f"  flagged: {what}: {items[0].kind} {items[0].text[:60]!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
