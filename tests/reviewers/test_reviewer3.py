"""Reviewer3's interface against a stub on loopback: submit, ask, fetch, and every way to fail."""

import json
from collections import deque
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from rereview.errors import (
    BadRequest,
    ConsentError,
    KeyRejected,
    OutOfCredit,
    ProviderError,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    Unreadable,
    UnusableInput,
    UsageError,
)
from rereview.reviewers.reviewer3 import Reviewer3
from reviewers.recorded import paper
from servers import closed_port

PAPER = paper("We counted 120 bees.")
FOUND = {
    "status": "completed",
    "session": {"title": "Bees"},
    "summary": "A count.",
    "comments": [
        {
            "reviewerId": "r1",
            "comment": "Why 120?",
            "title": "Count",
            "citedText": "120 bees",
            "severity": 2,
            "rank": 1,
        }
    ],
}


class Stub:
    """Answers in turn; remembers what came in."""

    def __init__(self, *answers, submitted=(200, {"sessionId": "s/1"})):
        self.answers, self.submitted, self.seen = deque(answers), submitted, []

    async def submit(self, request):
        form = dict(await request.post())
        held = {name: value if isinstance(value, str) else value.file.read() for name, value in form.items()}
        self.seen.append((request.headers.get("x-api-key"), held))
        return _answer(*self.submitted)

    async def fetch(self, request):
        self.seen.append((request.headers.get("x-api-key"), request.match_info["name"]))
        return _answer(*(self.answers.popleft() if len(self.answers) > 1 else self.answers[0]))


def _answer(status, body):
    if isinstance(body, str):
        return web.Response(status=status, text=body)
    return web.json_response(body, status=status)


@asynccontextmanager
async def served(stub):
    application = web.Application()
    application.router.add_post("/api/internal/review", stub.submit)
    application.router.add_get("/api/internal/review/{name}", stub.fetch)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.fixture
def pdf(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWER3_API_KEY", "sk-canary-77")
    monkeypatch.setenv("REVIEWER3_USER_ID", "u1")
    path = tmp_path / "bees.pdf"
    path.write_bytes(b"%PDF-1.7 bees")
    return str(path)


async def run(stub, file="", **options):
    async with served(stub) as address:
        return await Reviewer3(file, address=address, poll=0.01, **options)(PAPER)


async def test_a_pdf_is_submitted_asked_for_and_fetched(pdf):
    """With key and account; the review comes when it is complete."""
    stub = Stub((200, {"status": "queued"}), (200, {"status": "processing"}), (200, FOUND))
    draft = await run(stub, pdf)
    assert (draft.summary, draft.remarks[0].quote, draft.remarks[0].severity) == (
        "A count.",
        "120 bees",
        "moderate",
    )
    key, form = stub.seen[0]
    assert key == "sk-canary-77"
    assert form == {"userId": "u1", "reviewMode": "author", "filename": "bees.pdf", "file": b"%PDF-1.7 bees"}
    assert [name for _, name in stub.seen[1:]] == ["s/1"] * 3
    assert "canary" not in draft.to_json()


async def test_a_review_that_was_submitted_before_is_fetched(pdf):
    """And nothing is sent: a run that was killed has not paid in vain."""
    stub = Stub((200, FOUND))
    draft = await run(stub, session="s9")
    assert len(draft.remarks) == 1
    assert stub.seen == [("sk-canary-77", "s9")]


async def test_a_review_that_takes_too_long_says_how_to_fetch_it(pdf):
    """The session is in the message."""
    with pytest.raises(
        TimedOut, match=r"no review within 0\.1 s; to fetch it later: --set reviewer3\.session=s/1"
    ):
        await run(Stub((200, {"status": "processing"})), pdf, timeout=0.1)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, KeyRejected),
        (402, OutOfCredit),
        (404, BadRequest),
        (429, RateLimited),
        (500, ServerFailed),
        (302, BadRequest),
    ],
)
async def test_a_refusal_is_what_a_person_can_do_about(pdf, status, error):
    """And does not repeat the key."""
    with pytest.raises(error, match=str(status)) as failure:
        await run(Stub((status, "sk-canary-77 is no key")), pdf)
    assert "canary" not in str(failure.value)


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        ((200, {"status": "failed"}), ProviderError, "ended as 'failed'"),
        ((200, "<p>busy"), ServerFailed, "the answer is no JSON"),
        ((200, [1]), ServerFailed, "no JSON object"),
        ((200, {"status": "done"}), Unreadable, "no comments field"),
    ],
)
async def test_what_is_no_review_is_none(pdf, answer, error, said):
    """One line."""
    with pytest.raises(error, match=said):
        await run(Stub(answer), pdf)


async def test_a_review_without_comments_found_nothing(pdf):
    """That is an answer."""
    draft = await run(Stub((200, FOUND | {"comments": []})), pdf)
    assert (draft.summary, draft.remarks) == ("A count.", ())


async def test_a_submission_without_a_session_is_said(pdf):
    """Nothing could be fetched."""
    with pytest.raises(ServerFailed, match="names no session"):
        await run(Stub((200, FOUND), submitted=(200, {"ok": True})), pdf)


async def test_nothing_is_sent_without_consent(pdf):
    """To any host but this machine."""
    with pytest.raises(ConsentError, match=r"would go to reviewer3\.com, authors included") as failure:
        await Reviewer3(pdf)(PAPER)
    assert "--set reviewer3.agreed=yes" in str(failure.value)


async def test_what_is_needed_is_asked_for_in_one_line(pdf, tmp_path, monkeypatch):
    """A PDF, a key, a server."""
    other = tmp_path / "bees.txt"
    other.write_text("bees")
    for file, error, said in (
        ("", UsageError, "it reads a PDF and none is named"),
        (str(other), UnusableInput, "this is no PDF"),
        (str(tmp_path / "no.pdf"), UnusableInput, "cannot be read: No such file"),
    ):
        with pytest.raises(error, match=said):
            await run(Stub((200, FOUND)), file)
    with pytest.raises(Refused):
        await Reviewer3(pdf, address=closed_port().removesuffix("/v1"))(PAPER)
    monkeypatch.delenv("REVIEWER3_API_KEY")
    with pytest.raises(UsageError, match="no REVIEWER3_API_KEY; set it in the environment"):
        await run(Stub((200, FOUND)), pdf)


def test_it_is_a_reviewer_with_a_file():
    """`--reviewer reviewer3:PAPER.pdf`."""
    assert json.dumps(Reviewer3("a.pdf").file) == '"a.pdf"'
    assert not Reviewer3.needs_model


@pytest.mark.parametrize("answer", [(500, "busy"), (429, "slowly"), (200, "no JSON")])
async def test_a_failure_while_a_review_is_waited_for_says_how_to_fetch_it(pdf, answer):
    """It is submitted and will be paid for: the same command must not submit it again."""
    with pytest.raises(ProviderError, match=r"to fetch it later: --set reviewer3\.session=s/1"):
        await run(Stub((200, {"status": "processing"}), answer), pdf)
