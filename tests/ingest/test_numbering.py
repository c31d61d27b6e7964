"""Numbers as LaTeX prints them."""

import pytest

from rereview.ingest.numbering import Counters, integer, styled


@pytest.mark.parametrize(
    ("value", "style", "shown"),
    [
        (4, "arabic", "4"),
        (4, "Alph", "D"),
        (26, "alph", "z"),
        (27, "alph", ""),
        (4, "roman", "iv"),
        (19, "Roman", "XIX"),
        (49, "roman", "xlix"),
        (1994, "Roman", "MCMXCIV"),
        (10**9, "Roman", ""),
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


@pytest.mark.timeout(60)
def test_counters_that_reset_each_other_in_a_circle_are_counted():
    """Each is reset once; the forms, which lead back to each other, give no number."""
    counters = Counters(chapters=False)
    counters.reset_by("equation", "section")
    counters.reset_by("section", "equation")
    counters.put("equation", 5)
    assert counters.step("section") is None
    assert counters.values["section"] == 1
    assert counters.values["equation"] == 0


def test_a_counter_belongs_to_the_last_that_resets_it():
    """As a second declaration says."""
    counters = Counters(chapters=False)
    counters.reset_by("lemma", "section")
    counters.reset_by("lemma", "subsection")
    counters.put("lemma", 3)
    counters.step("section")
    counters.put("lemma", 3)
    counters.reset_by("lemma", "equation")
    counters.step("section")
    assert counters.values["lemma"] == 3


@pytest.mark.timeout(60)
def test_forms_that_double_give_no_number():
    """A form may use two others, each of which uses two others: 2^60 parts."""
    counters = Counters(chapters=False)
    for level in range(60):
        counters.forms[f"a{level}"] = f"\\thea{level + 1} \\thea{level + 1}"
    counters.forms["a60"] = ""
    counters.forms["section"] = "\\thea0"
    assert counters.step("section") is None
    counters.forms["section"] = "x" * 10_000
    assert counters.show("section") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-3", -3),
        ("+1", 1),
        ("--5", None),
        ("²", None),
        ("9" * 5000, None),
        ("", None),
        ("a", None),
    ],
)
def test_only_plain_numbers_set_a_counter(text, value):
    """What is none, or more than TeX can hold, is not known."""
    assert integer(text) == value
