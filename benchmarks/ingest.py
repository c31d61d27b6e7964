"""Reading of PDFs and LaTeX, and location of quotes, beside other libraries in the same run.

    python -P benchmarks/ingest.py DATA [--quotes 50]

DATA is the folder with `papers/`, `latex/` and `located-comments/`. The others are no dependencies: a row
whose package is not installed says so.

Pages: wall and CPU time (of child processes too) over the same files, and how often the order of the text
jumps against an independent recognition of the same pages. An anchor is three words that stand once in
both; a jump is a step from an anchor to the next by more than 15 words back or 120 forward. LaTeX:
mathematics found at the outermost level, and how much of it the others agree with.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import os
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import pypdfium2

from rereview.ingest.base import read
from rereview.text.latex import tokens
from rereview.text.locate import Locator
from rereview.text.modes import nest
from rereview.types.manuscript import Block, Manuscript

PDFS = {"coset_codes": "coset-codes", "cortical_circuits": "chaotic-balanced-state"}
"""Each PDF with the recognised text of its pages."""
SOURCES = (
    "latex/wdmerger/papers/wdmerger_I/paper.tex",
    "latex/erdos_szekeres/paper.tex",
    "latex/point_transects/paper.tex",
    "papers/apep_0001.tex",
)
QUOTED = "inference-molecular"
WORD = re.compile(r"[^\W\d_]{2,}")
BACK, FORWARD = 15, 120


class Row(NamedTuple):
    """A line of the table; `wall` and `cpu` in seconds, None where nothing was measured."""

    job: str
    who: str
    wall: float | None
    cpu: float | None
    found: str


def timed(work: Callable[[], object]) -> tuple[float, float, object]:
    """Wall and CPU seconds of one run, children included, and what it gave."""
    before, start = _cpu(), time.perf_counter()
    made = work()
    return time.perf_counter() - start, _cpu() - before, made


def _cpu() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


# PDF


def ours(path: Path) -> str:
    """The text of the manuscript, hidden text and all else being looked for."""
    return "\n".join(block.text for block in read(path).blocks if block.kind != "page-marker")


def pdfium(path: Path) -> str:
    """The text in the order of the file."""
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def pdfminer(path: Path) -> str:
    """Its text by its layout analysis."""
    text: str = importlib.import_module("pdfminer.high_level").extract_text(path)
    return text


def pdfplumber(path: Path) -> str:
    """Its text, page by page."""
    with importlib.import_module("pdfplumber").open(path) as document:
        return "\n".join(page.extract_text() or "" for page in document.pages)


def liteparse(path: Path) -> str:
    """Its text without OCR, which would fetch data."""
    text: str = importlib.import_module("liteparse").LiteParse(ocr_enabled=False).parse(str(path)).text
    return text


READERS: dict[str, Callable[[Path], str]] = {
    "rereview": ours,
    "pypdfium2": pdfium,
    "pdfminer.six": pdfminer,
    "pdfplumber": pdfplumber,
    "liteparse": liteparse,
}
MODULES = {
    "pdfminer.six": "pdfminer.high_level",
    "TexSoup": "TexSoup",
    "pylatexenc": "pylatexenc.latexwalker",
}


def absent(name: str) -> str | None:
    """Why the package cannot be measured; None if it can."""
    try:
        importlib.import_module(MODULES.get(name, name))
    except ImportError as error:
        return f"skipped: {error}"
    return None


def jumps(text: str, reference: str) -> tuple[int, int]:
    """Anchors that both texts share, and how often they come in another order."""
    mine, theirs = _anchors(text), _anchors(reference)
    places = [theirs[words] for words in mine if words in theirs]
    return len(places), sum(not -BACK <= after - before <= FORWARD for before, after in pairwise(places))


def _anchors(text: str) -> dict[tuple[str, ...], int]:
    words = [word.lower() for word in WORD.findall(re.sub(r"-\s*\n\s*|\ufffe|\x02", "", text))]
    three = list(zip(words, words[1:], words[2:], strict=False))
    counts = Counter(three)
    return {each: at for at, each in enumerate(three) if counts[each] == 1}


def pdf_rows(data: Path) -> Iterator[Row]:
    """Pages a second and jumps of order, by reader."""
    paths = {name: data / "papers" / f"{name}.pdf" for name in PDFS}
    references = {name: _recognised(data, other) for name, other in PDFS.items()}
    pages = sum(_pages(path) for path in paths.values())
    for who, reader in READERS.items():
        job = f"PDF, {pages} pages"
        if why := absent(who):
            yield Row(job, who, None, None, why)
            continue
        wall, cpu, texts = timed(lambda reader=reader: {name: reader(path) for name, path in paths.items()})
        order = [f"{name} {found[1]} of {found[0]}" for name, found in _orders(texts, references)]
        yield Row(
            job, who, wall, cpu, f"{pages / cpu:.1f} pages per CPU second; jumps: {', '.join(order)} anchors"
        )


def _orders(texts: object, references: dict[str, str]) -> Iterator[tuple[str, tuple[int, int]]]:
    assert isinstance(texts, dict)
    return ((name, jumps(text, references[name])) for name, text in texts.items())


def _recognised(data: Path, name: str) -> str:
    return "\n\n".join(_paragraphs(data, name))


def _paragraphs(data: Path, name: str) -> list[str]:
    content = json.loads((data / "located-comments" / f"{name}.json").read_text())
    return [paragraph["text"] for paragraph in content["paragraphs"]]


def _pages(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as document:
        return len(document)


# LaTeX


def scanned(source: str) -> list[str]:
    """Outermost mathematics, as rereview sees it."""
    regions = nest(source, tokens(source)).regions
    return [source[each.start : each.end] for each in regions if each.kind != "environment" and each.outer]


def pylatexenc(source: str) -> list[str]:
    """Outermost mathematics; a file that it cannot parse strictly is parsed as well as it can."""
    walker = importlib.import_module("pylatexenc.latexwalker")
    display = {"equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat"}
    found: list[tuple[int, str]] = []

    def visit(nodes: Iterable[object]) -> None:
        for node in nodes or ():
            if node is None:
                continue
            environment = getattr(node, "environmentname", "").rstrip("*")
            if node.isNodeType(walker.LatexMathNode) or environment in display:
                found.append((node.pos, source[node.pos : node.pos + node.len]))
                continue
            visit(getattr(node, "nodelist", None))
            visit(getattr(getattr(node, "nodeargd", None), "argnlist", None))

    visit(walker.LatexWalker(source, tolerant_parsing=True).get_latex_nodes()[0])
    return [text for _, text in sorted(found)]


def texsoup(source: str) -> list[str]:
    """Mathematics by the names of its nodes."""
    soup = importlib.import_module("TexSoup").TexSoup(source, tolerance=1)
    names = ["$", "$$", "displaymath", "math", "equation", "align", "gather", "multline", "eqnarray"]
    return [
        str(node) for name in (*names, *(f"{each}*" for each in names[4:])) for node in soup.find_all(name)
    ]


SCANNERS: dict[str, Callable[[str], list[str]]] = {
    "rereview": scanned,
    "pylatexenc": pylatexenc,
    "TexSoup": texsoup,
}


def latex_rows(data: Path) -> Iterator[Row]:
    """Seconds and spans of mathematics, by scanner."""
    sources = {
        name: (data / name).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n") for name in SOURCES
    }
    job = f"LaTeX, {sum(map(len, sources.values())) // 1000} kB"
    own: Counter[str] = Counter()
    for who, scanner in SCANNERS.items():
        if why := absent(who):
            yield Row(job, who, None, None, why)
            continue
        wall, cpu, found = timed(lambda scanner=scanner: _spans(scanner, sources.values()))
        assert isinstance(found, Counter)
        own = own or found
        shared, count = sum((own & found).values()), sum(found.values())
        yield Row(job, who, wall, cpu, f"{count} spans of mathematics, {shared} the same as rereview's")


def _spans(scanner: Callable[[str], list[str]], sources: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for source in sources:
        try:
            found.update("".join(span.split()) for span in scanner(source))
        except Exception as error:  # noqa: BLE001  a peer may fail in any way, and that is a result
            found[f"failed: {type(error).__name__}"] += 1
    return found


# Quotes


def quote_rows(data: Path, count: int) -> Iterator[Row]:
    """Seconds for real quotes, and for the same with other words in them."""
    paragraphs = _paragraphs(data, QUOTED)
    blocks = tuple(Block(id=f"b{at}", text=text, kind="paragraph") for at, text in enumerate(paragraphs))
    paper = Manuscript(id="m", paper_id="p", title="t", format="markdown", blocks=blocks)
    text = "\n\n".join(paragraphs)
    size = f"{len(text) // 1000} kB paper"
    wall, cpu, locator = timed(lambda: _folded(paper))
    assert isinstance(locator, Locator)
    yield Row(f"fold a {size}, once", "rereview", wall, cpu, "")
    firm, damaged = _quotes(data, locator, count)
    for job, quotes in (
        (f"{count} quotes, 4 of them fuzzy", [*firm[: count - 4], *damaged[:4]]),
        (f"{count} quotes, all fuzzy", damaged),
    ):
        wall, cpu, found = timed(lambda quotes=quotes: [locator.locate(quote).match for quote in quotes])
        yield Row(f"{job}, {size}", "rereview", wall, cpu, _counted(found))
        few = quotes[:: max(len(quotes) // 5, 1)][:5]
        wall, cpu, found = timed(lambda few=few: [_longest(quote, text) for quote in few])
        scale = len(quotes) / len(few)
        yield Row(f"{job}, {size}", "difflib", wall * scale, cpu * scale, f"{len(few)} quotes, scaled up")


def _folded(paper: Manuscript) -> Locator:
    locator = Locator(paper)
    locator.locate("words that no paper of this kind holds, and that are nowhere else either")
    return locator


def _quotes(data: Path, locator: Locator, count: int) -> tuple[list[str], list[str]]:
    """Real quotes of the paper that stand there, and as many with three words left out or changed."""
    content = json.loads((data / "located-comments" / f"{QUOTED}.json").read_text())
    real = [comment["quote"] for method in content["methods"].values() for comment in method["comments"]]
    firm = [quote for quote in real if locator.locate(quote).match in ("exact", "normalised")]
    long = [quote for quote in firm if len(quote) > 100 and "..." not in quote]
    damaged = [_damaged(quote) for quote in long]
    fuzzy = [quote for quote in damaged if locator.locate(quote).match in ("fuzzy", "differs")]
    return (firm * count)[:count], (fuzzy * count)[:count]


def _damaged(quote: str) -> str:
    words = quote.split(" ")
    third = len(words) // 3
    return " ".join(
        [*words[:third], "indeed", *words[third + 1 : 2 * third], "rather", *words[2 * third + 1 :]]
    )


def _longest(quote: str, text: str) -> int:
    return difflib.SequenceMatcher(None, quote, text, autojunk=False).find_longest_match().size


def _counted(found: object) -> str:
    assert isinstance(found, list)
    return ", ".join(f"{number} {match}" for match, number in sorted(Counter(found).items()))


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--quotes", type=int, default=50)
    given = parser.parse_args()
    print("| job | by | wall, s | CPU, s | CPU, times rereview's | |\n|---|---|---|---|---|---|", flush=True)
    own: dict[str, float] = {}
    for row in chain(pdf_rows(given.data), latex_rows(given.data), quote_rows(given.data, given.quotes)):
        if row.cpu is not None and row.who == "rereview":
            own[row.job] = row.cpu
        ratio = f"{row.cpu / own[row.job]:.3g}" if row.cpu is not None and own.get(row.job) else "–"
        seconds = " | ".join("–" if value is None else f"{value:.3f}" for value in (row.wall, row.cpu))
        print(f"| {row.job} | {row.who} | {seconds} | {ratio} | {row.found} |", flush=True)
    print(
        f"\n{time.strftime('%Y-%m-%d')}, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    )


if __name__ == "__main__":
    main()
