"""Through the real SDK, against a server on loopback."""

import asyncio
import json
import logging

import pytest
from rereview.errors import (
    BadRequest,
    KeyRejected,
    OutOfCredit,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    UsageError,
)
from rereview.models.openai import OpenAIEndpoint, ollama, openai, openrouter, vllm
from rereview.types.call import Message, Request
from servers import Fault, Ok, closed_port, serve

KEY = "sk-canary-5d1f"
ASK = Request(
    messages=(Message(role="user", text="Well?"),), answer_schema='{"type":"object"}', max_output_tokens=9
)


def at(server, **options):
    address = server if isinstance(server, str) else server.base_url
    return OpenAIEndpoint("m", address, key=KEY, **{"max_retries": 0, "timeout": 5.0} | options)


async def answered(endpoint, request=ASK):
    try:
        return await endpoint.complete(request)
    finally:
        await endpoint.aclose()


async def test_an_answer_comes_with_its_counts():
    """Text, finish, name and token counts of a completion are read; what is absent is None."""
    usage = {
        "prompt_tokens": 90,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 50},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    with serve(Ok("yes", usage=usage)) as server:
        answer = await answered(at(server))
    assert (answer.text, answer.finish, answer.model, answer.structured) == (
        "yes",
        "stop",
        "scripted-model",
        True,
    )
    counts = answer.usage
    assert (counts.input_tokens, counts.cached_tokens, counts.output_tokens, counts.reasoning_tokens) == (
        90,
        50,
        30,
        20,
    )
    assert counts.cache_write_tokens is None
