"""Answers that outlive a full disk."""

import pytest

from rereview.errors import StorageError
from rereview.study.rescue import rescue, rescued
from rereview.study.store import Store
from rereview.types.call import Call, Completion, Message, Request, Usage

CALL = Call(
    id="c1",
    model="a:m",
    host="",
    sample="s",
    request=Request(messages=(Message(role="user", text="Is it so? \N{HONEYBEE} é"),)),
    completion=Completion(text="It is.", finish="stop", usage=Usage()),
    started="2026-01-01T00:00:00+00:00",
    seconds=1.0,
    usd=0.1,
)


@pytest.fixture
def spare(tmp_path):
    """A folder in place of the temporary one."""
    folder = tmp_path / "spare"
    folder.mkdir()
    return folder


def test_an_answer_is_read_back_by_the_study_that_it_is_of(tmp_path, spare):
    """And by no other; once, for then it is in the ledger and its file is gone."""
    study = tmp_path / "study"
    assert rescue(CALL, study, spare).parent == spare
    assert [call for _, call in rescued(study, spare)] == [CALL]
    assert list(rescued(tmp_path / "other", spare)) == []
    with Store(study, spare=spare) as store:
        with store.claim():
            assert store.calls() == (CALL,)
        assert store.recover() == 0
    assert list(spare.iterdir()) == []


def test_a_file_that_is_no_answer_is_left_alone(tmp_path, spare):
    """One that was cut, and one that only points to an answer."""
    path = rescue(CALL, tmp_path, spare)
    cut = path.with_name(path.name.replace(".json", "-cut.json"))
    cut.write_text(CALL.to_json()[:50])
    path.rename(spare / "aside.json")
    path.symlink_to(spare / "aside.json")
    assert list(rescued(tmp_path, spare)) == []
    assert cut.exists()


def test_where_there_is_no_room_at_all_nothing_is_kept(tmp_path):
    """Which is said, and no part of an answer is left behind."""
    assert rescue(CALL, tmp_path, tmp_path / "not there") is None
    with Store(tmp_path, spare=tmp_path / "not there") as store:
        store._database.execute("PRAGMA query_only = 1")
        with pytest.raises(StorageError, match="the answer could not be kept anywhere"):
            store.add_call(CALL)
