"""Reviewer3, through its HTTP interface: submit a PDF, ask until the review is there, fetch it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import aiohttp

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
from rereview.models.base import Model, is_loopback
from rereview.models.environment import settings
from rereview.reviewers.imported import read_text
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

ADDRESS = "https://reviewer3.com"
DONE = {"complete", "completed", "done", "ready", "success", "succeeded", "finished"}
BROKEN = {"failed", "error", "errored", "rejected", "cancelled", "canceled"}
STATUSES = {401: KeyRejected, 403: KeyRejected, 402: OutOfCredit, 429: RateLimited}
EXCHANGE = 120.0
"""Seconds for one exchange, the upload included."""
SAID = 200

Json = Any


@dataclass(frozen=True)
class Reviewer3:
    """Send `file`, the paper as PDF, and take the review.

    The key is REVIEWER3_API_KEY, the account REVIEWER3_USER_ID, in the environment or in `.env`.
    The PDF goes to the service as it is, which must be `agreed` to. `session` fetches a review that was
    submitted before, and sends nothing. `poll` and `timeout` are in seconds.
    """

    needs_model: ClassVar[bool] = False
    argument: ClassVar[str] = "file"

    file: str = ""
    session: str | None = None
    agreed: bool = False
    mode: str = "author"
    address: str = ""
    poll: float = 5.0
    timeout: float = 1_800.0

    async def __call__(self, paper: Manuscript, model: Model | None = None) -> Draft:  # noqa: ARG002  the shape of a reviewer
        """The comments of the service, by its rank."""
        known = settings()
        service = _Service(
            address=(self.address or known.get("REVIEWER3_BASE_URL") or ADDRESS).rstrip("/"),
            key=_given(known.get("REVIEWER3_API_KEY"), "REVIEWER3_API_KEY"),
        )
        content = None if self.session else self._content(service)
        async with aiohttp.ClientSession(
            headers={"x-api-key": service.key},
            timeout=aiohttp.ClientTimeout(total=EXCHANGE),
            trust_env=not is_loopback(service.host),
        ) as client:
            name = self.session or ""
            if content is not None:
                user = _given(known.get("REVIEWER3_USER_ID"), "REVIEWER3_USER_ID")
                name = await service.submit(client, Path(self.file).name, content, user, self.mode)
            return _draft(await self._finished(service, client, name))

    def _content(self, service: _Service) -> bytes:
        """The PDF, if it may be sent. Raises UnusableInput, UsageError and ConsentError."""
        if not self.file:
            raise UsageError(
                "it reads a PDF and none is named", where="reviewer3", expected="reviewer3:PAPER.pdf"
            )
        try:
            content = Path(self.file).read_bytes()
        except OSError as error:
            raise UnusableInput(
                f"cannot be read: {error.strerror or error}", where=self.file, expected="the paper as PDF"
            ) from error
        if b"%PDF-" not in content[:1024]:
            raise UnusableInput("this is no PDF", where=self.file, expected="the paper as PDF")
        if not (self.agreed or is_loopback(service.host)):
            raise ConsentError(
                f"{self.file} would go to {service.host}, authors included, and nobody has agreed to it",
                expected="to agree: --set reviewer3.agreed=yes",
            )
        return content

    async def _finished(self, service: _Service, client: aiohttp.ClientSession, name: str) -> Json:
        again = f"to fetch it later: --set reviewer3.session={name}"
        try:
            async with asyncio.timeout(self.timeout):
                while True:
                    found = await _fetched(service, client, name, again)
                    status = str(found.get("status", "")).lower()
                    if status in DONE:
                        return found
                    if status in BROKEN:
                        raise ProviderError(f"the review {name} ended as {status!r}", where=service.host)
                    await asyncio.sleep(self.poll)
        except TimeoutError as error:
            raise TimedOut(
                f"no review within {self.timeout:g} s", where=service.host, expected=again
            ) from error


async def _fetched(service: _Service, client: aiohttp.ClientSession, name: str, again: str) -> Json:
    """The review as it is now; a failure says how to ask for it another time: it was submitted."""
    try:
        return await service.fetch(client, name)
    except ProviderError as failure:
        raise type(failure)(failure.what, where=failure.where, expected=again) from failure


@dataclass(frozen=True)
class _Service:
    address: str
    key: str

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    async def submit(
        self, client: aiohttp.ClientSession, name: str, content: bytes, user: str, mode: str
    ) -> str:
        """The id of the review that is now made."""
        form = aiohttp.FormData({"userId": user, "reviewMode": mode, "filename": name})
        form.add_field("file", content, filename=name, content_type="application/pdf")
        found = await self._exchanged(client, "POST", "/api/internal/review", data=form)
        session = found.get("sessionId") or found.get("session_id")
        if not isinstance(session, str) or not session:
            raise ServerFailed("the answer names no session", where=self.host)
        return session

    async def fetch(self, client: aiohttp.ClientSession, session: str) -> dict[str, Json]:
        """The review as it is now."""
        return await self._exchanged(client, "GET", f"/api/internal/review/{quote(session, safe='')}")

    async def _exchanged(
        self, client: aiohttp.ClientSession, method: str, path: str, **given: Any
    ) -> dict[str, Json]:
        try:
            async with client.request(method, self.address + path, allow_redirects=False, **given) as answer:
                said = await answer.text(errors="replace")
                if answer.status not in {200, 201}:
                    raise self._refusal(answer.status, said)
        except aiohttp.ClientConnectorError as error:
            raise Refused("nothing listens there", where=self.host, expected="check the address") from error
        except TimeoutError as error:
            raise TimedOut(f"no answer within {EXCHANGE:g} s", where=self.host) from error
        except aiohttp.ClientError as error:
            raise ServerFailed(f"the connection broke: {type(error).__name__}", where=self.host) from error
        try:
            found = json.loads(said)
        except ValueError as error:
            raise ServerFailed("the answer is no JSON", where=self.host) from error
        if not isinstance(found, dict):
            raise ServerFailed("the answer is no JSON object", where=self.host)
        return found

    def _refusal(self, status: int, said: str) -> ProviderError:
        line = " ".join(said.replace(self.key, "…").split())[:SAID]
        kind = STATUSES.get(status, ServerFailed if status >= 500 else BadRequest)  # noqa: PLR2004  its own failures
        return kind(f"{status}: {line}" if line else str(status), where=self.host)


def _given(value: str | None, name: str) -> str:
    if not value:
        raise UsageError(
            f"no {name}",
            where="reviewer3",
            expected=f"set it in the environment, or write {name}=... to .env",
        )
    return value


def _draft(found: Json) -> Draft:
    """An empty list of comments is a review that found nothing."""
    if found.get("comments") == []:
        return Draft(summary=str(found["summary"]) if found.get("summary") else None)
    if not isinstance(found.get("comments"), list):
        raise Unreadable(
            "the review has no comments field", where="reviewer3", status="invalid", raw=json.dumps(found)
        )
    return read_text(json.dumps(found), where="reviewer3")[0].draft
