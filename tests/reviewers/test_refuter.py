"""A refuter refutes only with words that stand in the paper."""

from rereview.reviewers.refuter import Refuter
from rereview.types.review import Remark
from reviewers.recorded import Recorded, paper, user

FAR = "The pond is cold. " * 60
PAPER = paper(
    "We counted 120 frogs in pond Alpha and call the count N_A.",
    FAR,
    "Frogs that were counted twice in pond Alpha were removed, which leaves N_A = 112.",
)
REMARK = Remark(
    title="N_A is 112 later",
    body="N_A changes.",
    quote="call the count N_A",
    severity="major",
    raised_by=("a",),
)


def says(verdict, evidence="", severity="minor"):
    return {"verdict": verdict, "evidence": evidence, "reason": "It is settled.", "severity": severity}


async def checked(answer, remark=REMARK):
    recorded = Recorded(lambda request: answer)
    return await Refuter(PAPER)(remark, recorded.model), recorded.requests


async def test_the_refuter_sees_the_passage_and_related_ones():
    """Around the quote, and what names the same things elsewhere; not the whole paper."""
    _, requests = await checked(says("stands"))
    text = user(requests[0])
    assert "call the count N_A" in text.split("The passage")[1].split("Related passages")[0]
    assert "leaves N_A = 112" in text.split("Related passages")[1]
    assert FAR not in text
    assert "major" not in text  # the severity of the pass does not lead it


async def test_what_the_paper_settles_is_refuted():
    """With the reason and the words."""
    found, _ = await checked(says("refuted", "counted twice in pond Alpha were removed"))
    assert found.refuted == (
        "refuted: It is settled. The paper says: “counted twice in pond Alpha were removed”"
    )


async def test_evidence_that_stands_nowhere_refutes_nothing():
    """Nor does none at all."""
    for evidence in ("frogs are known to leap over fences at night", ""):
        found, _ = await checked(says("refuted", evidence))
        assert found.refuted is None


async def test_severity_comes_after_the_attempt():
    """It is the refuter's, whatever the pass said."""
    found, _ = await checked(says("open", severity="minor"))
    assert (found.refuted, found.remark.severity, found.remark.raised_by) == (None, "minor", ("a",))


async def test_an_answer_that_nobody_can_read_leaves_the_remark():
    """And that is known."""
    found, requests = await checked("hm")
    assert (found.remark, found.read, len(requests)) == (REMARK, False, 3)


async def test_a_remark_about_something_absent_has_no_passage():
    """Related passages are still found by its words."""
    _, requests = await checked(says("stands"), Remark(title="N_A has no error", body="No spread of N_A."))
    assert "(it is about something that is not there)" in user(requests[0])
    assert "N_A = 112" in user(requests[0])
