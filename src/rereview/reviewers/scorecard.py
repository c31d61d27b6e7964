"""A venue's form, filled in once a round: score, confidence, strengths, concerns, rationale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, Literal, get_args

from rereview import forms, prompts
from rereview.errors import UsageError
from rereview.forms import Field, Form, Scale
from rereview.models.base import Model, ask_for
from rereview.reviewers.answer_form import Answer, Protocol, draft_of, shape_of, whole
from rereview.reviewers.illustrated import Given, given
from rereview.text.token_scores import score_mass
from rereview.types.call import Completion, Effort, Message
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

QUOTING = (
    "With each concern give the sentence or formula of the manuscript that it is about, copied"
    " character by character, or an empty quote where the concern is about something that is absent."
)
TOP_LOGPROBS = 20
OUTPUT_TOKENS, PROBABILITY_TOKENS = 16_000, 4_096
"""Bounds of an answer [1, B.1]."""


@dataclass(frozen=True)
class Scorecard:
    """Fill in a venue's form in one call, the paper whole.

    `integer` asks for a score out of the form's set. `decimal` asks for one whose fractional part is not
    zero. `probabilities` asks as `integer` does, without reasoning, and reads the probability of each
    score from the tokens. The preset `paper` is the scorer of [1]: no quotes, effort medium and 16,000
    output tokens for a score, effort none and 4,096 for probabilities. No temperature is ever sent.
    Images are sent in their places to a model that may see them.

    [1] Can We Believe AI Peer Review?, B.1, B.3 and B.4.
    """

    needs_model: ClassVar[bool] = True
    default_rounds: ClassVar[int] = 5
    prompts: ClassVar[tuple[str, ...]] = ("scorecard",)

    form: str = forms.DEFAULT
    protocol: Protocol = "integer"
    quotes: bool = True
    max_output_tokens: int | None = None
    """None: 16,000, and 4,096 for probabilities."""
    reasoning_effort: Effort | None = None
    """None: the endpoint's own; none for probabilities."""
    preset: Literal["paper"] | None = None

    def __post_init__(self) -> None:
        _refuse("protocol", self.protocol, get_args(Protocol))
        _refuse("preset", self.preset, (None, "paper"))
        _refuse("reasoning_effort", self.reasoning_effort, (None, *get_args(Effort)))
        scale = self.filled.score
        if self.protocol != "integer" and scale is None:
            raise UsageError(
                f"the form {self.form!r} has no number, which the protocol {self.protocol!r} is about",
                expected="another --form, or the protocol integer",
            )
        if self.protocol == "probabilities":
            if scale is not None and not scale.whole:
                raise UsageError(
                    f"the form {self.form!r} has scores in half points, which are no single tokens",
                    expected="a form of whole scores, or another protocol",
                )
            if self.reasoning_effort not in {None, "none"}:
                raise UsageError(
                    "probabilities are asked for without reasoning", expected="leave reasoning_effort out"
                )

    @cached_property
    def filled(self) -> Form:
        """The form itself. Raises UsageError for an unknown name."""
        return forms.load(self.form)

    def expected_calls(self, paper: Manuscript) -> tuple[int, int]:  # noqa: ARG002  it reads the paper whole
        """One."""
        return 1, 1

    @property
    def effort(self) -> Effort | None:
        """The reasoning effort that is sent."""
        if self.protocol == "probabilities":
            return "none"
        return self.reasoning_effort or ("medium" if self.preset == "paper" else None)

    @property
    def most_tokens(self) -> int:
        """The bound on the answer that is sent."""
        usual = PROBABILITY_TOKENS if self.protocol == "probabilities" else OUTPUT_TOKENS
        return self.max_output_tokens or usual

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Ask once; an answer that cannot be used is kept and asked again, at most twice."""
        read = given(paper, model)
        answer = await ask_for(
            model,
            messages=self.messages(read),
            shape=shape_of(self.filled, self.protocol),
            check=self._wrong,
            check_completion=self._unread,
            max_output_tokens=self.most_tokens,
            reasoning_effort=self.effort,
            top_logprobs=TOP_LOGPROBS if self.protocol == "probabilities" else None,
        )
        draft = draft_of(answer.value, self.filled)
        notes = (read.note,) if read.note else ()
        if self.protocol != "probabilities" or self.filled.score is None:
            return draft.but(notes=notes)
        found = score_mass(
            answer.calls[-1].completion.tokens,
            field_name="score",
            values=self.filled.score.protocol_values,
            score=draft.score or 0.0,
        )
        return draft.but(score_probabilities=found.probabilities, notes=(*notes, found.note))

    def _wrong(self, answer: Answer) -> str | None:
        return whole(answer.model_dump()["score"]) if self.protocol == "decimal" else None

    def _unread(self, answer: Answer, completion: Completion) -> str | None:
        """Why no probabilities can be read of an answer that is one; None: they can, or are not asked for."""
        if self.protocol != "probabilities" or self.filled.score is None or not completion.tokens:
            return None
        values = self.filled.score.protocol_values
        score = answer.model_dump()["score"]
        return score_mass(completion.tokens, field_name="score", values=values, score=score).problem

    def messages(self, paper: Given) -> tuple[Message, ...]:
        """What the model is sent. The mark comes from the text, so no text can forge its end."""
        form = self.filled
        system, user = prompts.load("scorecard").fill(
            venue=form.venue,
            mark=f"=== manuscript {sha256(paper.text.encode()).hexdigest()[:16]}",
            numbers="".join(f"{line}\n" for line in _numbers(form, self.protocol)),
            fields="".join(f"{line}\n" for line in map(_field, form.fields)),
            strengths=_most(form.lists.strengths),
            concerns=_most(form.lists.concerns),
            quoting=QUOTING if self.quoting else "Leave the quote of each concern empty.",
            why="why this score and not the next one up or down" if form.score else "why you judge it so",
            paper=paper.text,
        )
        return Message(role="system", text=system), paper.message(user, "rounds")

    @property
    def quoting(self) -> bool:
        """Whether quotes are asked for; the scorer of the paper asks for none."""
        return self.quotes and self.preset is None


def _refuse(option: str, value: object, legal: Sequence[object]) -> None:
    """An option may come from a command line, which knows no types."""
    if value not in legal:
        *first, last = [str(each) for each in legal if each is not None]
        known = f"{', '.join(first)} or {last}" if first else last
        raise UsageError(f"{value!r} is no {option}", where="scorecard", expected=known)


def _most(count: int | None) -> str:
    return "as many as there are" if count is None else f"at most {count}"


def _numbers(form: Form, protocol: Protocol) -> Iterator[str]:
    if form.score is not None:
        yield _score(form.score, protocol)
    if form.confidence is not None:
        yield f"- confidence: one of: {_listed(form.confidence.values, form.confidence.anchors)}"


def _score(scale: Scale, protocol: Protocol) -> str:
    values = scale.protocol_values
    anchors = "; ".join(f"{value:g} {meaning}" for value, meaning in scale.anchors)
    between = " Values between two anchors are legal." if len(values) > len(scale.anchors) else ""
    listed = ", ".join(f"{value:g}" for value in values)
    kind = f"a whole number, one of {listed}" if scale.whole else f"one of {listed}"
    if protocol == "decimal":
        kind = (
            f"a number from {min(values):g} to {max(values):g} with a fractional part that is not zero; "
            "a whole number is not accepted"
        )
        between = " Values between two anchors are legal."
    return f"- score: {kind}. Anchors: {anchors}.{between}"


def _field(field: Field) -> str:
    if field.kind == "text":
        return f"- {field.name}: {field.asks}."
    many = "any of" if field.kind == "choices" else "one of"
    return f"- {field.name}: {field.asks}; {many}: {_listed(field.options or field.values, field.anchors)}"


def _listed(values: Sequence[float | str], anchors: Sequence[tuple[float | str, str]]) -> str:
    """Values, each with what the venue says that it means."""
    meanings = {key: f" ({words})" for key, words in anchors}
    return "; ".join(
        f"{each if isinstance(each, str) else f'{each:g}'}{meanings.get(each, '')}" for each in values
    )
