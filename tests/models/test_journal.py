"""Calls are kept before anybody sees them, and paid for at most once."""

import asyncio
import random
from datetime import UTC, datetime

import pytest

from rereview.errors import (
    AnswerLost,
    BudgetError,
    ConsentError,
    ProviderError,
    RateLimited,
    RereviewError,
    StorageError,
    TimedOut,
)
from rereview.models.journal import Journal, system_clock
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import FREE, Cap, Price, cost
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.call import Completion, Message, Request, Usage
from servers import Fault, Ok, serve

PRICE = Price(input=4, output=20)
THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Shelf:
    """A ledger in memory that can be full."""

    def __init__(self, *, full=False):
        self.calls, self.full = {}, full

    def get_call(self, call_id):
        return self.calls.get(call_id)

    def add_call(self, call):
        if self.full:
            raise StorageError("no space left")
        self.calls[call.id] = call


def ask(text="Well?", **options):
    return Request(messages=(Message(role="user", text=text),), **{"max_output_tokens": 100} | options)


def journal(script, ledger=None, *, price=PRICE, cap=5.0, **options):
    endpoint = script if isinstance(script, OpenAIEndpoint) else ScriptedEndpoint(script)
    return Journal(
        endpoint,
        Shelf() if ledger is None else ledger,
        **{
            "sample": "s",
            "price": price,
            "cap": cap if isinstance(cap, Cap) else Cap(cap),
            "clock": lambda: THEN,
        }
        | options,
    )


def counted(text="yes", given=1000, made=50):
    return Completion(text=text, finish="stop", usage=Usage(input_tokens=given, output_tokens=made))


async def test_a_call_is_kept_with_its_time_and_cost():
    """The ledger holds what was asked, what came, when, how long and for how much."""
    shelf = Shelf()
    call = await journal(lambda _: counted(), shelf)(ask())
    assert shelf.get_call(call.id) == call
    assert (call.completion.text, call.started, call.usd) == ("yes", "2026-03-01T12:00:00+00:00", 0.005)
    assert call.seconds >= 0
    assert system_clock().tzinfo is UTC


async def test_a_kept_call_is_replayed():
    """A second journal of the sample asks nothing, spends nothing, and says that it replayed."""
    shelf, told = Shelf(), []
    first = await journal(lambda _: counted(), shelf)(ask())

    def never(_):
        raise AssertionError

    again = journal(
        never, shelf, price=None, cap=0.0, on_call=lambda call, *, replayed: told.append((call, replayed))
    )
    assert await again(ask()) == first
    assert again.call_ids == (first.id,)
    assert told == [(first, True)]


async def test_samples_and_attempts_share_no_call():
    """The same bytes in another sample, or asked again, are another call."""
    shelf = Shelf()
    one = journal(lambda _: "x", shelf)
    ids = {(await one(ask())).id, (await one(ask(attempt=2))).id}
    ids.add((await journal(lambda _: "x", shelf, sample="other")(ask())).id)
    assert len(ids) == len(shelf.calls) == 3


async def test_identical_requests_at_once_are_one_call():
    """Twenty that ask the same wait for the one that asked first."""
    with serve(Ok("x", seconds=0.1)) as server:
        endpoint = OpenAIEndpoint("m", server.base_url)
        one = journal(endpoint)
        calls = await asyncio.gather(*(one(ask()) for _ in range(20)))
        await endpoint.aclose()
    assert len(server.requests) == 1
    assert len({call.id for call in calls}) == 1
    assert one.call_ids == (calls[0].id,)


async def test_a_call_is_safe_before_it_is_seen():
    """Where the ledger cannot keep it, nobody gets the answer; the money is gone all the same."""
    cap = Cap(5.0)
    with pytest.raises(StorageError):
        await journal(lambda _: counted(), Shelf(full=True), cap=cap)(ask())
    assert cap.spent == 0.005


@pytest.mark.parametrize(
    ("error", "counted_as_spent"),
    [(RateLimited, False), (ConsentError, False), (TimedOut, True), (AnswerLost, True)],
)
async def test_a_failure_gives_its_reservation_back(error, counted_as_spent):
    """Unless the request went out and may have been billed: then all of it counts."""

    def fails(_):
        raise error("no")

    cap = Cap(5.0)
    one = journal(fails, cap=cap)
    with pytest.raises(error):
        await one(ask())
    assert (cap.spent > 0) is counted_as_spent
    assert one.call_ids == ()
    await cap.reserve(cap.limit - 1)


async def test_a_cancelled_call_counts_as_spent():
    """It is under way, and may be billed."""
    begun = asyncio.Event()

    async def sleeps(_):
        begun.set()
        await asyncio.sleep(60)

    cap = Cap(5.0)
    task = asyncio.create_task(journal(sleeps, cap=cap)(ask()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cap.spent > 0


async def test_an_unknown_price_stops_before_the_call():
    """Nothing is asked whose cost cannot be bounded."""
    asked = []
    with pytest.raises(BudgetError, match="--price"):
        await journal(asked.append, price=None)(ask())
    assert not asked
    assert (await journal(lambda _: "x", price=FREE, cap=0.0)(ask(max_output_tokens=None))).usd == 0.0


async def test_counts_that_are_absent_or_wrong_give_no_cost():
    """The cost is then not known, and the cap counts the whole reservation."""
    for usage in (Usage(), Usage(input_tokens=1, cached_tokens=2, output_tokens=1)):
        cap = Cap(5.0)
        call = await journal(lambda _, u=usage: Completion(text="", finish="stop", usage=u), cap=cap)(ask())
        assert call.usd is None
        assert cap.spent > 0


def test_the_cap_holds_in_a_thousand_studies():
    """Sixteen at once, with failures that bill and failures that do not: the bill stays under the cap."""
    rng = random.Random(11)
    for _ in range(1000):
        limit = rng.choice((0.001, 0.05, 0.5, 5.0))
        assert asyncio.run(_bill(rng, limit)) <= limit


async def _bill(rng, limit):
    billed = 0.0

    async def endpoint(request):
        nonlocal billed
        await asyncio.sleep(0)
        size = len(request.messages[0].text)
        used = Usage(
            input_tokens=rng.randint(size // 6, size), output_tokens=rng.randint(0, request.max_output_tokens)
        )
        fate = rng.choice(("ok", "ok", "ok", "uncounted", "limited", "late", "lost"))
        if fate == "limited":
            raise RateLimited("429")
        billed += cost(used, PRICE)
        if fate in {"late", "lost"}:
            raise (TimedOut if fate == "late" else AnswerLost)("no answer")
        return Completion(text="x", finish="stop", usage=Usage() if fate == "uncounted" else used)

    one = journal(endpoint, cap=Cap(limit))
    requests = [ask(str(n) * rng.randint(1, 3000), max_output_tokens=rng.randint(1, 8000)) for n in range(18)]
    slots = asyncio.Semaphore(16)

    async def go(request):
        async with slots:
            return await one(request)

    done = await asyncio.gather(*(go(request) for request in requests), return_exceptions=True)
    assert all(not isinstance(each, Exception) or isinstance(each, RereviewError) for each in done)
    return billed


async def test_the_cap_holds_over_the_wire():
    """Through the SDK, with retries and lost answers, the server's own meter stays under the cap."""
    script = [Ok("x" * 400), Fault("429", retry_after=0.001), Fault("half"), Ok("y" * 400)] * 20
    with serve(script) as server:
        endpoint = OpenAIEndpoint("m", server.base_url, max_retries=2)
        one = journal(endpoint, cap=0.25)
        requests = [ask("words " * 2000 + str(n), max_output_tokens=120) for n in range(30)]
        results = await asyncio.gather(*(one(request) for request in requests), return_exceptions=True)
        await endpoint.aclose()
    bill = cost(Usage(input_tokens=server.input_tokens, output_tokens=server.output_tokens), PRICE)
    assert 0 < bill <= 0.25
    assert any(isinstance(result, BudgetError) for result in results)
    assert all(isinstance(r, ProviderError | BudgetError) for r in results if isinstance(r, BaseException))
