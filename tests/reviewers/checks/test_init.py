"""The reviewer that runs the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pytest

from rereview import errors
from rereview.reviewers import checks
from rereview.reviewers.checks import RULES, Checks
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark


def paper_of(*texts: str) -> Manuscript:
    """One paragraph a text; the reading order is the reverse of the order of the blocks."""
    blocks = tuple(Block(id=f"b{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    return Manuscript(
        id="m",
        paper_id="p",
        title="",
        format="markdown",
        blocks=blocks,
        sequence=tuple(block.id for block in reversed(blocks)),
    )


def remark(block: str, start: int, severity: str | None, title: str = "t") -> Remark:
    """A remark about one character."""
    place = Span(block_id=block, start=start, end=start + 1)
    return Remark(title=title, body="", severity=severity, places=(place,), quote=f"{block}:{start}")


@dataclass(frozen=True)
class Fixed:
    """A rule that yields what it was given."""

    name: ClassVar[str] = "fixed"
    remarks: tuple[Remark, ...] = ()

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """Yield the remarks."""
        yield from self.remarks


def with_rules(*rules: Fixed):
    """The reviewer with these rules in place of the built-in ones."""

    @dataclass(frozen=True)
    class Given(Checks):
        def chosen(self):
            return rules

    return Given()


async def test_remarks_come_worst_first_then_in_reading_order():
    """Severity orders first; equal severities follow the reading order, not the order of blocks."""
    found = (
        remark("b0", 5, "minor"),
        remark("b0", 3, "major"),
        remark("b1", 9, "major"),
        remark("b1", 2, "major"),
        remark("b1", 0, None),
        remark("b0", 0, "moderate"),
    )
    draft = await with_rules(Fixed(found))(paper_of("x" * 20, "y" * 20), None)
    assert [r.quote for r in draft.remarks] == ["b1:2", "b1:9", "b0:3", "b0:0", "b0:5", "b1:0"]


async def test_the_same_finding_is_said_once():
    """Two remarks that say the same of the same words become one; another title stays."""
    same = remark("b0", 3, "minor")
    other = remark("b0", 3, "minor", title="u")
    draft = await with_rules(Fixed((same, same)), Fixed((same, other)))(paper_of("x" * 20), None)
    assert draft.remarks == (same, other)


async def test_no_paper_is_too_empty():
    """A manuscript without blocks gives a draft without remarks."""
    assert (await Checks()(paper_of(), None)).remarks == ()


def test_rules_are_chosen_by_name():
    """`rules` runs the named ones only, each once."""
    assert [rule.name for rule in Checks(rules=("lost-text", "lost-text")).chosen()] == ["lost-text"]
    assert Checks().chosen() == RULES


def test_an_unknown_rule_is_named_with_the_known_ones():
    """A name that no rule has is a usage error that lists the names."""
    with pytest.raises(errors.UsageError, match=r"no rule 'stars-and-bars'.*lost-text"):
        Checks(rules=("stars-and-bars",)).chosen()


def test_every_rule_has_its_own_name():
    """Names are how a person chooses, so no two are equal."""
    names = [rule.name for rule in checks.RULES]
    assert len(names) == len(set(names))
