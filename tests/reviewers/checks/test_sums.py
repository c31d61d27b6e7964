"""Totals, means and differences in tables, and averages that the text takes from one."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.sums import Sums
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(head: str, rows: str, *texts: str, caption: str = "Results") -> Manuscript:
    """A manuscript with one table and these paragraphs after it; `;` ends a row, `|` draws a rule."""
    body = rows.replace(";", r" \\ ").replace("|", r"\midrule ").replace(",", " & ")
    columns = "l" * (head.count(",") + 1)
    top = head.replace(",", " & ")
    table = (
        rf"\begin{{tabular}}{{{columns}}} \toprule {top} \\ \midrule {body} \\ \bottomrule \end{{tabular}}"
    )
    blocks = [
        Block(id="cap", text=caption, kind="caption", environment="table"),
        Block(id="tab", text=table, kind="table"),
        *(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts)),
    ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    """The findings, each with exact places."""
    remarks = list(Sums()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "sums"
        assert remark.severity
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("head", "rows", "quote"),
    [
        # Trees counted by species and plot.
        ("Species,Plot 1,Plot 2,Total", "Oak,12,30,42;Ash,7,11,18;Elm,5,9,16;Yew,3,4,7", "16"),
        # A total row whose second column is too large.
        ("Ward,Admitted,Discharged", "A,120,100;B,85,90;C,60,48;|Total,265,283", "283"),
        # The mean of three test sites.
        (
            "Mix,Site 1,Site 2,Site 3,Mean",
            "M1,30,33,36,33.0;M2,41,44,47,44.0;M3,25,28,34,27.0;M4,50,51,52,51.0",
            "27.0",
        ),
        # Accuracy by language.
        (
            "Parser,Finnish,Basque,Avg.",
            "P1,80.2,70.4,75.3;P2,81.0,72.0,76.5;P3,79.5,71.1,77.3;P4,83.0,74.2,78.6",
            "77.3",
        ),
        # Differences of two columns.
        (
            "Alloy,Before,After,Difference",
            "A1,4.1,3.6,-0.5;B2,3.9,3.0,-0.9;C3,5.5,4.7,-0.6;D4,2.2,2.1,-0.1",
            "-0.6",
        ),
        # Masses of a batch, with a total row in the middle of several right ones.
        (
            "Fraction,Run 1,Run 2,Run 3",
            "Sand,10.5,11.0,9.5;Silt,4.5,5.0,5.5;Clay,2.0,1.5,2.5;|Total,17.0,17.5,18.5",
            "18.5",
        ),
        # Counts beside shares of the column.
        (
            "Assay,Kept,Share,Lost",
            "X,70,70.0,8;Y,20,20.0,1;Z,10,10.0,1;|Overall,100,90.9,70",
            "70",
        ),
    ],
)
def test_a_number_that_does_not_follow_from_its_parts_is_found(head: str, rows: str, quote: str) -> None:
    """Sums, means and differences that hold elsewhere in the table."""
    (remark,) = found(paper(head, rows))
    assert remark.quote == quote


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        # The mean age of all is weighted by the counts.
        ("Village,Households,Mean age", "A,120,34.1;B,85,40.2;C,60,51.0;|Total,265,39.9"),
        # Species are shared between sites.
        ("Site,Individuals,Plots,Species", "Fen,40,4,12;Bog,35,3,15;Heath,25,3,9;|Total,100,10,21"),
        # Rounding of parts.
        ("Mix,Sand,Silt,Total", "M1,33.3,66.7,100;M2,12.4,87.5,100;M3,50.2,49.8,100"),
        # A subset: not all rows are shown, and no column adds up.
        ("Region,Farms,Area", "North,12,300;South,15,410;|Total,61,1508"),
        # Nested totals.
        (
            "Item,2019,2020",
            "Wheat,10,12;Rye,5,6;|Total cereals,15,18;|Peas,4,5;Beans,3,2;|Total pulses,7,7;|Total,22,25",
        ),
        # A mean over more than the columns shown.
        (
            "Parser,Finnish,Basque,Avg. (12 languages)",
            "P1,80.2,70.4,71.0;P2,81.0,72.0,70.2;P3,79.5,71.1,69.9",
        ),
        # Shares of the columns, and a total row with shares of all.
        (
            "Assay,Kept,Kept %,Lost,Lost %",
            "X,70,70.0,8,80.0;Y,20,20.0,1,10.0;Z,10,10.0,1,10.0;|Overall,100,90.9,10,9.1",
        ),
        # "Total" names a quantity and is no sum of the columns.
        ("Farm,Total nitrogen,Total carbon", "A,1.2,14.1;B,1.4,15.0;C,0.9,12.2"),
        # Percentages of which more than one may hold.
        ("Symptom,Control %,Treated %", "Cough,40,30;Fever,50,35;Rash,20,10;|Any,70,45"),
        # Means of unrounded values.
        ("Mix,Site 1,Site 2,Mean", "M1,30.1,33.2,31.6;M2,41.0,44.1,42.5;M3,25.2,28.3,26.8"),
        # A cell is missing, so the mean is of the rest.
        (
            "Mix,Site 1,Site 2,Site 3,Mean",
            "M1,30,33,36,33.0;M2,41,--,47,44.0;M3,25,28,34,29.0;M4,50,51,52,51.0",
        ),
        # A mean that is one digit away from the sum.
        ("Village,Households,Mean age", "A,120,20;B,85,60;C,60,10;|Total,265,30"),
        # Rounded parts and a total of all digits.
        (
            "Mix,Sand,Silt,Total",
            "M1,33.3,26.7,60.0;M2,12.4,47.5,60.0;M3,30.2,29.8,60.0;M4,20.1,39.9,60.0",
        ),
        # Not all plots are shown; one row adds up because the others held none.
        ("Species,Plot 1,Plot 2,Total", "Oak,12,30,42;Ash,7,11,30;Elm,5,9,26;Yew,3,4,19"),
        # A Greek letter is no sign of a sum.
        ("Site,$\\mu$,$\\lambda$,$\\sigma$", "A,1.0,2.0,3.0;B,2.0,2.5,4.5;C,1.5,1.5,3.0;D,1.0,1.0,7.0"),
        # A weighted mean in each row.
        ("Diet,Men,Women,All", "A,20.0,24.0,22.5;B,21.0,26.0,24.1;C,19.0,22.0,20.9"),
    ],
)
def test_what_need_not_add_up_is_left_alone(head: str, rows: str) -> None:
    """Weighted means, unions, subsets, nested totals and rounding."""
    assert found(paper(head, rows)) == []


DRYING = "Kiln,Batch,Drying time (h),Loss"
KILNS = "Old,1,30.2,4.1;Old,2,33.1,4.4;Old,3,34.2,4.0;|New,1,20.4,3.9;New,2,22.0,3.7;New,3,21.5,3.8"


@pytest.mark.parametrize(
    "text",
    [
        "Drying times fell from an average of 36.1 h for the old kiln to 21.3 h.",
        "In the new kiln the drying time averaged 23.3 h.",
        "The old kiln needed a mean drying time of 31.5 h.",
        "With the new kiln we saw a mean loss of 4.2.",
        "An average drying time of 19.3 h was measured for the new kiln.",
    ],
)
def test_an_average_in_the_text_that_the_column_does_not_give_is_found(text: str) -> None:
    """The sentence names one column and one group of rows."""
    (remark,) = found(paper(DRYING, KILNS, text))
    assert remark.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Drying times fell from an average of 32.5 h for the old kiln to 21.3 h.",
        "The average drying time in the literature is 40 h for kilns.",
        "An average of 36.1 h was reported elsewhere.",
        "The old kiln lost 4.2 on average.",
        "The new kiln has an average power of 36.1 kW.",
        "In the new kiln the drying time fell by an average of 11.2 h.",
        "For the old and the new kiln an average drying time of 26.9 h was found.",
    ],
)
def test_an_average_in_the_text_that_may_be_of_something_else_is_left_alone(text: str) -> None:
    """Right averages, other quantities, and sentences that name no group or two."""
    assert found(paper(DRYING, KILNS, text)) == []
