"""What a reviewer says of places where there is no error: the control arm.

The same reviewer reads the clean paper. A comment on a place that is changed in the corrupted version, made
on the clean one, is a false alarm: the place drew a comment without an error in it. A comment on no such
place is background. Frames have the columns of `study.frames`: READINGS, PAIRS (both arms), and JUDGED where
a judge of comments is configured.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from rereview.measures.detections import READ, UNIT, as_numbers, units
from rereview.measures.injected import KEYS, Injection, one
from rereview.measures.recall import FIELDS, ROUNDS, by_value, said, values_of
from rereview.measures.tabulate import table
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
Row = dict[str, Estimate]

EXPLAINING = "explaining: share of comments that explain an injected error; precision is at least that."
BY_PLACE = "No judge: a comment counts by its place alone, whatever it says; nothing is known of precision."


def control(injection: Injection, judged: Frame | None = None) -> Table:
    """One row a configuration: places found and places that drew a comment though nothing was wrong there.

    `judged` has the columns JUDGED: precision is the share of the judged comments that are valid.
    """
    where = places(injection)
    made: dict[str, Row] = {}
    for name, system, model in injection.configurations():
        own = one(where, system, model)
        sides = {
            arm: injection.totals(units(own[own["arm"] == arm]), "value") for arm in ("corrupted", "clean")
        }
        made[name] = {
            "recall": injection.share(injection.totals(injection.own_units(system, model), "value")),
            "located": injection.share(sides["corrupted"]),
            "false_alarm": injection.share(sides["clean"]),
            "located_minus_false_alarm": injection.difference(sides["clean"], sides["corrupted"]),
            **_explained_clean(injection, system, model),
            **_precision(injection, judged, system, model),
        }
    caption = f"Comments on changed places, in the corrupted and in the clean paper ({said(injection.rule)})"
    return table("control", caption, made, _notes(injection, judged))


def false_alarms_by(injection: Injection, column: str) -> Table:
    """One row a configuration, one column a value of `column` (of `FIELDS`): false alarms at such places."""
    where = places(injection)
    clean, values = where[where["arm"] == "clean"], values_of(injection, column)
    made = {
        name: by_value(injection, units(one(clean, system, model)), column, values)
        for name, system, model in injection.configurations()
    }
    caption = (
        f"Share of places of the clean paper with a comment, by {FIELDS[column]} ({said(injection.rule)})"
    )
    return table(f"false-alarms-by-{column.replace('_', '-')}", caption, made, [ROUNDS])


def background(injection: Injection) -> Table:
    """One row a configuration: how many comments, and how many of them on no injected error, in both arms.

    Which of them explain an error is known only where a judge rates the pairs.
    """
    made: dict[str, Row] = {}
    comments = _comments(injection)
    for name, system, model in injection.configurations():
        made[name] = {}
        for arm, tail in (("corrupted", ""), ("clean", "_clean")):
            own = one(comments, system, model)
            own = own[own["arm"] == arm]
            made[name] |= {
                f"comments{tail}": injection.ratio(injection.totals(own, "comments")),
                f"background{tail}": injection.share(injection.totals(own, "background", "comments")),
            }
        own = one(comments, system, model)
        own = own[own["arm"] == "corrupted"]
        if injection.rule.rating is not None:
            made[name]["explaining"] = injection.share(injection.totals(own, "explaining", "comments"))
    notes = [
        "comments: mean of a review. background: share of them that meet no place of an injected error;",
        "in the clean paper, none of the places that are changed in any corrupted version of it.",
        BY_PLACE if injection.rule.rating is None else EXPLAINING,
    ]
    return table("background", "Comments beside the injected errors", made, notes)


# -- places -------------------------------------------------------------------------------


def places(injection: Injection) -> Frame:
    """Detections of both arms by place alone: `found` says whether a comment meets the place."""
    met = _met(injection)
    corrupted = injection.found.assign(arm="corrupted", status=injection.found["why"])
    failed = corrupted["why"].eq("review failed")
    columns = ["perturbation", "paper", "review", *KEYS, "round", "arm"]
    facts = injection.perturbations.drop(columns=["version"])
    clean = injection.readings[injection.readings["arm"] == "clean"]
    clean = facts.merge(clean[["paper", "review", *KEYS, "round", "arm", "status"]], on="paper")
    both = pd.concat(
        [corrupted[columns].assign(failed=failed), clean[columns].assign(failed=~clean["status"].isin(READ))],
        ignore_index=True,
    )
    there = both.merge(met.assign(met=True), on=["perturbation", "review"], how="left")["met"].notna()
    found = there.astype("boolean").mask(both["failed"].to_numpy(dtype=bool))
    both["unit"] = both.groupby(["arm", *UNIT], sort=True).ngroup()
    return both.assign(found=found.to_numpy()).merge(
        facts.drop(columns="paper"), on="perturbation", how="left"
    )


def _met(injection: Injection) -> Frame:
    pairs = injection.pairs[injection.rule.meets(injection.pairs)]
    return pairs[["perturbation", "review"]].drop_duplicates()


def _explained_clean(injection: Injection, system: str, model: str) -> Row:
    """Share of clean places of which a comment "explains" the error that is not there, if judged."""
    clean = injection.pairs["arm"].eq("clean")
    if injection.pairs.loc[clean, "rating"].isna().all():
        return {}
    readings = injection.readings[injection.readings["arm"] == "clean"]
    # The clean review is measured as if it were one of a version that carries all errors of the paper.
    as_read = readings.assign(arm="corrupted", run=readings["paper"])
    errors = injection.perturbations.assign(version=injection.perturbations["paper"])
    pairs = injection.pairs[clean].assign(arm="corrupted")
    turned = Injection(errors, as_read, pairs, injection.rule, injection.settings)
    own = one(turned.units, system, model)
    return {"explained_clean": injection.share(injection.totals(own, "value"))}


def _precision(injection: Injection, judged: Frame | None, system: str, model: str) -> Row:
    if judged is None:
        return {}
    own = one(injection.read, system, model)
    rows = judged.merge(own[["review", "paper", "arm"]], on="review")
    rows = rows.assign(value=as_numbers(rows["valid"].astype("boolean")))
    return {
        "precision": injection.share(injection.totals(rows[rows["arm"] == "corrupted"], "value")),
        "precision_clean": injection.share(injection.totals(rows[rows["arm"] == "clean"], "value")),
    }


def _comments(injection: Injection) -> Frame:
    """Readings that were read, with their comments on no place, and those that explain an error."""
    meeting = injection.pairs[injection.rule.meets(injection.pairs)]
    placed = meeting.groupby("review")["comment"].nunique()
    explaining = meeting[injection.rule.explains(meeting)].groupby("review")["comment"].nunique()
    rows = injection.read
    on_place = rows["review"].map(placed).fillna(0)
    return rows.assign(
        comments=rows["comments"].astype(float),
        background=(rows["comments"] - on_place).clip(lower=0).astype(float),
        explaining=np.minimum(rows["review"].map(explaining).fillna(0), rows["comments"]).astype(float),
    )


def _notes(injection: Injection, judged: Frame | None) -> Iterator[str]:
    yield "located: a comment stands at the place of the error, whatever it says."
    yield "false_alarm: a comment stands at that place of the clean paper."
    yield "located_minus_false_alarm: paired by paper; what the error itself draws."
    yield ROUNDS
    if judged is None and injection.rule.rating is None:
        yield BY_PLACE
    elif judged is None:
        yield "No judge of all comments: precision is at least the share that explains an error (background)."
