"""The published package coarse, in its own environment, on any model."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rereview.models.base import Model
from rereview.reviewers.base import as_text
from rereview.reviewers.command import passed_on
from rereview.reviewers.environments import required
from rereview.reviewers.imported import read_text
from rereview.reviewers.program import run_program
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft

NAME = "coarse"

DRIVER = """
import sys
import coarse.pipeline as pipeline
if sys.argv[2] == "no":
    pipeline.search_literature = lambda *given, **named: ""
review, _, _ = pipeline.review_paper(sys.argv[1], model="openai/rereview", skip_cost_gate=True)
sys.stdout.write("\\n" + review.model_dump_json())
"""
"""Its own interface for Python; the search of the literature is left out unless it is asked for."""


@dataclass(frozen=True)
class Coarse:
    """Run its pipeline on the paper as text.

    `literature`: let it search arXiv, which sends queries made from the paper there; the model's host is
    not the only one then. `timeout` is in seconds, `folder` that of the environments.
    """

    needs_model: ClassVar[bool] = True
    runs_program: ClassVar[bool] = True

    literature: bool = False
    timeout: float = 7_200.0
    folder: str | None = None

    def expected_calls(self, paper: Manuscript) -> tuple[int, None]:
        """One a section, of at most 25, and about ten more."""
        return 10 + min(25, sum(block.kind == "heading" for block in paper.blocks)), None

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Its detailed comments, with severity; the issues of its overview are concerns."""
        programs = required(NAME, None if self.folder is None else Path(self.folder))
        with tempfile.TemporaryDirectory(prefix="rereview-coarse-") as name:
            home = Path(name)
            (home / "paper.md").write_text(as_text(paper), "utf-8", "replace")
            argv = [str(programs / "python"), "-c", DRIVER, "paper.md", "yes" if self.literature else "no"]
            async with passed_on(model) as gateway:
                done = await run_program(
                    argv,
                    folder=home,
                    # Its client fetches a table of prices at the start unless it is told not to.
                    environment={
                        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
                        **({} if gateway is None else gateway.environment),
                    },
                    timeout=self.timeout,
                    secret=None if gateway is None else gateway.key,
                )
        (read,) = read_text(done.out.strip().rpartition("\n")[2], where=NAME)
        return read.draft
