"""The whole paper in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rereview import prompts
from rereview.models.base import Model, ask_for
from rereview.reviewers.illustrated import Given, given
from rereview.reviewers.issues import Issues
from rereview.types.call import Message
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft


class Answer(Issues):
    """What the paper does, and what is wrong with it."""

    summary: str


@dataclass(frozen=True)
class ZeroShot:
    """Ask once for all issues. The paper goes in whole: one that a model cannot take is its failure.

    To a model that is known to read little a part is given, and the review says which.
    """

    needs_model: ClassVar[bool] = True
    prompts: ClassVar[tuple[str, ...]] = ("zero_shot", "issue_rules")

    max_output_tokens: int = 16_000

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """The issues, in the order in which the model gives them."""
        shown = given(paper, model)
        answer = await ask_for(
            model, messages=self.messages(shown), shape=Answer, max_output_tokens=self.max_output_tokens
        )
        remarks = tuple(issue.remark() for issue in answer.value.issues)
        notes = () if shown.note is None else (shown.note,)
        return Draft(summary=answer.value.summary, remarks=remarks, notes=notes)

    def expected_calls(self, paper: Manuscript) -> tuple[int, int]:  # noqa: ARG002  it reads the paper whole
        """One."""
        return 1, 1

    def messages(self, paper: Given) -> tuple[Message, ...]:
        """What the model is sent, with the images that it may see."""
        text = paper.text
        rules = prompts.load("issue_rules").system
        system, user = prompts.load("zero_shot").fill(mark=prompts.mark_of(text), rules=rules, paper=text)
        return Message(role="system", text=system), paper.message(user, "rounds")
