"""Edits that cannot be injected."""

import typing

import pytest

from perturb.made import perturbation
from rereview.perturb.validate import REASONS, Reason, fault, validated
from rereview.text.latex import Vocabulary

TEXT = "We see \\alpha$x_1 < y$, a 5$+z$ rise. \\\\[2pt] See \\begin{proof}It is so.\\end{proof} end"


def reason(original, replacement, *, text=TEXT, kind="paragraph", error="incorrect-statement", **more):
    return fault({"a.tex": text}, perturbation(text, original, replacement, kind=kind, error=error), **more)


def formula(original, replacement, text=TEXT):
    return reason(original, replacement, text=text, kind="inline-equation", error="operator-or-sign")


def test_every_reason_is_explained():
    """In words that a table of them can print."""
    assert set(REASONS) == set(typing.get_args(Reason))


def test_a_plain_edit_is_accepted():
    """Words for words, a relation for a relation, a proof for a proof."""
    assert reason("rise", "fall") is None
    assert formula("$x_1 < y$", "$x_1 > y$") is None
    whole = "\\begin{proof}It is so.\\end{proof}"
    assert reason(whole, whole.replace("so", "not so"), kind="proof", error="missing-case") is None


def test_the_original_must_stand_at_its_span():
    """In the file that the span names."""
    edit = perturbation(TEXT, "rise", "fall", start=3)
    assert fault({"a.tex": TEXT}, edit) == "not-there"
    assert fault({}, perturbation(TEXT, "rise", "fall")) == "not-there"


def test_a_label_must_fit_the_place():
    """No proof has an index error, and no formula a causal reversal."""
    assert reason("rise", "fall", error="p-hacking") == "label"
    assert reason("$x_1 < y$", "$x_1 > y$", kind="inline-equation", error="incorrect-claim") == "label"


@pytest.mark.parametrize("replacement", ["", "  \n", "% gone", "%a\n % b\n"])
def test_white_space_and_comments_are_no_replacement(replacement):
    """They print nothing."""
    assert reason("rise", replacement) == "blank"


@pytest.mark.parametrize("replacement", ["a rise", "a  rise", "a\nrise", "a %x\n rise"])
def test_what_prints_the_same_is_identical(replacement):
    """White space and comments make no difference."""
    assert reason("a rise", replacement, text="We see a rise here.") == "identical"


@pytest.mark.parametrize(
    "replacement", ["x_1 > y", "$x_1$ > $y$", "\\[x_1 > y\\]", "so $x_1 > y$", "\\begin{align}x\\end{align}"]
)
def test_a_formula_stays_one_formula(replacement):
    """It keeps its delimiters, or gets others of the same kind."""
    assert formula("$x_1 < y$", replacement) == "delimiters"
    assert formula("$x_1 < y$", "\\(x_1 > y\\)") is None


def test_a_proof_stays_a_proof():
    """Of the same environment; a star more or less does no harm."""
    whole = "\\begin{proof}It is so.\\end{proof}"
    proof = {"kind": "proof", "error": "missing-case"}
    assert reason(whole, "It is not so.", **proof) == "delimiters"
    assert reason(whole, "\\begin{lemma}It is not so.\\end{lemma}", **proof) == "delimiters"
    assert reason(whole, "\\begin{proof*}It is not so.\\end{proof*}", **proof) is None


@pytest.mark.parametrize(
    "replacement",
    [
        "a {fall", "a fall}", "a $fall", "a \\begin{b}fall", "a fall\\end{b}", "$\\left( a$ fall",
        "$a \\right)$ fall", "\\[ fall", "$a\n\nb$ fall",
    ],
)  # fmt: skip
def test_what_was_balanced_stays_balanced(replacement):
    r"""Braces, dollars, environments, \left and \right; and no blank line in a formula."""
    assert reason("a rise", replacement, text="We see a rise here.") == "unbalanced"


def test_what_was_unbalanced_may_stay_so():
    """A paragraph that opens a group for the next one can still be edited."""
    assert reason("a {\\bf rise", "a {\\bf fall", text="We see a {\\bf rise} here.") is None
    assert reason("a {\\bf rise", "a fall", text="We see a {\\bf rise} here.") is None


@pytest.mark.parametrize(
    ("text", "original", "replacement"),
    [
        ("We see \\alpha$x$ here", "$x$", "x"),
        ("We see xbeta here", "x", "\\alpha "[:-1]),
        ("a 5 rise", " rise", "0 falls"),
        ("a rise5", "rise", "fall of 1"),
        ("see $a$b here", "b", "$x$"),
        ("see b$c$ here", "b", "$x$"),
        ("a rise here", "rise", "fall \\"),
        ("a rise here", "rise", "fall % not"),
        ("x^2 y", " y", "^3 y"),
        ("a \\\\ b rise", "b rise", "[b] fall"),
    ],
)
def test_a_replacement_does_not_run_into_its_neighbours(text, original, replacement):
    """A command and a letter, two numbers, two dollars, a lone backslash, a comment, two exponents."""
    assert reason(original, replacement, text=text) == "boundary"


def test_what_ran_into_its_neighbours_before_may_do_so():
    """And a comment may stand before a line end."""
    assert reason("5 rise", "6 fall", text="a 5$x$ 15 rise", error="incorrect-statement") is None
    assert reason("rise", "fall % so", text="a rise\nhere") is None
    assert reason("rise", "fall of 5\\%", text="a rise here") is None


def test_an_accepted_edit_has_its_place():
    """A second edit of the same place is a duplicate, one that shares characters overlaps."""
    one = perturbation(TEXT, "a 5$+z$ rise", "a fall")
    assert reason("a 5$+z$ rise", "no rise", accepted=[one]) == "duplicate"
    assert reason("rise.", "fall.", accepted=[one]) == "overlap"
    assert reason("end", "start", accepted=[one]) is None
    assert reason("rise.", "fall.", accepted=[one.model_copy(update={"span": one.span.model_copy(update={"file": "b"})})]) is None  # fmt: skip  # noqa: E501


def test_a_run_is_validated_in_order():
    """The earlier edit stays; another run does not mind; what was rejected before takes no place."""
    given = [
        perturbation(TEXT, "rise", "rise", name="same"),
        perturbation(TEXT, "rise", "fall", name="first"),
        perturbation(TEXT, "rise.", "drop.", name="second"),
        perturbation(TEXT, "rise", "drop", name="other run", run="p/empirical"),
        perturbation(TEXT, "end", "start", name="before").model_copy(update={"rejected": "typo"}),
        perturbation(TEXT, "end", "stop", name="after"),
    ]
    done = validated({"a.tex": TEXT}, given)
    assert [(each.id, each.rejected) for each in done] == [
        ("same", "identical"),
        ("first", None),
        ("second", "overlap"),
        ("other run", None),
        ("before", "typo"),
        ("after", None),
    ]


def test_abbreviations_of_the_paper_are_known():
    r"""`\be … \ee` is a formula where the paper says so."""
    text = "so \\be x < 1 \\ee end"
    known = Vocabulary(opens={"\\be": "equation"}, closes={"\\ee": "equation"})
    edit = perturbation(
        text, "\\be x < 1 \\ee", "\\be x > 1 \\ee", kind="named-equation", error="computation"
    )
    bad = edit.model_copy(update={"replacement": "\\be x > 1"})
    assert fault({"a.tex": text}, edit, known=known) is None
    assert fault({"a.tex": text}, bad, known=known) == "delimiters"


def test_a_percent_sign_in_markdown_begins_no_comment():
    """What follows it is compared."""
    text = "A rise of 5% in all of the years."
    edit = perturbation(text, text, text.replace("rise", "fall").replace("years", "weeks"), file="a.md")
    assert fault({"a.md": text}, edit) is None
    late = perturbation(text, text, text.replace("years", "weeks"), file="a.md")
    assert fault({"a.md": text}, late) is None
