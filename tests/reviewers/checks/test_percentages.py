"""Percentages against their counts and against what they compare with."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.percentages import Percentages
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(*texts: str, table: str = "", caption: str = "") -> Manuscript:
    blocks = [Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts)]
    if table:
        body = table.replace(";", r" \\ ").replace("|", r"\midrule ")
        blocks += [
            Block(id="cap", text=caption, kind="caption", environment="table"),
            Block(id="tab", text=rf"\begin{{tabular}}{{lcc}}{body}\end{{tabular}}", kind="table"),
        ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    remarks = list(Percentages()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "percentages"
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        # Medicine, forestry, archaeology, elections, transport, chemistry.
        (r"Nausea was seen in 12 (30\%) of the 48 patients.", r"30\%"),
        (r"Most beeches had galls (41/60, 58.3\%).", r"58.3\%"),
        (r"Of the 85 graves, 34 (45\%) held pottery.", r"45\%"),
        (r"Turnout fell in 72\% of 250 wards (n = 150).", r"72\%"),
        (r"Trams were late on 18 of 90 days, or 25\%.", r"25\%"),
        (r"The ester formed in 80.0\% (n = 21/25) of runs.", r"80.0\%"),
        # Changes.
        (r"There were 450 mills in the valley, compared with 600 in 1990, a decrease of 20\%.", r"20\%"),
        (
            (
                r"We counted 1,200 nests, compared to the 1,000 nests of the survey before. "
                r"This reflects a percentage increase of approximately $24.4\%$."
            ),
            r"24.4\%",
        ),
        (r"The new span weighs 45.0 t, 10\% less than the old one (60.0 t).", r"10\%"),
    ],
)
def test_a_percentage_that_its_numbers_do_not_give_is_found(text: str, quote: str) -> None:
    """Shares in each of their forms, and changes with what they compare with."""
    (remark,) = found(paper(text))
    assert remark.quote
    assert remark.quote.startswith(quote.removesuffix(r"\%"))


@pytest.mark.parametrize(
    "text",
    [
        # Right, rounded, cut, about.
        r"Nausea was seen in 12 (25\%) of the 48 patients.",
        r"Most beeches had galls (41/60, 68.3\%).",
        r"Of the 85 graves, about 34 (40\%) held pottery.",
        r"Trams were late on 18 of 93 days, or about 20\%.",
        r"Trams were late on 18 of 93 days, or about 19.5\%.",
        # A share of something else, an interval, a level, a score.
        r"Of the 48 patients, 20 answered; of these 12 (60\%) were ill.",
        r"The ratio was 12 of 48 (95\% CI 0.15--0.39).",
        r"At the 5\% level, 12/48 tests were significant.",
        r"The mixture was 3/4, 50\% of it sand.",
        # Changes: right, points, the other way to say it, more than two numbers.
        r"There were 450 mills in the valley, compared with 600 in 1990, a decrease of 25\%.",
        r"Approval was 45\% compared with 40\% before, an increase of 5\%.",
        r"There were about 450 mills, compared with 600 in 1990; exports rose by 20\%.",
        r"The new span weighs 45.0 t, 25\% less than the old one (60.0 t).",
        r"Yields were 3.1 t compared with 2.4 t in 2010 and 2.0 t in 1990, an increase of 55\%.",
        r"Costs would be 12 compared with 10 then, an increase of 50\%.",
    ],
)
def test_a_percentage_that_can_be_right_is_left_alone(text: str) -> None:
    """Right values, other bases, intervals and percentage points."""
    assert found(paper(text)) == []


TRIAL = (
    r"Symptom & Drug (n = 48) & Placebo (n = 50) ;| Nausea & 12 (25.0) & 10 (20.0) ;"
    r" Rash & 6 (12.5) & 4 (8.0) ; Cough & 24 (50.0) & {} ; Fever & 3 (6.2) & 5 (10.0)"
)


def test_a_cell_of_a_column_of_shares_is_found() -> None:
    """The heading gives the whole, and the other cells show that it is."""
    (remark,) = found(paper(table=TRIAL.format("15 (40.0)"), caption=r"Symptoms, number (\%)"))
    assert remark.quote == "15 (40.0)"
    assert remark.arithmetic == "100 × 15 / 50 = 30.00; printed: 40.0"


@pytest.mark.parametrize(
    ("cell", "caption"),
    [
        ("15 (30.0)", r"Symptoms, number (\%)"),
        # The row says of how many.
        ("15/40 (37.5)", r"Symptoms, number (\%)"),
        # Means with their standard deviations.
        ("15 (40.0)", "Symptoms, mean (SD)"),
        # Some answers are missing.
        ("15 (40.0)", r"Symptoms, number (\%) of available answers"),
        # A share of another count of the column.
        ("5 (50.0)", r"Symptoms, number (\%)"),
    ],
)
def test_a_cell_that_can_be_right_is_left_alone(cell: str, caption: str) -> None:
    """Right shares, other wholes, other meanings of brackets."""
    assert found(paper(table=TRIAL.format(cell), caption=caption)) == []
