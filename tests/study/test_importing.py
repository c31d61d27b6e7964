"""Imported reviews as records: located, numbered, each once."""

from rereview.reviewers.imported import ReadReview
from rereview.study.importing import land
from rereview.study.store import Store
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Draft, Remark

PAPER = Manuscript(
    id="0123456789abcdef",
    paper_id="bees",
    title="Bees",
    format="markdown",
    blocks=(Block(id="b1", text="We counted 120 bees in 4 hives, 30 bees a hive.", kind="paragraph"),),
    sequence=("b1",),
)


def read(title="Few hives", model=None, system="coarse", score=None):
    draft = Draft(score=score, remarks=(Remark(title=title, body="Four.", quote="120 bees in 4 hives"),))
    return ReadReview(system=system, model=model, draft=draft)


def test_a_quote_is_located(tmp_path):
    """As that of any reviewer; the review names its source where it names no model."""
    with Store(tmp_path) as store:
        (landed,) = land(store, PAPER, [(read(), "may")])
        (kept,) = store.reviews(PAPER.id)
    assert landed.record == kept
    assert (kept.reviewer, kept.model, kept.round) == ("coarse (may)", "not stated", 1)
    assert (kept.comments[0].match, kept.comments[0].spans[0].block_id) == ("exact", "b1")


def test_the_same_review_again_is_not_a_second(tmp_path):
    """From the same file or from a copy of it, in one run or in two."""
    with Store(tmp_path) as store:
        land(store, PAPER, [(read(), "may"), (read(), "copy of may")])
        (again,) = land(store, PAPER, [(read(), "may")])
        assert len(store.reviews(PAPER.id)) == 1
    assert not again.new


def test_reviews_of_one_system_and_model_are_rounds(tmp_path):
    """In the order in which they come; `name` makes them those of one reviewer."""
    with Store(tmp_path) as store:
        given = [(read(model="m"), "a"), (read("Few bees", "m"), "b"), (read("Few bees", "n"), "b")]
        land(store, PAPER, given)
        land(store, PAPER, [(read("Cold"), "x"), (read("Wet"), "y")], name="mine")
        found = {(each.reviewer, each.model, each.round) for each in store.reviews(PAPER.id)}
    assert found == {
        ("coarse", "m", 1),
        ("coarse", "m", 2),
        ("coarse", "n", 1),
        ("mine", "not stated", 1),
        ("mine", "not stated", 2),
    }


def test_equal_bare_scores_are_rounds(tmp_path):
    """Two scores of 6 are evidence of agreement; no words say that they are one answer."""
    bare = ReadReview(system="form", model="m", draft=Draft(score=6.0))
    with Store(tmp_path) as store:
        land(store, PAPER, [(bare, "a"), (bare, "b")])
        assert [each.round for each in store.reviews(PAPER.id)] == [1, 2]


def test_what_is_not_in_a_draft_is_said_in_it(tmp_path):
    """And a review with a note is the same review when it comes again."""
    noted = read().but(notes=("1 of 2 comments repeat another word for word",))
    with Store(tmp_path) as store:
        (first,) = land(store, PAPER, [(noted, "may")])
        (again,) = land(store, PAPER, [(noted, "may")])
    assert first.record.draft.notes == noted.notes
    assert not again.new


def test_a_reviewer_that_failed_is_no_review_that_found_nothing(tmp_path):
    """It is kept as invalid, with the reason, once."""
    failed = ReadReview(system="refereed:method", draft=Draft(), notes=("no readable review: time-out",))
    with Store(tmp_path) as store:
        (landed,) = land(store, PAPER, [(failed, "may")])
        (again,) = land(store, PAPER, [(failed, "may")])
    assert (landed.record.status, landed.record.draft) == ("invalid", None)
    assert landed.record.error == "no readable review: time-out"
    assert not again.new
