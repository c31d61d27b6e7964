"""Recall by system inside a group, and the price of choosing the best model on the same data."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from injected_frames import pairs, perturbations, readings, study
from rereview.measures import recall_groups as groups
from rereview.measures.detections import units
from rereview.measures.injected import Group, Injection
from rereview.measures.tabulate import Settings
from score_frames import cells, values

MADE = study(seed=6, papers=9)
DRAWS = 200
WHOLE = Injection(*MADE.frames, settings=Settings(draws=DRAWS))


def mean(rows):
    return rows["value"].mean()


@pytest.mark.parametrize(
    ("make", "column", "value"),
    [
        (groups.by_model, "model", "m1"),
        (groups.by_type, "family", "claim"),
        (groups.by_domain, "domain", "cs.LG"),
    ],
)
def test_a_row_is_the_recall_of_its_errors(make, column, value):
    """Pooled over the models of the group; the first row is everything."""
    found, whole = cells(make(WHOLE)), units(WHOLE.found)
    own = whole[whole["system"] == "zero"]
    assert found["all", "zero"].value == pytest.approx(mean(own))
    assert found[value, "zero"].value == pytest.approx(mean(own[own[column] == value]))


def test_types_have_their_subtypes_below_them():
    """A family of one subtype has none."""
    rows = list(values(groups.by_type(WHOLE), "zero"))
    assert rows[:2] == ["all", "surface"]
    assert "surface: computation" in rows
    assert rows.index("surface") < rows.index("surface: computation") < rows.index("claim")


def test_no_cell_pools_groups():
    """The tables of a group are those of a study that holds nothing else."""
    group = Group("small", models=("m1",), papers=("p00", "p01", "p02", "p03", "p04", "p05", "p06"))
    alone = Injection(
        MADE.perturbations[MADE.perturbations["paper"] < "p07"],
        MADE.readings[(MADE.readings["model"] == "m1") & (MADE.readings["paper"] < "p07")],
        MADE.pairs[MADE.pairs["review"].str.contains("-m1-")],
        settings=WHOLE.settings,
    )
    assert groups.by_domain(WHOLE.of(group)) == groups.by_domain(alone)


def test_the_best_model_is_chosen_in_every_draw():
    """Against loops over the same draws: choice, spread of the limits, and papers outside the draw."""
    found = cells(groups.best_by_domain(WHOLE))
    whole = units(WHOLE.found)
    own = whole[(whole["system"] == "open") & whole["value"].notna()]
    parts = {model: own[own["model"] == model] for model in ("m1", "m2")}
    best = max(parts, key=lambda model: mean(parts[model]))
    assert found["all", "open"].value == pytest.approx(mean(parts[best]))
    drawn, found_outside, asked_outside, same = [], 0.0, 0, 0
    for weights in WHOLE.weights:
        copies = dict(zip(WHOLE.papers, weights, strict=True))
        shares = {
            model: np.average(rows["value"], weights=[copies[paper] for paper in rows["paper"]])
            for model, rows in parts.items()
        }
        pick = max(shares, key=shares.get)
        same += pick == best
        drawn.append(shares[pick])
        left = parts[pick][[copies[paper] == 0 for paper in parts[pick]["paper"]]]
        found_outside, asked_outside = found_outside + left["value"].sum(), asked_outside + len(left)
    outside = found[groups.UNSEEN, "open"]
    assert outside.value == pytest.approx(found_outside / asked_outside)
    cell = found["all", "open"]
    assert f"open with {best}: best on these papers, and in {same / DRAWS:.0%} of the draws" in cell.marks
    share, error = cell.value, np.std(drawn) * (9 / 8) ** 0.5
    odds = np.log([cell.low / (1 - cell.low), share / (1 - share), cell.high / (1 - cell.high)])
    sizes = parts[best].groupby("paper").size()
    half = stats.t.ppf(0.975, sizes.sum() ** 2 / (sizes**2).sum() - 1) * error / (share * (1 - share))
    assert odds == pytest.approx([odds[1] - half, odds[1], odds[1] + half])


def equal_models(rng, papers=14, models=5, each=6):
    """Five models that all find an error with chance one half: the best of them is best by luck."""
    errors = perturbations(
        [{"perturbation": f"{p}-{e}", "paper": f"p{p:02d}"} for p in range(papers) for e in range(each)]
    )
    reviews = readings(
        [
            {"review": f"m{m}-p{p:02d}", "paper": f"p{p:02d}", "model": f"m{m}"}
            for p in range(papers)
            for m in range(models)
        ]
    )
    rows = [
        {"perturbation": row.perturbation, "review": f"m{m}-{row.paper}", "coverage": 1.0, "rating": 5}
        for row in errors.itertuples()
        for m in range(models)
        if rng.random() < 0.5
    ]
    return Injection(errors, reviews, pairs(rows), settings=Settings(draws=200))


def test_a_recall_chosen_on_the_same_data_is_too_high_and_the_last_row_is_not():
    """True recall one half for every model, over twelve studies."""
    rng = np.random.default_rng(0)
    made = [cells(groups.best_by_domain(equal_models(rng))) for _ in range(12)]
    assert np.mean([each["all", "zero"].value for each in made]) > 0.54
    assert np.mean([each[groups.UNSEEN, "zero"].value for each in made]) == pytest.approx(0.5, abs=0.03)


def test_the_table_of_the_best_models_says_what_its_intervals_are_not():
    """Nobody shall take them for intervals of the recall on new papers."""
    said = " ".join(groups.best_by_domain(WHOLE).notes)
    assert "no 95% intervals of the recall on new papers" in said


def test_a_system_without_a_read_review_has_no_best_model():
    """All of its reviews failed: no column, rather than a recall of zero."""
    failed = MADE.readings.assign(
        status=MADE.readings["status"].mask(MADE.readings["system"] == "coarse", "failed")
    )
    made = groups.best_by_domain(Injection(MADE.perturbations, failed, MADE.pairs, settings=WHOLE.settings))
    assert {cell.column for cell in made.cells} == {"open", "zero"}
    assert pd.notna(cells(made)["all", "zero"].value)
