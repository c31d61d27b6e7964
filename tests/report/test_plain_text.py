"""Markdown and plain text as pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.report.pieces import Close, Formula, Open, Run, shown_text
from rereview.report.plain_text import host_of, read_markdown, read_plain


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "javascript://h/%0aalert(1)", "JAVASCRIPT://x", "data:text/html,x", "file:///etc/passwd",
     "//example.org", "ftp://example.org", " https://example.org", "https://exa mple.org", "http://[", ""],
)  # fmt: skip
def test_only_web_addresses_have_a_host(address):
    """All others are never links."""
    assert host_of(address) is None


def test_the_host_is_what_the_browser_goes_to():
    """Not what stands before the @."""
    assert host_of("https://example.org@evil.example/x") == "evil.example"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("## A *heading*", "A heading"),
        ("a_b_c and 2*3*4", "a_b_c and 234"),
        ("**bold *both* x**", "bold both x"),
        ("stray * and ** stay", "stray * and ** stay"),
        (r"\*not\* `co*de*`", "*not* co*de*"),
        ("costs $5 and $6 today", "costs $5 and $6 today"),
        ("![words](x.png) [link](javascript:x)", "words link"),
        ("- item", "item"),
    ],
)
def test_words_are_those_that_markdown_shows(text, shown):
    """Marks of emphasis go, all else stays."""
    assert shown_text(read_markdown(text).pieces) == shown


@given(st.text(st.sampled_from("ab *_`$[]()<>!\\\n#-1.:/h"), max_size=40))
def test_any_markdown_nests_and_keeps_its_places(text):
    """Elements nest; an exact run is the text at its place, shifted by the start of the part."""
    stack = []
    for piece in read_markdown(text, at=7).pieces:
        if isinstance(piece, Open):
            stack.append(piece.tag)
        elif isinstance(piece, Close):
            assert stack.pop() == piece.tag
        elif isinstance(piece, Run) and piece.exact:
            assert text[piece.start - 7 : piece.end - 7] == piece.shown
        elif isinstance(piece, Formula):
            assert 7 <= piece.start < piece.end <= len(text) + 7
    assert stack == []


def test_plain_text_is_one_run():
    """Nothing in it has a meaning."""
    (run,) = read_plain(r"$x$ *y* \z", at=3).pieces
    assert (run.start, run.shown) == (3, r"$x$ *y* \z")
