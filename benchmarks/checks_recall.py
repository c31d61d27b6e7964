"""How many injected errors the checks find: each edit alone, in an otherwise clean paper.

    python -P benchmarks/checks_recall.py DATA [--rules NAME ...] [--family NAME ...] [--digits]

`-P`: the neighbour `statistics.py` is not to stand in for the module of that name.

DATA is the folder `injected-errors`: papers with `clean.tex` and one file of edits a family, each edit with
`original` and `perturbed`. An edit counts as found if the checks say something on the edited paper that they
do not say on the clean one, and one of its places touches what was changed. What the checks say elsewhere
because of the edit (at the other place of a contradiction alone) is counted apart.

An original that stands several times in the paper is edited at its first place after the edit before it:
the edits of a family are numbered in the order of the paper.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rereview.ingest.base import read
from rereview.reviewers.checks import Checks
from rereview.types.manuscript import Manuscript, Span
from rereview.types.review import Remark

FAMILIES = {
    "surface": "surface",
    "claim_theoretical": "claim",
    "statement_empirical": "claim",
    "logic": "reasoning",
    "experimental": "empirical",
}


class Edit(NamedTuple):
    """One injected error: `source[start:end]` becomes `replacement`."""

    family: str
    kind: str
    start: int
    end: int
    original: str
    replacement: str

    @property
    def digits(self) -> bool:
        """True if it changes the digits of the text."""
        return re.findall(r"\d", self.original) != re.findall(r"\d", self.replacement)

    @property
    def only_numbers(self) -> bool:
        """True if it changes nothing but numbers."""
        return self.digits and re.sub(r"[\d.,]", "", self.original) == re.sub(r"[\d.,]", "", self.replacement)


class Outcome(NamedTuple):
    """What was found of one edit: the rules that touch it, and those that speak only elsewhere."""

    edit: Edit
    touching: tuple[str, ...]
    elsewhere: tuple[str, ...]


def main() -> None:
    """Print recall by group of edits and by rule, and each edit that was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--rules", nargs="*")
    parser.add_argument("--family", nargs="*", choices=sorted(set(FAMILIES.values())))
    parser.add_argument("--digits", action="store_true", help="only edits that change the digits of the text")
    options = parser.parse_args()
    checks = Checks(rules=tuple(options.rules) if options.rules else None)
    outcomes = [
        outcome
        for clean in sorted(options.data.glob("*/*/clean.tex"))
        for outcome in of_paper(clean, checks, options.family, digits=options.digits)
    ]
    report(outcomes)


def of_paper(clean: Path, checks: Checks, families: list[str] | None, *, digits: bool) -> Iterator[Outcome]:
    """The outcomes of the edits of one paper, printed as they come if something was found."""
    source = clean.read_text(encoding="utf-8")
    known = {key(remark) for remark in said(read(clean), checks)}
    with tempfile.TemporaryDirectory() as folder:
        edited = Path(folder) / clean.name
        for edit in edits(clean.parent, source):
            if (families and edit.family not in families) or (digits and not edit.digits):
                continue
            edited.write_text(source[: edit.start] + edit.replacement + source[edit.end :], encoding="utf-8")
            paper = read(edited)
            outcome = judged(edit, paper, [r for r in said(paper, checks) if key(r) not in known])
            if outcome.touching or outcome.elsewhere:
                print(clean.parent.name, edit.kind, outcome.touching, "elsewhere", outcome.elsewhere)
                print(
                    "   ",
                    edit.original[:90].replace("\n", " "),
                    "=>",
                    edit.replacement[:90].replace("\n", " "),
                )
            yield outcome


def said(paper: Manuscript, checks: Checks) -> list[Remark]:
    """All findings on one paper."""
    return [remark for rule in checks.chosen() for remark in rule(paper)]


def key(remark: Remark) -> tuple[str | None, ...]:
    """What makes a finding the same on two versions of a paper."""
    return (remark.rule, remark.title, remark.quote, remark.against, remark.arithmetic)


def edits(folder: Path, source: str) -> Iterator[Edit]:
    """The edits of a paper whose original stands in its source."""
    for name, family in FAMILIES.items():
        path = folder / f"{name}.json"
        listed = json.loads(path.read_text(encoding="utf-8"))["perturbations"] if path.exists() else []
        after = 0
        for each in sorted(listed, key=lambda one: str(one["span_id"])):
            start = source.find(each["original"], after)
            start = start if start >= 0 else source.find(each["original"])
            if start >= 0:
                end = start + len(each["original"])
                yield Edit(family, each["error"], start, end, each["original"], each["perturbed"])
                after = start


def judged(edit: Edit, paper: Manuscript, new: list[Remark]) -> Outcome:
    """Which rules speak of the place of an edit, and which only of others."""
    touching = {str(r.rule) for r in new if any(touches(paper, place, edit) for place in r.places)}
    elsewhere = {str(r.rule) for r in new} - touching
    return Outcome(edit, tuple(sorted(touching)), tuple(sorted(elsewhere)))


def touches(paper: Manuscript, place: Span, edit: Edit) -> bool:
    """True if a place of a block came from the replaced part of the source."""
    end = edit.start + len(edit.replacement)
    for run in paper.by_id[place.block_id].source:
        first = run.start + max(place.start - run.text_start, 0)
        last = min(run.start + place.end - run.text_start, run.end)
        if first < last and first < end and edit.start < last:
            return True
    return False


def report(outcomes: list[Outcome]) -> None:
    """Two tables of Markdown."""
    groups = {
        "all edits": outcomes,
        "that change digits": [o for o in outcomes if o.edit.digits],
        "that change numbers alone": [o for o in outcomes if o.edit.only_numbers],
        **{f"of the family {name}": [o for o in outcomes if o.edit.family == name] for name in
           dict.fromkeys(FAMILIES.values())},
        "of the family surface that change digits": [
            o for o in outcomes if o.edit.family == "surface" and o.edit.digits
        ],
    }  # fmt: skip
    print("\n| edits | number | found | only elsewhere |\n|---|---|---|---|")
    for name, group in groups.items():
        found = sum(bool(o.touching) for o in group)
        other = sum(bool(o.elsewhere) and not o.touching for o in group)
        print(f"| {name} | {len(group)} | {found} | {other} |")
    counted = Counter(rule for o in outcomes for rule in o.touching)
    print("\n| rule | edits found |\n|---|---|")
    for rule, count in counted.most_common():
        print(f"| {rule} | {count} |")


if __name__ == "__main__":
    main()
