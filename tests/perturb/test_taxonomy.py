"""The table of families and subtypes."""

import typing

from rereview.perturb.taxonomy import (
    FAMILY_NAMES,
    ROWS,
    admissible,
    error_named,
    families,
    family_of,
    spans_of,
)
from rereview.types.edit import CandidateKind, ErrorType, Family, PaperKind


def test_every_kind_of_place_and_error_stands_in_the_table():
    """Nothing that a record may hold is without a row, and no row holds anything else."""
    assert {kind for _, _, spans, _ in ROWS for kind in spans} == set(typing.get_args(CandidateKind))
    assert {error for _, _, _, errors in ROWS for error in errors} == set(typing.get_args(ErrorType))
    assert {family for _, family, _, _ in ROWS} == set(typing.get_args(Family)) == set(FAMILY_NAMES.values())
    assert {paper for paper, _, _, _ in ROWS} == set(typing.get_args(PaperKind))


def test_a_place_and_an_error_have_one_family():
    """The same in every row, so that looking up the first is looking up each."""
    for _, family, spans, errors in ROWS:
        assert all(admissible(kind) == errors for kind in spans)
        assert all(family_of(error) == family for error in errors)


def test_a_theoretical_paper_runs_three_families_and_an_empirical_one_three():
    """As in the paper's table 14: surface in both."""
    assert families("theoretical") == ("surface", "claim", "reasoning")
    assert families("empirical") == ("surface", "claim", "empirical")


def test_spans_of_a_family_depend_on_the_kind_of_paper():
    """A claim is a theorem in the one and a paragraph in the other; a family may not run at all."""
    assert spans_of("theoretical", "claim") == ("definition", "theorem")
    assert spans_of("empirical", "claim") == ("paragraph",)
    assert spans_of("empirical", "reasoning") == ()


def test_labels_are_read_in_the_spelling_of_the_authors_and_in_ours():
    """Underscores, spaces, capitals, short forms; None for what is no label."""
    labels = ["operator_or_sign", "Operator or sign", "misinterp", "causal_reversed", "p_hacking"]
    assert [error_named(label) for label in labels] == [
        "operator-or-sign",
        "operator-or-sign",
        "misinterpretation",
        "causal-reversal",
        "p-hacking",
    ]
    assert error_named("incorrect_claim_theoretical") == "incorrect-claim"
    assert error_named("incorrect_statement_empirical") == "incorrect-statement"
    assert error_named("symbol_binding") is None
