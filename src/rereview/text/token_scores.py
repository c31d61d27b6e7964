"""Probabilities of whole scores, out of the log-probabilities of an answer's tokens.

The score is found in the tokens by reading them as JSON, never by an offset into the answer: tokens may
hold a fence that the answer does not. At its place each token that says a legal score gives its
probability. A score may be several tokens (`1` and `0` are 10): then `1` alone says neither, and the
token after it decides. That token is known only where `1` was written; elsewhere its probability is
left out, and said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import exp

from rereview.types.call import Token
from rereview.types.review import ScoreProbability

_DIGITS = re.compile(r"\d*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COLON = re.compile(r'\s*:\s*"?')
LOST = 0.005
"""Probability from which on it is worth a note that it was left out."""


@dataclass(frozen=True)
class ScoreMass:
    """Legal scores that came back, ascending, renormalised; `legal` is what they held before.

    `unresolved` stood on tokens that begin more than one score; `problem` says why there is nothing.
    """

    probabilities: tuple[ScoreProbability, ...] = ()
    legal: float = 0.0
    unresolved: float = 0.0
    problem: str | None = None

    @property
    def note(self) -> str:
        """What was read, in words."""
        said = f"{self.legal:.3f} of the probability stood on legal scores"
        if self.unresolved < LOST:
            return f"{said}, renormalised to 1."
        return (
            f"{said}, renormalised to 1; {self.unresolved:.3f} stood on a token that begins more than one "
            "score and was not written, and is in none."
        )


@dataclass
class _Reading:
    """Walks from the token of the score along what was written."""

    tokens: Sequence[Token]
    legal: frozenset[str]
    mass: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    lengths: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    unresolved: float = 0.0

    def walk(self, at: int, before: str, prefix: str, reached: float) -> None:
        """`before`: what the token at `at` holds before the score; `prefix`: digits of earlier tokens."""
        written = self.tokens[at]
        choices = dict(written.top) | {written.text: written.logprob}
        single = {digits for text in choices if (digits := _digits(text, before)) is not None}
        for text, logprob in choices.items():
            here, length = reached * exp(logprob), len(prefix) and 1
            digits = _digits(text, before)
            if digits is None:
                continue
            ended = digits == "" or not text.rstrip().endswith(digits)
            said = prefix + digits
            if digits == "" and not prefix:
                continue
            longer = not ended and any(
                each != said and each.startswith(said) and not (each in single and not prefix)
                for each in self.legal
            )
            if not longer:
                self._give(said, here, 1 + length)
            elif text == written.text and at + 1 < len(self.tokens):
                self.walk(at + 1, "", said, here)
            else:
                self.unresolved += here

    def _give(self, said: str, probability: float, tokens: int) -> None:
        if said in self.legal:
            self.mass[said] += probability
            self.lengths[said].add(tokens)


def _digits(text: str, before: str) -> str | None:
    """The digits with which a token goes on after `before`; "": it ends a number; None: it does neither.

    Spaces do not count; a decimal is no whole score.
    """
    bare = before.strip()
    rest = text.lstrip()
    if bare:
        if not rest.startswith(bare):
            return None
        rest = rest[len(bare) :].lstrip()
    digits = _DIGITS.match(rest)
    found = digits.group() if digits else ""
    after = rest[len(found) :]
    if after.startswith(".") or (after and after[0].isalnum()):
        return None
    return found


def score_mass(
    tokens: Sequence[Token], *, field_name: str, values: Sequence[float], score: float
) -> ScoreMass:
    """The distribution at the place where `field_name` was given as `score`; `values` are the legal ones.

    Shape of the result: at most one entry a value, probabilities in (0, 1] that sum to 1.
    """
    text = "".join(token.text for token in tokens)
    starts = [0, *accumulate(len(token.text) for token in tokens)]
    places = [at for at in _places(text, field_name) if re.match(rf"{score:g}(?![\d.])", text[at:])]
    if not places:
        return ScoreMass(problem="the score does not stand in the tokens that came back")
    first = next(n for n in range(len(tokens)) if starts[n + 1] > places[-1])
    reading = _Reading(tokens, frozenset(f"{value:g}" for value in values))
    reading.walk(first, text[starts[first] : places[-1]], "", 1.0)
    total = sum(reading.mass.values())
    if total <= 0:
        return ScoreMass(unresolved=reading.unresolved, problem="no token of a legal score came back")
    return ScoreMass(
        tuple(
            ScoreProbability(score=int(said), probability=mass / total, how=_how(reading.lengths[said]))
            for said, mass in sorted(reading.mass.items(), key=lambda item: int(item[0]))
        ),
        legal=total,
        unresolved=reading.unresolved,
    )


def _how(lengths: set[int]) -> str:
    if lengths == {1}:
        return "one token"
    return "the product of several tokens" if 1 not in lengths else "one token, and the product of several"


def _places(text: str, name: str) -> Iterator[int]:
    """Where a value of the key `name` begins, in any object of the text that is JSON."""
    at = text.find("{")
    while 0 <= at < len(text):
        match = _STRING.match(text, at)
        if match is None:
            at += 1
            continue
        at = match.end()
        colon = _COLON.match(text, at) if match.group() == f'"{name}"' else None
        if colon:
            yield colon.end()
