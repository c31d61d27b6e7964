"""Whatever a file holds, it is a review or one line, in time; nothing that a review says is lost."""

import json
import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.reviewers.imported import read_text
from rereview.reviewers.imported.lists import items

MARKS = [
    "## Detailed Comments (2)\n\n",
    "### 1. A title\n\n",
    "**Quote**:\n> words\n\n",
    "**Feedback**:\n",
    "**Severity**: critical\n",
    "## Overall Feedback\n",
    "# X Reviewer Feedback\n",
    "# Comments\n",
    "1. one\n",
    "2. two\n",
    "- bullet\n",
    "==+== Begin Review\n",
    "==+== A. Overall merit\n",
    "Summary\n",
    "Strengths\n",
    "Weaknesses\n",
    "Questions for Authors\n",
    "Overall Assessment\n",
    "pid,review,Overall merit\n",
    '7,7A,"2\n',
    "Score: 6\n",
    "<!-- ",
    "\n---\n",
    "words of a review. ",
]
NAMES = """methods comments detailed_comments overall_feedback issues reviewers prebuttal_version
fields reviews meta concerns Strengths weaknesses content signatures invitations value remarks
notes details format draft"""
KEYS = st.sampled_from(NAMES.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=14,
)


def read(text):
    """The reviews, or None for the one line."""
    try:
        found = read_text(text)
    except UnusableInput as error:
        if "\n" in str(error):
            raise
        return None
    for each in found:
        each.to_json()
    return found


@given(st.lists(st.sampled_from(MARKS) | st.text(max_size=12), max_size=14).map("".join))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_a_review_or_one_line(text):
    """Parts of every format in any order."""
    read(text)


@given(JSON)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_json_is_a_review_or_one_line(value):
    """Known names with values that nobody expects."""
    read(json.dumps(value))


@given(st.lists(st.text("abc XYZ.,", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=8))
def test_a_numbered_list_gives_its_items(lines):
    """Each once, in order, whatever they say."""
    text = "\n".join(f"{number}. {' '.join(line.split())}" for number, line in enumerate(lines, start=1))
    assert items(text) == tuple(" ".join(line.split()) for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- " * 40_000,
        "**" * 60_000,
        "# " * 60_000,
        "(" * 60_000,
        "1. " * 50_000,
        "[" * 60_000,
        "a " * 100_000,
    ],
    ids=["comments", "stars", "hashes", "brackets", "numbers", "lists", "words"],
)
def test_no_text_takes_long(text):
    """A hundred thousand characters of one mark."""
    begin = time.process_time()
    read(text)
    assert time.process_time() - begin < 2


def test_the_bodies_of_comments_may_hold_anything():
    """Headings, rules, quotes and labels in a comment are words of the comment."""
    inside = "A list:\n\n1. one\n2. two\n\n> quoted\n\n**Note**: so.\n\n---\n\n## Heading\n\nEnd."
    first = f"### 1. T\n\n**Quote**:\n> q\n\n**Feedback**:\n{inside}\n\n---\n\n"
    text = f"## Detailed Comments (2)\n\n{first}### 2. U\n\n**Feedback**:\nx\n"
    (found,) = read(text)
    first, second = found.draft.remarks
    assert (first.quote, first.body) == ("q", inside)
    assert (second.title, second.body) == ("U", "x")
    assert re.search("End", first.body)
