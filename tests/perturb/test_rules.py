"""Errors made by rules: what they turn round, and what they leave alone."""

import pytest

from rereview.perturb.pins import pin
from rereview.perturb.proposals import masked
from rereview.perturb.rules import Rules, proposals
from rereview.perturb.scan import scan
from rereview.perturb.validate import validated
from rereview.text.edits import diff_blocks
from rereview.types.edit import Candidate
from rereview.types.manuscript import SourceSpan


def candidate(text, kind="paragraph"):
    return Candidate(
        id="c1", paper_id="p", kind=kind, span=SourceSpan(file="a.tex", start=0, end=len(text)), text=text
    )


def made(text, kind, error):
    """What becomes of a text, by every rule for one kind of error."""
    found = [each for each in proposals(candidate(text, kind)) if each.error == error]
    return [text[: each.start] + each.new + text[each.end :] for each in found]


@pytest.mark.parametrize(
    ("text", "error", "new"),
    [
        ("$a \\leq b$", "operator-or-sign", ["$a \\geq b$"]),
        ("$a < b$", "operator-or-sign", ["$a > b$"]),
        ("$A \\subset B$", "operator-or-sign", ["$A \\supset B$"]),
        ("$\\forall x$", "operator-or-sign", ["$\\exists x$"]),
        ("$\\min_x f$", "operator-or-sign", ["$\\max_x f$"]),
        ("$a + b$", "operator-or-sign", ["$a - b$"]),
        ("$e^{-x}$", "operator-or-sign", ["$e^{x}$"]),
        ("$x_{t-1}$", "index-or-subscript", ["$x_{t+1}$"]),
        ("$W_{ij}$", "index-or-subscript", ["$W_{ji}$"]),
        ("$a_i b$", "index-or-subscript", ["$a_{i+1} b$"]),
        ("$\\sum_{k=1}^n b$", "index-or-subscript", ["$\\sum_{k=2}^n b$"]),
        ("$\\frac{x}{2}$", "computation", ["$\\frac{x}{3}$"]),
        ("$3 + 4 = 7$", "computation", ["$3 + 4 = 8$"]),
        ("$10^{-6}$", "numeric-parameter", ["$10^{-3}$"]),
    ],
)
def test_a_rule_of_formulas(text, error, new):
    """What the rule makes, and nothing else of that kind."""
    assert made(text, "inline-equation", error) == new


def test_a_number_is_wrong_by_a_factor():
    """Twice, half, ten times and a tenth, where that looks like a number of its kind."""
    assert made("$p < 0.05$", "inline-equation", "numeric-parameter") == [
        "$p < 0.1$",
        "$p < 0.5$",
        "$p < 0.005$",
        "$p < 0.025$",
    ]
    assert made("$n = 30$", "inline-equation", "numeric-parameter") == [
        "$n = 60$",
        "$n = 300$",
        "$n = 3$",
        "$n = 15$",
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("$a < b < c$", "inline-equation"),
        ("$0 \\leq x \\leq 1 \\leq y$", "inline-equation"),
        ("$A \\subset B \\subset C$", "inline-equation"),
        ("$\\left< a \\right> x$", "inline-equation"),
        ("$\\lim_{i} b$", "inline-equation"),
        ("$x \\to y$", "inline-equation"),
        ("$x = 1$", "inline-equation"),
        ("$1e-05$", "inline-equation"),
        ("In 2019 the model of Figure 3 and Table~4 was so, as Section 5 says.", "paragraph"),
        ("See \\cite{higher2020} and \\ref{sec:increase}, % higher\n and so on.", "paragraph"),
        ("It did not increase.", "paragraph"),
        ("The knot is in the hat.", "paragraph"),
        ("The higherness of \\verb|higher| \\lstinline!does not!.", "paragraph"),
    ],
)
def test_what_the_rules_leave_alone(text, kind):
    """Chains of relations, dummy indices, 0 and 1, years, numbers of figures, names, comments, denials."""
    found = [
        each for each in proposals(candidate(text, kind)) if "did not" not in text[each.start : each.end]
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "kind", "error", "new"),
    [
        ("For all n it holds.", "theorem", "incorrect-claim", "For some n it holds."),
        ("for\nevery set", "theorem", "incorrect-claim", "for some set"),
        ("Let f be convex.", "definition", "incorrect-claim", "Let f be concave."),
        ("It has at most two.", "theorem", "incorrect-claim", "It has at least two."),
        ("so that $a \\leq b$ holds", "theorem", "incorrect-claim", "so that $a \\geq b$ holds"),
        ("This implies that.", "proof", "invalid-implication", "This is implied by the fact that."),
        ("By Lemma~\\ref{a} so.", "proof", "circular-reasoning", "By the statement to be proved so."),
        ("by Theorem 2.1, so", "proof", "circular-reasoning", "by the statement to be proved, so"),
        ("By induction. For $n = 0$ yes.", "proof", "induction", "By induction. For $n = 1$ yes."),
        ("Case 1: a. Case 2: b.", "proof", "missing-case", "Case 2: b."),
        ("Accuracy increased in it.", "paragraph", "incorrect-statement", "Accuracy decreased in it."),
        ("Higher doses help.", "paragraph", "incorrect-statement", "Lower doses help."),
        ("It cannot be so.", "paragraph", "incorrect-statement", "It can be so."),
        ("We had 40 subjects.", "paragraph", "incorrect-statement", "We had 80 subjects."),
        ("Rain leads to floods.", "experiment", "causal-reversal", "Rain results from floods."),
        ("Tuned on the validation set.", "experiment", "p-hacking", "Tuned on the test set."),
        ("Scores averaged over seeds.", "experiment", "p-hacking", "Scores taken as the best of seeds."),
        ("A modest effect.", "experiment", "misinterpretation", "A dramatic effect."),
    ],
)  # fmt: skip
def test_a_rule_of_sentences(text, kind, error, new):
    """Quantifiers, properties, implications, cases, directions, causes, selection, meaning."""
    assert new in made(text, kind, error)


def test_what_is_masked_keeps_its_place():
    """Formulas and words stand where they stood; comments, names and the other kind are blank."""
    text = "a $x \\text{ or } y$ \\cite{b} % c\n\\begin{align}z\\end{align}"
    of = masked(text)
    assert len(of.formulas) == len(of.words) == len(text)
    assert [c for c in of.formulas if c.isalpha() and c.isascii()] == list("xyz")
    assert [c for c in of.words if c.isalpha() and c.isascii()] == ["a"]


PAPER = (
    "\\documentclass{article}\\begin{document}\n\\section{Introduction}\n"
    "We show that accuracy increases with the number of samples, in all of 40 trials that we made.\n\n"
    "The weights $W_{ij} \\leq c$ are those of the model, and $x_{t-1}$ is the state before.\n"
    "\\section{Results}\n"
    "As claimed, accuracy increases with the number of samples, and $W_{ij} \\leq c$ was found to hold.\n"
    "\\end{document}\n"
)


def test_an_error_quotes_the_passage_that_it_contradicts():
    """Verbatim, from elsewhere; errors that have one come first."""
    files = {"a.tex": PAPER}
    found = Rules(target=1)(files, scan(files, "p"), "empirical")
    assert [each.family for each in found] == ["surface", "claim", "empirical"]
    for each in found:
        assert each.contradicts in PAPER
        assert each.contradicts not in each.original
    assert "accuracy increases with" in found[1].contradicts


def test_every_error_is_one_difference_that_passes_validation():
    """Outside of it the place is as it was, and the run has its ids."""
    files = {"a.tex": PAPER}
    found = Rules()(files, scan(files, "p"), "empirical")
    assert validated(files, found) == found
    assert all(len(diff_blocks(each.original, each.replacement)) in {1, 2} for each in found)
    assert [each.id for each in found if each.family == "surface"] == [
        f"p/surface/r{number}" for number in range(1, sum(e.family == "surface" for e in found) + 1)
    ]
    assert {each.verdict for each in found} == {None}
    assert {each.author for each in found} == {"rules"}


def test_the_seed_decides_which_errors_are_made():
    """The same one the same, whatever else was made before."""
    files = {"a.tex": PAPER}
    places = scan(files, "p")
    assert Rules(seed=3)(files, places, "empirical") == Rules(seed=3)(files, places, "empirical")
    drawn = {
        tuple(e.replacement for e in Rules(seed=seed, target=1)(files, places, "empirical"))
        for seed in range(8)
    }
    assert len(drawn) > 1


def test_no_more_than_the_target_and_one_a_place():
    """Of each family."""
    files = {"a.tex": PAPER}
    found = Rules(target=2)(files, scan(files, "p"), "empirical")
    counts = [sum(each.family == family for each in found) for family in ("surface", "claim", "empirical")]
    assert max(counts) <= 2
    assert len({each.candidate_id for each in found}) == len(found)


def test_a_pin_is_no_accident():
    """Three words or a piece of a formula must agree; a lone word that stands elsewhere is none."""
    text = "the rate increases with time\n\nwhere it increases too\n\n"
    span = SourceSpan(file="a", start=0, end=28)
    assert pin({"a": text}, span, 9, 18) is None
    more = f"{text}as the rate increases with age\n"
    assert pin({"a": more}, span, 9, 18) == "as the rate increases with age"
    assert (
        pin({"a": text, "b": "so the rate increases with x"}, span, 9, 18) == "so the rate increases with x"
    )


def test_no_comment_and_no_preamble_is_quoted():
    """What a reader does not see contradicts nothing; nor does a file that is no part of the paper."""
    sentence = "so accuracy increases with the number of samples, in all of the trials that we made."
    files = {
        "a.tex": f"% {sentence}\n\\begin{{document}}\n{sentence} % {sentence}\n\\end{{document}} {sentence}",
        "b.tex": sentence,
    }
    found = Rules()(files, scan(files, "p", main="a.tex"), "empirical")
    assert [each.contradicts for each in found] == [None]
