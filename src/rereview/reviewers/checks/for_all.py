"""What is said to hold for all rows, against a table in which no method does it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rereview.reviewers.checks.changes import CHANGE_WORD, HEDGE, Place, sentences
from rereview.reviewers.checks.tabulated import PaperTable, table_remark
from rereview.reviewers.checks.wording import names, same, speaks_of, words
from rereview.text.numbers import Number
from rereview.types.manuscript import Block, Span
from rereview.types.review import Remark


def not_for_all(block: Block, tables: Sequence[PaperTable]) -> Iterator[Remark]:
    """The claims of a block that hold for all rows and that the tables contradict."""
    for claim in _claims_for_all(block):
        yield from _not_for_all(claim, tables)


_ALL = (
    r"(?:across|for|on|over|in|at|under|with|throughout)\s+(?:all|every|each)(?:\s+of)?(?:\s+(?:the|our|its))?"
    r"(?:\s+(?:two|three|four|five|six|seven|eight|nine|ten|\d+|tested|considered|evaluated|studied|benchmark|other))*"
    r"\s+(?P<noun>[a-z]+)"
)
_LINK = r"(?:\s+(?:in|of|for|the|our|its|to|mean|average))*\s+"
_FORWARD = re.compile(
    rf"{_LINK}(?P<what>(?:[\w-]+\s+){{1,4}}?)(?:(?:and|,)\s[^.;]{{0,60}}?)?{_ALL}", re.IGNORECASE
)
_BACKWARD = re.compile(
    rf"\s+(?:significantly\s+|consistently\s+|substantially\s+|clearly\s+)?{_ALL}", re.IGNORECASE
)
_VERB = re.compile(
    r"(?P<what>(?:[\w-]+\s+){1,3}?)(?:(?:is|are|was|were|has|have|had|been|also|consistently|significantly)\s+)*$",
    re.IGNORECASE,
)
_BASELINE = re.compile(
    r"\b(?:baselines?|controls?|untreated|original|vanilla|unmodified|reference|placebo|conventional|before|pre)\b",
    re.IGNORECASE,
)
_THAN = re.compile(r"\b(?:compared|relative|versus|vs\.?|than|over|against)\b", re.IGNORECASE)
_HIGHER = {
    "accuracy", "acc", "precision", "recall", "f1", "auc", "auroc", "auprc", "bleu", "yield", "yields",
    "specificity", "sensitivity", "throughput", "survival", "psnr", "ssim", "agreement", "adherence",
}  # fmt: skip
_LOWER = {
    "error", "errors", "loss", "losses", "divergence", "perplexity", "rmse", "mae", "mse", "mortality",
    "latency", "infection", "infections", "fid", "wer", "cer",
}  # fmt: skip


@dataclass(frozen=True)
class ClaimForAll:
    """A sentence that says of every `noun` that `what` goes one way."""

    block: Block
    sentence: Place
    place: Place
    what: tuple[str, ...]
    noun: str
    direction: int
    """-1 down, 1 up, 0 better."""


def _claims_for_all(block: Block) -> Iterator[ClaimForAll]:
    """The claims of a block that hold for all rows, without those that are denied or only possible."""
    if block.kind not in {"paragraph", "caption"}:
        return
    for sentence in sentences(block.text):
        for word in CHANGE_WORD.finditer(block.text, *sentence):
            found = _FORWARD.match(block.text, word.end(), sentence.end)
            what = found["what"] if found else ""
            if found is None and (found := _BACKWARD.match(block.text, word.end(), sentence.end)):
                subject = _VERB.search(block.text, sentence.start, word.start())
                what = subject["what"] if subject else ""
            if found is None or HEDGE.search(block.text, sentence.start, found.end()):
                continue
            direction = -1 if word["down"] else 1 if word["up"] else 0
            place = Place(min(word.start(), found.start()), found.end())
            yield ClaimForAll(block, sentence, place, tuple(words(what)), found["noun"].lower(), direction)


class Entry(NamedTuple):
    """One value of the quantity: of which group (method), of which unit (data set), and where."""

    group: str
    unit: str
    row: int
    column: int
    value: Number


def _entries(table: PaperTable, claim: ClaimForAll) -> list[Entry]:
    """The values that a claim speaks of, in whichever way the table is laid out; [] if it does not fit."""
    stub = [table.heading(column) for column in range(table.stub)]
    unit = next(
        (c for c, heading in enumerate(stub) if any(same(w, claim.noun) for w in words(heading))), None
    )
    if table.stub > 1 and unit is not None:
        return _long(table, claim, unit)
    if unit is not None and any(table.sections.values()):
        return _sectioned(table, claim)
    if unit is not None:
        return _units_in_rows(table, claim)
    return _units_in_columns(table, claim)


def _long(table: PaperTable, claim: ClaimForAll, unit: int) -> list[Entry]:
    """A column of data sets, a column of methods, and columns of quantities."""
    group = next(c for c in range(table.stub) if c != unit)
    return [
        Entry(
            _stub_words(table, row, group),
            _stub_words(table, row, unit),
            row,
            column,
            table.values[row, column],
        )
        for column in _columns(table, claim)
        for row in table.body
        if (row, column) in table.values
    ]


def _sectioned(table: PaperTable, claim: ClaimForAll) -> list[Entry]:
    """Methods are headings inside the table, data sets its rows, quantities its columns."""
    return [
        Entry(table.sections[row], table.label(row), row, column, table.values[row, column])
        for column in _columns(table, claim)
        for row in table.body
        if (row, column) in table.values
    ]


def _units_in_rows(table: PaperTable, claim: ClaimForAll) -> list[Entry]:
    """Data sets are rows and methods columns; the quantity stands in the heading or in the caption."""
    columns = table.value_columns
    if any(speaks_of(table.heading(c), claim.what) for c in columns):
        columns = tuple(c for c in columns if speaks_of(table.heading(c), claim.what))
    elif not speaks_of(table.caption, claim.what):
        return []
    return [
        Entry(_without(table.heading(c), claim.what), table.label(row), row, c, table.values[row, c])
        for c in columns
        for row in table.body
        if (row, c) in table.values
    ]


def _units_in_columns(table: PaperTable, claim: ClaimForAll) -> list[Entry]:
    """Methods are rows and data sets columns; noun and quantity stand in the caption or above the columns."""
    around = table.caption
    if not speaks_of(around, claim.what) or not any(same(w, claim.noun) for w in words(around)):
        return []
    return [
        Entry(table.label(row), table.heading(c), row, c, table.values[row, c])
        for c in table.value_columns
        for row in table.body
        if (row, c) in table.values
    ]


def _columns(table: PaperTable, claim: ClaimForAll) -> list[int]:
    """The one column that the claim names; [] where none or several could be meant."""
    found = [c for c in table.value_columns if names(table.heading(c), claim.what)]
    return found if len(found) == 1 else []


def _stub_words(table: PaperTable, row: int, column: int) -> str:
    """The label of a row in one column; one that is left blank is the one above."""
    for above in range(row, table.head - 1, -1):
        cell = table.covering.get((above, column))
        if cell and cell.plain:
            return cell.plain
    return ""


def _without(heading: str, phrase: Sequence[str]) -> str:
    """The words of a heading that are not the quantity."""
    return " ".join(w for w in words(heading) if not any(same(w, p) for p in phrase))


def _direction(claim: ClaimForAll, headings: str) -> int:
    """-1 or 1, also for what is only said to be better; 0 where it is not known which way that is."""
    if claim.direction:
        return claim.direction
    if "↓" in headings or "↑" in headings:
        return -1 if "↓" in headings else 1
    last = claim.what[-1] if claim.what else ""
    return 1 if last in _HIGHER else -1 if last in _LOWER else 0


def _not_for_all(claim: ClaimForAll, tables: Sequence[PaperTable]) -> Iterator[Remark]:
    """A finding if every table that holds the quantity contradicts the claim for each of its methods."""
    against: list[Remark] = []
    for table in _meant(claim, tables):
        entries = _entries(table, claim)
        headings = " ".join({table.heading(e.column) for e in entries})
        direction = _direction(claim, headings)
        base = {e.group for e in entries if _BASELINE.search(e.group)}
        if not direction or len(base) != 1 or _other_base(claim, entries, base):
            continue
        wrong = _wrong_way(entries, base.pop(), direction)
        if wrong is None:
            return
        against.append(_for_all_remark(claim, table, *wrong))
    yield from against[:1]


def _meant(claim: ClaimForAll, tables: Sequence[PaperTable]) -> Sequence[PaperTable]:
    """The tables that the sentence refers to; all where it refers to none."""
    text = claim.block.text[slice(*claim.sentence)]
    named = [t for t in tables if any(f"{{{label}}}" in text for label in t.labels)]
    return named or tables


def _other_base(claim: ClaimForAll, entries: list[Entry], base: set[str]) -> bool:
    """True if the sentence compares with a method that is not the baseline."""
    text = claim.block.text[slice(*claim.sentence)]
    than = _THAN.search(text)
    if than is None:
        return False
    rest = text[than.end() :]
    return any(g not in base and speaks_of(rest, words(g)) for g in {e.group for e in entries if e.group})


def _wrong_way(entries: list[Entry], base: str, direction: int) -> tuple[Entry, Entry] | None:
    """Baseline and value of a row that goes the wrong way, of the last method; None if a method has none."""
    start = {e.unit: e for e in entries if e.group == base}
    last: tuple[Entry, Entry] | None = None
    groups = list(dict.fromkeys(e.group for e in entries if e.group != base))
    for group in groups:
        pairs = [(start[e.unit], e) for e in entries if e.group == group and e.unit in start]
        wrong = [(a, b) for a, b in pairs if (b.value.value - a.value.value) * direction < 0]
        if not wrong or len(pairs) == len(wrong):
            return None
        last = wrong[0]
    return last


def _for_all_remark(claim: ClaimForAll, table: PaperTable, before: Entry, after: Entry) -> Remark:
    goes = "rises" if after.value.value > before.value.value else "falls"
    sign = ">" if after.value.value > before.value.value else "<"
    where = after.unit or table.label(after.row)
    return table_remark(
        Span(block_id=claim.block.id, start=claim.place.start, end=claim.place.end),
        claim.block.text,
        _row_with(table, before, after),
        table,
        rule="claims",
        title="What is said of all rows does not hold for one of them",
        body=(
            f"For {where} the value {goes} from {before.value} ({before.group}) "
            f"to {after.value} ({after.group}). "
            "No method of the table does what the sentence says for every row."
        ),
        arithmetic=f"{where}: {after.value} ({after.group}) {sign} {before.value} ({before.group})",
        severity="major",
    )


def _row_with(table: PaperTable, before: Entry, after: Entry) -> Span:
    """The row of the later value; with the baseline where it stands in the same row."""
    if before.row == after.row:
        return table.row_span(after.row, max(before.column, after.column))
    return table.row_span(after.row, after.column)
