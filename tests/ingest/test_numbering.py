"""Numbers as LaTeX prints them."""

import pytest

from rereview.ingest.numbering import Counters, styled


@pytest.mark.parametrize(
    ("value", "style", "shown"),
    [
        (4, "arabic", "4"),
        (4, "Alph", "D"),
        (26, "alph", "z"),
        (27, "alph", ""),
        (4, "roman", "iv"),
        (19, "Roman", "XIX"),
        (0, "Alph", "0"),
    ],
)
def test_styles_of_counters(value, style, shown):
    """Those of LaTeX."""
    assert styled(value, style) == shown


def test_a_counter_resets_what_counts_within_it():
    """At any depth."""
    counters = Counters(chapters=False)
    assert [counters.step(name) for name in ("section", "subsection", "subsubsection")] == [
        "1",
        "1.1",
        "1.1.1",
    ]
    counters.step("section")
    assert counters.step("subsubsection") == "2.0.1"


def test_a_form_that_is_not_known_gives_no_number():
    """Nor does one that leads back to itself, nor an unknown counter."""
    counters = Counters(chapters=False)
    counters.forms["figure"] = "\\fancy{figure}"
    counters.forms["table"] = "\\thetable"
    assert counters.step("figure") is None
    assert counters.step("table") is None
    assert counters.step("listing") is None


def test_a_lost_counter_stays_lost():
    """A number after it would be a guess."""
    counters = Counters(chapters=False)
    counters.lost.add("equation")
    assert counters.step("equation") is None
