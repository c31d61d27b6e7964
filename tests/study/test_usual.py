"""What a run usually costs, and from where to where."""

import pytest

from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import REASONING_TOKENS, Price
from rereview.reviewers.panel import Panel
from rereview.reviewers.scorecard import Scorecard
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration
from rereview.study.usual import usual
from rereview.types.manuscript import Block, Manuscript

WORDS = "The yield of barley rose with the depth of ploughing on the heavy soils of the lower valley. " * 8
PAPER = Manuscript(
    id="a" * 16,
    paper_id="p",
    title="P",
    format="markdown",
    blocks=tuple(Block(id=f"b{at}", kind="paragraph", text=f"{at}. {WORDS}") for at in range(20)),
    sequence=tuple(f"b{at}" for at in range(20)),
)
PRICE = Price(input=4, output=20)


async def of(reviewer, rounds=1):
    endpoint = OpenAIEndpoint("m", "https://api.example.org/v1", key="k")
    return await usual([Configuration("r", reviewer, Fixed(rounds), endpoint, PRICE)], PAPER, {})


async def test_the_range_holds_what_is_likely_and_is_wide_where_calls_hang_on_what_is_found():
    """A panel asks a call an issue: the more it finds, the more it costs; without the refuter less so."""
    panel, undefended = await of(Panel()), await of(Panel(refute=False))
    for each in (panel, undefended, await of(Scorecard())):
        assert 0 < each.low < each.likely < each.high
    assert panel.high / panel.low > undefended.high / undefended.low > 2


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
async def test_reasoning_that_is_asked_for_is_in_the_upper_end_alone(effort):
    """A stated allowance a call, as far as the bound on the output goes; nothing else moves."""
    plain = await of(Scorecard(), rounds=5)
    thinking = await of(Scorecard(reasoning_effort=effort), rounds=5)
    assert (plain.reasoning, thinking.reasoning) == (False, True)
    assert (thinking.low, thinking.likely) == (plain.low, plain.likely)
    more = 1.25 * 5 * REASONING_TOKENS * 20 / 1e6
    assert thinking.high - plain.high == pytest.approx(more)
    bounded = await of(Scorecard(reasoning_effort=effort, max_output_tokens=2_000), rounds=5)
    assert plain.high < bounded.high < plain.high + 1.25 * 5 * 2_000 * 20 / 1e6


async def test_no_reasoning_is_reckoned_where_none_is_asked_for():
    """Neither without an effort nor with none."""
    none, silent = await of(Scorecard(reasoning_effort="none")), await of(Scorecard())
    assert none == silent
    assert not none.reasoning
