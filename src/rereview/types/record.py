"""The base of everything that is kept on disk."""

from __future__ import annotations

from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record; change makes a new one with `but`.

    `None` in a field means "not known". Extra fields are refused, so that a misspelt
    name in a file from elsewhere is an error and not a silent loss.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def but(self, **changes: object) -> Self:
        """A new record with these fields changed, validated by the constructor."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})

    def to_json(self) -> str:
        """One line of JSON; equal records give equal bytes."""
        return self.model_dump_json()

    def digest(self) -> str:
        """SHA-256 of the JSON, in hex."""
        return sha256(self.to_json().encode()).hexdigest()
