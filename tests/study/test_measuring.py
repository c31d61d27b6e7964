"""How the errors of a study are said to have been made."""

from perturb.made import perturbation
from rereview.perturb.inject import is_usable
from rereview.study.design import Design
from rereview.study.measuring import notes_of
from rereview.study.perturbing import Made, Perturbed

TEXT = "one two three four five"
EDITS = (
    perturbation(TEXT, "one", "1", name="a"),
    perturbation(TEXT, "two", "2", name="b").but(rejected="label"),
    perturbation(TEXT, "three", "3", name="c").but(verdict=None),
    perturbation(TEXT, "four", "4", name="d").but(verdict="typo-shaped"),
    perturbation(TEXT, "five", "5", name="e").but(verdict=None, rejected="label"),
)


def test_what_is_injected_is_what_is_told():
    """The edits that go into a paper are those that are counted as used; each other has its reason."""
    made = Made("p/claim", 5, EDITS)
    assert made.used == tuple(edit for edit in EDITS if is_usable(edit)) == EDITS[:1]
    _, used, *_ = notes_of(Design(), Perturbed((), (made,)))
    assert used == "1 of 5 edits were used; left out: 2 label, 1 typo-shaped, 1 verdict unknown."


def test_one_edit_was_used():
    """And one is not several."""
    _, used = notes_of(Design(), Perturbed((), (Made("p/claim", 1, EDITS[:1]),)))
    assert used == "1 of 1 edit was used."
