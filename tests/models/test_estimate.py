"""The estimate before the first call, beside what a meter bills, for every reviewer of ours.

Its vocabulary, the length of its answers and what its cache holds are drawn and kept here, by code that
knows nothing of the estimate.
"""

import json
import random
from collections import defaultdict
from copy import copy
from datetime import UTC, datetime
from itertools import count

import pytest

from rereview.models.prices import Cap, Price
from rereview.reviewers.panel import Panel
from rereview.reviewers.progressive import Progressive
from rereview.reviewers.scorecard import Scorecard
from rereview.reviewers.zero_shot import ZeroShot
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration, run
from rereview.study.store import Store
from rereview.study.usual import usual
from rereview.types.call import Completion, Usage
from rereview.types.manuscript import Block, Manuscript

FORMS = ("iclr-anchored", "iclr-2025", "neurips-2025", "tmlr")
REVIEWERS = {
    "scorecard": lambda number: (Scorecard(form=FORMS[number % 4]), 1 + number % 5),
    "zero_shot": lambda _: (ZeroShot(), 1),
    "progressive": lambda _: (Progressive(), 1),
    "panel": lambda _: (Panel(), 1),
}


class Meter:
    """Bills a study: so many characters a token, sentences of any length, lists of two to five items.

    What it answers hangs on what it is asked and how often it was asked that, not on the order of the calls.
    """

    name, address, host = "openai:m", "https://api.example.org/v1", "api.example.org"

    def __init__(self, rng, *, caches, issues=(2, 5)):
        self.seed, self.caches, self.issues = rng.random(), caches, issues
        self.characters = rng.uniform(3.6, 4.6)
        self.answered = []
        self.times = defaultdict(count)

    def sentence(self):
        words = self.rng.randint(8, 30)
        return " ".join("x" * self.rng.randint(2, 9) for _ in range(words)) + "."

    def quote(self, text):
        start = self.rng.randrange(max(1, len(text) - 200))
        return text[start : start + self.rng.randint(60, 200)]

    def value(self, node, root, text, name=""):
        if "$ref" in node:
            return self.value(root["$defs"][node["$ref"].split("/")[-1]], root, text, name)
        if "enum" in node:
            return self.rng.choice(node["enum"])
        kind = node.get("type")
        if kind == "object":
            return {key: self.value(part, root, text, key) for key, part in node["properties"].items()}
        if kind == "array":  # nothing is merged or dropped
            told = self.issues if name == "issues" else (2, 5)
            many = 0 if name in ("pages", "numbers", "merge", "drop", "same") else self.rng.randint(*told)
            return [self.value(node["items"], root, text, name) for _ in range(many)]
        if kind == "string":
            return self.quote(text) if name == "quote" else self.sentence()
        return self.rng.randint(1, 9)

    def cached(self, asked):
        """Characters that an earlier request began with, from 1,024 tokens on in steps of 128."""
        best = 0
        for earlier in self.answered:
            low, high = 0, min(len(earlier), len(asked))
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if earlier.startswith(asked[:middle]) else (low, middle - 1)
            best = max(best, low)
        tokens = int(best / self.characters)
        return tokens // 128 * 128 if self.caches and tokens >= 1_024 else 0

    async def complete(self, request):
        """The endpoint of the study: it answers at once and counts."""
        schema = json.loads(request.answer_schema)
        texts = [message.text for message in request.messages]
        asked = request.answer_schema + "".join(texts)
        answering = copy(self)
        answering.rng = random.Random(f"{self.seed} {next(self.times[asked])} {asked}")
        text = json.dumps(answering.value(schema, schema, texts[-1]))
        usage = Usage(
            input_tokens=int(len(asked) / self.characters),
            cached_tokens=self.cached(asked),
            output_tokens=int(len(text) / self.characters),
        )
        self.answered.append(asked)
        return Completion(text=text, finish="stop", usage=usage)

    async def aclose(self):
        """Nothing is open."""


def made_up(rng, number, size):
    """A paper of so many blocks, of about 195 tokens each."""
    blocks = [
        Block(
            id=f"b{at}",
            kind="paragraph",
            text=" ".join("".join(rng.choices("abcdefgh", k=rng.randint(2, 9))) for _ in range(120)),
        )
        for at in range(rng.randint(*size))
    ]
    names = tuple(block.id for block in blocks)
    return Manuscript(
        id=f"{number:016x}",
        paper_id=f"p{number}",
        title="P",
        format="markdown",
        blocks=tuple(blocks),
        sequence=names,
    )


class Nobody:
    """Is told of every round."""

    def called(self, call, *, replayed):
        """Nothing is drawn."""

    def reviewed(self, record):
        assert record.status in ("ok", "repaired"), record.error


async def allowed(endpoint, request):
    """Everything may leave."""


STUDIES = {"progressive": 20, "panel": 30}
LONG, SHORT = (60, 180), (15, 103)
"""Papers of about 12,000 to 35,000 and of 3,000 to 20,000 tokens."""


@pytest.mark.parametrize(
    ("reviewer", "size", "issues", "near"),
    [
        ("scorecard", LONG, (2, 5), 0.9),
        ("zero_shot", LONG, (2, 5), 0.9),
        pytest.param("progressive", LONG, (2, 5), 0.9, marks=pytest.mark.long),
        pytest.param("panel", LONG, (2, 5), 0.9, marks=pytest.mark.long),
        pytest.param("panel", SHORT, (2, 5), 0.9, marks=pytest.mark.long),
        pytest.param("panel", SHORT, (0, 8), 0.0, marks=pytest.mark.long),
    ],
)
async def test_the_estimate_is_within_a_quarter_of_the_bill_in_nine_of_ten_studies(
    reviewer, size, issues, near, tmp_path
):
    """Papers of many lengths, output three to six times the price of input; every other provider caches.

    Where nobody knows how many issues are found no one number is near; the bill is within the range.
    """
    rng, studies = random.Random(20), STUDIES.get(reviewer, 40)
    shares, inside = [], []
    for number in range(studies):
        meter = Meter(rng, caches=number % 2 == 0, issues=issues)
        base = rng.uniform(1, 10)
        cached = f"{base / 10:.3f}" if number % 2 == 0 else None
        price = Price(input=f"{base:.2f}", output=f"{base * rng.uniform(3, 6):.2f}", cached=cached)
        asked, rounds = REVIEWERS[reviewer](number)
        made = [Configuration(reviewer, asked, Fixed(rounds), meter, price)]
        paper, cap = made_up(rng, number, size), Cap(1000)
        estimate = await usual(made, paper, {})
        with Store(tmp_path / f"{number}") as store:
            await run(
                paper,
                made,
                store,
                cap=cap,
                gate=allowed,
                watch=Nobody(),
                clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
            )
        shares.append(estimate.likely / cap.spent)
        inside.append(estimate.low <= cap.spent <= estimate.high)
    assert sum(abs(share - 1) <= 0.25 for share in shares) >= near * studies, sorted(shares)
    assert sum(inside) >= 0.95 * studies, sorted(shares)
