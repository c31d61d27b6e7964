"""Probabilities of scores out of tokens, on distributions written by hand."""

from math import isclose, log

import pytest

from rereview.text.token_scores import score_mass
from rereview.types.call import Token

ONE_TO_TEN = range(1, 11)


def token(text, *, probability=1.0, top=None):
    likely = tuple((each, log(share)) for each, share in (top or {text: probability}).items())
    return Token(text=text, logprob=dict(likely).get(text, log(probability)), top=likely)


BEFORE = [token('{"'), token("summary"), token('":'), token(' "says \\"score\\": 3"'), token(', "score":')]


def read(tokens, score, values=ONE_TO_TEN):
    return score_mass(tokens, field_name="score", values=values, score=score)


def shares(found):
    return {each.score: each.probability for each in found.probabilities}


def test_only_scores_that_came_back_have_a_probability():
    """The mass on legal scores is renormalised; absent scores get none, words and decimals neither."""
    top = {"7": 0.6, "6": 0.3, "11": 0.01, "null": 0.05, "7.5": 0.04}
    found = read([*BEFORE, token(" "), token("7", top=top), token("}")], 7)
    assert shares(found) == pytest.approx({6: 1 / 3, 7: 2 / 3})
    assert found.legal == pytest.approx(0.9)
    assert {each.how for each in found.probabilities} == {"one token"}
    assert found.note == "0.900 of the probability stood on legal scores, renormalised to 1."


def test_a_score_of_two_tokens_has_the_probability_of_the_sequence():
    """10 is P(1) P(0 | 1); 1 is P(1) times what ends the number; a third digit is neither."""
    ten = [token("1", top={"1": 0.5, "7": 0.5}), token("0", top={"0": 0.6, ",": 0.2, "\n": 0.1, "2": 0.1})]
    found = read([*BEFORE, token(" "), *ten, token("}")], 10)
    assert shares(found) == pytest.approx({1: 0.15 / 0.95, 7: 0.5 / 0.95, 10: 0.3 / 0.95})
    hows = {each.score: each.how for each in found.probabilities}
    assert hows == {1: "the product of several tokens", 7: "one token", 10: "the product of several tokens"}


def test_a_branch_that_was_not_written_is_left_out_and_said():
    """`1` beside a written 7 is 1 or 10, which nobody can know: it is in none and the note says so."""
    found = read([*BEFORE, token(" "), token("7", top={"7": 0.7, "1": 0.2, "8": 0.1}), token("}")], 7)
    assert shares(found) == pytest.approx({7: 0.875, 8: 0.125})
    assert found.unresolved == pytest.approx(0.2)
    assert "0.200 stood on a token that begins more than one score" in found.note


def test_where_ten_is_a_token_of_its_own_one_is_one():
    """A vocabulary that has `10` shows it among the likeliest; then `1` is no beginning."""
    found = read([*BEFORE, token(" "), token("7", top={"7": 0.7, "1": 0.1, "10": 0.2}), token("}")], 7)
    assert shares(found) == pytest.approx({1: 0.1, 7: 0.7, 10: 0.2})


def test_an_illegal_beginning_of_a_legal_score_is_not_that_score():
    """On an even scale `1` can only become 10, and how often it does is not known."""
    found = read(
        [*BEFORE, token(" "), token("8", top={"8": 0.6, "1": 0.4}), token("}")], 8, (0, 2, 4, 6, 8, 10)
    )
    assert shares(found) == {8: 1.0}
    assert found.unresolved == pytest.approx(0.4)


@pytest.mark.parametrize(
    "tokens",
    [
        [token('{"score'), token('": 7', top={'": 7': 0.5, '": 6': 0.5}), token("}")],
        [token("```json\n"), token('{"score":'), token(" 7", top={" 7": 0.5, "6": 0.5}), token("}\n```")],
        [token('{"a": {"score": 2}, "score" : "'), token("7", top={"7": 0.5, "6": 0.5}), token('"}')],
        [token('{"score":'), token(" "), token("7", top={"7": 0.5, "6": 0.5, '"7': 0.2}), token("}")],
    ],
)
def test_the_score_is_found_as_json_whatever_its_tokens(tokens):
    """A token may hold more than the score; fences, nested objects and quotes do not matter."""
    assert shares(read(tokens, 7)) == pytest.approx({6: 0.5, 7: 0.5})


def test_what_cannot_be_read_is_said():
    """No such field, or another value than the one that was read, is a problem and not a guess."""
    assert "does not stand" in read([token('{"rating": 7}')], 7).problem
    assert "does not stand" in read([*BEFORE, token(" 70"), token("}")], 7).problem
    assert read([], 7).problem
    assert read([*BEFORE, token(" 12"), token("}")], 12).problem == "no token of a legal score came back"


def test_probabilities_always_sum_to_one():
    """Over many made-up distributions, with the likeliest twenty cut off anywhere."""
    for shift in range(1, 60):
        weights = {str(n): ((n * shift) % 11) + 0.5 for n in range(1, 10)}
        whole = sum(weights.values()) * 1.1
        top = {text: weight / whole for text, weight in weights.items()}
        found = read([*BEFORE, token(" "), token("5", top=top), token(",")], 5)
        assert isclose(sum(shares(found).values()), 1.0, abs_tol=1e-12)
        assert all(0 < share <= 1 for share in shares(found).values())
