"""From the columns of any file to ours: names near them, text that holds a number, rows that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from rereview.errors import UnusableInput
from rereview.study.frames import COUNTS, FURTHER, NUMBERS, PROBABILITIES, SCORES, TOKENS, TRUTHS
from rereview.study.scales import scale_of
from rereview.text.plurals import many
from rereview.types.scale import ScoreScale

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

NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
SCORE = re.compile(rf"({NUMBER.pattern})\s*(?:[:–—(].*|-\s*[^\s\d].*)?", re.DOTALL | re.IGNORECASE)
"""`6`, or `6: Marginally above the threshold`."""
YES = re.compile(r"(true|yes|1|1\.0|accept.*|.*\b(poster|oral|spotlight|notable)\b.*)$")
NO = re.compile(r"(false|no|0|0\.0|reject.*|desk.?reject.*|.*\bwithdrawn?\b.*)$")
NOTHING = ("nan", "na", "n/a", "null", "none", "-")
"""What exports write where a number or an answer is missing."""
MISSING = ("None", "nan", "NaN", "<NA>", "NaT")
"""What stands for no value in a frame, as text. In a CSV these are words."""
LARGEST = 2.0**53
"""Beyond it a float is no longer a count."""

DOUBTFUL = (*TRUTHS, *TOKENS, "human")
"""Where such a value cannot be read it is unknown; the row is used."""

QUOTED = 3
"""Unreadable values that are shown."""


class Bad(dict[str, list[int]]):
    """Rows that cannot be used, by reason."""

    def without(self, frame: pd.DataFrame, which: pd.Series, reason: str) -> pd.DataFrame:
        """Take rows out of a frame and keep their numbers."""
        if not which.any():
            return frame
        self.setdefault(reason, []).extend(int(row) for row in frame.loc[which, "_row"])
        return frame[~which]


def named(path: Path, columns: Sequence[object]) -> tuple[dict[object, str], list[str]]:
    """Which column of the file is which of ours; an exact name wins over an alias."""
    ours = (*SCORES, *FURTHER)
    plain = {column: re.sub(r"[\s\-]+", "_", str(column).strip().lower()) for column in columns}
    found = {column: name for column, name in plain.items() if name in ours}
    _only_once(path, found)
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
    if "score" in missing and {*PROBABILITIES, *TOKENS} & set(found.values()):
        missing.remove("score")
    if missing:
        raise UnusableInput(
            f"no column {' or '.join(missing)}",
            where=str(path),
            expected=f"columns {', '.join(ours[:7])}; there are: {', '.join(map(str, columns)) or 'none'}",
        )
    return found, notes


def _only_once(path: Path, found: Mapping[object, str]) -> None:
    for name in found.values():
        same = [str(column) for column, ours in found.items() if ours == name]
        if len(same) > 1:
            raise UnusableInput(
                f"the columns {' and '.join(map(repr, same))} are both {name!r}",
                where=str(path),
                expected="a name of its own for each column",
            )


def typed(raw: pd.DataFrame, bad: Bad, file: str, *, decimal_comma: bool) -> tuple[pd.DataFrame, list[str]]:
    """Columns in their types; rows whose round, score or probability cannot be read leave."""
    frame, notes = raw.copy(), []
    for name in raw.columns.difference(["_row", "_file"], sort=False):
        text = _texts(frame[name])
        if name in TRUTHS or name in NUMBERS or name in COUNTS:
            text = text.where(~text.str.lower().isin(NOTHING), "")
        if name in TRUTHS:
            values = text.str.lower().map(_truth).astype("object")
        elif name in NUMBERS or name in COUNTS:
            form = SCORE if name in ("score", "human") else NUMBER
            values = _numbers(text, form, decimal_comma=decimal_comma)
        else:
            frame[name] = text.str.lower() if name in ("protocol", "role", "form") else text
            continue
        frame[name] = values
        if name == "accepted" and "withdrawn" not in raw.columns:
            frame["withdrawn"] = text.str.lower().str.contains("withdraw").astype("object")
            frame.loc[text.eq(""), "withdrawn"] = None
        wrong = text.ne("") & values.isna()
        kind = "neither true nor false" if name in TRUTHS else "no number"
        if name not in DOUBTFUL:
            frame = bad.without(frame, wrong, f"{name} is {kind}")
        elif wrong.any():
            seen = sorted(set(text[wrong]))
            rows = many(int(wrong.sum()), "row")
            notes.append(f"{file}: {name} is {kind} in {rows} and taken as unknown: {_quoted(seen)}")
    return frame, notes


def _quoted(seen: Sequence[str]) -> str:
    return ", ".join(repr(value[:40]) for value in seen[:QUOTED]) + (", …" if len(seen) > QUOTED else "")


def used(frame: pd.DataFrame, bad: Bad, scale: tuple[float, float] | None) -> pd.DataFrame:
    """The rows that say something of a paper; without a `scale`, on the scale of their own form."""
    for name in [name for name in COUNTS if name in frame]:
        whole = frame[name].isna() | (frame[name].mod(1).eq(0) & frame[name].abs().lt(LARGEST))
        frame = bad.without(frame, ~whole, f"{name} is no whole number")
    for name in [name for name in PROBABILITIES if name in frame]:
        frame = bad.without(frame, frame[name].lt(0), f"{name} is negative")
    frame = bad.without(frame, frame["paper"].eq(""), "no paper")
    if "score" not in frame:
        frame = frame.assign(score=np.nan)
    for each, rows in _by_scale(frame, scale):
        off = frame["score"].lt(each.low) | frame["score"].gt(each.high)
        frame = bad.without(frame, rows.reindex(frame.index) & off, f"score off the scale {each}")
        for name in [name for name in PROBABILITIES if name in frame and not _holds(each, float(name[1:]))]:
            strange = rows.reindex(frame.index) & frame[name].gt(0)
            frame = bad.without(frame, strange, f"{name} is off the scale {each}")
    carries = [name for name in (*PROBABILITIES, *TOKENS) if name in frame]
    return bad.without(frame, frame[["score", *carries]].isna().all(axis=1), "no score")


def _by_scale(
    frame: pd.DataFrame, scale: tuple[float, float] | None
) -> Iterator[tuple[ScoreScale, pd.Series]]:
    """Each scale of the frame, and which rows stand on it."""
    if scale is not None:
        yield ScoreScale(low=scale[0], high=scale[1]), pd.Series(data=True, index=frame.index)
        return
    form = frame["form"] if "form" in frame else pd.Series("", index=frame.index)
    scales = form.fillna("").map(scale_of)
    for each in dict.fromkeys(scales):
        yield each, scales.map(lambda one, each=each: one == each).astype(bool)


def _holds(scale: ScoreScale, score: float) -> bool:
    return score in scale.points if scale.points is not None else scale.low <= score <= scale.high


def _texts(cells: pd.Series) -> pd.Series:
    """Cells as text; each distinct one is read once where all are text, as in a CSV."""
    if pd.api.types.infer_dtype(cells, skipna=False) != "string":
        return cells.map(_text).astype("object")
    return cells.map({value: _text(value) for value in cells.unique()}).astype("object")


def _text(value: object) -> str:
    """A cell as text; whole floats as integers, so that an id does not become 7.0."""
    if isinstance(value, str):
        # A lone surrogate can be read from JSON and written nowhere.
        return value.strip().encode("utf-8", "replace").decode()
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return str(int(value))
    text = str(value).strip()
    return "" if text in MISSING else text


def _numbers(text: pd.Series, form: re.Pattern[str], *, decimal_comma: bool) -> pd.Series:
    """Finite numbers, NaN for what is none."""
    plain = text.str.replace(",", ".") if decimal_comma else text
    return plain.map({value: _number(value, form) for value in plain.unique()}).astype("float64")


def _number(text: str, form: re.Pattern[str]) -> float:
    match = form.fullmatch(text)
    number = float(match[1] if match.re.groups else match[0]) if match else float("nan")
    return number if np.isfinite(number) else float("nan")


def _truth(text: str) -> bool | None:
    if YES.match(text) and not NO.match(text):
        return True
    return False if NO.match(text) else None
