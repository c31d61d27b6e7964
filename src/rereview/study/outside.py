"""Scores from elsewhere: CSV, JSON lines or parquet with the columns of `frames`, or names near them.

A folder with a `study.db` is read as well. Every row is used or listed with the reason why not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from rereview.errors import UnusableInput, UsageError
from rereview.models.base import TOYS
from rereview.study import frames
from rereview.study.cells import Cells, read_cells
from rereview.study.columns import Bad, named, typed, used
from rereview.study.design import FILE
from rereview.study.frames import COUNTS, NUMBERS, SCORES
from rereview.study.scales import PROBABILITIES, filled_in, strangers
from rereview.study.schema import MANIFEST
from rereview.study.store import Store
from rereview.text.plurals import many
from rereview.types.call import Call
from rereview.types.edit import Manifest
from rereview.types.review import Exclusion

SHOWN = 20
NOTHING = "a plumbing test, carries no information"
"""What is said of a toy, in place of numbers."""
CLEAN = "clean"
"""The version of a paper without injected errors."""
FACTS = ("human", "accepted", "withdrawn", "group", "area")
"""What is known of a paper, not of a round."""


@dataclass(frozen=True)
class Unused:
    """Rows of one file that were left out for one reason."""

    file: str
    reason: str
    rows: tuple[int, ...]
    """Line numbers for CSV and JSON lines, from 1 with the header; record numbers for what has no lines."""

    def __str__(self) -> str:
        """`scores.csv: no score (3 rows: 4, 7, 9)`."""
        noun = "row" if len(self.rows) == 1 else "rows"
        return f"{self.file}: {self.reason} ({len(self.rows)} {noun}: {_listed(self.rows)})"


@dataclass(frozen=True)
class Loaded:
    """What was read: a frame with `SCORES` and those of `FURTHER` that are there, and what was left out."""

    frame: pd.DataFrame
    unused: tuple[Unused, ...]
    notes: tuple[str, ...]
    tried: pd.DataFrame
    """Columns `SCORES` of rounds that ended without a score, of studies alone: files do not say."""
    excluded: tuple[Exclusion, ...] = ()
    """Of studies: the models that were not given a paper."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Of studies: what each model was given, "text" or "text and images"."""


@dataclass(frozen=True)
class _Part:
    """One file in our columns and types; `_row` and `_file` say where each row stood."""

    frame: pd.DataFrame
    unused: tuple[Unused, ...]
    notes: tuple[str, ...]


def read(paths: Sequence[Path], scale: tuple[float, float] | None = None) -> Loaded:
    """Read files of scores, or folders of studies, into one frame; scores off the scale are left out.

    `scale` is that of all scores; None: that of the form of each, 1 to 10 where no form is known.
    Raises UnusableInput for a file without paper or score, and where no row can be used.
    """
    where = ", ".join(str(path) for path in paths)
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("a file is named twice", where=where, expected="each file once")
    studies = [_study(path) for path in paths if path.is_dir()]
    cells = iter(studies)
    parts = [_file(path, next(cells).cells if path.is_dir() else read_cells(path), scale) for path in paths]
    unused = [each for part in parts for each in part.unused]
    notes = [note for part in parts for note in part.notes]
    toys = [f"{toy}: {NOTHING}" for toy in sorted({toy for study in studies for toy in study.toys})]
    notes += toys
    filled = [part.frame for part in parts if len(part.frame)]
    if toys and not filled:
        raise UnusableInput("; ".join(toys), where=where, expected="scores of another model")
    if studies and not filled and not any(len(study.cells.frame) for study in studies):
        designed = [path for path in paths if (path / FILE).is_file()]
        expected = f"rereview run {designed[0]}" if designed else "a study with reviews"
        raise UnusableInput("nothing has been reviewed yet", where=where, expected=expected)
    if not filled:
        raise UnusableInput("no row can be used", where=where, expected=_reasons(unused))
    frame = _completed(pd.concat(filled, ignore_index=True), notes)
    key = [name for name in (*KEY, "form", "protocol", "role", "call") if name in frame]
    twice = frame.duplicated(key, keep="first")
    for file, rows in frame[twice].groupby("_file", sort=False)["_row"]:
        unused.append(Unused(str(file), "the same round again; the first is used", tuple(rows)))
    frame = frame[~twice]
    notes += _contradictions(frame)
    kept = frame.drop(columns=["_file", "_row"]).reset_index(drop=True)
    return Loaded(
        kept,
        tuple(unused),
        tuple(dict.fromkeys(notes)),
        _empty(studies),
        tuple(dict.fromkeys(each for study in studies for each in study.excluded)),
        {model: given for study in studies for model, given in study.inputs.items()},
    )


def _empty(studies: Sequence[_Study]) -> pd.DataFrame:
    """Rounds without a score; of a reviewer that never gives one it says nothing that it has none."""
    rows = pd.concat([pd.DataFrame(columns=list(SCORES)), *(study.cells.frame for study in studies)])
    scoring = rows.groupby(["reviewer", "model"])["score"].transform("count").gt(0)
    return rows.loc[rows["score"].isna() & scoring, list(SCORES)].reset_index(drop=True)


KEY = ("paper", "version", "reviewer", "model", "round")
UNIT = ("paper", "version", "reviewer", "model", "form", "protocol", "role")


def _reasons(unused: Sequence[Unused]) -> str:
    return "; ".join(str(each) for each in unused) or "rows with a paper and a score"


def _listed(rows: Sequence[object]) -> str:
    return ", ".join(str(row) for row in rows[:SHOWN]) + (", …" if len(rows) > SHOWN else "")


def _file(path: Path, cells: Cells, scale: tuple[float, float] | None) -> _Part:
    names, notes = named(path, list(cells.frame.columns))
    raw = cells.frame.rename(columns=names)[list(names.values())]
    raw["_row"] = cells.numbers
    raw["_file"] = path.name or str(path)
    bad = Bad(cells.bad)
    frame, more = typed(raw, bad, path.name, decimal_comma=cells.decimal_comma)
    known = ", ".join(map(repr, strangers(frame)))
    more += [f"{path.name}: no form is called {known}: its scale is not known"] if known else []
    frame = used(frame, bad, scale)
    unused = tuple(Unused(path.name, reason, tuple(rows)) for reason, rows in bad.items())
    return _Part(frame, unused, (*notes, *more))


@dataclass(frozen=True)
class _Study:
    """A folder with a ledger; `toys` are models that are left out of the rest."""

    cells: Cells
    excluded: tuple[Exclusion, ...]
    inputs: Mapping[str, str]
    toys: frozenset[str]


def _study(folder: Path) -> _Study:
    """The newest reviews of every version in a study."""
    if not (folder / "study.db").is_file():
        raise UnusableInput(
            "this folder holds no study.db", where=str(folder), expected="a folder of a study"
        )
    with Store(folder) as store:
        papers = store.papers()
        given = [each for version in papers for each in store.reviews(version)]
        calls, excluded = store.calls(), store.exclusions()
        manifests = store.records(MANIFEST, Manifest).values()
    reviews = [each for each in given if each.model not in TOYS]
    toys = TOYS.intersection(each.model for each in given if each.model)
    known = filled_in(folder)
    filled = [known(each.reviewer) for each in reviews]
    found = pd.concat(
        [
            frames.scores(reviews, papers),
            pd.DataFrame(
                {
                    "form": ["" if each is None else each.form.name for each in filled],
                    "protocol": ["" if each is None else each.protocol for each in filled],
                }
            ),
            frames.probabilities(reviews),
            frames.tokens(reviews, calls),
        ],
        axis=1,
    )
    runs = {each.version: each.run.rpartition("/")[2] for each in manifests}
    found["version"] = found["version"].map(dict(_named_versions(papers, runs)))
    cells = Cells(found.astype(object), list(range(1, len(found) + 1)))
    return _Study(cells, excluded, _inputs(calls), toys)


def _inputs(calls: Sequence[Call]) -> dict[str, str]:
    seen = {call.model for call in calls if any(message.pictures for message in call.request.messages)}
    return {
        call.model: "text and images" if call.model in seen else "text"
        for call in calls
        if call.model not in TOYS
    }


def _named_versions(papers: Mapping[str, str], runs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What each version is called: by the errors that it carries, "clean" where it is the only other one.

    Without injected errors versions are numbered within their paper, and so are several others.
    """
    versions: dict[str, list[str]] = {}
    for version, paper in papers.items():
        if version in runs:
            yield version, runs[version]
        else:
            versions.setdefault(paper, []).append(version)
    for others in versions.values():
        if runs and len(others) == 1:
            yield others[0], CLEAN
        else:
            yield from ((each, f"version {number}") for number, each in enumerate(others, start=1))


def _completed(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Add what a study always has: empty names, status ok, rounds by order of appearance."""
    complete = frame.copy()
    for name in SCORES:
        if name not in complete and name not in ("round", "score"):
            complete[name] = "ok" if name == "status" else ""
    texts = [
        name for name in (*SCORES, "form", "protocol", "role") if name in complete and name not in NUMBERS
    ]
    for name in [name for name in texts if name not in COUNTS]:
        complete[name] = complete[name].fillna("")
    if "round" not in complete:
        complete["round"] = np.nan
    unnumbered = complete["round"].isna()
    if unnumbered.any():
        notes.append(
            "no column 'round': rounds are numbered by order of appearance"
            if unnumbered.all()
            else "rows without a round are numbered by order of appearance, after those that have one"
        )
        unit = [name for name in UNIT if name in complete]
        after = complete.groupby(unit, sort=False)["round"].transform("max").fillna(0)
        order = complete[unnumbered].groupby(unit, sort=False).cumcount() + 1
        complete.loc[unnumbered, "round"] = after[unnumbered] + order
    complete["round"] = complete["round"].astype("int64")
    return complete


def _contradictions(frame: pd.DataFrame) -> Iterator[str]:
    """What is said of a paper in two ways."""
    for name in [name for name in FACTS if name in frame]:
        told = frame[frame[name].notna() & frame[name].ne("")]
        values = told[["paper", name]].drop_duplicates()
        papers = sorted(values.loc[values["paper"].duplicated(), "paper"].unique())
        if papers:
            yield f"{name} differs within {many(len(papers), 'paper')}, the first is used: {_listed(papers)}"
    lone = int((frame["score"].isna()).sum())
    if lone:
        yield f"{many(lone, 'row has', 'rows have')} no score, used for probabilities or tokens alone"


def configurations(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each reviewer, model and version of a frame with its rows, named by what distinguishes them.

    Versions distinguish only where a paper has several. Auxiliary calls of a model that has no scores
    of its own speak for every configuration with targets.
    """
    auxiliary = (frame["role"] if "role" in frame else frame["status"]).eq("auxiliary")
    own = frame if auxiliary.all() else frame[~auxiliary]
    several = own.groupby("paper")["version"].nunique().gt(1).any()
    names = ["reviewer", "model", *(["version"] if several else [])]
    if "form" in own and own.groupby(names)["form"].nunique().gt(1).any():
        names.append("form")
    varying = [name for name in names if own[name].ne(own[name].iloc[0]).any()]
    helpers = frame[auxiliary] if own is not frame else frame[:0]
    if not varying:
        yield "", pd.concat([own, helpers]) if len(helpers) else own
        return
    groups = list(own.groupby(varying, sort=True))
    known = {values for values, _ in groups}
    identity = list(zip(*(helpers[name] for name in varying), strict=True))
    strangers = helpers[[values not in known for values in identity]]
    targets = any(_has_targets(rows) for _, rows in groups)
    for values, rows in groups:
        mine = helpers[[each == values for each in identity]]
        if mine.empty and (_has_targets(rows) or not targets):
            mine = strangers
        if mine.empty:
            mine = _with_probabilities(own, rows)
        whole = rows if mine.empty else pd.concat([rows if "role" in rows else rows.assign(role=""), mine])
        yield " | ".join(str(value) or "–" for value in values), whole


def _with_probabilities(own: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The calls of the same form, model and versions that gave probabilities: auxiliary calls of `rows`.

    Only beside whole scores; of several configurations with such calls the first by name.
    """
    first = rows.iloc[0]
    if not {"form", "protocol"} <= set(own) or not first["form"] or first["protocol"] != "integer":
        return rows[:0]
    alike = own[
        own["protocol"].eq(PROBABILITIES)
        & own["form"].eq(first["form"])
        & own["model"].eq(first["model"])
        & own["version"].isin(rows["version"])
    ]
    return alike[alike["reviewer"].eq(alike["reviewer"].min())].assign(role="auxiliary")


def _has_targets(rows: pd.DataFrame) -> bool:
    return bool("role" in rows and rows["role"].eq("target").any())
