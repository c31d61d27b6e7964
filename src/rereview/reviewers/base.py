"""What a reviewer is."""

from __future__ import annotations

from typing import Protocol

from rereview.models.base import Model
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft


class Reviewer(Protocol):
    """A frozen dataclass whose fields are its options, and which is callable.

    It sees no ids of a study, no other review, no score of anybody, and no failure: a
    `ProviderError` or `Unreadable` passes through it.
    """

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Read the paper and say what there is to say."""


class Check(Protocol):
    """A reviewer that asks no model: the same call without one."""

    needs_model: bool

    async def __call__(self, paper: Manuscript, model: Model | None) -> Draft:
        """Read the paper and say what there is to say."""
