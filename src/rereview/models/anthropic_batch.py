"""Anthropic's batch interface: the requests in one message, the answers as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from anthropic import AnthropicError

from rereview.errors import AnswerLost, ProviderError, ServerFailed
from rereview.models.anthropic import AnthropicEndpoint, completion_of, failure_of
from rereview.models.batch import Answers, Progress, lines
from rereview.models.wire import status_failure
from rereview.types.call import Completion, Request

STATUSES = {
    "authentication_error": 401,
    "permission_error": 403,
    "billing_error": 402,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}


@dataclass(frozen=True)
class AnthropicBatches:
    """Batches of one model."""

    endpoint: AnthropicEndpoint

    async def submit(self, requests: Mapping[str, Request]) -> str:
        """Begin a batch of these requests. They run at the same time, so no mark would pay."""
        rows: list[Any] = [
            {"custom_id": key, "params": _params(self.endpoint.body(request, marks=False))}
            for key, request in requests.items()
        ]
        try:
            made = await self.endpoint.client().messages.batches.create(requests=rows)
        except AnthropicError as error:
            raise self._failure(error) from error
        return made.id

    async def progress(self, batch_id: str) -> Progress:
        """How far it is."""
        try:
            found = await self.endpoint.client().messages.batches.retrieve(batch_id)
        except AnthropicError as error:
            raise self._failure(error) from error
        counts = found.request_counts
        words = f"{found.processing_status}, {counts.succeeded} done, {counts.processing} to do"
        return Progress("done" if found.processing_status == "ended" else "working", words)

    async def answers(self, batch_id: str) -> Answers:
        """Completions and failures by call."""
        batches = self.endpoint.client().messages.batches
        try:
            place = urlsplit((await batches.retrieve(batch_id)).results_url or "").netloc
            if place != self.endpoint.host:  # the key goes to the host that was agreed to
                raise ServerFailed(f"the answers of {batch_id} are elsewhere, at {place!r}", where=batch_id)
            found = await batches.with_raw_response.results(batch_id)
            content = await found.read()
        except AnthropicError as error:
            raise self._failure(error) from error
        read = ((str(row.get("custom_id")), self._answer(row.get("result"))) for row in lines(content))
        return {key: answer for key, answer in read if answer is not None}

    def _answer(self, result: Any) -> Completion | ProviderError | None:
        """None: it expired or was cancelled, and is to be asked again."""
        kind = result.get("type") if isinstance(result, dict) else None
        if kind == "succeeded":
            try:
                body = json.dumps(result.get("message")).encode()
                return completion_of(body, self.endpoint.address, structured=True)
            except AnswerLost as error:
                return error
        if kind != "errored":
            return None
        told = (result.get("error") or {}).get("error") or {}
        status = STATUSES.get(str(told.get("type")), 400)
        return status_failure(status, str(told.get("message")), self.endpoint.address)

    def _failure(self, error: AnthropicError) -> ProviderError:
        return failure_of(error, self.endpoint.address, self.endpoint.timeout)


def _params(body: dict[str, Any]) -> dict[str, Any]:
    """What the SDK would have put beside its own parameters stands among them."""
    extra: dict[str, Any] = body.pop("extra_body", {})
    return body | extra
