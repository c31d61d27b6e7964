"""Scores from elsewhere: CSV, JSON lines or parquet with the columns of `frames`, or names near them.

Every row is used or listed with the reason why not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from rereview.errors import UnusableInput
from rereview.study.frames import COUNTS, FURTHER, NUMBERS, SCORES, TRUTHS

ALIASES = {
    "paper": "paper_id forum forum_id submission submission_id submission_number pid doc document arxiv_id",
    "version": "variant manuscript manuscript_id arm condition",
    "reviewer": "reviewer_id system method procedure signature",
    "model": "scorer model_id model_name backbone llm judge",
    "round": "run repeat replicate rep epoch iteration trial sample seed review_number",
    "score": "rating recommendation overall overall_score overall_assessment overall_rating"
    " overall_recommendation",
    "group": "year venue conference",
    "human": "human_score human_mean mean_human mean_rating avg_rating rating_avg average_rating mean_score",
    "accepted": "decision accept is_accepted final_decision",
    "area": "primary_area subject_area track",
    "input_tokens": "prompt_tokens",
    "cached_tokens": "cache_read_tokens cached_input_tokens",
    "output_tokens": "completion_tokens",
}
"""Names by which OpenReview and common exports call a column; case, spaces and hyphens do not matter."""

SCORE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:[:\-–—].*)?$", re.DOTALL)
YES = re.compile(r"(true|yes|1|1\.0|accept.*|.*\b(poster|oral|spotlight|notable)\b.*)$")
NO = re.compile(r"(false|no|0|0\.0|reject.*|desk.?reject.*|.*\bwithdrawn?\b.*)$")
SHOWN = 20


@dataclass(frozen=True)
class Unused:
    """Rows of one file that were left out for one reason."""

    file: str
    reason: str
    rows: tuple[int, ...]
    """Line numbers for CSV and JSON lines, from 1 with the header; record numbers for parquet."""

    def __str__(self) -> str:
        """`scores.csv: no score (3 rows: 4, 7, 9)`."""
        shown = ", ".join(str(row) for row in self.rows[:SHOWN]) + (", …" if len(self.rows) > SHOWN else "")
        noun = "row" if len(self.rows) == 1 else "rows"
        return f"{self.file}: {self.reason} ({len(self.rows)} {noun}: {shown})"


@dataclass(frozen=True)
class Loaded:
    """What was read: a frame with `SCORES` and those of `FURTHER` that are there, and what was left out."""

    frame: pd.DataFrame
    unused: tuple[Unused, ...]
    notes: tuple[str, ...]


def read(paths: Sequence[Path]) -> Loaded:
    """Read files of scores into one frame. Raises UnusableInput for a file without paper or score."""
    parts = [_file(path) for path in paths]
    frame = pd.concat([part.frame for part in parts], ignore_index=True)
    key = [name for name in (*KEY, "protocol", "role", "call") if name in frame]
    twice = frame.duplicated(key, keep="first")
    unused = [each for part in parts for each in part.unused]
    if twice.any():
        for file, rows in frame[twice].groupby("_file", sort=False)["_row"]:
            unused.append(Unused(str(file), "the same round again; the first is used", tuple(rows)))
    if twice.all() or frame.empty:
        raise UnusableInput(
            "no row can be used", where=", ".join(str(path) for path in paths), expected=_reasons(unused)
        )
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    return Loaded(frame[~twice].drop(columns=["_file", "_row"]).reset_index(drop=True), tuple(unused), notes)


KEY = ("paper", "version", "reviewer", "model", "round")


def _reasons(unused: Sequence[Unused]) -> str:
    return "; ".join(str(each) for each in unused) or "rows with a paper and a score"


def _file(path: Path) -> Loaded:
    raw, first = _raw(path)
    names, notes = _names(path, list(raw.columns))
    raw = raw.rename(columns=names)[list(names.values())]
    raw["_row"] = range(first, first + len(raw))
    raw["_file"] = path.name
    bad: dict[str, list[int]] = {}
    kept = _typed(raw, bad)
    kept, more = _completed(kept)
    unused = tuple(Unused(path.name, reason, tuple(rows)) for reason, rows in bad.items())
    return Loaded(kept, unused, (*notes, *more))


def _raw(path: Path) -> tuple[pd.DataFrame, int]:
    """The cells as text, and the number of the first row."""
    where = str(path)
    if not path.is_file():
        raise UnusableInput(
            "no such file", where=where, expected="a .csv, .tsv, .jsonl or .parquet file of scores"
        )
    ending = path.suffix.lower()
    try:
        if ending in (".csv", ".tsv", ".txt"):
            return pd.read_csv(
                path, dtype=str, sep="\t" if ending == ".tsv" else ",", keep_default_na=False
            ), 2
        if ending in (".jsonl", ".ndjson"):
            return pd.read_json(path, lines=True, dtype=False, convert_dates=False), 1
        if ending == ".parquet":
            return pd.read_parquet(path), 1
    except ImportError as error:
        raise UnusableInput(
            "parquet needs another package", where=where, expected="pip install 'rereview[parquet]'"
        ) from error
    except (ValueError, UnicodeDecodeError, OSError) as error:
        raise UnusableInput(
            f"cannot be read: {error}", where=where, expected=f"a table in the format that {ending} names"
        ) from error
    raise UnusableInput(
        f"files of type {ending or 'unknown'!r} are not read",
        where=where,
        expected="a .csv, .tsv, .jsonl or .parquet file",
    )


def _names(path: Path, columns: Sequence[object]) -> tuple[dict[object, str], list[str]]:
    """Which column of the file is which of ours; an exact name wins over an alias."""
    ours = (*SCORES, *FURTHER)
    plain = {column: re.sub(r"[\s\-]+", "_", str(column).strip().lower()) for column in columns}
    found = {column: name for column, name in plain.items() if name in ours}
    notes = []
    for ours_name, aliases in ALIASES.items():
        known = aliases.split()
        near = sorted(
            (known.index(name), str(column), column) for column, name in plain.items() if name in known
        )
        if near and ours_name not in found.values():
            found[near[0][2]] = ours_name
            notes.append(f"{path.name}: the column {near[0][1]!r} is read as {ours_name!r}")
    missing = [name for name in ("paper", "score") if name not in found.values()]
    if "score" in missing and any(name.startswith("p") and name[1:].isdigit() for name in found.values()):
        missing.remove("score")
    if missing:
        raise UnusableInput(
            f"no column {' or '.join(missing)}",
            where=str(path),
            expected=f"columns {', '.join(ours[:7])}; there are: {', '.join(map(str, columns))}",
        )
    return found, notes


def _typed(raw: pd.DataFrame, bad: dict[str, list[int]]) -> pd.DataFrame:
    """Columns in their types; rows that cannot be used leave, with the reason in `bad`."""
    frame = raw.copy()
    for name in frame.columns.difference(["_row", "_file"]):
        text = frame[name].map(_text)
        if name in NUMBERS:
            frame[name] = text.map(_number)
            _refuse(frame, bad, text.ne("") & frame[name].isna(), f"{name} is no number")
        elif name in COUNTS:
            frame[name] = text.map(_number)
            wrong = text.ne("") & (frame[name].isna() | frame[name].mod(1).ne(0))
            _refuse(frame, bad, wrong, f"{name} is no whole number")
        elif name in TRUTHS:
            frame[name] = text.map(_truth).astype("object")
            if name == "accepted" and "withdrawn" not in raw.columns:
                frame["withdrawn"] = text.str.lower().str.contains("withdraw").where(text.ne(""), None)
            _refuse(frame, bad, text.ne("") & frame[name].isna(), f"{name} is neither true nor false")
        else:
            frame[name] = text
        frame = frame[~frame["_row"].isin(_gone(bad))]
    _refuse(frame, bad, frame["paper"].eq(""), "no paper")
    if "score" in frame:
        carries = [name for name in frame if name in NUMBERS and name.startswith("p")]
        empty = frame["score"].isna() & (frame[carries].isna().all(axis=1) if carries else True)
        _refuse(frame, bad, empty, "no score")
    return frame[~frame["_row"].isin(_gone(bad))]


def _gone(bad: dict[str, list[int]]) -> set[int]:
    return {row for rows in bad.values() for row in rows}


def _refuse(frame: pd.DataFrame, bad: dict[str, list[int]], which: pd.Series, reason: str) -> None:
    rows = [int(row) for row in frame.loc[which, "_row"] if row not in _gone(bad)]
    if rows:
        bad.setdefault(reason, []).extend(rows)


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and value != value):  # noqa: PLR0124  NaN is not itself
        return ""
    return str(value).strip()


def _number(text: str) -> float:
    match = SCORE.fullmatch(text)
    return float(match[1]) if match else float("nan")


def _truth(text: str) -> bool | None:
    plain = text.lower()
    if YES.match(plain) and not NO.match(plain):
        return True
    return False if NO.match(plain) else None


def _completed(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Add what a study always has: empty names, rounds by order of appearance."""
    notes = []
    complete = frame.copy()
    for name in ("version", "reviewer", "model"):
        if name not in complete:
            complete[name] = ""
    if "score" not in complete:
        complete["score"] = float("nan")
    unit = [
        "paper",
        "version",
        "reviewer",
        "model",
        *(name for name in ("protocol", "role") if name in complete),
    ]
    order = complete.groupby(unit, sort=False).cumcount() + 1
    if "round" not in complete:
        complete["round"] = order
        notes.append("no column 'round': rounds are numbered by order of appearance")
    elif complete["round"].isna().any():
        complete["round"] = complete["round"].fillna(order)
        notes.append("rows without a round are numbered by order of appearance")
    complete["round"] = complete["round"].astype("int64")
    complete["status"] = "ok"
    return complete, notes


def configurations(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each reviewer, model and version of a frame with its rows, named by what distinguishes them."""
    names = ("reviewer", "model", "version")
    varying = [name for name in names if len(frame[name].unique()) > 1]
    if not varying:
        yield "", frame
        return
    for values, rows in frame.groupby(varying, sort=True):
        yield " | ".join(str(value) or "–" for value in values), rows
