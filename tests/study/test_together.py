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
