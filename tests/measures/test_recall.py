"""Recall tables against loops, and the columns of the paper's table 16."""

import pytest

from injected_frames import pairs, perturbations, readings, study
from rereview.errors import UsageError
from rereview.measures import recall as recalls
from rereview.measures.detections import Rule
from rereview.measures.injected import Group, Injection
from rereview.measures.tabulate import Settings
from rereview.stats.shares import share_interval
from score_frames import cells, values

MADE = study(seed=4, papers=8, rounds=2)
PAIRS = {}
for each in MADE.pairs.itertuples():
    PAIRS.setdefault((each.perturbation, each.review), []).append(each)
READ = list(MADE.readings.itertuples())
WHOLE = Injection(*MADE.frames, settings=Settings(draws=300))


def known(perturbation, review, rule):
    """True, False or None, by looking at every pair."""
    if review.status not in {"ok", "repaired"}:
        return None
    met = [pair for pair in PAIRS.get((perturbation, review.review), []) if pair.coverage >= rule.tau]
    if any(str(pair.rating) != "<NA>" and pair.rating >= rule.rating for pair in met):
        return True
    return None if any(str(pair.rating) == "<NA>" for pair in met) else False


def shares_of(system, model, errors):
    """Paper, and mean over the rounds in which it is known, of every error."""
    for error in errors.itertuples():
        reviews = [row for row in READ if (row.system, row.model, row.run) == (system, model, error.run)]
        seen = [each for row in reviews if (each := known(error.perturbation, row, Rule())) is not None]
        if seen:
            yield error.paper, sum(seen) / len(seen)


def by_loops(system, model, errors):
    """Mean over errors."""
    shares = [share for _, share in shares_of(system, model, errors)]
    return sum(shares) / len(shares)


def test_limits_are_those_of_papers_left_out():
    """Found and asked by paper, as the simulated studies have them."""
    shares = list(shares_of("zero", "m1", MADE.perturbations))
    papers = sorted({paper for paper, _ in shares})
    found = [sum(share for each, share in shares if each == paper) for paper in papers]
    asked = [sum(each == paper for each, _ in shares) for paper in papers]
    expected = share_interval(found, asked)
    cell = cells(recalls.recall(WHOLE))["zero | m1", "all"]
    assert (cell.low, cell.high, cell.n) == (pytest.approx(expected.low), pytest.approx(expected.high), 8)


@pytest.mark.parametrize(("system", "model"), [("open", "m1"), ("zero", "m2")])
def test_recall_is_that_of_loops(system, model):
    """Of all errors, of pinned ones and of a family."""
    found, errors = cells(recalls.recall(WHOLE)), MADE.perturbations
    name = f"{system} | {model}"
    assert found[name, "all"].value == pytest.approx(by_loops(system, model, errors))
    pinned = errors[errors["pinned"] == True]  # noqa: E712  None is neither
    assert found[name, "pinned"].value == pytest.approx(by_loops(system, model, pinned))
    claims = errors[errors["family"] == "claim"]
    assert found[name, "claim"].value == pytest.approx(by_loops(system, model, claims))
    assert found[name, "all"].n == 8
    assert found[name, "all"].low < found[name, "all"].value < found[name, "all"].high


@pytest.mark.parametrize("column", list(recalls.FIELDS))
def test_recall_by_is_that_of_loops(column):
    """Every value of every field has a column, with the recall of its errors."""
    found, errors = cells(recalls.recall_by(WHOLE, column)), MADE.perturbations
    for value in sorted(set(errors[column])):
        expected = by_loops("coarse", "m2", errors[errors[column] == value])
        assert found["coarse | m2", value].value == pytest.approx(expected)


def test_percentile_intervals_are_there_for_comparison():
    """The values stay, the limits are others."""
    drawn = Injection(*MADE.frames, settings=Settings(draws=300, percentile=True))
    default, percentile = (cells(recalls.recall(each))["open | m1", "all"] for each in (WHOLE, drawn))
    assert default.value == percentile.value
    assert (default.low, default.high) != (percentile.low, percentile.high)


def test_a_study_without_pins_has_no_such_column():
    """Pinned is shown where it was asked for."""
    plain = MADE.perturbations.assign(pinned=None)
    made = recalls.recall(Injection(plain, MADE.readings, MADE.pairs))
    assert "pinned" not in {cell.column for cell in made.cells}


def table_16():
    """29 errors read with two methods: coverages and ratings as the paper tells of them."""
    errors = [{"perturbation": f"e{at}", "paper": f"p{at % 7}"} for at in range(29)]
    reviews = [
        {"review": f"{system}-p{at}", "paper": f"p{at}", "system": system, "model": "opus"}
        for system in ("open", "zero")
        for at in range(7)
    ]
    places = [(f"e{at}", f"{system}-p{at % 7}") for system in ("open", "zero") for at in range(29)]
    detected = [(0.92, 5)] * 24 + [(0.75, 3)] + [(0.5, 4)] * 2
    met = [
        {"perturbation": error, "review": review, "coverage": coverage, "rating": rating}
        for (error, review), (coverage, rating) in zip(places, detected, strict=False)
    ]
    noise = [
        {"perturbation": error, "review": review, "comment": f"n{at}", "coverage": 0.52, "rating": 1 + at % 2}
        for at, (error, review) in enumerate(places[:49])
    ]
    return Injection(perturbations(errors), readings(reviews), pairs(met + noise))


def test_the_columns_of_table_16():
    """25 of 58 up to 0.75, 24 above, 27 at 0.5 for three times the pairs."""
    made = recalls.tau_sweep(table_16())
    taus = [f"{0.5 + step / 20:.2f}" for step in range(10)]
    assert list(dict.fromkeys(cell.row for cell in made.cells)) == taus
    detections = [27, 25, 25, 25, 25, 25, 24, 24, 24, 0]
    assert list(values(made, "detections").values()) == detections
    assert list(values(made, "candidate_pairs").values()) == [76, 25, 25, 25, 25, 25, 24, 24, 24, 0]
    assert list(values(made, "recall").values()) == pytest.approx([each / 58 for each in detections])
    assert set(values(made, "errors").values()) == {58}


def test_a_sweep_by_system_parts_what_the_whole_pools():
    """Detections of the parts add up to those of all."""
    whole = values(recalls.tau_sweep(table_16()), "detections")
    parts = values(recalls.tau_sweep(table_16(), ["system"]), "detections")
    assert all(parts[f"open: {tau}"] + parts[f"zero: {tau}"] == count for tau, count in whole.items())


def test_a_threshold_below_what_was_judged_is_not_known():
    """Pairs of low coverage that nobody judged are counted as unknown, not as misses."""
    made = table_16()
    unjudged = made.pairs.assign(rating=made.pairs["rating"].mask(made.pairs["coverage"] < 0.75))
    found = cells(recalls.tau_sweep(Injection(made.perturbations, made.readings, unjudged)))
    assert found["0.75", "unknown"].value == 0
    assert found["0.50", "unknown"].value == 24 + 2 - 2
    assert found["0.50", "detections"].value == 25


def test_the_rating_sweep_counts_ratings_upwards():
    """The same pairs, four thresholds."""
    made = values(recalls.rating_sweep(table_16()), "detections")
    assert made == {"2": 25, "3": 25, "4": 24, "5": 24}


def test_unions_against_loops():
    """Found by either model in a round, mean over rounds; more is paired with the best model."""
    found = cells(recalls.unions(WHOLE))
    shares = []
    for error in MADE.perturbations.itertuples():
        seen = []
        for number in (1, 2):
            each = [
                known(error.perturbation, row, Rule())
                for row in READ
                if (row.system, row.run, row.round) == ("open", error.run, number)
            ]
            if True in each:
                seen.append(1)
            elif None not in each:
                seen.append(0)
        shares += [sum(seen) / len(seen)] if seen else []
    row = "open: union of 2 models"
    assert found[row, "all"].value == pytest.approx(sum(shares) / len(shares))
    assert found[row, "more"].value == pytest.approx(found[row, "all"].value - found[row, "best"].value)


def test_the_best_member_of_a_union_is_the_one_that_finds_most():
    """`open` finds 25 of 29 and `zero` nothing: together they find what the best finds."""
    row = "opus: union of 2 systems"
    found = cells(recalls.unions(table_16()))
    assert found[row, "best"].value == found[row, "all"].value == pytest.approx(25 / 29)
    assert "best: open" in found[row, "best"].marks
    assert found[row, "more"].value == 0


def test_both_rules_stand_side_by_side():
    """Quote coverage as in the main table, the changed region, and their paired difference."""
    found = cells(recalls.rules(WHOLE))
    assert found["open | m1", "quote-coverage"] == cells(recalls.recall(WHOLE))["open | m1", "all"]
    both = [found["open | m1", column].value for column in ("quote-coverage", "changed-region")]
    assert found["open | m1", "difference"].value == pytest.approx(both[1] - both[0])


def test_a_group_reads_its_own_papers_and_models():
    """Nothing of other models or papers is left; a name that is not there is refused."""
    group = WHOLE.of(Group("efficient", models=("m1",), papers=("p00", "p01", "p02")))
    assert {name for name, _, _ in group.configurations()} == {"coarse | m1", "open | m1", "zero | m1"}
    assert group.papers == ("p00", "p01", "p02")
    with pytest.raises(UsageError, match="group 'x': no review of the model 'm9'"):
        WHOLE.of(Group("x", models=("m9",)))
