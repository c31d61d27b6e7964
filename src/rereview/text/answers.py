"""The text of a model's answer becomes a validated record, or a status that says why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import ValidationError

from rereview.types.record import Record

T = TypeVar("T", bound=Record)
ReadStatus = Literal["ok", "repaired", "invalid", "refused", "truncated"]


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What could be read. `problem` says what was repaired, left out or wrong; None: nothing."""

    value: T | None
    status: ReadStatus
    problem: str | None = None


def read_answer(text: str, shape: type[T]) -> Reading[T]:
    """Read one record out of the text of an answer."""
    try:
        return Reading(
            shape.model_validate_json(text.strip().removeprefix("```json").removesuffix("```")), "ok"
        )
    except ValidationError as error:
        return Reading(None, "invalid", error.errors()[0]["msg"])
