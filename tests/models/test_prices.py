"""Money: what a call costs, can cost, and must not cost."""

import asyncio
import json
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import BudgetError, UsageError
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import (
    FREE,
    Cap,
    Price,
    cost,
    estimate_input,
    estimate_tokens,
    forecast,
    parse_price,
    price_of,
    shown,
    table,
    worst_case,
)
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.call import Message, Picture, Request, Usage

PAPERS = Price(input=4, cached=Decimal("0.4"), cache_write=5, output=20)
COUNTS = st.integers(0, 10**7)


def usage(given, cached, written, out):
    return Usage(input_tokens=given, cached_tokens=cached, cache_write_tokens=written, output_tokens=out)


def test_the_cost_of_a_call_is_the_papers_formula():
    """(4(I-C-W) + 0.4C + 5W + 20O) / 1e6, in exact arithmetic."""
    assert cost(usage(10_000, 6_000, 1_000, 500), PAPERS) == 0.0294
    assert cost(usage(3, 0, 0, 0), PAPERS) == 0.000012


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_cost_is_exact(plain, cached, written, out):
    """The float nearest to the exact rational, for any counts."""
    exact = Decimal(4 * plain * 10 + 4 * cached + 50 * written + 200 * out) / Decimal(10**7)
    assert cost(usage(plain + cached + written, cached, written, out), PAPERS) == float(exact)


def test_counts_that_contradict_are_an_error():
    """More cached and written tokens than input tokens is no cost."""
    with pytest.raises(ValueError, match="more than 5 input"):
        cost(usage(5, 4, 2, 0), PAPERS)


def test_unknown_is_none_and_free_is_zero():
    """Without counts there is no cost, except where nothing costs anything."""
    assert cost(Usage(input_tokens=5), PAPERS) is None
    assert cost(Usage(output_tokens=5), PAPERS) is None
    assert cost(Usage(), FREE) == 0.0
    assert cost(Usage(input_tokens=1_000_000, output_tokens=0), PAPERS) == 4.0


def test_cached_input_without_its_own_price_costs_as_input():
    """`--price` may know two numbers; the rest is counted as ordinary input."""
    assert cost(usage(1_000_000, 500_000, 250_000, 0), parse_price("4,20")) == 4.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' has 1 part"),
        ("4", "'4' has 1 part"),
        ("4;20", "'4;20' has 1 part"),
        ("4,20,0.4,5,1", "has 5 parts"),
        ("a,b", "'a' in 'a,b' is no amount"),
        ("4,cheap", "'cheap' in"),
        ("-1,2", "'-1' in"),
        ("4,20,-0.1", "'-0.1' in"),
        ("4,20,0.4,-5", "'-5' in"),
        ("nan,1", "'nan' in"),
        ("4,20,nan", "'nan' in"),
        ("4,20,0.4,inf", "'inf' in"),
        ("4,20,", "'' in"),
        ("1e400,1", "'1e400' in"),
        ("4,$20", "'\\$20' in"),
    ],
)
def test_a_price_that_is_none_is_refused(text, words):
    """Two to four amounts, not negative, finite; one line says which part is wrong and what is right."""
    with pytest.raises(UsageError, match=words) as raised:
        parse_price(text)
    assert "--price" in str(raised.value)
    assert "IN,OUT[,CACHED[,CACHE_WRITE]]" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_price_of_three_and_of_four_parts():
    """Cached input and what is written to a cache, in that order; it is shown as it was given."""
    assert parse_price("4, 20 ,0.4,5") == PAPERS
    assert parse_price("4,20,0.4") == PAPERS.but(cache_write=None)
    assert parse_price("0,0,0,0") == Price(input=0, output=0, cached=0, cache_write=0)
    assert shown(PAPERS) == "$4 in, $20 out, $0.4 cached, $5 cache write per million tokens"
    assert shown(parse_price("10,1e1")) == "$10 in, $10 out per million tokens"


def test_the_price_of_an_endpoint():
    """Given before all, 0 on this machine, and otherwise not known unless the table says so."""
    away = OpenAIEndpoint("no-such-model", "https://api.example.org/v1", key="k")
    assert price_of(away) is None
    assert price_of(away, PAPERS) == PAPERS
    assert price_of(OpenAIEndpoint("gpt-5.6-sol", "https://api.openai.com/v1", key="k")) == PAPERS
    assert price_of(OpenAIEndpoint("m", "http://127.0.0.1:8000/v1")) == FREE
    assert price_of(OpenAIEndpoint("m", "http://[::1]:8000/v1")) == FREE
    assert price_of(ScriptedEndpoint(lambda _: "")) == FREE
    assert price_of(OpenAIEndpoint("m", "http://127.0.0.1.example.org/v1")) is None


def test_every_entry_of_the_table_has_its_source():
    """A price without a dated document behind it is not in the table."""
    assert len({entry.model for entry in table()}) == len(table())
    for entry in table():
        assert entry.source
        assert re.fullmatch(r"20\d\d(-\d\d-\d\d)?", entry.date)


def asked(text, out=100, schema=None):
    return Request(messages=(Message(role="user", text=text),), max_output_tokens=out, answer_schema=schema)


@given(
    st.text(max_size=200), st.integers(1, 1000), st.none() | st.just('{"description":"' + "x" * 5000 + '"}')
)
def test_no_call_costs_more_than_its_worst_case(text, out, schema):
    """With a token a byte, all of it written to the cache, and the whole output."""
    request = asked(text, out, schema)
    tokens = len(text.encode()) + len(schema or "")
    dearest = cost(usage(tokens, 0, tokens, out), PAPERS)
    assert Decimal(str(dearest)) <= worst_case(request, PAPERS)


def test_a_call_without_an_output_limit_has_no_worst_case():
    """Where money is at stake the limit is needed."""
    endless = Request(messages=())
    assert worst_case(endless, FREE) == 0
    with pytest.raises(BudgetError, match="output limit"):
        worst_case(endless, PAPERS)


def test_a_forecast_is_ordered_and_holds_the_likely_cost():
    """Low <= likely <= high <= most."""
    requests = (asked("word " * 10_000, 4_000),) * 5
    low, high, most = forecast(requests, PAPERS)
    likely = 5 * cost(usage(12_500, 0, 0, 2_000), PAPERS)
    assert 0 < low < likely < high < most
    assert estimate_tokens("word " * 10_000) == 12_500
    assert forecast(requests, FREE) == (0, 0, 0)


def test_images_count():
    """Each by its pixels, as text by its characters; what they can cost is more than what is likely."""
    bare = asked("word " * 100, 10)
    picture = Picture(sha256="0" * 64, width=1500, height=1000)
    shown = bare.but(messages=(bare.messages[0].but(pictures=(picture, picture.but(at=5))),))
    assert estimate_input(shown) - estimate_input(bare) == 2 * 2000
    assert forecast((shown,), PAPERS).high > forecast((bare,), PAPERS).high
    assert worst_case(shown, PAPERS) - worst_case(bare, PAPERS) == 2 * 7654 * PAPERS.cache_write / 1_000_000


async def test_what_does_not_fit_waits_for_what_is_in_flight():
    """A reservation is refused only when the money is really gone."""
    cap = Cap(1.0)
    first = await cap.reserve(Decimal("0.8"))
    second = asyncio.create_task(cap.reserve(Decimal("0.5")))
    await asyncio.sleep(0)
    assert not second.done()
    cap.settle(first, 0.2)
    assert await second == Decimal("0.5")
    cap.settle(await second, None)
    assert cap.spent == 0.7
    with pytest.raises(BudgetError, match=r"\$0\.31 more after \$0\.70 .* cap of \$1\.00"):
        await cap.reserve(Decimal("0.31"))


async def test_a_waiter_is_told_when_the_money_is_gone():
    """Those that wait are refused as soon as they can no longer fit."""
    cap = Cap(1.0)
    first = await cap.reserve(Decimal("0.9"))
    waiting = [asyncio.create_task(cap.reserve(Decimal("0.5"))) for _ in range(3)]
    await asyncio.sleep(0)
    cap.settle(first, 0.9)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in results] == [BudgetError] * 3


def test_the_table_is_read_exactly(tmp_path):
    """Prices are decimals: a tenth is a tenth."""
    assert json.loads(PAPERS.to_json())["cached"] == "0.4"
    assert Price(input=0.1, output=1).input == Decimal("0.1")
