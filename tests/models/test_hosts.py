"""One lane a host, with a clock that is turned by hand, and against a server that counts."""

import asyncio
import threading

import pytest

from dialects import Said, speaking
from rereview.errors import ServerFailed
from rereview.models.hosts import FAILURES, PAUSE, CircuitOpen, Lane, lane
from rereview.models.openai import OpenAIEndpoint
from rereview.types.call import Message, Request

ASK = Request(messages=(Message(role="user", text="Well?"),), max_output_tokens=9)
ANSWER = {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}


class Clock:
    """Seconds that pass when somebody sleeps."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds

    async def sleep(self, seconds):
        self.seconds += seconds
        await asyncio.sleep(0)


def road():
    clock = Clock()
    return Lane("h", now=clock, sleep=clock.sleep), clock


async def test_haste_halves_what_is_in_flight_and_all_wait():
    """Eight in flight are refused: at most four go on, and not before the time that the host asks for."""
    one, clock = road()
    gate = asyncio.Event()

    async def call():
        async with one.slot():
            await gate.wait()
            one.answered(429, 7.0)

    calls = [asyncio.create_task(call()) for _ in range(8)]
    await asyncio.sleep(0)
    assert one.in_flight == 8
    one.answered(429, 7.0)
    assert one.limit == 4
    gate.set()
    await asyncio.gather(*calls)
    async with one.slot():
        assert clock.seconds == 7.0


async def test_answers_let_it_grow_by_one_a_round():
    """After a refusal the limit climbs back slowly."""
    one, _ = road()
    one.limit = 4.0
    for _ in range(4):
        one.answered(200)
    assert 4.5 < one.limit < 5.5


async def test_without_a_time_the_wait_doubles():
    """Half a second, one, two; an answer ends it."""
    one, clock = road()
    waits = []
    for _ in range(3):
        before = clock.seconds
        one.answered(429)
        async with one.slot():
            waits.append(clock.seconds - before)
    assert waits == [0.5, 1.0, 2.0]


async def test_a_host_that_fails_is_left_alone_and_then_tried_by_one():
    """After several failures in a row nothing is sent; after the pause one request tries, and ends it."""
    one, clock = road()
    for _ in range(FAILURES):
        one.broken()
    with pytest.raises(CircuitOpen):
        async with one.slot():
            pass
    clock.seconds += PAUSE + 1
    async with one.slot():
        other = asyncio.create_task(one._enter())
        await asyncio.sleep(0)
        assert one.in_flight == 1
        one.answered(200)
    await other
    assert one.failures == 0


async def test_one_that_is_cancelled_while_it_waits_loses_nobody_the_place():
    """Its place goes to the next."""
    one, _ = road()
    one.limit = 1.0
    async with one.slot():
        first, second = [asyncio.create_task(one._enter()) for _ in range(2)]
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
    await asyncio.wait_for(second, 1)
    assert one.in_flight == 1


async def test_endpoints_at_one_host_share_a_lane():
    """Within one event loop; another host has its own."""
    assert lane("a:1") is lane("a:1")
    assert lane("a:1") is not lane("b:1")


async def test_a_host_of_few_places_is_asked_little_more_than_ideal():
    """Forty calls at sixteen at once, of which the host takes three: all are answered with few refusals."""
    places, lock, counts = [0], threading.Lock(), {"refused": 0}

    def said(_):
        with lock:
            if places[0] >= 3:
                counts["refused"] += 1
                return Said(429, {"error": {"message": "wait"}}, {"Retry-After": "0.05"})
            places[0] += 1
        threading.Event().wait(0.02)
        with lock:
            places[0] -= 1
        return Said(200, ANSWER)

    with speaking(said) as server:
        endpoint = OpenAIEndpoint("m", f"{server.url}/v1", max_retries=8)
        at_once = asyncio.Semaphore(16)

        async def call():
            async with at_once:
                return await endpoint.complete(ASK)

        answers = await asyncio.gather(*(call() for _ in range(40)))
        await endpoint.aclose()
    assert len(answers) == 40
    assert counts["refused"] <= 30


async def test_an_open_circuit_sends_nothing_and_says_so():
    """A host that fails eight times in a row hears no ninth request."""
    with speaking(lambda _: Said(500, {"error": {"message": "broken"}})) as server:
        endpoint = OpenAIEndpoint("m", f"{server.url}/v1", max_retries=0)
        for _ in range(FAILURES):
            with pytest.raises(ServerFailed, match="broken"):
                await endpoint.complete(ASK)
        with pytest.raises(ServerFailed, match="in a row"):
            await endpoint.complete(ASK)
        await endpoint.aclose()
    assert len(server.asked) == FAILURES


async def test_all_who_wait_are_told_when_the_circuit_opens():
    """One place, three that wait for it, and the host fails for good: nobody waits for ever."""
    one, _ = road()
    one.limit, one.failures = 1.0, FAILURES - 1

    async def call():
        async with one.slot():
            await asyncio.sleep(0)
            one.broken()

    found = asyncio.gather(*(call() for _ in range(4)), return_exceptions=True)
    told = await asyncio.wait_for(found, 60)
    assert told[0] is None
    assert [type(each) for each in told[1:]] == [CircuitOpen] * 3


async def test_one_that_is_cancelled_while_the_host_wants_rest_loses_nobody_the_place():
    """It was given the place, and waits for the time that the host asked for: the next takes both."""
    one, clock = road()
    one.limit = 1.0
    resting = asyncio.Event()

    async def rest(seconds):
        clock.seconds += seconds
        resting.set()
        await asyncio.sleep(3600 if not first.done() else 0)

    one.sleep = rest
    async with one.slot():
        first, second = [asyncio.create_task(one._enter()) for _ in range(2)]
        await asyncio.sleep(0)
        one._free_at = clock.seconds + 5
    await resting.wait()
    first.cancel()
    await asyncio.wait_for(second, 60)
    assert one.in_flight == 1
