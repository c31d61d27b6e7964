"""Which comments are one finding, and in which order they are read."""

import pytest

from rereview.report.export import review_markdown
from rereview.report.findings import findings
from rereview.report.page import page
from rereview.types.document import ReviewDocument, Versions
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Aside, Comment, Draft, Remark, Review

PAPER = Manuscript(
    id="m",
    paper_id="p",
    title="Soils",
    format="markdown",
    blocks=tuple(
        Block(id=f"b{n}", text=f"Sentence number {n} of the soils.", kind="paragraph") for n in (1, 2, 3)
    ),
    sequence=("b1", "b2", "b3"),
)


def comment(name, block="b1", *, end=8, severity=None, title="A doubt", body="Why?"):
    spans = (Span(block_id=block, start=0, end=end),) if block else ()
    quote = PAPER.text_of(spans[0]) if spans else None
    match = "exact" if spans else "no-quote"
    return Comment(id=name, title=title, body=body, quote=quote, severity=severity, spans=spans, match=match)


def review(number, *comments, model="a:b", reviewer="scorecard"):
    return Review(
        id=f"{reviewer}{number}",
        manuscript_id="m",
        reviewer=reviewer,
        model=model,
        round=number,
        status="ok",
        draft=Draft(),
        comments=comments,
    )


def document(*reviews):
    return ReviewDocument(
        manuscript=PAPER, reviews=reviews, scores=(), costs=(), sent_to=(), versions=Versions(rereview="0")
    )


def test_the_same_place_in_several_rounds_is_one_finding():
    """It says in how many of the rounds that could be read, and keeps what the others say."""
    rounds = (review(1, comment("x")), review(2), review(3, comment("y", body="Because?")))
    (found,) = findings(document(*rounds))
    assert found.by == "scorecard, a:b, rounds 1 and 3 (2 of 3)"
    assert [other.id for other, _ in found.again] == ["y"]
    html = page(document(*rounds), lambda _: None)
    assert "Because?" in html
    assert "Round 3." in html


@pytest.mark.parametrize(
    "other",
    [
        review(2, comment("y", end=7)),
        review(2, comment("y", "b2")),
        review(2, comment("y", severity="minor")),
        review(2, comment("y"), model="c:d"),
        review(2, comment("y"), reviewer="other"),
        review(2, comment("y"), model=None, reviewer="checks"),
    ],
    ids=["another end", "another block", "another severity", "another model", "another reviewer", "no model"],
)
def test_what_differs_is_not_merged(other):
    """Only the same place by the same reviewer and model is one finding."""
    assert len(findings(document(review(1, comment("x")), other))) == 2


def test_comments_without_a_place_stay_apart():
    """Two comments that were not located are two findings, after the located ones."""
    found = findings(document(review(1, comment("x", None)), review(2, comment("y", None), comment("z"))))
    assert [each.comment.id for each in found] == ["z", "x", "y"]


def test_the_worst_comes_first():
    """By severity, then checks before models, then in reading order; numbers count from 1."""
    model = review(
        1, comment("late", "b3", severity="major"), comment("minor", severity="minor"), comment("none")
    )
    checks = review(1, comment("check", "b2", severity="major"), model=None, reviewer="checks")
    found = findings(document(model, checks))
    assert [each.comment.id for each in found] == ["check", "late", "minor", "none"]
    assert [each.number for each in found] == [1, 2, 3, 4]


def test_a_panel_says_how_many_passes_raised_an_issue_and_what_was_set_aside():
    """In the finding, in review.md and in the page."""
    said = comment("c1", None, title="Sum").but(raised_by=("claims", "surface"))
    aside = Aside(remark=Remark(title="Unit", body="b"), why="refuted: it is given.")
    draft = Draft(passes=("surface", "claims", "reasoning"), aside=(aside,))
    made = document(review(1, said, reviewer="panel").but(draft=draft))
    (finding,) = findings(made)
    assert finding.by == "panel, a:b, round 1, raised by 2 of 3 passes"
    text = review_markdown(made)
    assert "Raised by 2 of 3 passes: claims, surface" in text
    assert "- Unit: refuted: it is given." in text
    html = page(made, lambda figure: None)
    assert "raised by 2 of 3 passes" in html
    assert "refuted: it is given." in html


def test_two_comments_of_one_round_on_one_sentence_are_two_findings():
    """A round that says two things of a sentence says two; the first of another round is the first again."""
    first = review(1, comment("x", title="Units"), comment("y", title="Sample"))
    second = review(2, comment("z", title="Units, too"))
    one, two = findings(document(first, second))
    assert (one.comment.id, [other.id for other, _ in one.again]) == ("x", ["z"])
    assert (two.comment.id, two.again) == ("y", ())
