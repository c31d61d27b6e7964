"""Whether a comment is right, as a judge sees it."""

import asyncio
import json
import re

import pytest

from rereview.judge.validity import Validity, messages
from rereview.models.dry import DryModel
from rereview.types.call import Completion, Usage
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Comment, Review

BLOCKS = (
    Block(id="b1", text="The dose $D_{0}$ was 5 mg in every arm.", kind="paragraph"),
    Block(id="b2", text="Patients of the third arm never had $D_{0}$ or less.", kind="paragraph"),
)
PAPER = Manuscript(id="m", paper_id="p", title="", format="markdown", blocks=BLOCKS, sequence=("b1", "b2"))
LOCATED = Comment(
    id="c1",
    title="Dose",
    body="Not everybody can have had $D_{0}$.",
    quote="5 mg in every arm",
    match="exact",
    spans=(Span(block_id="b1", start=21, end=38),),
)
LOST = Comment(id="c2", title="Dose", body="?", quote="not there", match="not-found")


class Told(DryModel):
    """Answers with what it is told, again and again."""

    def __init__(self, answer):
        super().__init__("scripted:told")
        self.answer = answer

    async def __call__(self, request):
        """The answer."""
        call = await super().__call__(request)
        return call.but(completion=Completion(text=self.answer, finish="stop", usage=Usage()))


def opinions(answer, *comments):
    """What is kept of an answer that is given to every comment."""
    review = Review(
        id="r", manuscript_id="m", reviewer="x", model=None, round=1, status="ok", comments=comments
    )
    return asyncio.run(Validity()(review, PAPER, Told(answer)))


@pytest.mark.parametrize(
    ("answer", "valid", "unreadable"),
    [
        ('{"right": "yes", "reason": ""}', True, False),
        ('{"right": "no", "reason": ""}', False, False),
        ('{"right": "unclear", "reason": ""}', None, False),
        ("I would say so.", None, True),
        ('{"right": "perhaps", "reason": ""}', None, True),
    ],
)
def test_only_a_clear_answer_is_known(answer, valid, unreadable):
    """What is unclear, or cannot be read, is neither right nor wrong."""
    (kept,) = opinions(answer, LOCATED)
    assert (kept.valid, kept.unreadable) == (valid, unreadable)
    assert kept.call_ids


def test_every_comment_is_asked_about_by_itself():
    """In the order of the review."""
    kept = opinions(json.dumps({"right": "yes", "reason": ""}), LOCATED, LOST)
    assert [each.comment_id for each in kept] == ["c1", "c2"]


def test_the_judge_sees_the_passage_and_what_stands_elsewhere():
    """And no word of an injected error."""
    _, user = messages(LOCATED, PAPER)
    assert BLOCKS[0].text in user.text
    assert "the third arm never had" in user.text
    assert not re.search(r"inject|perturb|replac", messages(LOCATED, PAPER)[0].text + user.text)


def test_a_quote_that_stands_nowhere_is_said_to():
    """The judge is not shown a passage by guess."""
    _, user = messages(LOST, PAPER)
    assert "was not found in the manuscript" in user.text
