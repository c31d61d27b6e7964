"""Answers to every venue form, spoilt as models spoil them: 1,050 in 30 classes."""

import json
import random

import pytest

from rereview import forms
from rereview.reviewers.answer_form import draft_of, shape_of
from rereview.text.answers import read_answer

FORMULA = r"the bound $\theta \le \frac{1}{2}$ of \nabla f"


def legal(form, rng):
    """A legal answer to a form."""
    answer = {
        "summary": f"A method; {FORMULA}.",
        "strengths": [{"text": "Clear.", "pages": [2]}],
        "concerns": [{"title": "Few", "text": "One seed.", "quote": FORMULA, "pages": [3, 4]}],
        "rationale": "It holds.",
    }
    if form.score:
        answer["score"] = rng.choice(form.score.protocol_values)
        answer["score"] = int(answer["score"]) if form.score.whole else answer["score"]
    if form.confidence:
        answer["confidence"] = rng.choice(form.confidence.values)
    for field in form.fields:
        options = field.options or field.values
        answer[field.name] = [options[0]] if field.kind == "choices" else rng.choice(options or ("words",))
    return answer


def text(answer):
    return json.dumps(answer)


def top(form):
    return f"{max(form.score.protocol_values):g}"


READ = {
    "as it should be": lambda f, a: text(a),
    "indented": lambda f, a: json.dumps(a, indent=3),
    "fenced": lambda f, a: f"```json\n{text(a)}\n```",
    "prose around": lambda f, a: f"Here is my review:\n{text(a)}\nI hope that it helps.",
    "thinking before": lambda f, a: f'<think>{{"score": 1}} or so</think>{text(a)}',
    "a byte order mark": lambda f, a: f"\ufeff{text(a)}",
    "trailing commas": lambda f, a: text(a).replace("}]", ",}],"),
    "Python's quotes": lambda f, a: repr(a),
    "line breaks in strings": lambda f, a: text(a).replace("A method;", "A method;\n"),
    "lone backslashes": lambda f, a: text(a).replace("\\\\", "\\"),
    "wrapped": lambda f, a: text({"review": a}),
    "a list of one": lambda f, a: text([a]),
    "capital keys": lambda f, a: text({key.title(): value for key, value in a.items()}),
    "more keys": lambda f, a: text(a | {"verdict": "fine"}),
    "a tool call": lambda f, a: text({"name": "review", "arguments": a}),
    "arguments as text": lambda f, a: text({"name": "review", "arguments": text(a)}),
    "NUL": lambda f, a: text(a).replace("One seed.", "One\0seed."),
    "a lone surrogate": lambda f, a: text(a).replace("One seed.", "One \ud800 seed."),
    "the last of two": lambda f, a: f"{text(a)}\nAgain, in full:\n{text(a)}",
    "comments": lambda f, a: text(a).replace('"rationale"', '/* why */ "rationale"'),
    "numbers as text": lambda f, a: text({k: str(v) if k == "score" else v for k, v in a.items()}),
    "out of the top": lambda f, a: text({k: f"{v}/{top(f)}" if k == "score" else v for k, v in a.items()}),
    "with its words": lambda f, a: text({k: f"{v}: so it is" if k == "score" else v for k, v in a.items()}),
}
"""The answer is said once: it comes back."""
LOST = {
    "off the scale": lambda f, a: text(a | {"score": 77}),
    "between two": lambda f, a: text(a | {"score": "3 or 4"}),
    "a range": lambda f, a: text(a | {"score": "3-4"}),
    "no number": lambda f, a: text(a | {"score": "accept"}),
    "not a number": lambda f, a: text(a | {"score": float("nan")}),
    "no score": lambda f, a: text({key: value for key, value in a.items() if key != "score"}),
    "a refusal": lambda f, a: "I'm sorry, but I cannot review this.",
}
"""No score is said, or more than one: none comes back."""
EACH = 5


@pytest.mark.parametrize("name", forms.names())
def test_what_is_said_comes_back_and_nothing_is_guessed(name):
    """No crash; every unambiguous answer is the draft that was meant; no ambiguous score is one."""
    form, rng = forms.load(name), random.Random(name)
    shape = shape_of(form)
    for _ in range(EACH):
        answer = legal(form, rng)
        meant = draft_of(shape.model_validate_json(text(answer)), form)
        for kind, spoil in READ.items():
            reading = read_answer(
                spoil(form, answer) if form.score or "top" not in kind else text(answer), shape
            )
            assert reading.value is not None, (kind, reading.problem)
            draft = draft_of(reading.value, form)
            assert (draft.score, draft.confidence, draft.fields) == (
                meant.score,
                meant.confidence,
                meant.fields,
            )
            assert [remark.quote for remark in draft.remarks] == [FORMULA], kind
        for kind, spoil in LOST.items():
            reading = read_answer(spoil(form, answer), shape)
            if form.score or kind == "a refusal":
                assert reading.value is None, kind


def test_these_are_a_thousand_in_thirty_classes():
    """Seven forms, thirty classes, five answers each."""
    assert len(READ) + len(LOST) == 30
    assert len(forms.names()) * (len(READ) + len(LOST)) * EACH >= 1000
