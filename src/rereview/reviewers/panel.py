"""Several passes over the whole paper, each with its own lens, merged, and defended against by a refuter.

All passes begin with the same bytes: rules, then the paper, then the lens. An endpoint that caches prefixes
reads the paper once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import lcm
from typing import ClassVar, NamedTuple

from rereview import prompts
from rereview.errors import Unreadable, UsageError
from rereview.judge.same_issue import same_issue
from rereview.models.base import Model, ask_for
from rereview.models.prices import MANY
from rereview.reviewers.consolidate import merged
from rereview.reviewers.illustrated import Given, given
from rereview.reviewers.issues import Issues, at_once
from rereview.reviewers.refuter import Checked, Refuter
from rereview.stats.overlap import chao
from rereview.text.plurals import many
from rereview.types.call import Among, Message
from rereview.types.manuscript import Manuscript
from rereview.types.review import Aside, Draft, Remark

ISSUES = MANY
"""Issues of a pass that the question before the first call reckons with."""
SEVERITIES = ("major", "moderate", "minor", None)


@cache
def lenses() -> dict[str, str]:
    """The lenses there are, by name, with what each asks for."""
    lines = prompts.load("panel_lenses").system.splitlines()
    return dict(line.split(": ", 1) for line in lines if line.strip())


class Pass(NamedTuple):
    """One pass: its name in the review, its lens and who reads."""

    name: str
    lens: str
    model: Model


@dataclass(frozen=True)
class Panel:
    """`passes` readings that share out the lenses and the models, in turn. None: each lens and model has one.

    Where several models are given, a pass and the next have different ones; the first model merges and
    refutes. Presentation is no lens.
    """

    needs_model: ClassVar[bool] = True
    asks_peers: ClassVar[bool] = True
    prompts: ClassVar[tuple[str, ...]] = (
        "panel_pass",
        "panel_lenses",
        "panel_refute",
        "same_issue",
        "issue_rules",
    )

    lenses: tuple[str, ...] = ("surface", "claims", "reasoning", "empirical")
    passes: int | None = None
    refute: bool = True
    at_once: int = 8
    max_output_tokens: int = 16_000

    def __post_init__(self) -> None:
        unknown = [name for name in self.lenses if name not in lenses()]
        if unknown or not self.lenses:
            what = f"no lens {unknown[0]!r}" if unknown else "no lens"
            raise UsageError(what, where="panel", expected=f"lenses out of {', '.join(lenses())}")
        if self.passes is not None and self.passes < 1:
            raise UsageError(f"passes={self.passes}", where="panel", expected="at least one")

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """The issues that stand, the gravest first; the refuted and the merged are set aside."""
        planned = self.planned(model)
        readings = await self._readings(paper, planned)
        unread = [each.name for each, said in zip(planned, readings, strict=True) if said is None]
        passes = tuple(each.name for each in planned if each.name not in unread)
        found = [remark for said in readings if said is not None for remark in said]
        issues, aside, told = await self._merged(found, model)
        checked = (
            await self._refuted(paper, issues, model) if self.refute else [Checked(each) for each in issues]
        )
        kept = [each.remark for each in checked if each.refuted is None]
        aside += [Aside(remark=each.remark, why=each.refuted) for each in checked if each.refuted]
        notes = [*dict.fromkeys(_left_out(paper, planned))]
        notes += [f"passes that could not be read: {', '.join(unread)}"] if unread else []
        notes += _undefended(sum(not each.read for each in checked))
        return Draft(
            remarks=tuple(sorted(kept, key=_rank)),
            passes=passes,
            aside=tuple(aside),
            fields={"issues not seen": unseen(kept, len(passes)) if told else NOT_TOLD},
            notes=tuple(notes),
        )

    def expected_calls(self, paper: Manuscript, *, models: int = 1) -> tuple[int, int]:  # noqa: ARG002  it reads the paper whole
        """A call a pass, one that merges, and one an issue: up to `ISSUES` of each pass."""
        count = self._count(models)
        return count, count + 1 + (ISSUES * count if self.refute else 0)

    def planned(self, model: Model) -> tuple[Pass, ...]:
        """The passes: lenses and models in turn. A name that comes again gets a number."""
        models = (model, *getattr(model, "peers", ()))
        count = self._count(len(models))
        made: list[Pass] = []
        for at in range(count):
            # Once pairs of lens and model come again, one model is skipped, so that others pair.
            skipped = at // lcm(len(self.lenses), len(models))
            lens, who = self.lenses[at % len(self.lenses)], models[(at + skipped) % len(models)]
            name = lens if len(models) == 1 else f"{lens} ({who.name})"
            again = sum(each.name.split(" #")[0] == name for each in made)
            made.append(Pass(f"{name} #{again + 1}" if again else name, lens, who))
        return tuple(made)

    def _count(self, models: int) -> int:
        """Passes: those that are asked for, or so many that each lens and each model has one."""
        return self.passes or max(len(self.lenses), models)

    async def _readings(self, paper: Manuscript, planned: Sequence[Pass]) -> list[list[Remark] | None]:
        """What each pass raises, in order; None for one that nobody can read. All unread is Unreadable.

        The first pass of each model goes before the others, so that these find the paper in its cache.
        """
        firsts = {id(each.model): each for each in reversed(planned)}.values()
        first = [each for each in planned if any(each is one for one in firsts)]
        rest = [each for each in planned if not any(each is one for one in firsts)]
        problems: list[Unreadable] = []

        async def read(each: Pass) -> list[Remark] | None:
            alone = sum(one.model is each.model for one in planned) == 1
            try:
                return await self._one(paper, each, "rounds" if alone else "calls")
            except Unreadable as problem:
                problems.append(problem)
                return None

        made = await at_once(read, first, most=self.at_once, first_alone=False)
        made += await at_once(read, rest, most=self.at_once, first_alone=False)
        if problems and len(problems) == len(planned):
            raise problems[0]
        by_name = dict(zip((each.name for each in (*first, *rest)), made, strict=True))
        return [by_name[each.name] for each in planned]

    async def _one(self, paper: Manuscript, each: Pass, among: Among) -> list[Remark]:
        answer = await ask_for(
            each.model,
            messages=self.messages(given(paper, each.model), each.lens, each.name, among),
            shape=Issues,
            max_output_tokens=self.max_output_tokens,
        )
        return [issue.remark(each.name) for issue in answer.value.issues]

    def messages(self, paper: Given, lens: str, name: str, among: Among = "calls") -> tuple[Message, ...]:
        """What one pass is sent; all but the end is the same for all (`rounds`: for each round)."""
        again = name.partition("#")[2]
        system, user = prompts.load("panel_pass").fill(
            mark=prompts.mark_of(paper.text),
            rules=prompts.load("issue_rules").system,
            paper=paper.text,
            lens=lenses()[lens] + (f" (Reading {again}.)" if again else ""),
        )
        return Message(role="system", text=system), paper.message(user, among)

    async def _merged(self, found: Sequence[Remark], model: Model) -> tuple[list[Remark], list[Aside], bool]:
        """One remark an issue, with the passes that raised it; False if no answer said which are the same."""
        try:
            parts = await same_issue(found, model)
        except Unreadable:
            return list(found), [], False
        issues, aside = [], []
        for part in parts:
            same = sorted((found[number] for number in part), key=_weight)
            issues.append(merged(same))
            why = f"the same issue as “{issues[-1].title}”"
            aside += [Aside(remark=each, why=why) for each in same[1:]]
        return issues, aside, True

    async def _refuted(self, paper: Manuscript, issues: Sequence[Remark], model: Model) -> list[Checked]:
        refuter = Refuter(paper)
        return await at_once(
            lambda remark: refuter(remark, model), issues, most=self.at_once, first_alone=False
        )


def _weight(remark: Remark) -> tuple[int, bool]:
    return SEVERITIES.index(remark.severity), remark.quote is None


def _rank(remark: Remark) -> tuple[int, int]:
    return SEVERITIES.index(remark.severity), -len(remark.raised_by)


def _left_out(paper: Manuscript, planned: Sequence[Pass]) -> Iterator[str]:
    """What models that read little were not given."""
    for each in planned:
        if each.model.reads is not None and (note := given(paper, each.model).note):
            yield note


def _undefended(count: int) -> list[str]:
    issues = many(count, "issue was", "issues were")
    return [f"{issues} not defended: no answer of the refuter could be read"] if count else []


NOT_TOLD = "not estimated: no answer said which issues are the same, so none are merged"


def unseen(kept: Sequence[Remark], passes: int) -> str:
    """How many issues no pass raised, at least, in words, with what that rests on."""
    found = chao([len(each.raised_by) for each in kept], passes)
    if found.unseen.value is None:
        return "not estimated: that needs at least two passes and an issue"
    limits = "" if found.unseen.low is None else f" [{found.unseen.low:.1f}, {found.unseen.high:.1f}]"
    return (
        f"at least {found.unseen.value + 0.0:.1f}{limits} beside the {found.found} that stand, of which"
        f" {found.once} were raised by one of {passes} passes alone and {found.twice} by two"
        " (Chao's lower bound, 95% interval). It takes passes as independent and issues as rightly"
        " merged: passes of one model share what they overlook, which makes it too low; passes that"
        " look for different things agree less than chance, which makes it too high; what no pass can"
        " find is not in it."
    )
