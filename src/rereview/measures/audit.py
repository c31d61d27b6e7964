"""What people make of injected errors: a sample to be labelled, and the shares of the labels.

1. Benchmarking Agentic Review Systems, appendix: 33 valid, 2 not an error, 5 ambiguous of 40.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from rereview.errors import UsageError
from rereview.measures.samples import said
from rereview.measures.tabulate import ALL, Settings, bare, estimate, table
from rereview.stats.resample import wilson
from rereview.stats.sampling import Item, stratified_sample
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
LABELS = ("valid", "not-an-error", "ambiguous")
FAMILIES = ("surface", "claim", "reasoning", "empirical")
EACH = 10


def audit_sample(perturbations: Frame, *, each: int = EACH, seed: int = 0) -> tuple[str, ...]:
    """Ids of the errors to be looked at, in the order of the frame (columns PERTURBATIONS) [1].

    `each` of every family (all, where it has fewer), every subtype and every domain at least once, and no
    more from one paper than needed. The same frame and seed give the same sample.
    """
    columns = ["perturbation", "family", "error", "domain", "paper"]
    items = [Item(*row) for row in perturbations[columns].fillna("").astype(str).itertuples(index=False)]
    return stratified_sample(items, each=each, rng=np.random.default_rng(seed))


def audit(audited: Frame, perturbations: Frame, settings: Settings) -> Table:
    """Share of each label, of all errors of the sample and by family and subtype, with Wilson intervals [1].

    `audited` has the columns AUDITED; what is not yet labelled is left out and counted as dropped. A share is
    of the sample, which takes as many of a rare family as of a common one.

    Raises UsageError for a label that is none, and for an error that is not in `perturbations`.
    """
    _check(audited, perturbations)
    facts = perturbations.drop_duplicates("perturbation")[["perturbation", "family", "error"]]
    rows = audited.merge(facts, on="perturbation")
    made = {name: _row(part, settings) for name, part in _parts(rows)}
    notes = [
        "n counts labelled errors. Wilson intervals, as if errors were independent.",
        "Shares are of the sample, which takes as many of each family.",
        _sample(audited, perturbations),
    ]
    return table("audit", "What people make of the injected errors", made, notes)


def _sample(audited: Frame, perturbations: Frame) -> str:
    labelled = audited.loc[audited["label"].notna(), "perturbation"]
    papers = perturbations.loc[perturbations["perturbation"].isin(labelled), "paper"].nunique()
    missing = len(audited) - len(labelled)
    lost = f"{missing} of the sample not labelled" if missing else ""
    return said(papers, "with a labelled error", many(len(labelled), "error"), lost)


def _row(rows: Frame, settings: Settings) -> dict[str, Estimate]:
    labelled = rows["label"].dropna()
    n, missing = len(labelled), int(rows["label"].isna().sum())
    row = {}
    for name in LABELS:
        share = estimate(wilson(int((labelled == name).sum()), n, level=settings.level))
        row[name] = share.model_copy(update={"dropped": missing})
    return row | {"valid_count": bare(int((labelled == LABELS[0]).sum()), n=n, dropped=missing)}


def _parts(rows: Frame) -> Iterator[tuple[str, Frame]]:
    yield ALL, rows
    there = set(rows["family"])
    for family in (*(name for name in FAMILIES if name in there), *sorted(there - set(FAMILIES))):
        own = rows[rows["family"] == family]
        yield family, own
        errors = sorted(set(own["error"]))
        if len(errors) > 1:
            for error in errors:
                yield f"{family}: {error}", own[own["error"] == error]


def _check(audited: Frame, perturbations: Frame) -> None:
    strange = set(audited["label"].dropna()) - set(LABELS)
    if strange:
        raise UsageError(f"no label is called {min(strange)!r}", expected=f"labels: {', '.join(LABELS)}")
    unknown = set(audited["perturbation"]) - set(perturbations["perturbation"])
    if unknown:
        raise UsageError(
            f"no injected error is called {min(unknown)!r}", expected="ids of this study's errors"
        )
