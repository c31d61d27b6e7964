"""A model that is not there."""

import asyncio
from typing import Annotated, Literal

import pytest
from pydantic import Field

from rereview.models.base import ask_for, schema_of
from rereview.models.dry import DryModel, smallest
from rereview.types.call import Message
from rereview.types.record import Record


class Part(Record):
    """A part."""

    kind: Literal["b", "a"]
    name: Annotated[str, Field(min_length=3)]


class Whole(Record):
    """All kinds of fields."""

    parts: tuple[Part, ...]
    some: Annotated[tuple[Part, ...], Field(min_length=1)]
    rating: Annotated[int, Field(ge=2, le=5)]
    share: float
    sure: bool
    note: str | None
    words: dict[str, str] = Field(default={})


def test_the_smallest_answer_is_a_valid_one():
    """Whatever a record asks for, the dry answer validates and holds nothing that can be left out."""
    model = DryModel("m")
    answer = asyncio.run(ask_for(model, messages=(Message(role="user", text="?"),), shape=Whole, tries=1))
    assert answer.value.parts == ()
    assert answer.value.some == (Part(kind="b", name="---"),)
    assert answer.value.rating == 2
    assert answer.value.note is None
    assert [request.messages[0].text for request in model.requests] == ["?"]
    assert model.requests[0].answer_schema == schema_of(Whole)


def test_a_schema_that_holds_itself_is_an_error_and_not_endless():
    """A tree that must have a branch has no smallest form."""
    tree = {
        "$ref": "#/$defs/T",
        "$defs": {"T": {"type": "object", "required": ["t"], "properties": {"t": {"$ref": "#/$defs/T"}}}},
    }
    with pytest.raises(ValueError, match="itself"):
        smallest(tree)
