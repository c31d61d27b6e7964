"""Calls that end together are written together, and none is lost."""

import asyncio

import pytest

from rereview.errors import StorageError
from rereview.study.store import Store
from rereview.study.together import Together
from rereview.types.call import Call, Completion, Message, Request, Usage


def call(number):
    return Call(
        id=f"c{number}",
        model="m",
        host="",
        sample=f"s{number}",
        request=Request(messages=(Message(role="user", text="u"),)),
        completion=Completion(text="x", finish="stop", usage=Usage()),
        started="2026-01-01T00:00:00+00:00",
        seconds=0.1,
        usd=0.0,
    )


async def test_many_calls_are_one_write_and_each_returns_when_it_is_safe(tmp_path):
    """A hundred at once are in the ledger when their `keep_call` returns, after one transaction."""
    writes = []
    with Store(tmp_path) as store:
        store._database.set_trace_callback(lambda said: writes.append(said) if said == "COMMIT" else None)
        await asyncio.gather(*(store.keep_call(call(number)) for number in range(100)))
        assert len(writes) == 1
        assert store.get_call("c99") == call(99)
    with Store(tmp_path) as again:
        assert len(again.calls()) == 100


async def test_one_that_the_disk_refuses_is_told_by_itself():
    """The others of the group are kept."""
    kept = []

    def insert(*calls):
        raise StorageError("the group does not fit")

    def add(one):
        if one.id == "c1":
            raise StorageError("rescued elsewhere")
        kept.append(one.id)

    together = Together(insert, add)
    found = await asyncio.gather(*(together.keep(call(n)) for n in range(3)), return_exceptions=True)
    assert [str(each) if each else None for each in found] == [None, "rescued elsewhere", None]
    assert kept == ["c0", "c2"]


async def test_what_waits_is_kept_when_the_ledger_is_closed(tmp_path):
    """Also a call whose round was cancelled: it was paid for."""
    store = Store(tmp_path)
    waiting = asyncio.create_task(store.keep_call(call(7)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    store.close()
    with Store(tmp_path) as again:
        assert again.get_call("c7") is not None


async def test_a_call_that_cannot_be_written_fails_by_itself(tmp_path):
    """An answer of a script with half a character: whoever asked is told, and the others are kept."""
    half = call(1)
    half = half.but(completion=half.completion.but(text="\ud800"))
    with Store(tmp_path) as store:
        kept = (store.keep_call(each) for each in (call(0), half, call(2)))
        told = await asyncio.wait_for(asyncio.gather(*kept, return_exceptions=True), 60)
        assert [isinstance(each, ValueError) for each in told] == [False, True, False]
        assert [each.id for each in store.calls()] == ["c0", "c2"]


async def test_closing_keeps_each_that_waits_whatever_becomes_of_the_others():
    """The first is refused by the disk and told at the end; the second is kept."""
    kept = []

    def add(one):
        if one.id == "c0":
            raise StorageError("rescued elsewhere")
        kept.append(one.id)

    together = Together(lambda *_: None, add)
    waiting = [asyncio.create_task(together.keep(call(number))) for number in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(StorageError, match="rescued elsewhere"):
        together.close()
    assert kept == ["c1"]
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
