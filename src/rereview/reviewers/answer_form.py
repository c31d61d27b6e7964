"""A venue form as the shape of an answer, and an answer as a draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, create_model
from pydantic import Field as Given

from rereview.forms import Field, Form, Scale
from rereview.types.record import Record
from rereview.types.review import Draft, Remark

Protocol = Literal["integer", "decimal", "probabilities"]


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
    """The filled form; `shape_of` adds score, confidence and the form's own fields, as far as it has them."""

    summary: str
    strengths: tuple[Strength, ...]
    concerns: tuple[Concern, ...]
    rationale: str


def shape_of(form: Form, protocol: Protocol = "integer") -> type[Answer]:
    """The answer that this form allows: legal values as a set, so that a schema can list them.

    More strengths or concerns than the form takes are no reason to ask again: all are kept.
    """
    asked: dict[str, Any] = {}
    if form.score is not None:
        asked["score"] = (_score(form.score, protocol), ...)
    if form.confidence is not None:
        asked["confidence"] = (_one_of(form.confidence.values), ...)
    asked |= {field.name: (_type_of(field), ...) for field in form.fields}
    return create_model("Answer", __base__=Answer, **asked)


def whole(score: float) -> str | None:
    """What is wrong with a whole number under the decimal protocol; None: it is none."""
    return (
        f"{score:g} has no fractional part, which the decimal protocol asks for" if score % 1 == 0 else None
    )


def _score(scale: Scale, protocol: Protocol) -> Any:
    if protocol == "decimal":
        low, high = min(scale.protocol_values), max(scale.protocol_values)
        return Annotated[float, Given(ge=low, le=high)]
    return _one_of(scale.protocol_values)


def _type_of(field: Field) -> Any:
    if field.kind == "number":
        return _one_of(field.values)
    if field.kind == "text":
        return str
    one: Any = Literal.__getitem__(field.options)
    return one if field.kind == "choice" else tuple[one, ...]


def _one_of(values: Sequence[float]) -> Any:
    """The type of a number out of a set; an annotation is a value like any other to pydantic."""

    def legal(value: float) -> float:
        if value not in values:
            raise ValueError(f"{value} is none of {', '.join(f'{each:g}' for each in values)}")
        return value

    kind = int if all(value == int(value) for value in values) else float
    listed: Any = [kind(value) for value in values]
    return Annotated[kind, AfterValidator(legal), Given(json_schema_extra={"enum": listed})]


def draft_of(answer: Answer, form: Form) -> Draft:
    """The answer as any reviewer's draft; a venue's own fields under its own keys."""
    given = answer.model_dump()
    score, confidence = given.get("score"), given.get("confidence")
    return Draft(
        summary=answer.summary,
        score=None if score is None else float(score),
        confidence=None if confidence is None else float(confidence),
        strengths=tuple(_cited(strength.text, strength.pages) for strength in answer.strengths),
        concerns=tuple(_cited(concern.text, concern.pages) for concern in answer.concerns),
        rationale=answer.rationale,
        fields={field.name: _written(given[field.name]) for field in form.fields},
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


def _written(value: Any) -> str:
    if isinstance(value, int | float):
        return f"{value:g}"
    return value if isinstance(value, str) else "; ".join(value)


def _cited(text: str, pages: tuple[int, ...]) -> str:
    if not pages:
        return text
    return f"{text} (p. {', '.join(str(page) for page in pages)})"
