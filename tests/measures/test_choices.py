"""Answers to fields that are no score, counted over rounds."""

import pandas as pd

from rereview.measures.choices import answers, choices
from rereview.study.answers import ANSWERS
from rereview.types.document import Scored
from rereview.types.review import Draft, Review

FORM = Scored(form="tmlr", title="TMLR", choices=(("claims", ("Yes", "No")), ("audience", ("Yes", "No"))))


def review(number, **fields):
    draft = Draft(fields=fields) if fields else None
    status = "ok" if fields else "invalid"
    return Review(
        id=f"r{number}", manuscript_id="m", reviewer="s", model="x", round=number, status=status, draft=draft
    )


def test_every_legal_answer_is_counted_and_agreement_is_of_pairs():
    """Two of three answers alike are one pair of three; a round without an answer is dropped, not a no."""
    rounds = [review(1, claims="Yes"), review(2, claims="No"), review(3, claims="Yes"), review(4)]
    (found,) = choices(rounds, {"s": FORM})
    assert found.counts == (("Yes", 2), ("No", 1))
    assert found.given == ("Yes", "No", "Yes", None)
    assert (found.agreement.value, found.agreement.n, found.agreement.dropped) == (1 / 3, 3, 1)


def test_what_is_not_legal_is_shown_as_given():
    """It stands after the legal answers."""
    (found,) = choices([review(1, claims="Perhaps")], {"s": FORM})
    assert found.counts == (("Yes", 0), ("No", 0), ("Perhaps", 1))
    assert found.agreement.value is None


def test_reviewers_without_a_form_have_none():
    """Nothing is made up for them."""
    assert choices([review(1, claims="Yes")], {}) == ()


def test_agreement_is_a_mean_over_papers_with_an_interval():
    """A paper with one round has no pairs and is dropped; limits stay between 0 and 1."""
    rows = [
        (paper, "v", "scorecard(tmlr)", "m", number, "audience", answer)
        for paper, given in {
            "a": "YY",
            "b": "YN",
            "c": "YYY",
            "d": "Y",
            "e": "NN",
            "f": "NY",
            "g": "YY",
            "h": "YN",
        }.items()
        for number, answer in enumerate(given, start=1)
    ]
    made = answers(pd.DataFrame(rows, columns=list(ANSWERS)), level=0.95)
    (cell,) = made.cells
    assert cell.row == "scorecard(tmlr) | m | audience"
    found = cell.estimate
    assert (found.value, found.n, found.dropped) == (4 / 7, 7, 1)
    assert 0 <= found.low < found.value < found.high <= 1
