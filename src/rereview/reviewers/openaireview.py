"""The published package OpenAIReview, in its own environment, on any model."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from rereview.errors import Unreadable
from rereview.models.base import Model
from rereview.reviewers.base import as_text
from rereview.reviewers.command import passed_on
from rereview.reviewers.environments import required
from rereview.reviewers.imported import read_text
from rereview.reviewers.program import run_program
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

NAME = "openaireview"


@dataclass(frozen=True)
class OpenAIReview:
    """Run its command on the paper as text. `timeout` is in seconds, `folder` that of the environments."""

    needs_model: ClassVar[bool] = True
    runs_program: ClassVar[bool] = True

    method: Literal["zero_shot", "local", "progressive", "progressive_full"] = "progressive"
    timeout: float = 7_200.0
    folder: str | None = None

    def expected_calls(self, paper: Manuscript) -> tuple[int, None]:
        """Its own count: two a passage of some 8,000 characters and two more; of a whole paper one."""
        return (1 if self.method == "zero_shot" else 2 * (len(as_text(paper)) // 8_000) + 2), None

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Its comments; of a progressive method those after consolidation."""
        programs = required(NAME, None if self.folder is None else Path(self.folder))
        with tempfile.TemporaryDirectory(prefix="rereview-openaireview-") as name:
            home = Path(name)
            (home / "paper.md").write_text(as_text(paper), "utf-8", "replace")
            argv = [str(programs / "openaireview"), "review", "paper.md", "--method", self.method]
            # A name of its own provider: with another it would look for the key of that one.
            argv += ["--model", "openai/rereview", "--output-dir", "out", "--name", "paper"]
            async with passed_on(model) as gateway:
                await run_program(
                    argv,
                    folder=home,
                    environment={} if gateway is None else gateway.environment,
                    timeout=self.timeout,
                    secret=None if gateway is None else gateway.key,
                )
            written = home / "out" / "paper.json"
            if not written.is_file():
                raise Unreadable("it wrote no review", where=NAME, status="invalid", raw="")
            return _only(written.read_text("utf-8", "replace"))


def _only(text: str) -> Draft:
    (read,) = read_text(text, where=NAME)[:1]
    return read.draft.but(notes=(*read.draft.notes, *read.notes))
