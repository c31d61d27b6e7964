"""The cells of a CSV, JSON lines or parquet file as they stand, each row with its number."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from rereview.errors import UnusableInput
from rereview.text.plurals import many

SEPARATORS = (",", ";", "\t", "|")
BOM = "\ufeff"


@dataclass
class Cells:
    """A file before its columns are understood."""

    frame: pd.DataFrame
    """Cells as they stand, object columns under the names of the file."""
    numbers: list[int]
    """Line of each row (record number for parquet), from 1."""
    bad: dict[str, list[int]] = field(default_factory=dict)
    """Lines that are no row, by reason."""
    decimal_comma: bool = False
    """Whether 5,5 is a number: where semicolons part the cells."""


def read_cells(path: Path) -> Cells:
    """Read a file by its ending. Raises UnusableInput for a file that is no table."""
    ending = path.suffix.lower()
    if not path.is_file():
        raise UnusableInput(
            "no such file", where=str(path), expected="a .csv, .tsv, .jsonl or .parquet file of scores"
        )
    if ending not in READERS:
        raise UnusableInput(
            f"files of type {ending or 'unknown'!r} are not read",
            where=str(path),
            expected="a .csv, .tsv, .jsonl or .parquet file",
        )
    try:
        return READERS[ending](path)
    except ImportError as error:
        raise UnusableInput(
            "parquet needs another package", where=str(path), expected="pip install 'rereview[parquet]'"
        ) from error
    except UnicodeDecodeError as error:
        raise UnusableInput(
            "this is not UTF-8 text", where=str(path), expected="a file saved as UTF-8"
        ) from error
    except (ValueError, OSError, csv.Error) as error:
        raise UnusableInput(
            f"cannot be read: {error}",
            where=str(path),
            expected=f"a table in the format that {ending} names",
        ) from error


def _csv(path: Path) -> Cells:
    text = path.read_text(encoding="utf-8-sig", errors="strict")
    separator = "\t" if path.suffix.lower() == ".tsv" else _separator(text)
    records = _records(text, separator)
    _, header = next(records, (0, []))
    _only_once(path, header)
    bad: dict[str, list[int]] = {}
    numbers, rows = [], []
    for number, record in records:
        cells = record[: len(header)]
        if len(cells) < len(header) or any(record[len(header) :]):
            why = f"the header has {many(len(header), 'cell')}, the row {len(record)}"
            bad.setdefault(why, []).append(number)
        else:
            numbers.append(number)
            rows.append(cells)
    frame = pd.DataFrame(rows, columns=header, dtype=object)
    return Cells(frame, numbers, bad, decimal_comma=separator == ";")


def _separator(text: str) -> str:
    """The separator that parts most cells of the first line, outside quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(part for index, part in enumerate(first.split('"')) if index % 2 == 0)
    return max(SEPARATORS, key=bare.count)


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Records that are not blank, each with the line on which it begins."""
    limit = csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        begins = 1
        while True:
            try:
                record = next(reader, None)
            except csv.Error as error:
                raise ValueError(f"{error} (the row that begins on line {begins})") from error
            if record is None:
                return
            if any(cell.strip() for cell in record):
                yield begins, record
            begins = reader.line_num + 1
    finally:
        csv.field_size_limit(limit)


def _only_once(path: Path, header: list[str]) -> None:
    named = [name.strip() for name in header if name.strip()]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise UnusableInput(
            f"{len(twice)} columns have the name of another: {', '.join(map(repr, twice))}"
            if len(twice) > 1
            else f"two columns are called {twice[0]!r}",
            where=str(path),
            expected="a name of its own for each column",
        )


def _json_lines(path: Path) -> Cells:
    bad: dict[str, list[int]] = {}
    numbers, rows = [], []
    text = path.read_text(encoding="utf-8-sig")
    # Only line feeds end a line: a string of JSON may hold other separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = _object(line)
        if record is None:
            bad.setdefault("no JSON object", []).append(number)
        else:
            numbers.append(number)
            rows.append(record)
    return Cells(pd.DataFrame(rows, dtype=object), numbers, bad)


def _object(line: str) -> dict[str, object] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _parquet(path: Path) -> Cells:
    frame = pd.read_parquet(path)
    _only_once(path, [str(name) for name in frame.columns])
    return Cells(frame.astype(object), list(range(1, len(frame) + 1)))


READERS: dict[str, Callable[[Path], Cells]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _csv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
}
