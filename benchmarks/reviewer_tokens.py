"""Input tokens and time of a review, of our reviewers and of two published packages, on the same papers.

    python benchmarks/reviewer_tokens.py [PAPER ...] [--without coarse] [--dialect claude]

A server on loopback meters what each reviewer sends (`metered.py`: cached input counts a tenth) and answers
after 0.2 seconds with a fixed number of made-up issues. Without PAPER the papers are made up too, of 10,000
to 50,000 tokens. openaireview and coarse run in the environments of `rereview reviewers install`. With the
dialect of Claude, whose cache keeps only what is marked, our own reviewers are measured; what is billed
without marks is the input as sent.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from metered import CHARACTERS, Meter, metered, tokens

from rereview.ingest.base import read
from rereview.reviewers.base import as_text
from rereview.reviewers.environments import PACKAGES, installed

SIZES = (10_000, 20_000, 35_000, 50_000)
SECONDS = 0.2
MODELS = {"chat": "m", "claude": "anthropic:m"}
REVIEWERS = ("scorecard", "zero_shot", "progressive", "panel", "openaireview", "coarse")
ISSUES = {"panel": 2}
"""Issues an answer holds; of a panel two, so that four passes raise about as many as the passages do."""
PROSE = """the sample of each river was taken in winter before ice and after it while the flow at the gauge
rose with rain on frozen soil where sediment from upper reaches settles and the model of transport that we fit
to mean depth and width explains the loss of phosphorus between two stations of the lower basin"""
WORDS = PROSE.split()


class Line(NamedTuple):
    """What one review used."""

    reviewer: str
    calls: int
    sent: int
    cached: int
    written: int
    billed: float
    seconds: float


def made_up(size: int, seed: int) -> str:
    """A paper of about `size` tokens in Markdown: sections, sentences with numbers, formulas."""
    chance = random.Random(seed)
    parts = [f"# Transport of sediment, study {seed}"]
    while sum(map(len, parts)) < size * CHARACTERS:
        if chance.random() < 0.12:
            parts.append(f"## {' '.join(chance.sample(WORDS, 4)).capitalize()}")
        parts.append(" ".join(_sentence(chance) for _ in range(chance.randint(4, 9))))
    return "\n\n".join(parts) + "\n"


def _sentence(chance: random.Random) -> str:
    words = " ".join(chance.choice(WORDS) for _ in range(chance.randint(9, 20))).capitalize()
    value = chance.randint(2, 900)
    end = chance.choice(("", f" by {value} m", f" ($n = {value}$)", f" at station {value}", f" ({value} %)"))
    return f"{words}{end}."


def measured(reviewer: str, paper: Path, dialect: str) -> Line | str:
    """One review through the command; what it said if it failed."""
    with (
        metered(seconds=SECONDS, issues=ISSUES.get(reviewer, 1)) as meter,
        tempfile.TemporaryDirectory() as name,
    ):
        argv = [
            sys.executable,
            "-m",
            "rereview",
            "review",
            str(paper),
            "--reviewer",
            reviewer,
            "--model",
            MODELS[dialect],
        ]
        argv += ["--base-url", meter.base_url, "--no-images", "--out", f"{name}/s"]
        argv += ["--price", "0.01,0.01"]  # of rounds that are paid the first goes alone
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip().splitlines()[-1]
        return _line(reviewer, meter)


def _line(reviewer: str, meter: Meter) -> Line:
    return Line(
        reviewer,
        meter.calls,
        meter.input,
        meter.cached,
        meter.written,
        meter.billed,
        meter.last - meter.first,
    )


def rows(
    papers: Sequence[Path], reviewers: Sequence[str], dialect: str
) -> Iterator[tuple[Path, int, list[Line]]]:
    """The lines of each paper."""
    for paper in papers:
        size = tokens(as_text(read(paper)))
        lines = []
        for reviewer in reviewers:
            found = measured(reviewer, paper, dialect)
            if isinstance(found, str):
                print(f"{reviewer} on {paper.name}: {found}", file=sys.stderr)
            else:
                lines.append(found)
        yield paper, size, lines


def table(papers: Sequence[Path], reviewers: Sequence[str]) -> Iterator[str]:
    """A row a paper and reviewer; the last column is billed input as a share of OpenAIReview's."""
    yield "| paper | tokens | reviewer | calls | input | of these cached | billed | s | of openaireview |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for paper, size, lines in rows(papers, reviewers, "chat"):
        theirs = next((line.billed for line in lines if line.reviewer == "openaireview"), None)
        for line in lines:
            share = "–" if theirs is None else f"{line.billed / theirs:.2f}"
            used = f"{line.calls} | {line.sent:,} | {line.cached:,} | {line.billed:,.0f} | {line.seconds:.1f}"
            yield f"| {paper.stem} | {size:,} | {line.reviewer} | {used} | {share} |"


def table_of_marks(papers: Sequence[Path], reviewers: Sequence[str]) -> Iterator[str]:
    """A row a paper and reviewer; the last column is billed input as a share of what it is without marks."""
    yield "| tokens | reviewer | calls | input | of these cached | written | billed | of the input |"
    yield "|---|---|---|---|---|---|---|---|"
    for _, size, lines in rows(papers, reviewers, "claude"):
        for line in lines:
            used = f"{line.calls} | {line.sent:,} | {line.cached:,} | {line.written:,} | {line.billed:,.0f}"
            yield f"| {size:,} | `{line.reviewer}` | {used} | {line.billed / line.sent:.2f} |"


def main() -> None:
    """Print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", type=Path)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--dialect", choices=MODELS, default="chat")
    given = parser.parse_args()
    claude = given.dialect == "claude"
    given.without += PACKAGES if claude else ()
    missing = [name for name in PACKAGES if name not in given.without and installed(name) is None]
    for name in missing:
        print(f"{name} is left out: rereview reviewers install {name}", file=sys.stderr)
    reviewers = [name for name in REVIEWERS if name not in (*missing, *given.without)]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        papers = given.papers or [Path(name) / f"made-up-{size}.md" for size in SIZES]
        for number, size in enumerate(() if given.papers else SIZES, start=1):
            papers[number - 1].write_text(made_up(size, number), "utf-8")
        for line in (table_of_marks if claude else table)(papers, reviewers):
            print(line, flush=True)
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
