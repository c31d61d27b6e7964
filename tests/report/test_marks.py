"""Places of comments, marked in the paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from report import documents, htmlcheck
from report.documents import comment, one, report_of
from rereview.ingest.base import read as read_paper
from rereview.types.manuscript import Span

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "adaptive_dual_scale_denoising"


@pytest.fixture(scope="module")
def bundled():
    """The bundled paper."""
    return read_paper(EXAMPLE)


OFTEN = settings(max_examples=60, deadline=None)


@OFTEN
@given(data=st.data())
def test_a_mark_lies_on_the_text_of_its_span(data):
    """In plain words the marked text is the text of the span, wherever it begins and ends."""
    words = "The error of the baseline is 0.989 and ours is 0.862 in all four sets — né à Zürich 𝒳."
    paper = one(words)
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    seen = htmlcheck.read(report_of(paper, (comment(Span(block_id="p", start=start, end=end)),)))
    assert "".join(seen.marked["1"]) == words[start:end]


@OFTEN
@given(data=st.data())
def test_marks_in_a_real_paper_cover_their_span_and_nothing_else(data, bundled):
    """Over any block: every run that lies in the span is marked, and only runs that touch it are."""
    blocks = [block for block in bundled.blocks if block.kind != "table" and len(block.text) > 3]
    block = data.draw(st.sampled_from(blocks))
    spans = []
    for _ in range(2):
        start = data.draw(st.integers(0, len(block.text) - 1))
        end = data.draw(st.integers(start + 1, len(block.text)))
        spans.append(Span(block_id=block.id, start=start, end=end))
    paper = bundled.but(blocks=(block,), figures=(), sequence=())
    seen = htmlcheck.read(report_of(paper, tuple(comment(span, number=n) for n, span in enumerate(spans))))
    assert seen.wrong == []
    assert {"c1", "c2", "m1a", "m2a"} <= set(seen.ids)
    exact = [run for run in seen.runs if run[2] and block.text.startswith(run[2], run[1])]
    shown = {offset + i for _, offset, text in exact for i in range(len(text))}
    ordered = sorted(spans, key=lambda span: span.start)
    for number, span in enumerate(ordered, start=1):
        inside = "".join(block.text[i] for i in sorted(shown) if span.start <= i < span.end)
        marked = "".join(seen.marked.get(str(number), ()))
        # What cannot be cut may be marked beyond the span; what can be cut is marked to the letter.
        position = 0
        for character in inside:
            position = marked.find(character, position) + 1
            assert position > 0


def test_every_run_carries_the_offset_of_its_text(bundled):
    """The text of a run stands in its block at its offset, unless it was written as a command."""
    seen = htmlcheck.read(report_of(bundled))
    by_id = {block.id: block.text for block in bundled.blocks}
    long = [run for run in seen.runs if len(run[2].strip()) > 12]
    assert len(long) > 300
    wrong = [run for run in long if not by_id[run[0]].startswith(run[2], run[1])]
    assert [run for run in wrong if not re.search(r"\bet al\.|\(\d{4}\)|, \d{4}", run[2])] == []


def test_a_mark_that_cuts_a_formula_marks_it_whole():
    """Half a formula cannot be marked."""
    paper = one("If $x + y > 0$ then all is well.")
    html = report_of(paper, (comment(Span(block_id="p", start=7, end=20)),))
    assert re.search(r'<mark [^>]*id="m1a"><span class="inline" data-o="3"><math>', html)
    assert "".join(htmlcheck.read(html).marked["1"]).endswith(" then ")


def test_marks_may_overlap_and_cross_markup():
    """Two comments on one word, one of which begins inside bold text."""
    text = r"One \textbf{two three} four five."
    first = Span(block_id="p", start=text.index("two"), end=text.index("five"))
    second = Span(block_id="p", start=text.index("three"), end=len(text))
    seen = htmlcheck.read(report_of(one(text), (comment(first), comment(second, number=1))))
    assert seen.wrong == []
    assert "".join(seen.marked["1"]) == "two three four "
    assert "".join(seen.marked["2"]) == "three four five."


def test_a_mark_that_ends_in_a_link_leads_back_after_it():
    """A link inside a link is no link."""
    text = r"See \href{https://example.org}{these words} now."
    start = text.index("these")
    seen = htmlcheck.read(report_of(one(text), (comment(Span(block_id="p", start=start, end=start + 5)),)))
    assert seen.wrong == []
    assert "".join(seen.marked["1"]) == "these"
    assert seen.links.count("#c1") == 2


def test_a_mark_in_a_table_marks_its_cell():
    """The digits of a cell are marked, and nothing of its neighbours."""
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(documents.at("tab", "86")),)))
    assert "".join(seen.marked["1"]) == "0.862"


def test_a_span_without_text_can_still_be_reached():
    """An empty span, and one that covers only what is not printed."""
    paper = one(r"Words.\label{here}")
    spans = (Span(block_id="p", start=18, end=18), Span(block_id="p", start=7, end=12))
    seen = htmlcheck.read(report_of(paper, tuple(comment(span, number=n) for n, span in enumerate(spans))))
    assert {"m1a", "m2a"} <= set(seen.ids)
    assert seen.wrong == []


def test_a_quote_that_crosses_blocks_is_marked_in_each():
    """The first part has the id that the finding leads to."""
    spans = (documents.at("p1", "A note"), documents.at("p2", "Training"))
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(*spans),)))
    assert {"m1a", "m1a2"} <= set(seen.ids)
    assert "".join(seen.marked["1"]) == "A noteTraining"


def test_a_span_of_another_version_is_no_error():
    """Its block is not there: the comment stands without a link."""
    gone = Span(block_id="gone", start=0, end=3)
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(gone),)))
    assert "#m1a" not in seen.links
