"""Recall of injected errors: by configuration, and by what the errors are.

Recall is the share of injected errors that were found, each the mean over rounds. Papers are the unit.

1. Benchmarking Agentic Review Systems, tables 16 to 20.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pandas as pd

from rereview.measures.detections import LOCATIONS, RATINGS, TAUS, Rule, union, units
from rereview.measures.injected import Injection, label
from rereview.measures.injected_samples import size_of
from rereview.measures.tabulate import ALL, bare, table
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
Row = dict[str, Estimate]

FAMILIES = ("surface", "claim", "reasoning", "empirical")
FIELDS = {
    "family": "error family",
    "error": "error subtype",
    "domain": "domain of the paper",
    "paper_kind": "kind of paper",
    "kind": "kind of span",
}
UNKNOWN = "unknown: reviews that failed and ratings that are missing or unreadable; never a miss."
ROUNDS = "An error counts with the mean over the rounds in which it is known."


def recall(injection: Injection) -> Table:
    """One row a configuration: recall of all errors, of pinned ones, and by family."""
    made = {name: _row(injection, rows) for name, rows in _configurations(injection)}
    return table(
        "recall",
        f"Share of injected errors that were found ({said(injection.rule)})",
        made,
        _notes(injection),
    )


def recall_by(injection: Injection, column: str) -> Table:
    """One row a configuration, one column a value of `column`, a key of `FIELDS`."""
    values = values_of(injection, column)
    made = {name: by_value(injection, rows, column, values) for name, rows in _configurations(injection)}
    caption = f"Recall by {FIELDS[column]} ({said(injection.rule)})"
    return table(f"recall-by-{column.replace('_', '-')}", caption, made, [ROUNDS])


def unions(injection: Injection) -> Table:
    """What all models of a system find together, and all systems of a model, beside the best of them.

    `more` is what the union finds beyond its best member, which is chosen on the same errors: paired, and
    with the best member fixed.
    """
    made: dict[str, Row] = {}
    sizes: dict[str, str] = {}
    for over, of in (("model", "system"), ("system", "model")):
        for member in sorted(set(injection.found[of])):
            rows = injection.found[injection.found[of] == member]
            count = rows[over].nunique()
            if count > 1:
                name = f"{member or NOBODY}: union of {count} {over}s"
                made[name], sizes[name] = _union(injection, rows, over)
    notes = [UNION, *(f"{name}: Sample: {size} that every member read." for name, size in sizes.items())]
    return table("unions", f"Found by at least one ({said(injection.rule)})", made, notes)


NOBODY = "no model"
"""What reviewers that ask no model are called where their model is named."""
UNION = (
    "Only errors that every member read in the round. best: the member with the highest recall on these "
    "errors; more: union minus best, the best member being fixed."
)


def tau_sweep(injection: Injection, by: Sequence[str] = ()) -> Table:
    """Table 16 of [1]: what each coverage threshold lets through, and what then is found.

    Rows are thresholds, of everything together and then of each value of `by` (system, model, or both).
    `candidate_pairs` are pairs of an error and a comment that meet, each a call of the judge.
    """
    made: dict[str, Row] = {}
    candidates = _candidates(injection)
    for tau in TAUS:
        under = injection.under(replace(injection.rule, location="quote-coverage", tau=tau))
        admitted = dict(_split(candidates[candidates["coverage"] >= tau], by))
        for name, rows in _split(under.units, by):
            count = len(admitted.get(name, ()))
            made[f"{name}: {tau:.2f}" if name else f"{tau:.2f}"] = {
                "candidate_pairs": bare(count, n=rows["paper"].nunique()),
                **_swept(under, rows),
            }
    caption = "Detections by coverage threshold τ (quote-coverage)"
    return table("tau-sweep", caption, _grouped(made), [SWEEP, UNKNOWN])


SWEEP = "Nothing is judged again: ratings are those of the pairs that were judged once."


def rating_sweep(injection: Injection, by: Sequence[str] = ()) -> Table:
    """What the judge's rating must at least be, under the rule of location that is set."""
    made: dict[str, Row] = {}
    for rating in RATINGS:
        under = injection.under(replace(injection.rule, rating=rating))
        for name, rows in _split(under.units, by):
            made[f"{name}: {rating}" if name else f"{rating}"] = _swept(under, rows)
    caption = "Detections by the least rating that counts"
    return table("rating-sweep", caption, _grouped(made), [SWEEP, UNKNOWN])


def _grouped(made: dict[str, Row]) -> dict[str, Row]:
    """Rows of one name together, those without a name first."""
    return dict(sorted(made.items(), key=lambda item: item[0].rpartition(": ")[0]))


def rules(injection: Injection) -> Table:
    """Both rules of location, side by side."""
    sides = [injection.under(replace(injection.rule, location=location)) for location in LOCATIONS]
    made: dict[str, Row] = {}
    for name, system, model in injection.configurations():
        totals = [side.totals(side.own_units(system, model), "value") for side in sides]
        made[name] = {
            **{
                str(rule): side.share(each) for rule, side, each in zip(LOCATIONS, sides, totals, strict=True)
            },
            "difference": injection.difference(totals[0], totals[1]),
        }
    notes = [f"difference: {LOCATIONS[1]} minus {LOCATIONS[0]}, paired by paper.", UNKNOWN]
    return table("location-rules", "Recall under both rules of location", made, notes)


# -- rows ---------------------------------------------------------------------------------


def said(rule: Rule) -> str:
    """The rule in words."""
    place = (
        f"{rule.location} of at least {rule.tau:g}" if rule.location == "quote-coverage" else rule.location
    )
    rating = "no judge" if rule.rating is None else f"rating of at least {rule.rating}"
    return f"{place}, {rating}"


def values_of(injection: Injection, column: str) -> list[str]:
    """The values of a column of the errors: families in their order, others sorted."""
    there = set(injection.perturbations[column].dropna().astype(str)) - {""}
    known = [family for family in FAMILIES if family in there] if column == "family" else []
    return [*known, *sorted(there - set(known))]


def _configurations(injection: Injection) -> Iterator[tuple[str, Frame]]:
    """Label and units of each configuration."""
    for name, system, model in injection.configurations():
        yield name, injection.own_units(system, model)


def by_value(injection: Injection, rows: Frame, column: str, values: Sequence[str]) -> Row:
    """Recall of the rows of each of the values; undefined where there is none."""
    there = injection.totals_by(rows, column)
    return {value: injection.share(there.get(value, injection.nothing)) for value in values}


def _row(injection: Injection, rows: Frame) -> Row:
    row = {ALL: injection.share(injection.totals(rows, "value"))}
    if injection.perturbations["pinned"].notna().any():
        pinned = rows[rows["pinned"].eq(True).fillna(False).astype(bool)]  # noqa: FBT003  a value
        row["pinned"] = injection.share(injection.totals(pinned, "value"))
    row |= by_value(injection, rows, "family", values_of(injection, "family"))
    known = rows[rows["value"].notna()]
    papers = known["paper"].nunique()
    row["errors"] = bare(len(known), n=papers)
    row["unknown"] = bare(int(rows["unknown"].sum()), n=papers)
    return row


def _union(injection: Injection, rows: Frame, over: str) -> tuple[Row, str]:
    """The row of a union, and the size of its sample."""
    together = union(rows, over)
    whole = units(together)
    kept = rows.merge(together[["perturbation", "round"]], on=["perturbation", "round"])
    members = {
        str(name): injection.totals(units(kept[kept[over] == name]), "value")
        for name in sorted(set(kept[over]))
    }
    totals = injection.totals(whole, "value")
    row = {ALL: injection.share(totals)}
    defined = {name: each for name, each in members.items() if each.below.sum()}
    if defined:
        name, best = max(defined.items(), key=lambda item: item[1].above.sum() / item[1].below.sum())
        row["best"] = injection.share(best, f"best: {name}")
        row["more"] = injection.difference(best, totals)
    families = by_value(injection, whole, "family", values_of(injection, "family"))
    return row | families, size_of(whole[whole["value"].notna()])


def _swept(injection: Injection, made: Frame) -> Row:
    known = made[made["value"].notna()]
    papers = known["paper"].nunique()
    return {
        "detections": bare(float(known["value"].sum()), n=papers),
        "errors": bare(len(known), n=papers),
        "recall": injection.share(injection.totals(made, "value")),
        "unknown": bare(int(made["unknown"].sum()), n=papers),
    }


def _candidates(injection: Injection) -> Frame:
    """Every pair of an error and a comment of a review that read it, once, with its highest coverage."""
    reviews = injection.found[["review", "system", "model"]].drop_duplicates("review")
    keys = ["perturbation", "review", "comment"]
    highest = injection.pairs[[*keys, "coverage"]].groupby(keys, as_index=False).max()
    return highest.merge(reviews, on="review")


def _split(rows: Frame, by: Sequence[str]) -> Iterator[tuple[str, Frame]]:
    yield "", rows
    if not by:
        return
    for values, own in rows.groupby(list(by), sort=True):
        yield label(*map(str, values)), own


def _notes(injection: Injection) -> Iterator[str]:
    yield ROUNDS
    yield UNKNOWN
    if injection.perturbations["pinned"].notna().any():
        yield "pinned: errors that a located verbatim passage of the paper contradicts."
    for why, rows in injection.found[injection.found["why"] != ""].groupby("why"):
        yield f"{why}: {len(rows)} of {len(injection.found)} (error, review)."
