"""One answer, spoilt in every way that models know."""

import json
import random
import re
from collections.abc import Callable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from rereview.text.answers import read_answer
from rereview.types.record import Record

FORMULAE = (
    r"\alpha \to \beta",
    r"\frac{1}{2}",
    r"$\theta_t = \nabla f(\rho)$",
    r"\text{if } x \neq 0",
    r"\(n \times m\)",
)
WORDS = re.findall(
    r"\w+", "the bound of Lemma holds only where every term is finite and the sum converges so we doubt"
)


class Concern(Record):
    """One entry of the list."""

    title: str
    quote: str
    severity: Literal["major", "minor"] | None = None


class Form(Record):
    """A small form."""

    score: int = Field(ge=1, le=10)
    summary: str
    confidence: float | None = None
    concerns: tuple[Concern, ...] = ()


class Forced(Record):
    """A scale that is a set."""

    score: Literal[1, 3, 5, 6, 8, 10]
    summary: str


def form(rng: random.Random) -> Form:
    """A filled form with formulas, quotes and line breaks in it."""
    concerns = tuple(
        Concern(
            title=_words(rng),
            quote=f"{_words(rng)} {rng.choice(FORMULAE)}",
            severity=rng.choice(("major", "minor")),
        )
        for _ in range(rng.randint(1, 4))
    )
    return Form(score=rng.randint(1, 10), summary=f"{_words(rng)}: {_words(rng)}", concerns=concerns)


def _words(rng):
    return " ".join(rng.sample(WORDS, rng.randint(3, 7)))


def written(filled, rng, **changes):
    """Correct JSON of the form with some values replaced; compact or indented."""
    return json.dumps(
        filled.model_dump() | changes, indent=rng.choice((None, 2)), ensure_ascii=rng.random() < 0.5
    )


Spoil = Callable[[Form, random.Random], str]
RECOVERED: dict[str, Spoil] = {
    "as it should be": written,
    "fenced": lambda f, r: f"```json\n{written(f, r)}\n```",
    "prose around": lambda f, r: (
        f"Here is [1] my {{review}}:\n\n{written(f, r)}\n\nI hope {{this}} helps [2]."
    ),
    "empty list in prose": lambda f, r: f"There were [] issues at first. {written(f, r)}",
    "thinking before": lambda f, r: f'<think>{{"score": 1, "summary": "no"}} or {{ </think>\n{written(f, r)}',
    "thinking without a beginning": lambda f, r: (
        f'Maybe {{"score": 1, "summary": "no"}}\n</think>{written(f, r)}'
    ),
    "empty answer within thinking": lambda f, r: f'<think>{{"concerns": []}}</think>{written(f, r)}',
    "trailing commas": lambda f, r: re.sub(r'(["}\]l])(\s*[}\]])', r"\1,\2", written(f, r)),
    "single quotes": lambda f, r: repr(f.model_dump(exclude={"confidence"}, mode="json")).replace(
        "\\\\", "\\"
    ),
    "python literals": lambda f, r: written(f, r).replace("null", "None"),
    "line breaks in strings": lambda f, r: written(f, r, summary="@").replace('"@"', '"one\ntwo"'),
    "smart quotes": lambda f, r: json.dumps(f.model_dump()).replace('"', "”").replace("”: ”", "”: “"),
    "byte order mark": lambda f, r: "\ufeff" + written(f, r),
    "bare keys": lambda f, r: written(f, r).replace('"score"', "score").replace('"summary"', "summary"),
    "missing comma": lambda f, r: json.dumps(f.model_dump(), indent=1).replace(
        ',\n "concerns"', '\n "concerns"'
    ),
    "comments in it": lambda f, r: (
        written(f, r).replace('{"', '{ // the form\n"', 1).replace("{\n", "{ /* form */\n", 1)
    ),
    "unescaped quotes": lambda f, r: written(f, r, summary="@").replace('"@"', '"a "bold", claim"'),
    "score as text": lambda f, r: written(f, r, score=str(f.score)),
    "score of ten": lambda f, r: written(f, r, score=f"{f.score}/10"),
    "score of ten, bare": lambda f, r: written(f, r).replace(f'"score": {f.score}', f'"score": {f.score}/10'),
    "score with its meaning": lambda f, r: written(f, r, score=f"{f.score}: marginally above acceptance"),
    "score in words": lambda f, r: written(f, r, score=f"Score: {f.score} (out of scale's top)"),
    "score as decimal": lambda f, r: written(f, r, score=float(f.score)),
    "lone backslashes": lambda f, r: written(f, r).replace("\\\\", "\\"),
    "names in another case": lambda f, r: (
        written(f, r).replace('"score"', '"Score"').replace('"summary"', '"SUMMARY"')
    ),
    "fields nobody asked for": lambda f, r: written(f, r, verdict="fine", score_of_9={"a": [9]}),
    "severity in another case": lambda f, r: (
        written(f, r).replace('"major"', '"Major"').replace('"minor"', '"MINOR"')
    ),
    "wrapped": lambda f, r: json.dumps({"review": json.loads(written(f, r))}),
    "tool call": lambda f, r: json.dumps({"name": "submit", "arguments": written(f, r)}),
    "list of one": lambda f, r: f"[{written(f, r)}]",
    "the last of two": lambda f, r: f"{written(form(r), r)}\nOn reflection:\n{written(f, r)}",
    "loop": lambda f, r: f"{written(f, r)}\n" * 5 + written(f, r)[: r.randint(1, 20)],
    "begun anew": lambda f, r: f'{{"score": 1, "summary": "I beg\n\nOnce more:\n{written(f, r)}',
    "duplicated key": lambda f, r: written(f, r).replace('"score"', f'"score": {f.score}, "score"'),
    "null for a missing list": lambda f, r: written(f, r, concerns=None),
    "NUL": lambda f, r: written(f, r, summary="@").replace(
        "@", r.choice(("a\0b", "a\\u0000b", "a\\ud800b", "a\ud800b"))
    ),
    "nan beside it": lambda f, r: written(f, r).replace("null", "NaN"),
    "other language": lambda f, r: f"以下是评审意见：\n{written(f, r, summary='这篇论文很好。')}",
}
"""Nothing of these is ambiguous: the score must come back."""

LOST: dict[str, Spoil] = {
    "range": lambda f, r: written(f, r, score=r.choice(("between 6 and 8", "6-8", "6 to 8", "6–8", "7±1"))),
    "alternatives": lambda f, r: written(
        f, r, score=r.choice(("7 or 8", "8, maybe 9", "8 (or nine)", "5/6"))
    ),
    "between two integers": lambda f, r: written(f, r, score=r.choice((6.5, "6.5", "6.5/10"))),
    "another scale": lambda f, r: written(f, r, score=r.choice(("4/5", "80/100", "B+", "80%"))),
    "out of range": lambda f, r: written(f, r, score=r.choice((11, -1, 0, "11/10", 10**30))),
    "no number": lambda f, r: written(f, r, score=r.choice(("accept", "", None, True, [], {}, "n/a"))),
    "not a number": lambda f, r: written(f, r, score=float(r.choice(("nan", "inf", "-inf")))),
    "two scores": lambda f, r: written(f, r).replace('"score"', f'"score": {f.score % 10 + 1}, "score"'),
    "bounded": lambda f, r: written(f, r, score=r.choice(("at least 6", "8+", "<8", "not 8", "~7", "8?"))),
    "corrected to a range": lambda f, r: f"{written(f, r)} Rather: {written(f, r, score='5-6')}",
    "number cut": lambda f, r: f'{{"summary": "s", "score": {f.score}',
    "refusal": lambda f, r: r.choice(
        ("I'm sorry, but I can't review this.", "I cannot help.", "As an AI, no.")
    ),
    "empty": lambda f, r: r.choice(("", "  \n", "\ufeff")),
    "page of a gateway": lambda f, r: (
        "<!doctype html><style>p {color: red}</style><p>504 Gateway Time-out [8]"
    ),
    "words": lambda f, r: f"I would give this paper a score of {f.score}.",
    "endless reasoning": lambda f, r: f"<think>{written(f, r)}",
    "nested without end": lambda f, r: r.choice(("[", '{"score":', '{"a":[')) * 2_000,
}
"""No score is said here, or more than one: none may come back."""


@pytest.fixture(scope="module")
def battery():
    """Each class of the two tables equally often: 1,045 answers."""
    rng = random.Random(7)
    classes = {**RECOVERED, **LOST}
    made = []
    for name, spoil in classes.items():
        for _ in range(19):
            filled = form(rng)
            made.append((name, filled, spoil(filled, rng)))
    return made


def test_a_thousand_malformed_answers_are_read(battery):
    """An unambiguous score comes back, nothing crashes, and no ambiguous score is guessed."""
    assert len(battery) >= 1000
    wrong = [
        (name, text[:300], reading)
        for name, filled, text in battery
        for reading in [read_answer(text, Form)]
        if (reading.value.score if reading.value else None) != (filled.score if name in RECOVERED else None)
    ]
    assert not wrong


def test_nothing_is_lost_in_silence(battery):
    """Where the reading is `ok` every field is as it was written, and a list never shrinks unsaid."""
    altered = {
        "line breaks in strings",
        "unescaped quotes",
        "NUL",
        "other language",
        "null for a missing list",
    }
    for name, filled, text in battery:
        reading = read_answer(text, Form)
        if reading.value is None or name in altered:
            continue
        assert reading.value.concerns == filled.concerns, (name, text, reading)
        assert reading.value.summary == filled.summary, (name, text, reading)


def test_a_status_says_what_was_done():
    """Strict JSON is `ok` whatever stands around it; any change is `repaired` and named."""
    rng = random.Random(1)
    filled = form(rng)
    for name in ("as it should be", "fenced", "prose around", "thinking before", "other language"):
        assert read_answer(RECOVERED[name](filled, rng), Form).status == "ok", name
    for name in ("trailing commas", "score of ten", "wrapped", "the last of two", "NUL", "lone backslashes"):
        reading = read_answer(RECOVERED[name](filled, rng), Form)
        assert reading.status == "repaired", name
        assert reading.problem, name


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("refusal", "refused"),
        ("empty", "invalid"),
        ("endless reasoning", "truncated"),
        ("number cut", "truncated"),
    ],
)
def test_an_answer_without_a_value_says_why(kind, status):
    """Refused, cut and unreadable are told apart."""
    rng = random.Random(2)
    reading = read_answer(LOST[kind](form(rng), rng), Form)
    assert (reading.value, reading.status) == (None, status)
    assert reading.problem


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_a_cut_answer_keeps_every_whole_item(seed, share):
    """Cut anywhere, what comes back is a beginning of what was written, or nothing."""
    filled = form(random.Random(seed))
    text = json.dumps(filled.model_dump())
    cut = text[: int(share * (len(text) - 1))]
    reading = read_answer(cut, Form)
    if reading.value is None:
        assert reading.status in {"truncated", "invalid"}
        return
    assert reading.status == "truncated"
    assert (reading.value.score, reading.value.summary) == (filled.score, filled.summary)
    assert reading.value.concerns == filled.concerns[: len(reading.value.concerns)]
    whole = sum(json.dumps(concern.model_dump()) in cut for concern in filled.concerns)
    assert len(reading.value.concerns) == whole


@pytest.mark.parametrize("score", [8, "8", "8/10", "8: accept"])
def test_a_scale_that_is_a_set_is_kept_to(score):
    """A value of the set is read in any form, one beside it never becomes its neighbour."""
    assert read_answer(json.dumps({"score": score, "summary": ""}), Forced).value.score == 8
    beside = json.dumps({"score": score, "summary": ""}).replace("8", "7")
    assert read_answer(beside, Forced).value is None


def test_a_latex_word_never_becomes_a_control_character():
    """Escaped or not, a command that begins with b, f, n, r or t stays a command."""
    for word in (
        "theta",
        "beta",
        "frac",
        "nabla",
        "rho",
        "neq",
        "tau",
        "forall",
        "text",
        "nu",
        "right",
        "binom",
    ):
        for slashes in ("\\", "\\\\"):
            reading = read_answer(f'{{"score": 5, "summary": "a {slashes}{word}{{x}} b"}}', Form)
            assert reading.value.summary == f"a \\{word}{{x}} b"


def test_a_line_break_before_a_word_stays_a_line_break():
    """An escape of JSON before a word that is no command is what JSON says."""
    reading = read_answer(r'{"score": 5, "summary": "First.\nNext,\nothing\tthen\r\nnew"}', Form)
    assert reading.value.summary == "First.\nNext,\nothing\tthen\r\nnew"
    assert reading.status == "ok"


def test_one_unreadable_item_does_not_cost_the_others():
    """An item of a list that cannot be read is left out, and the reading says which and why."""
    items = '{"title": "a", "quote": "b"}, {"title": null, "quote": "c"}'
    text = f'{{"score": 5, "summary": "s", "concerns": [{items}]}}'
    reading = read_answer(text, Form)
    assert [concern.title for concern in reading.value.concerns] == ["a"]
    assert reading.status == "repaired"
    assert "concerns[1] left out" in reading.problem


def test_a_large_answer_is_read():
    """Five million characters, in time that grows with their number."""
    filled = form(random.Random(3)).but(summary="x \\alpha \n" * 500_000)
    assert read_answer(filled.to_json(), Form).value == filled
    assert read_answer('{"' * 100_000, Form).value is None


@given(st.text() | st.text(alphabet="{}[]\",:\\ntu0123 \n<think>/'“”ab"))
def test_no_text_makes_it_raise(text):
    """Whatever comes, there is a reading."""
    assert read_answer(text, Form).status
    assert read_answer('{"score": 5, "summary": ' + text, Form).status
