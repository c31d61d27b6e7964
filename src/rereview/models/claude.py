"""How Claude's own interface caches: which beginnings of a request it keeps, and what they cost.

Nothing is kept there unless a request marks it, with at most four marks; a beginning that is shorter than
the model's minimum is processed as if it had no mark. Of requests at the same time none finds what another
writes: what is kept can be read as soon as the first answer has begun, for five minutes after its last use.
[1] Anthropic, Prompt caching, platform.claude.com/docs/en/build-with-claude/prompt-caching, October 2026.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rereview.models.base import Caching

MOST_MARKS = 4
READ, WRITE = Decimal("0.1"), Decimal("1.25")
"""Prices in those of an ordinary input token [1]. Some models read for less, which is then to be given with
`--price`; none for more."""
LEAST = {
    4_096: ("opus-4-6", "opus-4-5", "haiku-4-5"),
    2_048: ("opus-4-7", "mythos-preview", "3-5-haiku", "haiku-3-5"),
    512: ("fable-5", "mythos-5", "opus-5", "sonnet-5-5", "haiku-5-5"),
}
"""Shortest beginnings by what the model's id holds [1]."""
OTHERWISE = 1_024
"""Of the models between, and of one that is not known: a mark that is too short costs nothing."""


def caching(identifier: str) -> Caching:
    """How the model of this id is cached."""
    for least, names in LEAST.items():
        if re.search(rf"(?<![a-z0-9])(?:{'|'.join(names)})(?![0-9])", identifier):
            return Caching(least, READ, WRITE)
    return Caching(OTHERWISE, READ, WRITE)
