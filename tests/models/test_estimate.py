"""The estimate before the first call, beside what a metered server bills.

The server's vocabulary and the length of its answers are drawn here, by code that knows nothing of the
estimate.
"""

import json
import random

from rereview.models.base import schema_of
from rereview.models.journal import Journal
from rereview.models.openai import OpenAIEndpoint
from rereview.models.prices import Cap, Price, likely
from rereview.reviewers.answer_form import shape_of
from rereview.reviewers.illustrated import Given
from rereview.reviewers.scorecard import Scorecard
from rereview.types.call import Request
from servers import Ok, serve

STUDIES = 60
FORMS = ("iclr-anchored", "iclr-2025", "neurips-2025", "tmlr")


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


class Meter:
    """Bills a study: so many characters a token, sentences of any length, lists of two to five."""

    def __init__(self, rng):
        self.rng = rng
        self.characters = rng.uniform(3.6, 4.6)

    def sentence(self):
        words = self.rng.randint(8, 30)
        return " ".join("x" * self.rng.randint(2, 9) for _ in range(words)) + "."

    def value(self, node, root):
        if "$ref" in node:
            return self.value(root["$defs"][node["$ref"].split("/")[-1]], root)
        if "enum" in node:
            return self.rng.choice(node["enum"])
        kind = node.get("type")
        if kind == "object":
            return {name: self.value(part, root) for name, part in node["properties"].items()}
        if kind == "array":
            return [self.value(node["items"], root) for _ in range(self.rng.randint(2, 5))]
        return self.sentence() if kind == "string" else self.rng.randint(1, 9)

    def __call__(self, body):
        schema = body["response_format"]["json_schema"]["schema"]
        text = json.dumps(self.value(schema, schema))
        asked = sum(len(message["content"]) for message in body["messages"]) + len(json.dumps(schema))
        usage = {
            "prompt_tokens": int(asked / self.characters),
            "completion_tokens": int(len(text) / self.characters),
        }
        return Ok(text, usage=usage)


def studies(rng):
    """Requests, prices, rounds and what bills them."""
    for number in range(STUDIES):
        reviewer = Scorecard(form=FORMS[number % len(FORMS)])
        paper = Given("words " * rng.randint(2_000, 40_000), ())
        request = Request(
            messages=reviewer.messages(paper),
            answer_schema=schema_of(shape_of(reviewer.filled)),
            max_output_tokens=reviewer.most_tokens,
        )
        base = rng.uniform(1, 10)
        price = Price(input=f"{base:.2f}", output=f"{base * rng.uniform(3, 6):.2f}")
        yield request, price, rng.randint(1, 3), Meter(rng)


async def test_the_estimate_is_within_a_quarter_of_the_bill_in_nine_of_ten_studies():
    """Papers of 3,000 to 60,000 tokens, four forms, output three to six times the price of input."""
    rng = random.Random(20)
    near, now = 0, []

    def billed(body):
        return now[-1](body)

    with serve(billed) as server:
        endpoint = OpenAIEndpoint("m", server.base_url)
        for number, (request, price, rounds, meter) in enumerate(studies(rng)):
            now.append(meter)
            cap = Cap(1000)
            for turn in range(rounds):
                await Journal(endpoint, Shelf(), f"s{number}/{turn}", price, cap)(request)
            near += abs(likely((request,) * rounds, price) - cap.spent) <= 0.25 * cap.spent
        await endpoint.aclose()
    assert near >= 0.9 * STUDIES, near
