"""Which of several remarks on one paper are the same issue, by one call over all of them."""

from __future__ import annotations

from collections.abc import Sequence

from rereview import prompts
from rereview.models.base import Model, ask_for
from rereview.types.call import Message
from rereview.types.record import Record
from rereview.types.review import Remark


class Group(Record):
    """Numbers of remarks that are one issue."""

    numbers: tuple[int, ...]


class Groups(Record):
    """The groups; a remark in none of them is an issue by itself."""

    same: tuple[Group, ...]


async def same_issue(
    remarks: Sequence[Remark], model: Model, *, max_output_tokens: int = 4_000
) -> tuple[tuple[int, ...], ...]:
    """A partition of `range(len(remarks))`: each part one issue, ascending, in the order of their firsts.

    One remark needs no call. Raises Unreadable where no answer can be read.
    """
    if len(remarks) < 2:  # noqa: PLR2004  one is the same as nothing else
        return tuple((number,) for number in range(len(remarks)))
    answer = await ask_for(
        model,
        messages=messages(remarks),
        shape=Groups,
        check=lambda given: _faulty(given, len(remarks)),
        max_output_tokens=max_output_tokens,
    )
    return partition(answer.value, len(remarks))


def messages(remarks: Sequence[Remark]) -> tuple[Message, ...]:
    """What the model is sent: titles, words, quotes; not who raised what."""
    text = listed(remarks)
    system, user = prompts.load("same_issue").fill(mark=prompts.mark_of(text, "list"), issues=text)
    return Message(role="system", text=system), Message(role="user", text=user)


def listed(remarks: Sequence[Remark]) -> str:
    """Remarks as a numbered list, from 1, as a model is shown them."""
    return "\n\n".join(
        f"[{number}] {remark.title} ({remark.severity or 'unrated'})\n{remark.body}"
        + (f"\nQuote: {remark.quote}" if remark.quote else "")
        for number, remark in enumerate(remarks, start=1)
    )


def partition(given: Groups, count: int) -> tuple[tuple[int, ...], ...]:
    """The groups with all remarks that they leave out, counted from 0."""
    parts = [tuple(sorted({number - 1 for number in each.numbers})) for each in given.same if each.numbers]
    held = {number for part in parts for number in part}
    parts += [(number,) for number in range(count) if number not in held]
    return tuple(sorted(parts))


def _faulty(given: Groups, count: int) -> str | None:
    numbers = [number for each in given.same for number in dict.fromkeys(each.numbers)]
    beyond = next((number for number in numbers if not 1 <= number <= count), None)
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if beyond is not None:
        return f"there is no issue {beyond}"
    return None if twice is None else f"issue {twice} is in two groups"
