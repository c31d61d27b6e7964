"""Many issues to one list: some are merged, some dropped, and none is lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rereview import prompts
from rereview.errors import Unreadable
from rereview.judge.same_issue import listed
from rereview.models.base import Model, ask_for
from rereview.reviewers.issues import Drop, Merge
from rereview.types.call import Message
from rereview.types.record import Record
from rereview.types.review import Aside, Remark


class Consolidation(Record):
    """Which issues are one, and which are none; the others stay as they are."""

    merge: tuple[Merge, ...]
    drop: tuple[Drop, ...]


async def consolidated(
    model: Model, remarks: Sequence[Remark], notes: str, *, max_output_tokens: int
) -> tuple[tuple[Remark, ...], tuple[Aside, ...]]:
    """The list after consolidation, and what went out of it. An unreadable answer changes nothing."""
    if len(remarks) < 2:  # noqa: PLR2004  one is no list
        return tuple(remarks), ()
    issues = listed(remarks)
    system, user = prompts.load("progressive_merge").fill(
        mark=prompts.mark_of(issues + notes), notes=notes or "None.", issues=issues
    )
    try:
        answer = await ask_for(
            model,
            messages=(Message(role="system", text=system), Message(role="user", text=user)),
            shape=Consolidation,
            check=lambda given: faulty(given, len(remarks)),
            max_output_tokens=max_output_tokens,
        )
    except Unreadable:
        return tuple(remarks), ()
    return applied(answer.value, remarks)


def faulty(given: Consolidation, count: int) -> str | None:
    """What is wrong with the numbers of a consolidation; None if nothing is."""
    numbers = [number for each in given.merge for number in each.numbers]
    numbers += [each.number for each in given.drop]
    beyond = sorted({number for number in numbers if not 1 <= number <= count})
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if beyond:
        return f"there is no issue {beyond[0]}"
    return f"issue {twice[0]} stands in two places" if twice else None


def applied(given: Consolidation, remarks: Sequence[Remark]) -> tuple[tuple[Remark, ...], tuple[Aside, ...]]:
    """The merged issue stands where the first of them stood, with the quote of the first that has one."""
    first = {min(each.numbers): each for each in given.merge if each.numbers}
    gone = {number: min(each.numbers) for each in given.merge for number in each.numbers}
    dropped = {each.number: each.reason for each in given.drop}
    kept: list[Remark] = []
    aside: list[Aside] = []
    for number, remark in enumerate(remarks, start=1):
        if number in dropped:
            aside.append(Aside(remark=remark, why=f"dropped: {dropped[number]}"))
        elif number in first:
            merge = first[number]
            kept.append(merged([remarks[each - 1] for each in sorted(merge.numbers)], merge))
            if len(merge.numbers) > 1:
                aside.append(Aside(remark=remark, why=f"merged into “{merge.title}”"))
        elif number in gone:
            aside.append(Aside(remark=remark, why=f"merged into “{first[gone[number]].title}”"))
        else:
            kept.append(remark)
    return tuple(kept), tuple(aside)


def merged(remarks: Sequence[Remark], words: Merge | None = None) -> Remark:
    """One remark for several. Quote and pages are theirs; a model's words for them are never a quote."""
    chosen = next((each for each in remarks if each.quote), remarks[0])
    return chosen.but(
        title=words.title if words else chosen.title,
        body=words.explanation if words else chosen.body,
        severity=words.severity if words else chosen.severity,
        pages=tuple(sorted({page for each in remarks for page in each.pages})),
        raised_by=tuple(_once(name for each in remarks for name in each.raised_by)),
    )


def _once(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(names)
