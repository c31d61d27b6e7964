"""Venue forms: one a file, with source and date. A scale is a set of values, not a range."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from rereview.errors import UsageError
from rereview.types.record import Record


class Scale(Record):
    """The scores of a form.

    `protocol_values` are legal in an answer; `venue_values` are those of the venue's own form: a
    score off them is kept and marked, never rounded.
    """

    protocol_values: tuple[int, ...]
    venue_values: tuple[float, ...]
    anchors: tuple[tuple[float, str], ...]


class Confidence(Record):
    """The confidence of a form. It is never used as a weight."""

    values: tuple[int, ...]
    anchors: tuple[tuple[int, str], ...]


class Lists(Record):
    """How many strengths and concerns a form takes."""

    strengths: int
    concerns: int


class Form(Record):
    """A venue form."""

    name: str
    title: str
    version: str
    source: str
    retrieved: str
    venue: str
    score: Scale
    confidence: Confidence
    lists: Lists


def names() -> tuple[str, ...]:
    """The names of the forms that are here."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load(name: str) -> Form:
    """The form `name`. Raises UsageError, with the list of known ones, for any other name."""
    if name not in names():
        raise UsageError(f"no form is called {name!r}", expected=f"known forms: {', '.join(names())}")
    content = tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))
    content["retrieved"] = content["retrieved"].isoformat()
    return Form(name=name, **content)
