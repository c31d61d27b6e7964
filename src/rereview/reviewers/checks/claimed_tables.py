"""Claims of change against the numbers of the table that they speak of.

Two things are asked: does a number differ from the one in the row that is named, and does one of
several improvements in the same column go the other way than the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rereview.reviewers.checks.changes import Change, Place
from rereview.reviewers.checks.tabulated import PaperTable, table_remark
from rereview.reviewers.checks.wording import speaks_of, words
from rereview.text.numbers import Number
from rereview.types.manuscript import Block, Span
from rereview.types.review import Remark

Told = Sequence[tuple[Block, Change]]


def against_tables(tables: Sequence[PaperTable], told: Told) -> Iterator[Remark]:
    """The findings of both questions."""
    for block, change in told:
        yield from _not_in_row(block, change, tables)
    yield from _against_siblings(told, tables)


# A number of the text against the row that the sentence names.

_MIN_DIGITS = 3


def _digits(number: Number) -> int:
    return len(str(abs(number.value.numerator * 10 ** max(number.decimals, 0) // number.value.denominator)))


def _holds(table: PaperTable, number: Number) -> bool:
    """True if a value of the table is this number, rounded to its places or exact."""
    return any(abs(v.value - number.value) <= max(v.half, number.half) for v in table.values.values())


def _not_in_row(block: Block, change: Change, tables: Sequence[PaperTable]) -> Iterator[Remark]:
    """One number of the pair is in the named row and column, the other nowhere in the paper's tables."""
    pair = (change.before, change.after)
    for known, lost in (pair, pair[::-1]):
        if (
            _digits(known) < _MIN_DIGITS
            or known.decimals != lost.decimals
            or any(_holds(t, lost) for t in tables)
        ):
            continue
        places = [
            (table, row, column)
            for table in tables
            for row, column in table.values
            if column in table.value_columns
            and table.values[row, column].value == known.value
            and table.values[row, column].decimals == known.decimals
            and _named(block.text[slice(*change.sentence)], table, row)
        ]
        if len(places) == 1:
            yield from _row_remark(block, change, known, lost, *places[0])


def _named(sentence: str, table: PaperTable, row: int) -> bool:
    """True if the sentence names this row and no other."""
    labels = {table.label(r) for r in table.body if table.label(r)}
    return {label for label in labels if speaks_of(sentence, words(label))} == {table.label(row)}


def _row_remark(  # noqa: PLR0917 - the last three are one place
    block: Block, change: Change, known: Number, lost: Number, table: PaperTable, row: int, column: int
) -> Iterator[Remark]:
    label = table.label(row)
    others = [r for r in table.body if r != row and table.label(r) == label and (r, column) in table.values]
    if not others or len({table.group(r) for r in (row, *others)}) == 1:
        return
    near = min(others, key=lambda r: abs(table.values[r, column].value - lost.value))
    value = table.values[near, column]
    heading = table.heading(column)
    yield table_remark(
        Span(block_id=block.id, start=change.place.start, end=change.place.end),
        block.text,
        table.row_span(near, column),
        table,
        rule="claims",
        title="A number in the text is not the one in the table",
        body=(
            f"{label}, {heading}: the table has {known} ({table.group(row)}), "
            f"but no row of {label} holds {lost}; the nearest is {value} ({table.group(near)})."
        ),
        arithmetic=f"text: {lost}; table: {value}; {lost} ≠ {value}",
        severity="moderate",
    )


# Several improvements in one column that do not all go the same way.

_MIN_SIBLINGS = 2


def _against_siblings(told: Told, tables: Sequence[PaperTable]) -> Iterator[Remark]:
    """Two changes of a column are called reductions, and one that rises is called an improvement."""
    for table in tables:
        for column in table.value_columns:
            inside = [(b, c) for b, c in told if _in_column(table, column, c)]
            for block, change in inside:
                siblings = [(b, c) for b, c in inside if c.direction and _parallel(block, b)]
                ways = {c.direction for _, c in siblings}
                moved = 1 if change.after.value > change.before.value else -1
                if change.better and len(siblings) >= _MIN_SIBLINGS and ways == {-moved}:
                    yield _sibling_remark(block, change, *siblings[-1])


def _in_column(table: PaperTable, column: int, change: Change) -> bool:
    """True if both numbers of a change stand in this column, printed alike, and in no other."""
    return all(
        {c for (_, c), v in table.values.items() if (v.value, v.decimals) == (n.value, n.decimals)}
        == {column}
        for n in (change.before, change.after)
    )


def _parallel(one: Block, other: Block) -> bool:
    """True if two blocks are items of a list, or one block."""
    return one.id == other.id or (one.environment is not None and one.environment == other.environment)


def _item(text: str, change: Change) -> Place:
    r"""A claim with the label before it, without `\item`, and with the bracket that closes it."""
    label = re.compile(r"(?:\\item\b(?:\[[^\]]*\])?)?\s*").match(text, change.sentence.start)
    start = label.end() if label else change.sentence.start
    return Place(min(start, change.place.start), change.place.end + text.startswith(")", change.place.end))


def _sibling_remark(block: Block, change: Change, other_block: Block, other: Change) -> Remark:
    sign = ">" if change.after.value > change.before.value else "<"
    quote, against = _item(block.text, change), _item(other_block.text, other)
    down = other.direction < 0
    return Remark(
        title="An improvement that goes the other way than the others",
        body=(
            f"Other values of this column are said to improve by {'falling' if down else 'rising'}; from "
            f"{change.before} to {change.after} it {'rises' if down else 'falls'}."
        ),
        rule="claims",
        severity="major",
        quote=block.text[slice(*quote)],
        against=other_block.text[slice(*against)],
        arithmetic=f"{change.after} {sign} {change.before}; “{other.word}”: {other.before} to {other.after}",
        places=(
            Span(block_id=block.id, start=quote.start, end=quote.end),
            Span(block_id=other_block.id, start=against.start, end=against.end),
        ),
    )
