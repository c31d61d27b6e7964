"""The rule that finds text which an unescaped percent sign removes."""

import re

import pytest

from rereview.reviewers.checks.lost_text import LostText
from rereview.types.manuscript import Block, Hidden, Manuscript, SourceRun, SourceSpan, Span

COMMENT = re.compile(r"(?<!\\)%([^\n]*)\n?[ \t]*")

POSITIVE = {
    "agronomy": (
        "Grain yield rose by 14.2% compared to the unfertilised plots. The effect held in both seasons.\n",
        "% compared to the unfertilised plots. The effect held in both seasons.",
    ),
    "nursing": (
        "Of all falls, 31%, or roughly one in three, happened at night.\nStaffing did not matter.\n",
        "%, or roughly one in three, happened at night.",
    ),
    "seismology": (
        "The inversion explains $87$% of the variance in the\nteleseismic records.\n",
        "% of the variance in the",
    ),
    "labour economics": (
        "Wages of the treated grew by a further 3% (standard error 0.8), which is large.\n",
        "% (standard error 0.8), which is large.",
    ),
    "chemistry": (
        "The ligand gave the ester in 92 % yield after two hours at low temperature.\n\nThen it varied.\n",
        "% yield after two hours at low temperature.",
    ),
    "psychometrics": (
        "Missing items were imputed for scales with 10%--20% gaps, and dropped otherwise.\n",
        "%--20% gaps, and dropped otherwise.",
    ),
}

NEGATIVE = {
    "a note after a size": "We recruited n = 30 % updated after revision\nparticipants from two clinics.\n",
    "a note in capitals": "The glacier retreated by 0.5 % TODO check\nkilometres a year.\n",
    "a line end that is joined": "The enzyme was diluted 1:100%\n and kept on ice.\n",
    "a whole line": "The survey ran in 2016.\n% of the households that answered all stay.\nIt ended.\n",
    "the sentence goes on": "The bridge spans 480% todo ask them\n, longer than any other on the river.\n",
    "an escaped sign": r"Turnout fell by 4\% in the north% and the south" + "\nof the country.\n",
    "a unit of the layout": "\\vspace{-3% closer to the figure\n mm}The corpus holds letters.\n",
    "a note of the writer": "The orchard had 41% check with the field book\n\ntrees in the first year.\n",
    "an equation follows": "The closed form is, for every lattice of rank 3 % the general case is below.\n",
    "a list without full stops": "\\item ridge penalty 0.01 % was tuned on the first fold.\n",
    "old text kept aside": "Bees visited 12 of 40 % of the flowers, said my draft\nplots on the ridge.\n",
}


def paper_of(source: str, *, environment: str | None = None, follow: str | None = None):
    """A manuscript of paragraphs, with comments taken out as TeX takes them out."""
    blocks, hidden = [], []
    for number, part in enumerate(source.split("\n\n")):
        text = ""
        done = 0
        for comment in COMMENT.finditer(part):
            text += part[done : comment.start()]
            at = Span(block_id=f"b{number}", start=len(text), end=len(text))
            hidden.append(Hidden(kind="comment", text="%" + comment[1], at=at))
            done = comment.end()
        text = (text + part[done:]).rstrip("\n")
        blocks.append(Block(id=f"b{number}", text=text, kind="paragraph", environment=environment))
    if follow:
        blocks.append(Block(id="last", text="x = 1", kind=follow))
    return Manuscript(
        id="m",
        paper_id="p",
        title="",
        format="latex",
        blocks=tuple(blocks),
        sequence=tuple(block.id for block in blocks),
        hidden=tuple(hidden),
    )


def negative(name: str):
    """The manuscript of a near miss, with what its name says stands around it."""
    if name == "an equation follows":
        return paper_of(NEGATIVE[name], follow="equation")
    return paper_of(NEGATIVE[name], environment="itemize" if "list" in name else None)


@pytest.mark.parametrize("field", POSITIVE)
def test_lost_prose_is_found(field):
    """Prose that a percent sign after a number takes away is one finding, said verbatim."""
    source, lost = POSITIVE[field]
    paper = paper_of(source)
    (remark,) = LostText()(paper)
    assert lost in remark.body
    assert remark.rule == "lost-text"
    assert f"{len(lost)} characters removed" in remark.arithmetic
    assert remark.severity == ("major" if len(lost) > 40 else "moderate")


@pytest.mark.parametrize("name", NEGATIVE)
def test_a_comment_is_no_lost_text(name):
    """A note of the writer, a joined line and a whole line of comment are left alone."""
    assert list(LostText()(negative(name))) == []


@pytest.mark.parametrize("field", POSITIVE)
def test_the_quote_is_what_stands_before_the_loss(field):
    """The place is exact: the quote is the text of its span, ends at the loss and starts a word."""
    paper = paper_of(POSITIVE[field][0])
    (remark,) = LostText()(paper)
    (place,) = remark.places
    assert remark.quote == paper.text_of(place)
    assert len(remark.quote) <= 60
    assert place.end == paper.hidden[0].at.end
    assert place.start == 0 or paper.blocks[0].text[place.start - 1].isspace()


def test_a_long_loss_is_shortened():
    """More than 300 lost characters are cut in the body, and counted in full in the arithmetic."""
    lost = "% of the tidal range " + "and of its seasonal cycle " * 20
    (remark,) = LostText()(paper_of(f"The model explains 71{lost}\n"))
    assert len(remark.body) < 450
    assert f"{len(lost.rstrip())} characters" in remark.arithmetic


def test_pseudo_code_is_no_running_text():
    """In an algorithm a comment after a number is a comment."""
    source = "set the counter to 10% then start the loop over all nodes.\n"
    assert list(LostText()(paper_of(source)))
    assert list(LostText()(paper_of(source, environment="algorithmic"))) == []


def test_space_that_the_block_has_lost_still_counts():
    """A block may end without the space before the sign; the source says that it was there."""
    text = "The ridge penalty was 0.01"
    for gap, found in ((0, 1), (1, 0)):
        at = Span(block_id="b", start=len(text), end=len(text))
        source = SourceSpan(file="p.tex", start=len(text) + gap, end=len(text) + gap + 30)
        hidden = Hidden(kind="comment", text="% was tuned on the first fold", at=at, source=source)
        run = SourceRun(file="p.tex", start=0, end=len(text), text_start=0)
        block = Block(id="b", text=text, kind="paragraph", source=(run,))
        paper = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=(block,), hidden=(hidden,))
        assert len(list(LostText()(paper))) == found
