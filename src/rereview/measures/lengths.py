"""Recall at equal numbers of comments, and differences between systems.

Systems differ in how many comments they make, and more comments find more: at equal length they are compared
on what they find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from rereview.measures.control import places
from rereview.measures.curves import Curve
from rereview.measures.detections import FAILED, units
from rereview.measures.injected import KEYS, Injection, label, one
from rereview.measures.injected_samples import shared_by
from rereview.measures.recall import FIELDS, ROUNDS, UNKNOWN, by_value, values_of
from rereview.measures.tabulate import Floats, table
from rereview.stats.subsets import chance_of_a_hit
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
Row = dict[str, Estimate]
Configuration = tuple[str, str]

LENGTHS = (1, 2, 5, 10, 20, 50)
MOST_POINTS = 60
EQUAL = "at_equal"
"""The column of equal length."""


def equal_comments(injection: Injection) -> Table:
    """Expected recall when n comments of each review are drawn at random without replacement."""
    equal = shortest(injection)
    read = _read(injection.found)
    lengths = [n for n in LENGTHS if n < (0 if read.empty else read["comments"].max())]
    made: dict[str, Row] = {}
    for name, system, model in injection.configurations():
        own = _read(injection.own(system, model))
        made[name] = {} if equal is None else {EQUAL: _at(injection, own, equal)}
        made[name] |= {f"n={n}": _at(injection, own, n) for n in lengths}
        made[name]["all"] = _at(injection, own, 0 if own.empty else int(own["comments"].max()))
    notes = [
        "Expected recall over all choices of n comments of a review, exactly; shorter reviews give all.",
        "The first n are not taken: some systems order by severity, others by section of the paper.",
        "A comment whose rating could not be read explains nothing where another one explains the error.",
        *([] if equal is None else [f"{EQUAL}: n={equal}, the mean length of the tersest configuration."]),
    ]
    return table("equal-comments", "Recall at equal numbers of comments", made, notes)


def equal_comments_by(injection: Injection, column: str) -> Table:
    """One row a configuration, one column a value of `column` (of `FIELDS`): recall at equal length."""
    equal, values = shortest(injection) or 0, values_of(injection, column)
    made = {
        name: by_value(injection, _drawn(_read(injection.own(system, model)), equal), column, values)
        for name, system, model in injection.configurations()
    }
    caption = f"Recall at {equal} of the comments of each review, by {FIELDS[column]}"
    notes = [f"{equal}: the mean length of the tersest configuration."]
    return table(f"equal-comments-by-{column.replace('_', '-')}", caption, made, notes)


def differences(injection: Injection) -> Table:
    """One row two systems with one model: recall, recall at equal length, false alarms, comments."""
    equal = shortest(injection)
    where = places(injection)
    clean = where[where["arm"] == "clean"]
    made: dict[str, Row] = {}
    known: dict[str, list[Frame]] = {}
    for first, second, name in _pairs(list(injection.configurations())):
        sides = [injection.own(*each) for each in (first, second)]
        known[name] = [injection.own_units(*each) for each in (first, second)]
        row = {"recall": _paired(injection, known[name])}
        if equal is not None:
            row[f"recall_{EQUAL}"] = _paired(injection, [_drawn(side, equal) for side in sides])
        row["false_alarm"] = _paired(injection, [units(one(clean, *each)) for each in (first, second)])
        totals = [injection.totals(side.drop_duplicates("review"), "comments") for side in map(_read, sides)]
        row["comments"] = injection.ratio_difference(totals[0], totals[1])
        made[name] = row
    notes = [
        "Only errors that are known of both; papers are paired.",
        "recall, false_alarm: differences of shares; comments: of the mean number in a review.",
        *([] if equal is None else [f"recall_{EQUAL}: n={equal} of the comments of each review."]),
        ROUNDS,
        UNKNOWN,
        *shared_by(known),
    ]
    return table("differences", "Differences between systems, paired", made, notes)


def found_curves(injection: Injection) -> tuple[Curve, ...]:
    """Expected recall against the number of comments drawn, one curve a configuration."""
    made = []
    for name, system, model in injection.configurations():
        own = _read(injection.own(system, model))
        if own["found"].notna().sum() == 0 or not own["comments"].max():
            continue
        longest = int(own["comments"].max())
        lengths = np.unique(np.rint(np.linspace(0, longest, min(longest + 1, MOST_POINTS))).astype(int))
        known = own[own["found"].notna()]
        # The mean over an error's rounds, then over errors, as weights of the reviews.
        rounds = known.groupby("perturbation")["review"].transform("size").to_numpy(dtype=np.float64)
        shares = [float(np.average(_chances(known, int(n)), weights=1 / rounds)) for n in lengths]
        made.append(Curve("equal-comments", name, "", "", tuple(map(float, lengths)), tuple(shares)))
    return tuple(made)


def shortest(injection: Injection) -> int | None:
    """Mean number of comments of the tersest configuration, rounded down, at least 1; None without any."""
    read = injection.read[injection.read["arm"] == "corrupted"]
    means = read.groupby(KEYS)["comments"].mean().dropna()
    means = means[means > 0]
    return None if means.empty else max(1, int(means.min()))


# -- what they share ----------------------------------------------------------------------


def _read(found: Frame) -> Frame:
    return found[found["why"] != FAILED]


def _drawn(found: Frame, n: int) -> Frame:
    """Units whose value is the chance that n comments hold a hit; not known where `found` is not."""
    known = found["found"].notna().to_numpy(dtype=bool)
    return units(found.assign(found=np.where(known, _chances(found, n), np.nan)))


def _chances(found: Frame, n: int) -> Floats:
    comments = found["comments"].fillna(0).to_numpy(dtype=np.float64)
    hits = found["hits"].to_numpy(dtype=np.float64)
    return chance_of_a_hit(hits, np.maximum(comments, hits), n)


def _at(injection: Injection, found: Frame, n: int) -> Estimate:
    """Recall at n comments: a review counts one part of its error's known rounds."""
    known = found[found["found"].notna()]
    part = 1 / known.groupby("perturbation")["review"].transform("size").to_numpy(dtype=np.float64)
    shares = pd.DataFrame({"paper": known["paper"], "value": part * _chances(known, n), "part": part})
    return injection.share(injection.totals(shares, "value", "part"))


def _paired(injection: Injection, sides: Sequence[Frame]) -> Estimate:
    """Second minus first on what is known of both."""
    known = [side[side["value"].notna()] for side in sides]
    both = set(known[0]["perturbation"]) & set(known[1]["perturbation"])
    totals = [injection.totals(side[side["perturbation"].isin(both)], "value") for side in known]
    return injection.difference(totals[0], totals[1])


def _pairs(
    configurations: Sequence[tuple[str, str, str]],
) -> Iterator[tuple[Configuration, Configuration, str]]:
    """Two systems with the same model, or one of which asks none."""
    for (_, first, a), (_, second, b) in combinations(configurations, 2):
        if first != second and (a == b or not (a and b)):
            yield (first, a), (second, b), label(f"{second} − {first}", a or b)
