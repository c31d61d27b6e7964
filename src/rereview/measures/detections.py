"""Which injected error each review found, under a rule; the judge's ratings are never asked for again.

Frames have the columns of `study.frames`: PERTURBATIONS, READINGS and PAIRS.

1. Benchmarking Agentic Review Systems, section on detection and appendix (table 16).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.errors import UsageError

Frame = pd.DataFrame
Floats = NDArray[np.float64]
Location = Literal["quote-coverage", "changed-region"]

LOCATIONS: tuple[Location, ...] = ("quote-coverage", "changed-region")
READ = ("ok", "repaired")
"""States of a review that was read."""
TAUS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
SCALE = (1, 2, 3, 4, 5)
RATINGS = SCALE[1:]
"""Thresholds that leave something out."""

FAILED, UNREADABLE, NOT_JUDGED = "review failed", "rating unreadable", "not judged"

FACTS = ("run", "family", "error", "kind", "paper_kind", "domain", "pinned")
UNIT = ["perturbation", "system", "model"]
"""What a share is made of: an injected error and who read it."""

DETECTIONS = {
    "perturbation": "id of the injected error",
    "paper": "the paper",
    **dict.fromkeys(FACTS, "as in PERTURBATIONS"),
    "review": "id of the review",
    "system": "the procedure",
    "model": "the model",
    "round": "the repeat",
    "comments": "number of comments of the review",
    "unit": "number of the error with this system and model",
    "hits": "comments that explain the error",
    "found": "true, false, or missing where it is not known",
    "why": "why it is not known: review failed, rating unreadable, not judged; else empty",
}
"""One row an injected error and a review of a version that carries it."""


@dataclass(frozen=True)
class Rule:
    """When a comment has found an error: its quote meets the place, and the judge rates it high enough.

    `quote-coverage`: at least `tau` of the perturbed text is covered [1]. `changed-region`: the located quote
    shares characters with what changed. `rating` is the least of 1 to 5 that counts; None: the place alone
    decides, for studies without a judge.
    """

    location: Location = "quote-coverage"
    tau: float = 0.75
    rating: int | None = 3

    def __post_init__(self) -> None:
        if self.location not in LOCATIONS:
            raise UsageError(f"no location rule is called {self.location!r}", expected=" or ".join(LOCATIONS))
        if not 0 < self.tau <= 1:
            raise UsageError(f"a coverage of {self.tau:g}", expected="above 0, at most 1")
        if self.rating is not None and self.rating not in SCALE:
            raise UsageError(f"a rating of {self.rating}", expected="1 to 5")

    def meets(self, pairs: Frame) -> NDArray[np.bool_]:
        """Whether the places of each pair meet; what is not known does not."""
        if self.location == "changed-region":
            return pairs["touches"].eq(True).fillna(False).to_numpy(dtype=bool)  # noqa: FBT003  a value
        return pairs["coverage"].to_numpy(dtype=np.float64, na_value=np.nan) >= self.tau

    def explains(self, pairs: Frame) -> NDArray[np.bool_]:
        """Whether the comment of each pair explains the error, as far as is known; all do without a judge."""
        if self.rating is None:
            return np.ones(len(pairs), dtype=bool)
        return pairs["rating"].to_numpy(dtype=np.float64, na_value=np.nan) >= self.rating


def detections(perturbations: Frame, readings: Frame, pairs: Frame, rule: Rule) -> Frame:
    """Columns `DETECTIONS`, one row an injected error and a review that read it.

    A review read an error if it is of the corrupted arm and its `run` is the error's `run`, or the error's
    `version` where one version carries several runs. An error is found if one pair that meets is rated high
    enough; it is not known (missing, never a miss) if the review failed, or if none is and a pair that meets
    was rated unreadably or not at all.
    """
    return judged(carried(perturbations, readings), pairs, rule)


def judged(read: Frame, pairs: Frame, rule: Rule) -> Frame:
    """`detections` from the rows of `carried`, which are the same for every rule."""
    rows = read.merge(_met(pairs, rule), on=["perturbation", "review"], how="left")
    for column in ("hits", "unreadable", "unjudged"):
        rows[column] = pd.to_numeric(rows[column]).fillna(0).astype("int64")
    failed = ~rows["status"].isin(READ)
    hit = rows["hits"] > 0
    why = np.select(
        [failed, hit, rows["unreadable"] > 0, rows["unjudged"] > 0],
        [FAILED, "", UNREADABLE, NOT_JUDGED],
        default="",
    )
    found = hit.astype("boolean").mask(why != "")
    return rows.assign(found=found, why=why)[list(DETECTIONS)]


def carried(perturbations: Frame, readings: Frame) -> Frame:
    """One row an injected error and a corrupted reading that carries it."""
    corrupted = readings[readings["arm"] == "corrupted"]
    columns = ["paper", "run", "review", "system", "model", "round", "status", "comments"]
    reviews = corrupted[columns].rename(columns={"run": "carrier"})
    carriers = pd.concat(
        [perturbations[["perturbation"]].assign(carrier=perturbations[name]) for name in ("run", "version")]
    )
    facts = perturbations[["perturbation", "paper", *FACTS]]
    rows = facts.merge(carriers.drop_duplicates(), on="perturbation").merge(reviews, on=["paper", "carrier"])
    return rows.assign(unit=rows.groupby(UNIT, sort=True).ngroup())


def _met(pairs: Frame, rule: Rule) -> Frame:
    """Comments by what is known of them, per injected error and review of the corrupted arm."""
    meeting = pairs[rule.meets(pairs) & (pairs["arm"] == "corrupted").to_numpy(dtype=bool)]
    rating = meeting["rating"].to_numpy(dtype=np.float64, na_value=np.nan)
    unreadable = meeting["unreadable"].eq(True).fillna(False).to_numpy(dtype=bool)  # noqa: FBT003  a value
    known = ~np.isnan(rating) | (rule.rating is None)
    marked = meeting[["perturbation", "review", "comment"]].assign(
        hits=rule.explains(meeting),
        unreadable=~known & unreadable,
        unjudged=~known & ~unreadable,
    )
    by_comment = marked.groupby(["perturbation", "review", "comment"], as_index=False).any()
    return by_comment.drop(columns="comment").groupby(["perturbation", "review"], as_index=False).sum()


# -- units: what a share is made of ------------------------------------------------------------


def units(found: Frame) -> Frame:
    """One row an injected error and a configuration: `value` is the mean over rounds of what is known.

    Further columns: those of `UNIT`, `paper`, the facts of the error, and `known` and `unknown`, numbers of
    rounds. Rows without a known round have no value.
    """
    columns = [*UNIT, "paper", *FACTS]
    if found.empty:
        return found[columns].assign(value=np.empty(0), known=0, unknown=0)
    value = as_numbers(found["found"])
    seen = ~np.isnan(value)
    _, first, places = np.unique(found["unit"].to_numpy(), return_index=True, return_inverse=True)
    rounds, known = np.bincount(places), np.bincount(places, seen).astype(np.int64)
    total = np.bincount(places, np.where(seen, value, 0.0))
    means = np.divide(total, known, out=np.full(known.size, np.nan), where=known > 0)
    return found[columns].iloc[first].assign(value=means, known=known, unknown=rounds - known)


def union(found: Frame, over: str) -> Frame:
    """Detections of all members of `over` ("model" or "system") together, round by round.

    Found if a member found it, not known if none did and of one it is not known. Only what every member read
    in that round is kept, so that no member's absence looks like a miss. The column `over` becomes "union".
    """
    members = found[over].nunique()
    keys = ["perturbation", "round", *(name for name in ("system", "model") if name != over)]
    grouped = found.assign(value=as_numbers(found["found"])).groupby(keys, sort=True)
    made = grouped.agg(
        best=("value", "max"), known=("value", "count"), size=("value", "size"), read=(over, "nunique")
    ).reset_index()
    unknown = made["best"].ne(1) & made["known"].lt(made["size"])
    made["found"] = made["best"].eq(1).astype("boolean").mask(unknown)
    made = made[made["read"] == members].drop(columns=["best", "known", "size", "read"])
    facts = found.drop_duplicates("perturbation")[["perturbation", "paper", *FACTS]]
    made = made.assign(**{over: "union"}).merge(facts, on="perturbation")
    return made.assign(unit=made.groupby(UNIT, sort=True).ngroup())


def as_numbers(found: pd.Series) -> Floats:
    """1, 0 and NaN."""
    return found.to_numpy(dtype=np.float64, na_value=np.nan)
