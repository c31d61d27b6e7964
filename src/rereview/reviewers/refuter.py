"""Somebody who speaks for the authors: tries to show, from the paper, that a remark is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rereview import prompts
from rereview.errors import Unreadable
from rereview.judge.same_issue import listed
from rereview.models.base import Model, ask_for
from rereview.text.locate import Locator
from rereview.text.related import related_spans
from rereview.types.call import Message
from rereview.types.manuscript import Manuscript, Span
from rereview.types.record import Record
from rereview.types.review import Remark, Severity

AROUND = 300
"""Characters to each side of a quote that the refuter is shown."""


class Verdict(Record):
    """What came of the attempt."""

    verdict: Literal["refuted", "stands", "open"]
    evidence: str
    reason: str
    severity: Severity


@dataclass(frozen=True)
class Checked:
    """A remark after the attempt. `refuted`: why, with words that stand in the paper; None: it stands."""

    remark: Remark
    refuted: str | None = None
    read: bool = True
    """False where no answer could be read: then the remark is as it was."""


@dataclass(frozen=True)
class Refuter:
    """Shows a model a remark with its passage and `passages` related ones, `reach` characters to a side."""

    paper: Manuscript
    passages: int = 5
    reach: int = 160
    max_output_tokens: int = 4_000
    _locator: Locator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_locator", Locator(self.paper))

    async def __call__(self, remark: Remark, model: Model) -> Checked:
        """The remark with its severity after the attempt, or why it is refuted.

        A refutation whose evidence does not stand in the paper refutes nothing.
        """
        try:
            answer = await ask_for(
                model,
                messages=self.messages(remark),
                shape=Verdict,
                max_output_tokens=self.max_output_tokens,
            )
        except Unreadable:
            return Checked(remark, read=False)
        said = answer.value
        after = remark.but(severity=said.severity)
        if said.verdict == "refuted" and self._stands(said.evidence):
            return Checked(after, f"refuted: {said.reason} The paper says: “{said.evidence.strip()}”")
        return Checked(after)

    def messages(self, remark: Remark) -> tuple[Message, ...]:
        """What the model is sent."""
        place = self._place(remark)
        text = " ".join((remark.title, remark.body, remark.quote or ""))
        spans = related_spans(text, self.paper, own=place, limit=self.passages, reach=self.reach)
        issue = listed([remark.but(severity=None)]).removeprefix("[1] ")
        passage = self._around(place) if place else "(it is about something that is not there)"
        related = "\n\n".join(self._shown(span) for span in spans) or "(none)"
        system, user = prompts.load("panel_refute").fill(
            mark=prompts.mark_of(f"{issue}\0{passage}\0{related}", "record"),
            issue=issue,
            passage=passage,
            related=related,
        )
        return Message(role="system", text=system), Message(role="user", text=user)

    def _stands(self, evidence: str) -> bool:
        return self._locator.locate(evidence).match in ("exact", "normalised", "fuzzy")

    def _place(self, remark: Remark) -> Span | None:
        spans = self._locator.locate(remark.quote, pages=remark.pages).spans
        return spans[0] if spans else None

    def _around(self, place: Span) -> str:
        block = self.paper.by_id[place.block_id]
        start, end = max(0, place.start - AROUND), min(len(block.text), place.end + AROUND)
        return self._shown(Span(block_id=block.id, start=start, end=end))

    def _shown(self, span: Span) -> str:
        """The words of a span, without what says who wrote the paper."""
        hidden = self.paper.left_out.get(span.block_id, ())
        text = self.paper.by_id[span.block_id].text
        kept = [
            character
            for at, character in enumerate(text[span.start : span.end], start=span.start)
            if not any(start <= at < end for start, end in hidden)
        ]
        page = self.paper.by_id[span.block_id].page
        return f"{f'[page {page}] ' if page else ''}…{''.join(kept)}…"
