"""The authors' records: read, and placed where their numbers leave one place."""

import json

import pytest

from rereview.errors import UnusableInput
from rereview.perturb.records import read_records
from rereview.perturb.scan import scan

SOURCE = (
    "A $a+b$ and $c+d$ and $a+b$ and $e+f$ and $a+b$.\n\n"
    "\\begin{proof}See there.\\end{proof} \\begin{proof}By hand.\\end{proof}"
    " \\begin{proof}See there.\\end{proof}"
    "\n\nThe rate falls by half in each of the years of the study.\n"
)


def record(number, original, error="operator_or_sign", **more):
    return {
        "perturbation_id": f"P{number:03}",
        "span_id": f"S{number:04}",
        "error": error,
        "original": original,
        "perturbed": original.replace("+", "-"),
        "why_wrong": "because",
    } | more


def read(*records, family="surface", source=SOURCE, candidates=()):
    text = json.dumps({"model": "some-model", "perturbations": list(records)})
    return read_records(text, family=family, paper_id="p", file="a.tex", source=source, candidates=candidates)


def starts(*records, **more):
    return [each.span.start for each in read(*records, **more).perturbations]


ALL = [at for at in range(len(SOURCE)) if SOURCE.startswith("$a+b$", at)]


def test_a_record_becomes_a_perturbation():
    """With the label, family and run by our names; the author is their model, and it counts as an error."""
    (only,) = read(record(1, "$c+d$", contradicts_quote="and $c+d$ and")).perturbations
    assert (only.id, only.run, only.family, only.error) == (
        "p/surface/P001",
        "p/surface",
        "surface",
        "operator-or-sign",
    )
    assert (only.author, only.verdict, only.kind) == ("some-model", "substantive", "inline-equation")
    assert (only.replacement, only.contradicts) == ("$c-d$", "and $c+d$ and")
    assert SOURCE[only.span.start : only.span.end] == only.original == "$c+d$"


def test_families_go_by_either_name():
    """Theirs is the name of the file."""
    (only,) = read(
        record(1, "\\begin{proof}By hand.\\end{proof}", "missing_case"), family="logic"
    ).perturbations
    assert (only.family, only.kind) == ("reasoning", "proof")
    with pytest.raises(UnusableInput, match="'grammar' is no family; expected one of surface, "):
        read(family="grammar")


def test_the_place_of_an_original_that_stands_once_is_plain():
    """And one that stands nowhere is absent, not somewhere near."""
    found = read(record(3, "$e+f$"), record(4, "$x+y$"))
    assert [each.original for each in found.perturbations] == ["$e+f$"]
    assert found.unplaced == (("p/surface/P004", "absent"),)


@pytest.mark.parametrize(
    ("records", "at"),
    [
        ([record(0, "$a+b$"), record(1, "$c+d$")], ALL[0]),
        ([record(1, "$c+d$"), record(2, "$a+b$")], ALL[1]),
        ([record(3, "$e+f$"), record(4, "$a+b$")], ALL[2]),
        ([record(21, "$c+d$"), record(22, "$a+b$"), record(23, "$e+f$")], ALL[1]),
    ],
)
def test_numbers_of_neighbours_decide(records, at):
    """Span ids count the formulas of the text in their order, from any first number."""
    found = read(*records)
    assert [each.span.start for each in found.perturbations if each.original == "$a+b$"] == [at]
    assert found.unplaced == ()


def test_without_a_neighbour_it_is_ambiguous():
    """It is counted, and never put at the first place."""
    found = read(record(7, "$a+b$"))
    assert found.perturbations == ()
    assert found.unplaced == (("p/surface/P007", "ambiguous"),)


def test_order_alone_may_leave_one_place():
    """Where the numbers count something that is not known, those before stand before."""
    text = "Alpha one is so.\n\nSame words here.\n\nBeta two is so.\n\nSame words here.\n\nGamma is so."
    error = "incorrect_statement_empirical"
    same, beta = record(9, "Same words here.", error), record(4, "Beta two is so.", error)
    assert starts(same, beta, source=text, family="claim") == [text.rindex("Same"), text.index("Beta")]
    late = record(2, "Same words here.", error)
    assert starts(late, beta, source=text, family="claim") == [text.index("Same"), text.index("Beta")]
    assert read(late, source=text, family="claim").unplaced == (("p/claim/P002", "ambiguous"),)


def test_environments_are_counted_by_their_name():
    """The last of three proofs, two of which read the same."""
    same = "\\begin{proof}See there.\\end{proof}"
    first = record(5, "\\begin{proof}By hand.\\end{proof}", "missing_case")
    assert starts(first, record(6, same, "missing_case"), family="logic")[1] == SOURCE.rindex(same)
    assert starts(record(4, same, "missing_case"), first, family="logic")[0] == SOURCE.index(same)


def test_numbers_that_fit_nothing_decide_nothing():
    """A record whose number is out of order leaves its neighbour ambiguous."""
    found = read(record(8, "$c+d$"), record(3, "$e+f$"), record(5, "$a+b$"))
    assert [name for name, _ in found.unplaced] == ["p/surface/P005"]


def test_a_candidate_that_holds_an_edit_gives_its_kind():
    """The smallest one that admits the error; its id comes along."""
    candidates = scan({"a.tex": SOURCE}, "p")
    error = "incorrect_statement_empirical"
    (only,) = read(record(0, "falls by half", error), family="claim", candidates=candidates).perturbations
    holder = next(each for each in candidates if each.id == only.candidate_id)
    assert (only.kind, holder.kind) == ("paragraph", "paragraph")
    assert holder.text.startswith("The rate falls")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "a.tex: no JSON"),
        ("[]", "a.tex: no list of perturbations"),
        ('{"perturbations": [{"span_id": "S1"}]}', "a record without perturbation_id, error, original"),
        ('{"perturbations": [3]}', "a record without"),
    ],
)
def test_what_holds_no_records_is_said(text, said):
    """One line: what, where, what would be right."""
    with pytest.raises(UnusableInput, match=said):
        read_records(text, family="surface", paper_id="p", file="a.tex", source="x")


def test_an_unknown_label_is_counted():
    """It is not forced into a subtype."""
    found = read(record(1, "$c+d$", "symbol_binding"))
    assert found.unplaced == (("p/surface/P001", "unknown-error"),)
