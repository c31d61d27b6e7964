"""The images of a paper on the command line: which are sent, how many, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import click

from rereview.cli.main import printable
from rereview.errors import UnusableInput
from rereview.ingest.anonymise import anonymous
from rereview.ingest.base import image_of, images_of
from rereview.ingest.pictures import LIMIT, Sendable, metadata, sendable
from rereview.types.manuscript import Figure, Manuscript
from rereview.types.review import Exclusion

Command = TypeVar("Command", bound=Callable[..., object])


def image_options(command: Command) -> Command:
    """Add `--images/--no-images` and `--image-limit`."""
    limit = click.option(
        "--image-limit",
        type=click.IntRange(min=0),
        default=LIMIT,
        show_default=True,
        help="The most images that a call of the model may hold; a paper with more is not sent to it.",
    )
    images = click.option(
        "--images/--no-images", default=True, show_default=True, help="Send the images of the paper too."
    )
    return images(limit(command))


@dataclass(frozen=True)
class Originals:
    """The original images of the paper at `source`, each read once."""

    source: Path
    _read: dict[str, bytes | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, figure: Figure) -> bytes | None:
        """The image of a figure; None where there is none to show."""
        if figure.id not in self._read:
            self._read[figure.id] = image_of(self.source, figure)
        return self._read[figure.id]

    def anonymous(self, paper: Manuscript) -> Manuscript:
        """The paper with what is left out of what a model is given, the data of its images among it."""
        blind = anonymous(paper)
        if not all(figure.id in self._read for figure in paper.figures):
            self._read.update(images_of(self.source, paper.figures))  # a PDF is opened once for all of them
        found = metadata(paper, self)
        return blind.but(removed=(*blind.removed, *found)) if found else blind

    def stored(self, paper: Manuscript) -> dict[str, bytes]:
        """The images by paths that cannot leave the folder of a study: their hash and their ending."""
        return {
            f"papers/{paper.paper_id}/figures/{figure.sha256[:16]}{Path(figure.path).suffix.lower()}": content
            for figure in paper.figures
            if figure.path and figure.sha256 and (content := self(figure)) is not None
        }

    def sendable(self, paper: Manuscript, *, wanted: bool) -> Sendable:
        """The images as a request holds them; none if none are `wanted`."""
        return sendable(paper, self) if wanted else Sendable({}, ())


def recorded(seen: Sendable, *, wanted: bool) -> tuple[tuple[str, str], ...]:
    """What the report says of the images that were sent, and of those that could not be."""
    if not wanted:
        return (("images", "not sent"),)
    total = len(seen.pictures) + len(seen.without)
    lost = "".join(f"; without {name}: {why}" for name, why in seen.without)
    return (("images", f"{len(seen.pictures)} of {total} in their places{lost}"),) if total else ()


def tell(excluded: tuple[Exclusion, ...]) -> None:
    """Raise that a model was not given the paper."""
    if excluded:
        first = excluded[0]
        raise UnusableInput(
            printable(f"not sent to {first.model}: {first.why}"),
            where=first.paper,
            expected="a model that takes more, with --image-limit, or the text alone, with --no-images",
        )
