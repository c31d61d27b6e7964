"""Averages that the text gives, against the column and the group of rows that the sentence names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rereview.reviewers.checks.changes import HEDGE, Place, sentences, within
from rereview.reviewers.checks.tabulated import PaperTable, table_remark
from rereview.reviewers.checks.wording import names, same, speaks_of, words
from rereview.text.numbers import Number, numbers
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark

_ABOUT = r"(?:about |approximately |roughly |around |nearly |\$|~)*"
_AVERAGE = re.compile(
    rf"\b(?:(?:average|mean)\s+(?P<what>(?:[\w-]+\s+){{0,4}}?)(?:of|is|was|=)\s+|averag(?:ed|es|ing)\s+){_ABOUT}$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\\cite|et al|literature|previous|reported (?:by|in)|elsewhere|weighted|median", re.IGNORECASE
)
# "increased by an average of 45%" is the average of a change and no value of a column.
_BY = re.compile(r"\bby\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_UNIT = re.compile(r"\(([^()]*)\)\s*$")
_TEXT_UNIT = re.compile(r"[\s~$}]*(?:\\[,;]|\\(?:text|mathrm)\{)*\s*([A-Za-z%µμ]+)")
_MIN_LETTERS = 4


class Average(NamedTuple):
    """An average of the text: where it stands, what it is of, and its value."""

    block: Block
    sentence: Place
    start: int
    what: tuple[str, ...]
    value: Number


def average_remarks(paper: Manuscript, tables: Sequence[PaperTable]) -> Iterator[Remark]:
    """Averages whose column and rows are certain and whose value is another one."""
    for block in paper.blocks:
        if block.kind not in {"paragraph", "caption"}:
            continue
        for average in _averages(block):
            columns = [(t, c) for t in tables for c in t.value_columns if _is_of(average, t, c)]
            if len(columns) == 1:
                yield from _compared(average, *columns[0])


def _averages(block: Block) -> Iterator[Average]:
    """The averages that a block states, without those of other work and those that are only possible."""
    found = list(numbers(block.text))
    for sentence in sentences(block.text):
        text = block.text[slice(*sentence)]
        if HEDGE.search(text) or _ELSEWHERE.search(text):
            continue
        for value in within(found, sentence):
            said = _AVERAGE.search(block.text, sentence.start, value.start)
            if said and not _BY.search(block.text, sentence.start, said.start()):
                yield Average(block, sentence, said.start(), tuple(words(said["what"] or "")), value)


def _is_of(average: Average, table: PaperTable, column: int) -> bool:
    """True if the heading of a column is what the average is of, and the unit can be the same."""
    heading = table.heading(column)
    text = average.block.text[slice(*average.sentence)]
    if not words(heading) or not (
        names(heading, average.what) if average.what else speaks_of(text, words(heading))
    ):
        return False
    if (average.value.unit == "%") != ("%" in heading or any(v.unit == "%" for v in table.values.values())):
        return False
    unit = _UNIT.search(heading)
    told = _TEXT_UNIT.match(average.block.text, average.value.end)
    if unit is None or average.value.unit == "%" or told is None:
        return True
    return told[1][0].lower() == unit[1][:1].lower()


def _compared(average: Average, table: PaperTable, column: int) -> Iterator[Remark]:
    """A finding if one group of rows is named, no single row is, and its mean is another number."""
    rows = _rows(average, table, column)
    values = [table.values[row, column] for row in rows]
    if len(values) < 2:  # noqa: PLR2004 - a mean is of two and more
        return
    mean = sum((v.value for v in values), Fraction(0)) / len(values)
    rounding = sum((v.half for v in values), Fraction(0)) / len(values) + 2 * average.value.half
    if abs(mean - average.value.value) <= rounding:
        return
    shown = f"{float(mean):.{max(average.value.decimals, 0) + 1}f}"
    group = _group(table, rows[0])
    yield table_remark(
        Span(block_id=average.block.id, start=average.start, end=average.value.end),
        average.block.text,
        table.span(*(table.cell(row, column) for row in rows)),
        table,
        rule="sums",
        title="An average in the text is not the one of its column",
        body=(
            f"{group}, {table.heading(column)}: "
            f"the mean of the {len(rows)} rows is {shown}, not {average.value}."
        ),
        arithmetic=f"({' + '.join(map(str, values))}) / {len(values)} = {shown}; text: {average.value}",
        severity="moderate",
    )


def _rows(average: Average, table: PaperTable, column: int) -> list[int]:
    """The rows of the one group that the sentence names; [] if it names none, two, or a single row."""
    text = average.block.text[slice(*average.sentence)]
    groups = {group for row in table.body if (group := _group(table, row))}
    named = {group for group in groups if speaks_of(text, words(group))}
    labels = {table.label(row) for row in table.body} - groups
    if len(named) != 1 or any(_is_word(label) and speaks_of(text, words(label)) for label in labels):
        return []
    (group,) = named
    if not _surely(text, words(group), table):
        return []
    return [row for row in table.body if _group(table, row) == group and (row, column) in table.values]


def _group(table: PaperTable, row: int) -> str:
    """What a row shares with others: its group, or its label where that is written again in each row."""
    label = table.label(row)
    again = sum(table.label(other) == label for other in table.body) > 1
    return table.group(row) or (label if again else "")


def _is_word(label: str) -> bool:
    return any(character.isalpha() for character in label)


def _surely(text: str, group: Sequence[str], table: PaperTable) -> bool:
    """True if the name of a group is no everyday word, or stands before the noun that heads its column."""
    if any(len(word) >= _MIN_LETTERS for word in group) and not _EVERYDAY & set(group):
        return True
    heads = [word for column in range(table.stub) for word in words(table.heading(column))]
    said = words(text)
    runs = (said[i : i + len(group) + 1] for i in range(len(said) - len(group)))
    return any(list(run[:-1]) == list(group) and any(same(run[-1], head) for head in heads) for run in runs)


_EVERYDAY = {
    "high",
    "full",
    "long",
    "short",
    "large",
    "small",
    "none",
    "other",
    "first",
    "last",
    "both",
    "test",
    "main",
}
