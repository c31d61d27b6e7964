"""Venue forms: one a file, with source and date. A scale is a set of values, not a range."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Literal, Self

from pydantic import model_validator

from rereview.errors import UsageError
from rereview.types.record import Record


class Scale(Record):
    """The scores of a form, each list ascending.

    `protocol_values` are legal in an answer; `venue_values` are those of the venue's own form: a
    score off them is kept and marked, never rounded. `field` is what the venue calls the score.
    """

    field: str = "score"
    protocol_values: tuple[float, ...]
    venue_values: tuple[float, ...]
    anchors: tuple[tuple[float, str], ...]

    @property
    def whole(self) -> bool:
        """True if every legal score is a whole number."""
        return all(value == int(value) for value in self.protocol_values)


class Confidence(Record):
    """The confidence of a form. It is never used as a weight."""

    values: tuple[int, ...]
    anchors: tuple[tuple[int, str], ...]


class Lists(Record):
    """How many strengths and concerns a form takes; None: as many as there are."""

    strengths: int | None = None
    concerns: int | None = None


class Field(Record):
    """A further field of a form.

    `values` are the numbers that a `number` may be, `options` the words that a `choice` (one of them) or
    `choices` (any of them) may be, in the venue's order. `anchors` say what a number or an option means.
    """

    name: str
    """The venue's own key."""
    kind: Literal["text", "number", "choice", "choices"]
    asks: str
    values: tuple[float, ...] = ()
    options: tuple[str, ...] = ()
    anchors: tuple[tuple[float | str, str], ...] = ()

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        needed = {"text": (), "number": self.values}.get(self.kind, self.options)
        if self.kind != "text" and not needed:
            raise ValueError(f"the field {self.name!r} of kind {self.kind!r} lists nothing to choose from")
        return self

    @property
    def legal(self) -> tuple[str, ...]:
        """The answers as text, in the venue's order; () for free text."""
        return self.options or tuple(f"{value:g}" for value in self.values)


class Form(Record):
    """A venue form. `score` and `confidence` are None where the venue asks for no number."""

    name: str
    title: str
    version: str
    source: str
    retrieved: str
    venue: str
    score: Scale | None = None
    confidence: Confidence | None = None
    lists: Lists = Lists()
    fields: tuple[Field, ...] = ()


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


DEFAULT = "iclr-anchored"


def settings_in(configuration: str) -> tuple[str, dict[str, str]]:
    """Reviewer and settings in a name such as `scorecard(arr)[protocol=decimal]`; the form is one of them."""
    called, _, listed = configuration.partition("[")
    reviewer, _, inside = called.partition("(")
    settings = dict(part.split("=", 1) for part in listed.rstrip("]").split(", ") if "=" in part)
    form = inside.partition(")")[0]
    return reviewer, settings | ({"form": form} if form else {})


def behind(configuration: str) -> Form | None:
    """The form that a configuration fills in; None for one that fills in none of these."""
    reviewer, settings = settings_in(configuration)
    name = settings.get("form", DEFAULT)
    return load(name) if reviewer == "scorecard" and name in names() else None
