"""The text of a model's answer becomes a validated record, or a status that says why not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from rereview.text.fitting import Fit, answers_in, fit
from rereview.text.lenient import Found
from rereview.text.scanning import scan
from rereview.types.record import Record

T = TypeVar("T", bound=Record)
ReadStatus = Literal["ok", "repaired", "invalid", "refused", "truncated"]

RESTARTS = 8
"""How often the text after a beginning that came to nothing is looked at again."""

_REFUSAL = re.compile(
    r"\W*(?:i\W?m (?:very )?sorry|i am sorry|sorry|my apologies|i apologi[sz]e|as an ai\b|unfortunately,? i\b"
    r"|i (?:can\W?t|cannot|can not|won\W?t|will not|am (?:unable|not able)|must (?:decline|refuse)|decline))"
    r"|i\W?m (?:unable|not able)",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What could be read.

    `ok`: strict JSON of the shape, whatever stood around it. `repaired`: its text or a value had
    to be put right, or something was left out. `truncated`: the text ends within it; with a
    value, what was whole is there. `problem` says what; None: nothing.
    """

    value: T | None
    status: ReadStatus
    problem: str | None = None


@dataclass(frozen=True)
class _Candidate(Generic[T]):
    found: Found
    fit: Fit[T]
    unwrapped: bool


def read_answer(text: str, shape: type[T]) -> Reading[T]:
    """Read one record out of an answer: the last that is one and stands outside the reasoning.

    Never raises, whatever the text. A number that is not said unambiguously is not guessed: a
    later attempt at an answer with such a number also voids the earlier ones.
    """
    clean = storable(text)
    start = 0
    reasoning = False
    failed: list[_Candidate[T]] = []
    for _ in range(RESTARTS):
        scanned = scan(clean, start)
        reasoning = reasoning or scanned.reasoning
        candidates = [each for found in scanned.found for each in _candidates(found, shape)]
        reading = _chosen(candidates)
        if reading is not None:
            return _marked(reading) if clean != text and reading.status == "ok" else reading
        failed = failed or candidates
        last = scanned.found[-1] if scanned.found else None
        if last is None or last.closed or last.end < len(clean) or not last.value:
            break
        start = last.start + 1
    return _none(clean, failed, reasoning=reasoning)


def storable(text: str) -> str:
    """The text with a replacement character for each lone surrogate, which no file can hold."""
    return _SURROGATE.sub("\ufffd", text)


def _candidates(found: Found, shape: type[T]) -> list[_Candidate[T]]:
    parts = answers_in(found.value, shape)
    return [_Candidate(found, fit(part, shape), unwrapped) for part, unwrapped in parts]


def _chosen(candidates: list[_Candidate[T]]) -> Reading[T] | None:
    """The last candidate that fits, unless a later one names a number that cannot be read."""
    for number in range(len(candidates) - 1, -1, -1):
        last = candidates[number]
        if last.fit.value is not None:
            return _reading(last, candidates[:number])
        if last.fit.unread_number:
            return Reading(None, "invalid", last.fit.problem)
    return None


def _reading(chosen: _Candidate[T], earlier: list[_Candidate[T]]) -> Reading[T]:
    others = [each for each in earlier if each.fit.value != chosen.fit.value]
    notes = [*chosen.found.repairs, *chosen.fit.notes]
    notes += ["an object around it"] if chosen.unwrapped else []
    notes += [f"{len(others) + 1} answers that differ, the last is used"] if others else []
    problem = "; ".join(notes) or None
    if not chosen.found.closed:
        return Reading(chosen.fit.value, "truncated", problem or "the answer is cut")
    return Reading(chosen.fit.value, "repaired" if notes else "ok", problem)


def _none(text: str, candidates: list[_Candidate[T]], *, reasoning: bool) -> Reading[T]:
    if candidates:
        last = candidates[-1]
        return Reading(None, "invalid" if last.found.closed else "truncated", last.fit.problem)
    if reasoning:
        return Reading(None, "truncated", "the reasoning does not end")
    if _REFUSAL.match(text):
        return Reading(None, "refused", " ".join(text[:200].split()))
    return Reading(None, "invalid", "no JSON object in it" if text.strip() else "the answer is empty")


def _marked(reading: Reading[T]) -> Reading[T]:
    return Reading(reading.value, "repaired", "a character that cannot be stored")
