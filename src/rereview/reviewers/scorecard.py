"""A venue's form, filled in once a round: score, confidence, strengths, concerns, rationale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, create_model

from rereview import forms, prompts
from rereview.forms import Form
from rereview.models.base import Model, ask_for
from rereview.reviewers.illustrated import Given, given
from rereview.types.call import Message
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record
from rereview.types.review import Draft, Remark

QUOTING = (
    "With each concern give the sentence or formula of the manuscript that it is about, copied"
    " character by character, or an empty quote where the concern is about something that is absent."
)


class Strength(Record):
    """A strength, and the pages on which it rests."""

    text: str
    pages: tuple[int, ...]


class Concern(Record):
    """A concern, the words of the paper that it is about ("" for none), and the pages."""

    title: str
    text: str
    quote: str
    pages: tuple[int, ...]


class Answer(Record):
    """The filled form. `shape_of` narrows score, confidence and lists to what a form allows."""

    summary: str
    strengths: tuple[Strength, ...]
    concerns: tuple[Concern, ...]
    rationale: str
    score: int
    confidence: int


def shape_of(form: Form) -> type[Answer]:
    """The answer that this form allows: legal scores as a set, so that a schema can list them.

    More strengths or concerns than the form takes are no reason to ask again: all are kept.
    """
    return create_model(
        "Answer",
        __base__=Answer,
        score=(_one_of(form.score.protocol_values), ...),
        confidence=(_one_of(form.confidence.values), ...),
    )


def _one_of(values: tuple[int, ...]) -> Any:
    """The type of an integer out of a set; an annotation is a value like any other to pydantic."""

    def legal(value: int) -> int:
        if value not in values:
            raise ValueError(f"{value} is none of {', '.join(str(each) for each in values)}")
        return value

    return Annotated[int, AfterValidator(legal), Field(json_schema_extra={"enum": list(values)})]


@dataclass(frozen=True)
class Scorecard:
    """Fill in a venue's form in one call, the paper whole.

    The paper's scorer (Can We Believe AI Peer Review?, B.3) asks for no quotes; `quotes=False`
    asks exactly what that scorer asks. Images are sent in their places to a model that may see them.
    """

    needs_model: ClassVar[bool] = True
    default_rounds: ClassVar[int] = 5
    prompts: ClassVar[tuple[str, ...]] = ("scorecard",)

    form: str = "iclr-anchored"
    protocol: Literal["integer"] = "integer"
    quotes: bool = True
    max_output_tokens: int = 16_000

    def __post_init__(self) -> None:
        _ = self.filled

    @cached_property
    def filled(self) -> Form:
        """The form itself. Raises UsageError for an unknown name."""
        return forms.load(self.form)

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Ask once; an answer that cannot be read is asked again, at most twice."""
        answer = await ask_for(
            model,
            messages=self.messages(given(paper, model)),
            shape=shape_of(self.filled),
            max_output_tokens=self.max_output_tokens,
        )
        return _draft(answer.value)

    def messages(self, paper: Given) -> tuple[Message, ...]:
        """What the model is sent. The mark comes from the text, so no text can forge its end."""
        text = paper.text
        form = self.filled
        values = form.score.protocol_values
        anchors = ", ".join(f"{value:g} {meaning}" for value, meaning in form.score.anchors)
        between = "Values between two anchors are legal." if len(values) > len(form.score.anchors) else ""
        system, user = prompts.load("scorecard").fill(
            venue=form.venue,
            mark=f"=== manuscript {sha256(text.encode()).hexdigest()[:16]}",
            protocol=f"a whole number, one of {', '.join(str(value) for value in values)}",
            anchors=anchors,
            between=between,
            confidence_low=str(form.confidence.values[0]),
            confidence_high=str(form.confidence.values[-1]),
            strengths=str(form.lists.strengths),
            concerns=str(form.lists.concerns),
            quoting=QUOTING if self.quotes else "Leave the quote of each concern empty.",
            paper=text,
        )
        return Message(role="system", text=system), paper.message(user)


def _draft(answer: Answer) -> Draft:
    return Draft(
        summary=answer.summary,
        score=float(answer.score),
        confidence=float(answer.confidence),
        strengths=tuple(_cited(strength.text, strength.pages) for strength in answer.strengths),
        concerns=tuple(_cited(concern.text, concern.pages) for concern in answer.concerns),
        rationale=answer.rationale,
        remarks=tuple(
            Remark(
                title=concern.title,
                body=concern.text,
                quote=concern.quote.strip() or None,
                pages=concern.pages,
            )
            for concern in answer.concerns
        ),
    )


def _cited(text: str, pages: tuple[int, ...]) -> str:
    if not pages:
        return text
    return f"{text} (p. {', '.join(str(page) for page in pages)})"
