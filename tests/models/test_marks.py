"""Beginnings that are marked for Claude: what is kept, read and billed, through the SDK, on loopback."""

import json
import random
from datetime import UTC, datetime

import pytest

from metering import metering
from rereview.models.anthropic import AnthropicEndpoint
from rereview.models.base import Caching
from rereview.models.marks import beginning, marked
from rereview.models.prices import Cap, Price, price_of
from rereview.reviewers.panel import Panel
from rereview.reviewers.progressive import Progressive
from rereview.reviewers.scorecard import Scorecard
from rereview.reviewers.zero_shot import ZeroShot
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration, run
from rereview.study.store import Store
from rereview.study.usual import usual
from rereview.types.call import Message, Picture, Request, Shared
from rereview.types.manuscript import Block, Manuscript

PRICE = Price(input=4, output=20)
INPUT = Price(input=4, output="0.000001")
"""What is written back by a made-up model is as long as it likes."""


def made_up(paragraphs):
    rng = random.Random(paragraphs)
    blocks = tuple(
        Block(
            id=f"b{at}",
            kind="paragraph",
            text=" ".join("".join(rng.choices("abcdefgh", k=rng.randint(2, 9))) for _ in range(120)),
        )
        for at in range(paragraphs)
    )
    return Manuscript(
        id=f"{paragraphs:016x}",
        paper_id="p",
        title="P",
        format="markdown",
        blocks=blocks,
        sequence=tuple(block.id for block in blocks),
    )


class Nobody:
    """Is told of every round."""

    def called(self, call, *, replayed):
        """Nothing is drawn."""

    def reviewed(self, record):
        assert record.status in ("ok", "repaired"), record.error


async def allowed(endpoint, request):
    """Everything may leave."""


async def billed(reviewer, rounds, folder, *, paper=None, model="one", peers=(), issues=1, price=PRICE):
    """What the server metered, what the run says that it spent, and what it was said to cost before."""
    paper = paper or made_up(30)
    with metering()(issues=issues) as meter:
        first, *others = (AnthropicEndpoint(each, meter.base_url, key="k") for each in (model, *peers))
        priced = [(each, price_of(each, price)) for each in (first, *others)]
        made = [
            Configuration("r", reviewer, Fixed(rounds), first, priced[0][1], peers=tuple(priced[1:])),
        ]
        cap = Cap(1000)
        estimate = await usual(made, paper, {})
        with Store(folder) as store:
            await run(
                paper,
                made,
                store,
                cap=cap,
                gate=allowed,
                watch=Nobody(),
                clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
            )
        for each in (first, *others):
            await each.aclose()
    return meter, cap.spent, estimate


def marks_of(body):
    """Parts of a request that are marked."""
    parts = [
        part for turn in body["messages"] if not isinstance(turn["content"], str) for part in turn["content"]
    ]
    assert "cache_control" not in json.dumps([body.get("system"), body.get("output_config")])
    return [part for part in parts if "cache_control" in part]


def bill(meter):
    """The formula of E.9 with the interface's own rates: 4 in, 0.4 read, 5 written, 20 out."""
    plain = meter.input - meter.cached - meter.written
    return (4 * plain + 0.4 * meter.cached + 5 * meter.written + 20 * meter.output) / 1e6


async def test_five_rounds_of_a_scorecard_write_the_paper_once_and_read_it_four_times(tmp_path):
    """The first round goes alone; each request has one mark, and the bill is that of E.9."""
    meter, spent, _ = await billed(Scorecard(), 5, tmp_path)
    assert [len(marks_of(body)) for body in meter.requests] == [1] * 5
    assert meter.cached == 4 * meter.written > 4 * 5_000
    assert meter.input - meter.cached - meter.written < 5 * 100
    assert spent == pytest.approx(bill(meter))


async def test_a_panel_writes_the_paper_once_and_marks_only_its_passes(tmp_path):
    """Merging and refuting share nothing, so that nothing is written for them."""
    meter, spent, _ = await billed(Panel(), 1, tmp_path, issues=3)
    marked_ones = [body for body in meter.requests if marks_of(body)]
    assert len(marked_ones) == 4 < len(meter.requests)
    assert meter.cached == 3 * meter.written > 3 * 5_000
    assert spent == pytest.approx(bill(meter))
    beginnings = {json.dumps([body["system"], marks_of(body)]) for body in marked_ones}
    assert len(beginnings) == 1


@pytest.mark.parametrize(
    ("reviewer", "rounds"), [(Scorecard(), 5), (Panel(refute=False), 1), (ZeroShot(), 1)]
)
async def test_the_estimate_knows_what_is_written_and_read(reviewer, rounds, tmp_path):
    """Of input alone it says what is billed; what issues are read again by is another question."""
    _, spent, estimate = await billed(reviewer, rounds, tmp_path, issues=3, price=INPUT)
    assert abs(estimate / spent - 1) < 0.05


async def test_progressive_writes_each_frame_once(tmp_path):
    """All calls of a frame but the first read what it wrote."""
    meter, spent, _ = await billed(Progressive(passage=2_000, frame=3), 1, tmp_path)
    assert meter.written < meter.cached < meter.input
    assert spent == pytest.approx(bill(meter))
    unmarked = [body for body in meter.requests if not marks_of(body)]
    assert len(unmarked) <= 2, "the consolidation, and a frame of one passage"


@pytest.mark.parametrize(
    ("reviewer", "peers"),
    [
        (ZeroShot(), ()),
        (Scorecard(), ()),
        (Panel(passes=1, lenses=("claims",)), ()),
        (Panel(passes=2, refute=False), ("two",)),
        (Progressive(frame=1), ()),
    ],
    ids=["zero_shot", "scorecard", "one pass", "a pass a model", "a passage a frame"],
)
async def test_what_is_asked_once_is_not_marked(reviewer, peers, tmp_path):
    """A call that shares nothing does not pay for the writing of what nobody reads."""
    meter, spent, _ = await billed(reviewer, 1, tmp_path, peers=peers)
    assert not any(map(marks_of, meter.requests))
    assert meter.written == meter.cached == 0
    assert spent == pytest.approx(bill(meter))


async def test_further_rounds_read_what_the_first_wrote(tmp_path):
    """A single call is marked as soon as there are rounds; so is a panel's pass of each model."""
    meter, _, _ = await billed(ZeroShot(), 2, tmp_path / "z")
    assert meter.cached == meter.written > 5_000
    meter, _, _ = await billed(Panel(passes=2, refute=False), 2, tmp_path / "p", peers=("two",))
    assert meter.cached > 10_000


async def test_a_paper_below_the_minimum_is_not_marked(tmp_path):
    """About 3,000 tokens are enough for one model and too few for another."""
    paper = made_up(13)
    few, *_ = await billed(Scorecard(), 2, tmp_path / "a", paper=paper, model="x-haiku-4-5")
    enough, *_ = await billed(Scorecard(), 2, tmp_path / "b", paper=paper, model="x-sonnet-5")
    assert not any(map(marks_of, few.requests))
    assert all(map(marks_of, enough.requests))


def request(*turns, schema=None):
    return Request(messages=turns, answer_schema=schema, max_output_tokens=9)


def turn(text, until=None, pictures=()):
    shared = None if until is None else Shared(until=until, among="calls")
    return Message(role="user", text=text, pictures=pictures, shared=shared)


CAREFUL = Caching(least=10, read="0.1", write="1.25")


def test_at_most_so_many_marks_and_the_longest_beginnings():
    """Of six shared messages the last four; a beginning counts all before it."""
    turns = [turn("word " * 10, 20) for _ in range(6)]
    assert marked(request(*turns), CAREFUL, 4) == (2, 3, 4, 5)
    assert marked(request(*turns[:2]), CAREFUL, 4) == (1,)
    assert marked(request(turn("word " * 100)), CAREFUL, 4) == ()


@pytest.mark.parametrize("tail", ["the lens", " \n"])
def test_the_parts_are_the_text(tail):
    """Together they are byte for byte what is asked; no part is blank; images stay in their places."""
    dot = Picture(at=0, sha256="0" * 64, width=9, height=9, content=b"\x89PNG")
    text = "word " * 2_000
    asked = request(
        turn(text + tail, len(text), (dot.but(at=5), dot.but(at=len(text) - 5))), schema='{"type":"object"}'
    )
    (sent,) = AnthropicEndpoint("claude-sonnet-5").body(asked)["messages"]
    assert "".join(part.get("text", "") for part in sent["content"]) == text + tail
    assert all(part["type"] == "image" or part["text"].strip() for part in sent["content"])
    kinds = [part["type"] for part in sent["content"]]
    assert kinds == ["text", "image", "text", "image", "text"] + ["text"] * bool(tail.strip())
    assert [at for at, part in enumerate(sent["content"]) if "cache_control" in part] == [4]


def test_what_is_shared_is_no_part_of_the_question():
    """It changes neither what is stored nor the hash of the call; what only rounds share falls away."""
    bare, with_it = request(turn("a b")), request(turn("a b", 1))
    assert bare.to_json() == with_it.to_json()
    assert with_it.once() == with_it
    rounds = turn("a b").but(shared=Shared(until=1, among="rounds"))
    assert request(rounds).once() == bare
    assert beginning(with_it, 0).messages[0].text == "a"


def test_a_price_of_two_numbers_knows_what_the_interface_asks_for_its_cache():
    """Written for five quarters, read for a tenth, unless the price says it."""
    known = price_of(AnthropicEndpoint("claude-opus-4-8"), PRICE)
    assert (known.cached, known.cache_write) == (PRICE.input / 10, PRICE.input * 5 / 4)
    told = Price(input=4, output=20, cached="0.2", cache_write=6)
    assert price_of(AnthropicEndpoint("claude-opus-5-5"), told) == told
