"""A paper with its images, as a model that may see them is given it.

Source of the order: "Can We Believe AI Peer Review?", appendix B.2.
"""

from __future__ import annotations

from typing import NamedTuple

from rereview.models.base import Model
from rereview.reviewers.base import BETWEEN, pieces
from rereview.reviewers.excerpt import excerpt
from rereview.types.call import Message, Picture
from rereview.types.manuscript import Manuscript


class Given(NamedTuple):
    """The text of a paper, and the images that stand in it, each after the line that names it."""

    text: str
    pictures: tuple[Picture, ...]
    note: str | None = None
    """What was left out for a model that reads little; None: nothing was."""

    def message(self, user: str) -> Message:
        """The turn `user`, which holds the text whole, with the images in their places."""
        offset = user.index(self.text)
        moved = tuple(picture.but(at=picture.at + offset) for picture in self.pictures)
        return Message(role="user", text=user, pictures=moved)


def given(paper: Manuscript, model: Model) -> Given:
    """The whole paper in reading order, with those of its images that the model may be shown.

    A model that reads little is given a part of the text, and no image.
    """
    if model.reads is not None:
        part = excerpt(paper, model.reads)
        return Given(part.text, (), part.note)
    known = model.pictures
    parts: list[str] = []
    placed: list[Picture] = []
    at = 0
    for name, text in pieces(paper, known):
        at += (len(BETWEEN) if parts else 0) + len(text)
        parts.append(text)
        if name in known:
            placed.append(known[name].but(at=at))
    return Given(BETWEEN.join(parts), tuple(placed))
