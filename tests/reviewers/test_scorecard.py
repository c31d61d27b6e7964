"""The scorecard over every form and protocol, with answers from a script."""

import json
from math import log

import pytest

from rereview import forms
from rereview.errors import Dropped, Unreadable, UsageError
from rereview.models.base import Traits
from rereview.models.journal import Journal
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.reviewers.answer_form import shape_of
from rereview.reviewers.illustrated import Given
from rereview.reviewers.scorecard import Scorecard
from rereview.types.call import Completion, Token, Usage
from rereview.types.manuscript import Block, Manuscript

PAPER = Manuscript(
    id="m1",
    paper_id="bees",
    title="Bees",
    format="markdown",
    blocks=(Block(id="b", kind="paragraph", text="We counted 120 bees."),),
    sequence=("b",),
)
TEXT = {
    "summary": "s",
    "strengths": [],
    "concerns": [{"title": "t", "text": "x", "quote": "120 bees", "pages": [1]}],
    "rationale": "r",
}


class Shelf(dict):
    """A ledger in memory."""

    def get_call(self, call_id):
        return self.get(call_id)

    def add_call(self, call):
        self[call.id] = call


def filled(form, **changes):
    """A legal answer to a form."""
    answer = dict(TEXT)
    if form.score:
        answer["score"] = form.score.protocol_values[-2]
    if form.confidence:
        answer["confidence"] = 3
    for field in form.fields:
        legal = field.options or field.values
        answer[field.name] = [legal[0]] if field.kind == "choices" else legal[0] if legal else "words"
    return json.dumps(answer | changes)


def model(answers, *, toy=None):
    left, seen = list(answers), []

    def script(request):
        seen.append(request)
        return left.pop(0)

    end = ScriptedEndpoint(script)
    if toy:
        object.__setattr__(end, "traits", toy)
    made = Journal(end, Shelf(), sample="s", price=FREE, cap=Cap(0))
    object.__setattr__(made, "seen", seen)
    return made


def with_tokens(text, at, top):
    """The answer as tokens, with the likeliest at the token `at`."""
    head, _, tail = text.partition(f'"score": {at}')
    likely = tuple((each, log(share)) for each, share in top.items())
    parts = [head, '"score": ', at, tail]
    tokens = [Token(text=part, logprob=0.0, top=((part, 0.0),)) for part in parts]
    tokens[2] = Token(text=at, logprob=log(top[at]), top=likely)
    return Completion(text=text, finish="stop", usage=Usage(reasoning_tokens=0), tokens=tuple(tokens))


@pytest.mark.parametrize("name", forms.names())
async def test_every_form_can_be_filled_in(name):
    """Its legal answer becomes a draft whose fields have the venue's keys; the prompt asks for each."""
    form = forms.load(name)
    one = model([filled(form)])
    draft = await Scorecard(form=name)(PAPER, one)
    assert draft.score == (form.score and form.score.protocol_values[-2])
    assert draft.confidence == (form.confidence and 3)
    assert tuple(draft.fields) == tuple(field.name for field in form.fields)
    assert draft.remarks[0].quote == "120 bees"
    asked = one.seen[0].messages[0].text
    for field in form.fields:
        assert f"- {field.name}: " in asked
        assert all(each in asked for each in field.legal)
    assert ("- score: " in asked) == (form.score is not None)
    assert "$" not in asked


@pytest.mark.parametrize("name", [name for name in forms.names() if forms.load(name).score])
async def test_a_score_off_the_scale_is_asked_again_and_never_moved(name):
    """Three answers off the scale are three kept calls and no score."""
    form = forms.load(name)
    one = model([filled(form, score=7.3)] * 3)
    with pytest.raises(Unreadable) as raised:
        await Scorecard(form=name)(PAPER, one)
    assert raised.value.status == "invalid"
    assert len(one.ledger) == 3


async def test_a_decimal_has_a_fractional_part():
    """A whole number is kept, asked again as a new call, and the first decimal counts."""
    form = forms.load("iclr-anchored")
    one = model([filled(form, score=7), filled(form, score=6.0), filled(form, score=6.4)])
    draft = await Scorecard(protocol="decimal")(PAPER, one)
    assert draft.score == 6.4
    assert [request.attempt for request in one.seen] == [1, 2, 3]
    assert "fractional part that is not zero" in one.seen[0].messages[0].text
    low_high = json.loads(one.seen[0].answer_schema)["properties"]["score"]
    assert (low_high["type"], low_high["minimum"], low_high["maximum"]) == ("number", 1, 10)
    with pytest.raises(Unreadable, match="fractional part"):
        await Scorecard(protocol="decimal")(PAPER, model([filled(form, score=7)] * 3))


async def test_probabilities_come_from_one_call_without_reasoning():
    """Effort none, twenty likeliest tokens, 4,096 output tokens; the draft says how they were read."""
    text = filled(forms.load("iclr-anchored"), score=7)
    one = model([with_tokens(text, "7", {"7": 0.6, "6": 0.2, "8": 0.1})])
    draft = await Scorecard(protocol="probabilities")(PAPER, one)
    assert {each.score: round(each.probability, 6) for each in draft.score_probabilities} == {
        6: 0.222222,
        7: 0.666667,
        8: 0.111111,
    }
    assert draft.score == 7
    assert "0.900 of the probability" in draft.notes[0]
    (request,) = one.seen
    assert (request.reasoning_effort, request.top_logprobs, request.max_output_tokens) == ("none", 20, 4_096)
    assert request.temperature is None


async def test_what_a_provider_drops_is_an_error():
    """No log-probabilities, or reasoning in spite of effort none: the call is kept and the round fails."""
    text = filled(forms.load("iclr-anchored"), score=7)
    one = model([text])
    with pytest.raises(Dropped, match="none came back"):
        await Scorecard(protocol="probabilities")(PAPER, one)
    assert len(one.ledger) == 1
    thought = with_tokens(text, "7", {"7": 1.0}).but(usage=Usage(reasoning_tokens=64))
    with pytest.raises(Dropped, match="64 tokens"):
        await Scorecard(protocol="probabilities")(PAPER, model([thought]))


async def test_tokens_in_which_the_score_does_not_stand_are_asked_again():
    """An answer that is one, and whose tokens are another's, is invalid."""
    text = filled(forms.load("iclr-anchored"), score=7)
    good = with_tokens(text, "7", {"7": 1.0})
    stray = good.but(tokens=(Token(text="{}", logprob=0.0, top=(("{}", 0.0),)),))
    one = model([stray, good])
    draft = await Scorecard(protocol="probabilities")(PAPER, one)
    assert draft.score_probabilities[0].probability == 1.0
    assert [request.attempt for request in one.seen] == [1, 2]


def test_the_preset_is_the_papers():
    """Effort medium and 16,000 tokens for a score, none and 4,096 for probabilities; no quotes."""
    score, spread = Scorecard(preset="paper"), Scorecard(preset="paper", protocol="probabilities")
    assert (score.effort, score.most_tokens) == ("medium", 16_000)
    assert (spread.effort, spread.most_tokens) == ("none", 4_096)
    read = Given("We counted 120 bees.", ())
    assert "Leave the quote of each concern empty" in score.messages(read)[0].text
    assert score.messages(read) == spread.messages(read)
    assert (Scorecard().effort, Scorecard().most_tokens) == (None, 16_000)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"form": "tmlr", "protocol": "decimal"}, "has no number"),
        ({"form": "tmlr", "protocol": "probabilities"}, "has no number"),
        ({"form": "arr", "protocol": "probabilities"}, "half points"),
        ({"protocol": "probabilities", "reasoning_effort": "high"}, "without reasoning"),
        ({"form": "iclr-2024"}, "known forms"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, says):
    """Before anything is asked."""
    with pytest.raises(UsageError, match=says):
        Scorecard(**options)


async def test_a_model_of_few_tokens_is_given_a_part_and_it_is_said():
    """Title, abstract, introduction and conclusion, and the draft says how much that was."""
    long = PAPER.but(
        blocks=(
            Block(id="h1", kind="heading", level=1, text="Introduction"),
            Block(id="p1", kind="paragraph", text="In the beginning. " * 200),
            Block(id="h2", kind="heading", level=1, text="Method"),
            Block(id="p2", kind="paragraph", text="SECRET METHOD. " * 200),
            Block(id="h3", kind="heading", level=1, text="Conclusions"),
            Block(id="p3", kind="paragraph", text="It ends."),
        ),
        sequence=("h1", "p1", "h2", "p2", "h3", "p3"),
    )
    one = model([filled(forms.load("iclr-anchored"))], toy=Traits(toy=True, input_tokens=2_000))
    draft = await Scorecard()(long, one)
    sent = one.seen[0].messages[1].text
    assert "SECRET" not in sent
    assert "It ends." in sent
    assert "introduction (its beginning), conclusion" in draft.notes[0]
    assert "at most 2,000 tokens" in draft.notes[0]
    assert sum(len(message.text) for message in one.seen[0].messages) < 2_000 * 4


def test_the_schema_lists_what_is_legal():
    """A half-point scale is an enumeration of numbers, a choice one of words."""
    node = shape_of(forms.load("arr")).model_json_schema()["properties"]
    assert node["score"]["enum"] == [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]
    assert node["reproducibility"]["enum"] == [1, 2, 3, 4, 5]
    assert node["needs_ethics_review"]["enum"] == ["Yes", "No"]
