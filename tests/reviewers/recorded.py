"""A model whose answers come from a function, behind the real journal; and a paper of bees."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from rereview.models.journal import Journal
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.call import Call, Request
from rereview.types.manuscript import Block, Manuscript


@dataclass
class Ledger:
    """In memory."""

    calls: dict[str, Call] = field(default_factory=dict)

    def get_call(self, call_id):
        return self.calls.get(call_id)

    def add_call(self, call):
        self.calls[call.id] = call


@dataclass
class Recorded:
    """A journal and the requests that were made through it."""

    answer: Callable[[Request], object]
    requests: list[Request] = field(default_factory=list)
    name: str = "function"

    def __post_init__(self):
        def script(request):
            self.requests.append(request)
            said = self.answer(request)
            return said if isinstance(said, str) else json.dumps(said)

        self.ledger = Ledger()
        self.model = Journal(ScriptedEndpoint(script, self.name), self.ledger, "sample", FREE, Cap(1.0))


def user(request):
    return request.messages[-1].text


def issue(title, quote="", severity="moderate", pages=()):
    return {
        "title": title,
        "explanation": f"{title} is wrong.",
        "quote": quote,
        "severity": severity,
        "pages": list(pages),
    }


def paper(*texts, kind="paragraph"):
    blocks = tuple(
        Block(
            id=f"b{number}",
            text=text.removeprefix("# "),
            kind="heading" if text.startswith("# ") else kind,
            level=1 if text.startswith("# ") else None,
        )
        for number, text in enumerate(texts)
    )
    return Manuscript(
        id="0123456789abcdef",
        paper_id="bees",
        title="Bees",
        format="markdown",
        blocks=blocks,
        sequence=tuple(block.id for block in blocks),
    )
