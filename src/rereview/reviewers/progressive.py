"""The passages of a paper in order, with running notes on what came before; then one list of all issues.

Passages are checked in frames. All calls of a frame begin with the same text, which an endpoint that caches
prefixes reads once, and run at the same time. Notes taken of one frame are what the next sees of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rereview import prompts
from rereview.errors import Unreadable, UsageError
from rereview.models.base import Model, ask_for
from rereview.models.prices import estimate_tokens
from rereview.reviewers.consolidate import consolidated
from rereview.reviewers.illustrated import Given, alone, together
from rereview.reviewers.issues import Issues, at_once
from rereview.reviewers.passages import Frame, frames, passages
from rereview.types.call import Among, Message
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record
from rereview.types.review import Draft, Remark

WORDS_A_TOKEN = 0.75


class Notes(Record):
    """What a passage adds, a line an entry."""

    notation: tuple[str, ...]
    equations: tuple[str, ...]
    theorems: tuple[str, ...]
    assumptions: tuple[str, ...]
    claims: tuple[str, ...]


class Checked(Issues):
    """The issues of one passage, and the notes on it."""

    notes: Notes


NOTHING = Notes(notation=(), equations=(), theorems=(), assumptions=(), claims=())


@dataclass(frozen=True)
class Progressive:
    """Check each passage beside its neighbours and the notes on all before, then consolidate.

    `passage`: characters; `frame`: passages whose checks share what they see; `before` and `after`:
    further passages in sight of a frame. `notes_share` of the paper's tokens, and at least `notes_tokens`,
    is what notes may take before they are shortened.
    """

    needs_model: ClassVar[bool] = True
    prompts: ClassVar[tuple[str, ...]] = (
        "progressive_check",
        "progressive_merge",
        "progressive_notes",
        "issue_rules",
    )

    passage: int = 8_000
    frame: int = 6
    before: int = 1
    after: int = 1
    notes_share: float = 0.1
    notes_tokens: int = 4_000
    at_once: int = 8
    max_output_tokens: int = 8_000
    merge_output_tokens: int = 16_000

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """The consolidated issues; the list before is these and what was set aside."""
        given = passages(paper, self.passage, model.pictures if model.reads is None else None)
        self._fits(model)
        notes, found = NOTHING, list[Remark]()
        unread: dict[int, Unreadable] = {}
        for frame in frames(given, checked=self.frame, before=self.before, after=self.after):
            answers = await self._frame(model, given, frame, notes, unread)
            found += [issue.remark() for answer in answers for issue in answer.issues]
            notes = joined([notes, *(answer.notes for answer in answers)])
            if frame.last < len(given):
                notes = await self._shortened(model, notes, sum(len(each.text) for each in given))
        if given and len(unread) == len(given):
            raise unread[0]
        kept, aside = await consolidated(
            model, found, as_notes(notes), max_output_tokens=self.merge_output_tokens
        )
        return Draft(
            remarks=kept, aside=aside, fields=_fields(notes), notes=_unchecked(sorted(unread), len(given))
        )

    def _fits(self, model: Model) -> None:
        """Raises UsageError for a model that reads less than a frame: nothing is cut in silence."""
        needed = (self.before + self.frame + self.after) * self.passage // 4 + self.notes_tokens
        if model.reads is not None and needed > model.reads:
            raise UsageError(
                f"{model.name} reads at most {model.reads:,} tokens, and a frame has about {needed:,}",
                where="progressive",
                expected="smaller progressive.passage, frame and notes_tokens, or another model",
            )

    def expected_calls(self, paper: Manuscript) -> tuple[int, int]:
        """A call a passage and one to consolidate; at most one more a frame, for notes that grow long."""
        given = passages(paper, self.passage)
        count = len(given) + 1
        return count, count + len(frames(given, checked=self.frame, before=self.before, after=self.after))

    async def _frame(
        self,
        model: Model,
        given: Sequence[Given],
        frame: Frame,
        notes: Notes,
        unread: dict[int, Unreadable],
    ) -> list[Checked]:
        """The answers on a frame's passages. One that nobody can read is put into `unread`."""

        async def check(number: int) -> Checked | None:
            messages = self.messages(given, frame, notes, number)
            try:
                answer = await ask_for(
                    model, messages=messages, shape=Checked, max_output_tokens=self.max_output_tokens
                )
            except Unreadable as problem:
                unread[number] = problem
                return None
            return answer.value

        answers = await at_once(check, range(*frame.checked), most=self.at_once)
        return [answer for answer in answers if answer is not None]

    def messages(
        self, given: Sequence[Given], frame: Frame, notes: Notes, number: int
    ) -> tuple[Message, ...]:
        """What the model is sent for one passage: of one frame all but the last lines are the same bytes.

        The images of the passages in sight stand where they do in the paper.
        """
        shown = together(
            part for each in frame.numbers for part in (alone(f"--- passage {each + 1}"), given[each])
        )
        before = f"Notes on earlier passages\n\n{as_notes(notes)}\n\n"
        system, user = prompts.load("progressive_check").fill(
            mark=prompts.mark_of("\0".join(each.text for each in given)),
            rules=prompts.load("issue_rules").system,
            notes=before if frame.first else "",
            passages=shown.text,
            number=str(number + 1),
            count=str(len(given)),
        )
        return Message(role="system", text=system), shown.message(user, _among(frame))

    async def _shortened(self, model: Model, notes: Notes, characters: int) -> Notes:
        """The notes, or shorter ones where they are too long to be sent with every passage.

        An unreadable answer changes nothing.
        """
        most = max(self.notes_tokens, round(self.notes_share * characters / 4))
        text = as_notes(notes)
        if estimate_tokens(text) <= most:
            return notes
        system, user = prompts.load("progressive_notes").fill(
            mark=prompts.mark_of(text), notes=text, words=str(round(most * WORDS_A_TOKEN * 0.8))
        )
        messages = (Message(role="system", text=system), Message(role="user", text=user))
        try:
            answer = await ask_for(model, messages=messages, shape=Notes, max_output_tokens=2 * most)
        except Unreadable:
            return notes
        return answer.value


def _among(frame: Frame) -> Among | None:
    """What else begins as a call of this frame: its other calls; where there are no notes, each round's."""
    if len(range(*frame.checked)) > 1:
        return "calls"
    return None if frame.first else "rounds"


def joined(parts: Iterable[Notes]) -> Notes:
    """Notes of several passages, in order, each line once."""
    given = list(parts)
    return Notes(
        **{
            name: tuple(dict.fromkeys(line for part in given for line in getattr(part, name)))
            for name in Notes.model_fields
        }
    )


def as_notes(notes: Notes) -> str:
    """The notes as text, under their headings."""
    return "\n\n".join(
        f"{name.capitalize()}\n" + "\n".join(f"- {line}" for line in getattr(notes, name))
        for name in Notes.model_fields
        if getattr(notes, name)
    )


def _fields(notes: Notes) -> dict[str, str]:
    return {name: "\n".join(getattr(notes, name)) for name in Notes.model_fields if getattr(notes, name)}


def _unchecked(numbers: Sequence[int], count: int) -> tuple[str, ...]:
    """A passage is never left out in silence."""
    names = ", ".join(str(number + 1) for number in numbers)
    return (f"not checked: passages {names} of {count}, for no answer could be read",) if numbers else ()
