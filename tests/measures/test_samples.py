"""Samples that analyses share."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.measures.samples import Analysis, Configuration, Exclusion, sample, table
from rereview.study.frames import SCORES

ONE = Configuration(reviewer="scorecard", model="openai:one")
TWO = Configuration(reviewer="scorecard", model="openai:two")
BOTH = Analysis(name="crossover", configurations=(ONE, TWO), rounds=2, inputs="text and images")
ALONE = BOTH.but(name="repeatability", configurations=(ONE,))
LIMIT = Exclusion(paper="long", model="openai:two", why="224 images, over the limit of 100 a call")


def frame(*rows):
    """Scores of (paper, configuration, round, score[, status])."""
    whole = [
        (paper, f"{paper}-v1", side.reviewer, side.model, number, score, *(status or ("ok",)))
        for paper, side, number, score, *status in rows
    ]
    return pd.DataFrame(whole, columns=list(SCORES))


def rounds(paper, side, *scores):
    return [(paper, side, number, score) for number, score in enumerate(scores, start=1)]


FULL = [*rounds("a", ONE, 5, 6), *rounds("a", TWO, 5, 5), *rounds("b", ONE, 3, 3), *rounds("b", TWO, 4, 4)]


def test_a_paper_over_the_limit_of_one_model_is_lost_to_what_compares_it():
    """And to nothing else: an analysis without that model keeps it."""
    scores = frame(*FULL, *rounds("long", ONE, 8, 8))
    both, alone = sample(scores, BOTH, [LIMIT]), sample(scores, ALONE, [LIMIT])
    assert both.papers == ("a", "b")
    assert [(each.paper, each.why) for each in both.lost] == [
        ("long", "excluded for openai:two: 224 images, over the limit of 100 a call")
    ]
    assert (alone.papers, alone.lost) == (("a", "b", "long"), ())


def test_a_paper_with_too_few_scored_rounds_is_lost():
    """A round that failed, or gave no score, does not count."""
    scores = frame(*FULL, *rounds("c", ONE, 5, None), ("c", TWO, 1, 5), ("c", TWO, 2, 5, "invalid"))
    (lost,) = sample(scores, BOTH).lost
    assert lost.why.split("; ") == [
        "1 of 2 rounds of scorecard, openai:one have a score",
        "1 of 2 rounds of scorecard, openai:two have a score",
    ]


def test_a_paper_that_a_side_never_saw_is_lost():
    """It is told from one whose rounds failed."""
    scores = frame(*FULL, *rounds("c", ONE, 5, 5), *rounds("d", TWO, None, None))
    assert {each.paper: each.why for each in sample(scores, BOTH).lost} == {
        "c": "not reviewed by scorecard, openai:two",
        "d": "not reviewed by scorecard, openai:one; 0 of 2 rounds of scorecard, openai:two have a score",
    }


def test_a_paper_that_nobody_reviewed_is_not_forgotten():
    """An exclusion makes it known."""
    exclusions = [LIMIT, LIMIT.but(model="openai:one")]
    assert [each.paper for each in sample(frame(*FULL), BOTH, exclusions).lost] == ["long"]


def test_more_rounds_than_needed_are_no_loss():
    """The analysis counts those that it rests on."""
    found = sample(frame(*rounds("a", ONE, 1, 2, 3, 4)), ALONE)
    assert (found.papers, found.scores) == (("a",), 2)


def test_rounds_of_two_versions_are_not_added():
    """One round of each is not two of either."""
    scores = frame(*rounds("a", ONE, 1, 2))
    scores["version"] = ["a-v1", "a-v2"]
    assert sample(scores, ALONE).papers == ()


def test_a_reviewer_without_a_model_is_a_configuration():
    """Its model is empty in the frame, or missing."""
    checks = Configuration(reviewer="checks", model="")
    scores = frame(("a", checks, 1, 5.0), ("b", checks, 1, 5.0))
    scores.loc[1, "model"] = None
    assert sample(scores, BOTH.but(configurations=(checks,), rounds=1)).papers == ("a", "b")


def test_without_any_score_every_sample_is_empty():
    """Nothing is lost where nothing is known."""
    found = sample(frame(), BOTH)
    assert (found.papers, found.scores, found.lost) == ((), 0, ())


def test_the_table_says_papers_rounds_inputs_and_who_was_lost():
    """One row an analysis; reasons that are the same are said once."""
    scores = frame(*FULL, *(row for name in ("x", "y") for row in rounds(name, ONE, 5, 5)))
    made = table([sample(scores, BOTH, [LIMIT]), sample(scores, ALONE)])
    long = f"excluded for openai:two: {LIMIT.why}; not reviewed by scorecard, openai:one"
    cells = {(cell.row, cell.column): cell.estimate for cell in made.cells}
    assert cells["crossover", "papers"].value == 2
    assert (cells["crossover", "papers"].n, cells["crossover", "papers"].dropped) == (2, 3)
    assert cells["crossover", "rounds"].value == 2
    assert cells["crossover", "scores"].value == 8
    assert cells["repeatability", "papers"].value == 4
    assert made.notes == (
        "crossover: text and images, by scorecard, openai:one; scorecard, openai:two",
        f"crossover: 1 lost, long: {long}",
        "crossover: 2 lost, x, y: not reviewed by scorecard, openai:two",
        "repeatability: text and images, by scorecard, openai:one",
    )


@pytest.mark.parametrize(("count", "shown"), [(10, "p9: "), (12, " and 2 more: ")])
def test_many_lost_papers_are_counted(count, shown):
    """At most ten are named."""
    scores = frame(*(row for at in range(count) for row in rounds(f"p{at}", TWO, 5, 5)))
    note = table([sample(scores, ALONE)]).notes[1]
    assert f"{count} lost" in note
    assert shown in note


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([ONE, TWO]), st.none() | st.integers(1, 10)))
)
def test_every_known_paper_is_shared_or_lost(rows):
    """Never both, and a shared one has its rounds on every side."""
    counts = {}
    numbered = []
    for paper, side, score in rows:
        counts[paper, side.model] = counts.get((paper, side.model), 0) + 1
        numbered.append((paper, side, counts[paper, side.model], score))
    scores = frame(*numbered)
    found = sample(scores, BOTH, [LIMIT])
    assert {*found.papers, *(each.paper for each in found.lost)} == {*(row[0] for row in rows), "long"}
    assert not {*found.papers} & {each.paper for each in found.lost}
    for paper in found.papers:
        for side in (ONE, TWO):
            assert sum(row[0] == paper and row[1] == side and row[2] is not None for row in rows) >= 2
