"""A plan of calls as lines."""

from dataclasses import replace
from decimal import Decimal

from rereview.cli.plans import shown_plan, shown_sweeps
from rereview.models.prices import FREE, parse_price
from rereview.study.plan import Planned


def test_a_line_says_the_price_that_it_reckons_with():
    """With the parts that were given; nothing of a model that costs nothing, or whose price is not known."""
    paid = Planned("review: r", "openai:m", 2, 900, 0.5, 1.25, price=parse_price("4,20,0.4"))
    free = Planned("judge", "openai:l", 1, 10, 0.0, 0.0, price=FREE)
    unknown = Planned("verify", "openai:u", 1, 10, None, None)
    first, second, third, last = shown_plan([paid, free, unknown])
    assert first.endswith(
        "900 input tokens, $0.50 to $1.25 at $4 in, $20 out, $0.4 cached per million tokens"
    )
    assert second.endswith("10 input tokens, $0.00 to $0.00")
    assert third.endswith("10 input tokens, unknown price")
    assert last == "all together: 4 calls, $0.50 to $1.25, and 1 of unknown price; nothing was asked"
    assert paid.price is not None
    assert paid.price.cached == Decimal("0.4")


def test_what_is_once_there_is_not_several():
    """One call, one review that is there, one more call of a sweep."""
    there = Planned("review: r", "openai:m", 1, 1, 0.5, 0.5, there=1, unit="reviews")
    ruled = Planned("write errors: rules", "", 1, 0, 0.0, 0.0)
    first, second, *_ = shown_plan([there, ruled])
    assert first.endswith("1 call of openai:m, 1 input token, $0.50 to $0.50; 1 review is there already")
    assert second == "write errors: rules: 1 time, no model"
    assert shown_plan([replace(there, there=3)])[0].endswith("3 reviews are there already")
    assert shown_sweeps({0.5: 1})[0].endswith("1 more call of the judge on these reviews")
