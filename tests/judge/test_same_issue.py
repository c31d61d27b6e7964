"""Which remarks are the same issue: a partition, or an error; never a loss."""

import pytest

from rereview.errors import Unreadable
from rereview.judge.same_issue import Groups, partition, same_issue
from rereview.types.review import Remark
from reviewers.recorded import Recorded, user

REMARKS = tuple(
    Remark(title=title, body=f"{title}.", quote="the tide", raised_by=("x",))
    for title in ("Tide", "Moon", "Ebb")
)


def groups(*numbers):
    return {"same": [{"numbers": list(each)} for each in numbers]}


async def test_a_group_is_one_issue_and_the_rest_stand_alone():
    """Counted from 0, in the order of their firsts."""
    recorded = Recorded(lambda request: groups([3, 1]))
    assert await same_issue(REMARKS, recorded.model) == ((0, 2), (1,))
    text = user(recorded.requests[0])
    assert "[2] Moon (unrated)\nMoon.\nQuote: the tide" in text
    assert "x" not in text.split("Moon")[0].split("begin")[1].replace("Quote", "")  # not who raised it


async def test_a_number_that_cannot_be_is_asked_again():
    """One beyond the list, or in two groups."""
    answers = iter([groups([1, 4]), groups([1, 2], [2, 3]), groups([2, 3])])
    recorded = Recorded(lambda request: next(answers))
    assert await same_issue(REMARKS, recorded.model) == ((0,), (1, 2))
    assert len(recorded.requests) == 3


async def test_what_nobody_can_read_is_raised():
    """Whoever asked decides what that means."""
    with pytest.raises(Unreadable):
        await same_issue(REMARKS, Recorded(lambda request: "hm").model)


@pytest.mark.parametrize("count", [0, 1])
async def test_fewer_than_two_need_no_call(count):
    """They are the same as nothing."""
    recorded = Recorded(lambda request: "hm")
    assert len(await same_issue(REMARKS[:count], recorded.model)) == count
    assert recorded.requests == []


def test_an_empty_group_is_none():
    """And a number that comes twice in its group is one."""
    assert partition(Groups.model_validate(groups([], [2, 2])), 2) == ((0,), (1,))
