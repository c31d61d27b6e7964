"""Passages in order: what each call sees, what is kept of it, and that both lists are there."""

import re
from dataclasses import replace

import pytest

from rereview.errors import KeyRejected, Unreadable, UsageError
from rereview.reviewers.issues import at_once
from rereview.reviewers.progressive import Notes, Progressive, joined
from rereview.types.call import Picture
from rereview.types.manuscript import Figure
from reviewers.recorded import Recorded, issue, paper, user

TEXTS = [f"Passage {letter} says {letter * 30}." for letter in "ABCDEFG"]
SMALL = Progressive(passage=50, frame=3, before=1, after=1)
CHECK = re.compile(r"Now check passage (\d+) of (\d+)")


def notes(**lines):
    return {name: lines.get(name, []) for name in Notes.model_fields}


def answering(request):
    """An issue a passage, quoting it; notes that name it; merging the first two."""
    match = CHECK.search(user(request))
    if match is None:
        merge = {"numbers": [1, 2], "title": "Both", "explanation": "Same.", "severity": "major"}
        return {"merge": [merge], "drop": [{"number": 3, "reason": "settled later"}]}
    number = int(match[1])
    letter = "ABCDEFG"[number - 1]
    return {
        "issues": [issue(f"Issue {letter}", TEXTS[number - 1])],
        "notes": notes(claims=[f"claim {letter}"]),
    }


async def reviewed(answer=answering, reviewer=SMALL, texts=TEXTS):
    recorded = Recorded(answer)
    return await reviewer(paper(*texts), recorded.model), recorded.requests


async def test_every_passage_is_checked_once_in_order():
    """And the issues of all are consolidated in a last call."""
    _, requests = await reviewed()
    checks = [CHECK.search(user(request)) for request in requests]
    assert [match and (int(match[1]), int(match[2])) for match in checks] == [
        *((n, 7) for n in range(1, 8)),
        None,
    ]


async def test_both_lists_are_kept():
    """What was merged or dropped is set aside with the reason."""
    draft, _ = await reviewed()
    assert [each.title for each in draft.remarks] == ["Both", "Issue D", "Issue E", "Issue F", "Issue G"]
    assert [(each.remark.title, each.why) for each in draft.aside] == [
        ("Issue A", "merged into “Both”"),
        ("Issue B", "merged into “Both”"),
        ("Issue C", "dropped: settled later"),
    ]
    assert draft.remarks[0].quote == TEXTS[0]


async def test_a_frame_sees_its_neighbours_and_notes_on_all_before():
    """The first has none; what is out of sight of the last stands in its notes."""
    _, requests = await reviewed()
    first, last = user(requests[0]), user(requests[6])
    shown = [letter for letter, text in zip("ABCDEFG", TEXTS, strict=True) if text in last]
    assert "Notes on earlier passages" not in first
    assert shown == ["E", "F", "G"]
    assert all(f"claim {letter}" in last for letter in "ABCDE")


async def test_calls_of_a_frame_begin_with_the_same_bytes():
    """Only the last lines, which name the passage, differ: a cache of prefixes reads the frame once."""
    _, requests = await reviewed()
    one, two = user(requests[0]), user(requests[1])
    assert requests[0].messages[0] == requests[1].messages[0]
    shared = one.split("Now check passage")[0]
    assert two.startswith(shared)
    assert TEXTS[0] in shared
    assert TEXTS[2] in shared
    assert requests[0].answer_schema == requests[1].answer_schema


async def test_images_stand_where_they_do_in_the_paper():
    """In every call in whose sight their passage is, and in no other; none for a model that sees none."""
    bees = paper(*TEXTS)
    names = list(bees.sequence)
    names.insert(2, "f1")
    bees = bees.but(
        figures=(Figure(id="f1", path="a.png", sha256="0" * 64, name="Figure 1", after="b1"),),
        sequence=tuple(names),
    )
    picture = Picture(sha256="0" * 64, width=10, height=10, content=b"\x89PNG")
    recorded = Recorded(answering)
    seeing = replace(recorded.model, pictures={"f1": picture})
    reviewer = replace(SMALL, passage=80)
    await reviewer(bees, seeing)
    checks = [request.messages[-1] for request in recorded.requests if CHECK.search(user(request))]
    assert [len(each.pictures) for each in checks] == ["[Figure 1]" in each.text for each in checks]
    assert {len(each.pictures) for each in checks} == {0, 1}
    for each in checks:
        assert all(each.text[: image.at].endswith("[Figure 1]") for image in each.pictures)
    assert len(recorded.requests) == reviewer.expected_calls(bees)[0]
    seen = len(recorded.requests)
    await reviewer(bees, recorded.model)
    unseen = [request.messages[-1] for request in recorded.requests[seen:]]
    assert not any(each.pictures for each in unseen)
    assert any("[Figure 1: image not included]" in each.text for each in unseen)


async def test_the_running_notes_are_in_the_review():
    """Under the five headings."""
    draft, _ = await reviewed()
    assert draft.fields == {"claims": "\n".join(f"claim {letter}" for letter in "ABCDEFG")}


async def test_notes_that_grow_too_long_are_shortened_once_a_frame():
    """By a call of their own, and later frames see the short ones."""

    def answer(request):
        if "Shorten them" in request.messages[0].text:
            return notes(claims=["all in short"])
        found = answering(request)
        return (
            found | {"notes": notes(claims=[f"{found['issues'][0]['title']} " * 40])}
            if "issues" in found
            else found
        )

    draft, requests = await reviewed(answer, Progressive(passage=50, frame=3, notes_tokens=20, notes_share=0))
    assert sum("Shorten them" in request.messages[0].text for request in requests) == 2
    assert "all in short" in user(requests[-2])
    assert draft.fields["claims"].startswith("all in short")


async def test_a_paper_without_words_costs_nothing():
    """No passage, no call."""
    draft, requests = await reviewed(texts=[])
    assert (draft.remarks, requests) == ((), [])


async def test_after_a_failure_nothing_more_is_begun():
    """What is in flight is awaited."""
    begun = []

    async def work(item):
        begun.append(item)
        if item == 1:
            raise KeyRejected("401")
        return item

    with pytest.raises(KeyRejected):
        await at_once(work, range(50), most=2)
    assert len(begun) < 6


def test_the_same_note_is_kept_once():
    """In the order in which it first came."""
    one = Notes(**notes(claims=["a", "b"]))
    assert joined([one, Notes(**notes(claims=["b", "c"]))]).claims == ("a", "b", "c")


async def test_a_passage_that_could_not_be_checked_is_named():
    """The others are worth what they were."""

    def answer(request):
        return "hm" if "Now check passage 3 of" in user(request) else answering(request)

    draft, _ = await reviewed(answer)
    assert draft.notes == ("not checked: passages 3 of 7, for no answer could be read",)
    assert "Issue C" not in [each.title for each in draft.remarks] + [
        each.remark.title for each in draft.aside
    ]
    with pytest.raises(Unreadable):
        await reviewed(lambda request: "hm")


async def test_a_model_that_reads_less_than_a_frame_is_refused():
    """In one line, and nothing is cut in silence."""

    class Little:
        name, reads = "embedded:toy", 2_000

    with pytest.raises(
        UsageError, match=r"embedded:toy reads at most 2,000 tokens, and a frame has about 20,000"
    ):
        await Progressive()(paper(*TEXTS), Little())


async def test_notes_that_nobody_can_read_leave_the_notes_as_they_were():
    """The answers on all passages are there: they are not lost for want of shorter notes."""

    def answer(request):
        if CHECK.search(user(request)) is None and "merge" not in (request.answer_schema or ""):
            return "No."
        return answering(request)

    draft, requests = await reviewed(answer, replace(SMALL, notes_tokens=1, notes_share=0.0))
    assert [each.title for each in draft.remarks] == ["Both", "Issue D", "Issue E", "Issue F", "Issue G"]
    assert draft.fields["claims"].split("\n") == [f"claim {letter}" for letter in "ABCDEFG"]
    assert "claim A" in user(requests[-2])
