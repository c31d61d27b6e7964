"""OpenAI's batch interface: a file of requests, a batch, a file of answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from openai import AsyncOpenAI, OpenAIError

from rereview.errors import AnswerLost, ProviderError
from rereview.models.batch import Answers, Progress, lines
from rereview.models.openai import OpenAIEndpoint
from rereview.models.wire import answer_of, failure_of, status_failure
from rereview.types.call import Completion, Request

PATH: Literal["/v1/chat/completions"] = "/v1/chat/completions"
LOST = frozenset({"failed", "cancelled"})


@dataclass(frozen=True)
class OpenAIBatches:
    """Batches of one model."""

    endpoint: OpenAIEndpoint
    client: AsyncOpenAI = field(repr=False)

    async def submit(self, requests: Mapping[str, Request]) -> str:
        """Upload the requests and begin a batch of them."""
        rows = [
            json.dumps(
                {
                    "custom_id": key,
                    "method": "POST",
                    "url": PATH,
                    "body": {"model": self.endpoint.id} | self.endpoint.body(request),
                }
            )
            for key, request in requests.items()
        ]
        try:
            content = "\n".join(rows).encode()
            file = await self.client.files.create(file=("rereview.jsonl", content), purpose="batch")
            made = await self.client.batches.create(
                input_file_id=file.id, endpoint=PATH, completion_window="24h"
            )
        except OpenAIError as error:
            raise self._failure(error) from error
        return made.id

    async def progress(self, batch_id: str) -> Progress:
        """How far it is; what expired in part is done in part."""
        try:
            found = await self.client.batches.retrieve(batch_id)
        except OpenAIError as error:
            raise self._failure(error) from error
        counts = found.request_counts
        words = f"{found.status}, {counts.completed} of {counts.total}" if counts else found.status
        if found.status in {"completed", "expired"}:
            return Progress("done", words)
        return Progress("lost" if found.status in LOST else "working", words)

    async def answers(self, batch_id: str) -> Answers:
        """Completions and failures by call."""
        try:
            found = await self.client.batches.retrieve(batch_id)
            named = [name for name in (found.output_file_id, found.error_file_id) if name]
            contents = [(await self.client.files.content(name)).content for name in named]
        except OpenAIError as error:
            raise self._failure(error) from error
        rows = [row for content in contents for row in lines(content)]
        read = ((str(row.get("custom_id")), self._answer(row)) for row in rows)
        return {key: answer for key, answer in read if answer is not None}

    def _answer(self, row: dict[str, object]) -> Completion | ProviderError | None:
        """None: it expired, and is to be asked again."""
        response = row.get("response")
        if not isinstance(response, dict):
            return None
        body = json.dumps(response.get("body")).encode()
        status = response.get("status_code")
        if status != 200:  # noqa: PLR2004 - OK
            return status_failure(int(status or 500), str(response.get("body"))[:200], self.endpoint.address)
        try:
            return answer_of(body, self.endpoint.address, structured=True)
        except AnswerLost as error:
            return error

    def _failure(self, error: OpenAIError) -> ProviderError:
        return failure_of(error, self.endpoint.address, self.endpoint.timeout)
