"""A paper with its images, as a model that may see them is given it.

Source of the order: "Can We Believe AI Peer Review?", appendix B.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rereview.models.base import Model
from rereview.reviewers.base import BETWEEN, pieces
from rereview.reviewers.excerpt import excerpt
from rereview.types.call import Among, Message, Picture, Shared
from rereview.types.manuscript import Manuscript


class Given(NamedTuple):
    """The text of a paper, and the images that stand in it, each after the line that names it."""

    text: str
    pictures: tuple[Picture, ...]
    note: str | None = None
    """What was left out for a model that reads little; None: nothing was."""

    def message(self, user: str, among: Among | None = None) -> Message:
        """The turn `user`, which holds the text whole, with the images in their places.

        `among`: what else is sent that begins in the same way as far as the text ends; None: nothing.
        """
        offset = user.index(self.text)
        moved = tuple(picture.but(at=picture.at + offset) for picture in self.pictures)
        shared = None if among is None else Shared(until=offset + len(self.text), among=among)
        return Message(role="user", text=user, pictures=moved, shared=shared)


def given(paper: Manuscript, model: Model) -> Given:
    """The whole paper in reading order, with those of its images that the model may be shown.

    A model that reads little is given a part of the text, and no image.
    """
    if model.reads is not None:
        part = excerpt(paper, model.reads)
        return Given(part.text, (), part.note)
    known = model.pictures
    return together(alone(text, known.get(name)) for name, text in pieces(paper, known))


def alone(text: str, picture: Picture | None = None) -> Given:
    """A text, and the image that stands behind it."""
    return Given(text, () if picture is None else (picture.but(at=len(text)),))


def together(parts: Iterable[Given]) -> Given:
    """Parts of a paper as one, in order."""
    texts: list[str] = []
    placed: list[Picture] = []
    start = 0
    for part in parts:
        placed += (picture.but(at=picture.at + start) for picture in part.pictures)
        texts.append(part.text)
        start += len(part.text) + len(BETWEEN)
    return Given(BETWEEN.join(texts), tuple(placed))
