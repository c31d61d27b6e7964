"""Two rules of place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.judge.meeting import Version, coverage, pairs
from rereview.text.locate import Locator
from rereview.types.edit import Perturbation, Placed
from rereview.types.manuscript import Block, Manuscript, Removed, SourceRun, SourceSpan, Span
from rereview.types.review import Comment, Review

BEFORE = "Herds of reindeer were counted from the air in each of nine winters. "
AFTER = (
    " Counts were repeated by a second observer who did not know the first, and the two agreed well."
    " Snow depth was measured at every camp, and the routes were walked twice before the thaw began."
)


def paper(text, name="m"):
    """One paragraph that stands at offset 100 of its file."""
    run = SourceRun(file="main.tex", start=100, end=100 + len(text), text_start=0)
    block = Block(id="b0", text=text, kind="paragraph", source=(run,))
    return Manuscript(id=name, paper_id="p", title="", format="latex", blocks=(block,))


def edit(original, replacement, start=100):
    return Perturbation(
        id="p/claim/1.1",
        paper_id="p",
        span=SourceSpan(file="main.tex", start=start, end=start + len(original)),
        original=original,
        replacement=replacement,
        author="m",
        run="p/claim",
        candidate_id="c",
        kind="paragraph",
        family="claim",
        error="incorrect-statement",
        why_wrong="",
    )


def versions(error, before="", after=""):
    """The corrupted and the clean paper with the place of one edit."""
    start = 100 + len(before)
    place = Placed(
        perturbation_id=error.id,
        file="main.tex",
        clean_start=start,
        clean_end=start + len(error.original),
        start=start,
        end=start + len(error.replacement),
    )
    return (
        Version(paper(before + error.replacement + after), (place,)),
        Version(paper(before + error.original + after), (place,), "clean"),
    )


def review_of(version, *quotes):
    """A review whose comments have these quotes, located."""
    locator = Locator(version.manuscript)
    comments = []
    for number, quote in enumerate(quotes):
        found = locator.locate(quote)
        comments.append(
            Comment(
                id=f"c{number}",
                title="t",
                body="",
                quote=quote,
                spans=found.spans,
                match=found.match,
            )
        )
    return Review(
        id="r",
        manuscript_id="m",
        reviewer="x",
        model=None,
        round=1,
        status="ok",
        comments=tuple(comments),
    )


LONG = edit(
    f"{BEFORE}The herd grew by four percent a year.{AFTER}",
    f"{BEFORE}The herd shrank by four percent a year.{AFTER}",
)


def test_the_exact_sentence_of_a_long_paragraph_touches_and_covers_little():
    """The first rule misses what the second finds."""
    corrupted, _ = versions(LONG)
    review = review_of(corrupted, "The herd shrank by four percent a year.")
    (pair,) = pairs([LONG], review, corrupted)
    assert pair.touches
    assert 0 < pair.coverage < 0.25


def test_another_sentence_of_the_same_paragraph_does_not_touch():
    """The region is what changed, not the span of the edit; half of the paragraph covers half of it."""
    corrupted, _ = versions(LONG)
    assert pairs([LONG], review_of(corrupted, BEFORE.strip()), corrupted) == ()
    (pair,) = pairs([LONG], review_of(corrupted, AFTER.strip()), corrupted)
    assert pair.touches is False
    assert 0.5 < pair.coverage < 0.75


def test_scattered_letters_cover_a_short_formula_and_do_not_touch_it():
    """An unrelated quote that holds the same letters somewhere."""
    error = edit("$a_n$", "$b_n$", start=100 + len(BEFORE))
    corrupted, _ = versions(error, BEFORE, AFTER)
    quote = "Counts were repeated by a second observer"
    (pair,) = pairs([error], review_of(corrupted, quote), corrupted)
    assert (pair.coverage, pair.touches) == (1.0, False)


def test_what_was_taken_away_is_a_place_too():
    """A dropped word leaves an empty region, which a quote around it touches."""
    error = edit("It does not vanish at the shore.", "It does vanish at the shore.")
    corrupted, _ = versions(error, "", AFTER)
    (around,) = pairs([error], review_of(corrupted, "It does vanish at the shore."), corrupted)
    assert around.touches
    (up_to,) = pairs([error], review_of(corrupted, "vanish at the shore. Counts were"), corrupted)
    assert up_to.touches
    assert not any(p.touches for p in pairs([error], review_of(corrupted, "at the shore. Counts"), corrupted))


def test_the_control_arm_asks_where_the_edit_would_be():
    """On the clean paper the place is that of the original words, and so is the text to be covered."""
    _, clean = versions(LONG)
    quotes = "The herd grew by four percent a year.", "Snow depth was measured at every camp"
    (pair,) = pairs([LONG], review_of(clean, *quotes), clean)
    assert (pair.comment_id, pair.touches, pair.arm) == ("c0", True, "clean")
    short = edit("grew", "shrank", start=100 + len(BEFORE))
    _, clean = versions(short, BEFORE, AFTER)
    (pair,) = pairs([short], review_of(clean, "nine winters. grew Counts"), clean)
    assert (pair.coverage, pair.touches) == (1.0, True)


def test_the_control_arm_has_offsets_of_its_own():
    """Where an earlier edit has moved the text, the clean place is not that of the corrupted version."""
    error = edit("the tide fell", "the tide rose", start=100 + len(BEFORE))
    corrupted, clean = versions(error, BEFORE, AFTER)
    moved = "Twelve long winters. "
    (place,) = corrupted.places
    shifted = place.but(start=place.start + len(moved), end=place.end + len(moved))
    later = Version(paper(moved + BEFORE + error.replacement + AFTER), (shifted,))
    before = Version(clean.manuscript, (shifted,), "clean")
    assert [later.manuscript.text_of(span) for span in later.region(error)] == ["rose"]
    assert [before.manuscript.text_of(span) for span in before.region(error)] == ["fell"]


def test_an_unlocated_quote_is_no_miss_of_place():
    """Whether it touches is not known; its words still cover."""
    error = edit("The herd grew by four percent a year.", "The herd shrank by four percent a year.")
    corrupted, _ = versions(error, BEFORE, AFTER)
    review = review_of(
        corrupted, "Unrelated: the ferry. The herd shrank by four percent a year. It was late."
    )
    unlocated = review.but(comments=(review.comments[0].but(spans=(), match="not-found"),))
    (pair,) = pairs([error], unlocated, corrupted)
    assert (pair.coverage, pair.touches) == (1.0, None)


def test_a_comment_without_a_quote_meets_nothing():
    """It has no place and no coverage, and no pair is kept."""
    corrupted, _ = versions(LONG)
    review = review_of(corrupted, "x")
    silent = review.but(comments=(Comment(id="c", title="t", body="b", match="no-quote"),))
    assert pairs([LONG], silent, corrupted) == ()


def test_an_error_that_nobody_is_shown_cannot_be_found():
    """In a comment of the source, or in what says who wrote the paper: it has no place, and that is said."""
    error = edit("the tide fell", "the tide rose", start=100 + len(BEFORE))
    corrupted, _ = versions(error, BEFORE, AFTER)
    assert corrupted.shows(error)
    (block,) = corrupted.manuscript.blocks
    hidden = corrupted.manuscript.but(blocks=(block.but(source=(block.source[0].but(end=120),)),))
    behind = Version(hidden, corrupted.places)
    assert not behind.shows(error)
    (pair,) = pairs([error], review_of(behind, f"{BEFORE}the tide rose"), behind)
    assert (pair.coverage, pair.touches) == (1.0, None)
    where = Span(block_id="b0", start=len(BEFORE), end=len(BEFORE) + 13)
    nameless = corrupted.manuscript.but(removed=(Removed(kind="authors", text="", at=where),))
    assert not Version(nameless, corrupted.places).shows(error)


def test_an_edit_that_the_version_does_not_carry_is_left_out():
    """It lost its place to another edit: nobody can find it."""
    corrupted, _ = versions(LONG)
    other = LONG.but(id="other")
    found = pairs([LONG, other], review_of(corrupted, LONG.replacement), corrupted)
    assert [pair.perturbation_id for pair in found] == [LONG.id]


def test_a_review_of_another_version_is_refused():
    """Its places mean nothing here."""
    corrupted, _ = versions(LONG)
    other = Version(corrupted.manuscript.but(id="n"), corrupted.places)
    with pytest.raises(UsageError, match=r"the review r is of version 'm'; a review of 'n'"):
        pairs([LONG], review_of(corrupted, "x"), other)


def test_coverage_by_hand():
    """Matched characters over those of the text, folded: the longest common run, then left and right."""
    assert coverage("abcdef", "abc def") == 1.0
    assert coverage("abcdef", "xxabczzdexx") == pytest.approx(5 / 6)
    assert coverage("abcdef", "defabc") == pytest.approx(3 / 6)
    assert coverage(r"$\alpha \leq 5$", "we need α ≤ 5 here") == 1.0
    assert coverage(r"$\alpha \leq 5$", "we need α ≥ 5 here") == pytest.approx(2 / 3)
    assert coverage("abcdef", "abcxdef " * 40) == 1.0
    assert coverage("abcdef", " ") is coverage("abcdef", None) is coverage("$$", "abc") is None


@given(st.text("abcd ", max_size=30), st.text("abcd ", max_size=30))
def test_the_bound_that_saves_time_is_one(text, quote):
    """What is given below `at_least` is at least the coverage itself and still below it."""
    exact = coverage(text, quote)
    for least in (0.25, 0.5, 0.75, 1.0):
        quick = coverage(text, quote, at_least=least)
        assert quick == exact or exact < quick < least
