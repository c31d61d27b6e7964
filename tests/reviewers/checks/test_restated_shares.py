"""Shares of all that the text gives, against the counts of a table and against the abstract."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.restated_shares import RestatedShares
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def table(head: str, rows: str) -> str:
    """A table; `;` ends a row, `|` parts cells."""
    body = " ".join(rf"{row.strip().replace('|', '&')} \\" for row in rows.split(";"))
    columns = "l" * (head.count("|") + 1)
    return (
        rf"\begin{{tabular}}{{{columns}}} \toprule {head.replace('|', '&')} \\ \midrule {body} "
        r"\bottomrule \end{tabular}"
    )


def paper(*texts: str, abstract: str = "", tabular: str = "", caption: str = "") -> Manuscript:
    blocks = [Block(id="a", text=abstract, kind="paragraph", environment="abstract")] if abstract else []
    blocks += [Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts)]
    if tabular:
        blocks += [
            Block(id="cap", text=caption, kind="caption", environment="table"),
            Block(id="tab", text=tabular, kind="table"),
        ]
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    """The findings, each with exact places and arithmetic."""
    remarks = list(RestatedShares()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "restated-shares"
        assert remark.arithmetic
    return remarks


CHURCHES = table(
    "Region | Intact | Ruined | Total",
    "North | 120 | 30 | 150; South | 200 | 25 | 225; East | 60 | 15 | 75; Total | 380 | 70 | 450",
)
RUINS = CHURCHES.replace("& 30 &", "& 40 &").replace("& 15 &", "& 5 &")
FARMS = table(
    "Irrigation | Farms | \\%", "Drip | 150 | 30.0; Furrow | 250 | 50.0; None | 100 | 20.0; All | 500 | 100.0"
)
GRADES = table(
    r"Origin | \multicolumn{2}{c}{Native} | \multicolumn{2}{c}{Learned} | \multicolumn{2}{c}{Overall}",
    r" | n | \% | n | \% | n | \%; Urban | 40 | 80.0 | 30 | 60.0 | 70 | 70.0;"
    r"Rural | 10 | 20.0 | 20 | 40.0 | 30 | 30.0; Overall | 50 | 50.0 | 50 | 50.0 | 100 | 100.0",
)


@pytest.mark.parametrize(
    ("text", "tabular", "caption", "arithmetic"),
    [
        # Architecture: a column of the table is the part.
        (
            r"Among all churches, $25.6\%$ are ruined.",
            CHURCHES,
            "Churches by region and state",
            "100 × 70 / 450 = 15.56; printed: 25.6%",
        ),
        (
            r"Overall, 16.5\% of the churches were classified as ruined.",
            CHURCHES,
            "Churches by region and state",
            "100 × 70 / 450 = 15.56; printed: 16.5%",
        ),
        # Farming: a row is the part.
        (
            r"In total, 35\% of all farms are furrow.",
            table("Irrigation | Farms", "Drip | 150; Furrow | 250; None | 100; All | 500"),
            "Farms by irrigation",
            "100 × 250 / 500 = 50.0; printed: 35%",
        ),
        # Regions: the row South.
        (
            r"Our survey is large, with 60.0\% of the churches recorded as southern.",
            CHURCHES.replace("South", "Southern"),
            "Churches by region",
            "100 × 225 / 450 = 50.00; printed: 60.0%",
        ),
    ],
)
def test_a_share_that_the_counts_of_a_table_contradict_is_found(
    text: str, tabular: str, caption: str, arithmetic: str
) -> None:
    """The part and the whole stand in the margins of a table whose counts add up."""
    (remark,) = found(paper(text, tabular=tabular, caption=caption))
    assert remark.arithmetic == arithmetic


@pytest.mark.parametrize(
    ("abstract", "text", "arithmetic"),
    [
        # Dentistry, linguistics, astronomy.
        (
            r"Among all children, 41\% were caries-free.",
            r"We found that 14.2\% of the children were caries-free.",
            "41% ≠ 14.2%",
        ),
        (
            r"We study verbs. Of all verbs, 7.5\% are of mixed class. They matter.",
            r"Based on two dictionaries, 5.7\% of the verbs were labelled as mixed class and 94.3\% as pure.",
            "7.5% ≠ 5.7%",
        ),
        (
            r"Overall, $62.1\%$ of all galaxies are barred.",
            r"Among the galaxies, 62.7\% are barred.",
            "62.1% ≠ 62.7%",
        ),
    ],
)
def test_a_share_of_the_abstract_that_the_text_gives_otherwise_is_found(
    abstract: str, text: str, arithmetic: str
) -> None:
    """The same part of the same whole, and the abstract's value stands nowhere else."""
    (remark,) = found(paper(text, abstract=abstract))
    assert remark.arithmetic == arithmetic


@pytest.mark.parametrize(
    ("text", "tabular", "caption"),
    [
        # Right, rounded, cut.
        (r"Among all churches, 15.6\% are ruined.", CHURCHES, "Churches"),
        (r"Among all churches, 16\% are ruined.", CHURCHES, "Churches"),
        (r"Among all churches, 15.5\% are ruined.", CHURCHES, "Churches"),
        # About, and bounds.
        (r"Among all churches, about 31.7\% are ruined.", CHURCHES, "Churches"),
        (r"In total, more than 11.7\% of the churches are ruined.", CHURCHES, "Churches"),
        (r"Of all churches, less than 31.7\% are ruined.", CHURCHES, "Churches"),
        (r"Overall, between 11 and 31.7\% of the churches are ruined.", CHURCHES, "Churches"),
        (r"Of all churches, 11--31.7\% are ruined.", CHURCHES, "Churches"),
        # A part of them, another time, another predicate, not.
        (r"In the north, 31.7\% of all churches are ruined.", CHURCHES, "Churches"),
        (r"By 1900, 31.7\% of all churches were ruined.", CHURCHES, "Churches"),
        (r"Among the northern churches, 31.7\% are ruined.", CHURCHES, "Churches"),
        (r"Among these churches, 31.7\% are ruined.", CHURCHES, "Churches"),
        (r"Of all churches, 31.7\% are ruined in the north.", CHURCHES, "Churches"),
        (r"Of all churches, 31.7\% are ruined, at least in the north.", CHURCHES, "Churches"),
        (r"Among all churches, 31.7\% are ruined or closed.", CHURCHES, "Churches"),
        (r"Among all churches, 31.7\% are not ruined.", CHURCHES, "Churches"),
        (r"Of all bridges, 31.7\% are ruined.", CHURCHES, "Churches"),
        # It may speak of the sentence before.
        (r"The northern survey has 40 churches. Of the churches, 31.7\% are ruined.", CHURCHES, "Churches"),
        (r"Half were rebuilt; 31.7\% of the churches are ruined.", CHURCHES, "Churches"),
        # Other work.
        (r"Of all churches, 31.7\% are ruined \cite{stone}.", CHURCHES, "Churches"),
        (r"Of all churches, 31.7\% are ruined, says \cite{stone}.", CHURCHES, "Churches"),
        (r"Of all churches, 31.7\% are ruined, as earlier work says.", CHURCHES, "Churches"),
        (r"Of all churches, 31.7\% were ruined before restoration.", CHURCHES, "Churches"),
        # The share of another table or sentence.
        (r"Among all farms, 42.5\% are furrow. The 42.5\% are small.", FARMS, "Farms and plots"),
        # Right as a share of another total of its row or column.
        (r"Overall, 57.1\% of the churches were recorded as ruined.", RUINS, "Churches"),
        # A table that is no division: the counts of the column do not add up, or it has no margin.
        (
            r"Among all churches, 31.7\% are ruined.",
            CHURCHES.replace("& 30 &", "& 31 &"),
            "Churches",
        ),
        (
            r"Of all parsers, 30\% are statistical.",
            table("Task | Statistical | Neural", "NER | 12 | 30; POS | 14 | 31; QA | 15 | 40"),
            "Parsers by task",
        ),
        # Right for the total of the column or row that the sentence could mean.
        (r"Of all learners, 50\% are native.", GRADES, "Learners by origin"),
    ],
)
def test_what_may_be_right_is_left_alone(text: str, tabular: str, caption: str) -> None:
    """Rounded or hedged values, parts of the whole, other wholes, and tables that are no division."""
    assert found(paper(text, tabular=tabular, caption=caption)) == []


@pytest.mark.parametrize(
    ("abstract", "texts"),
    [
        # The same, or rounded in the abstract.
        (r"Of all eggs, 12\% are fertile.", (r"Among the eggs, 12.3\% are fertile.",)),
        # Two groups in the text.
        (
            r"Of all patients, 50\% were women.",
            (r"Of all patients, 48\% were women.", r"Of the patients, 52\% were women."),
        ),
        # Neither says that all are meant.
        (r"Of the patients, 50\% were women.", (r"Of the patients, 48\% were women.",)),
        # The value of the abstract stands in the text or in a table too.
        (
            r"Of all patients, 50\% were women.",
            (r"Of the patients, 48\% were women.", r"In the second study 50\% were women."),
        ),
        # Other wholes or parts.
        (r"Of all mills, 50\% were idle.", (r"Of the looms, 48\% were idle.",)),
        (r"Of all mills, 50\% were idle.", (r"Of the mills, 48\% were idle in winter.",)),
        (r"Of all mills, 50\% were idle.", (r"In 1931, 48\% of the mills were idle.",)),
        (r"Of all mills, 50\% were idle.", (r"Of the mills, 48\% were sold.",)),
        # Another study.
        (r"Of all mills, 50\% were idle.", (r"Of the mills, 48\% were idle \citep{mill}.",)),
        (r"Of all mills, 50\% were idle.", (r"Smith reports that 48\% of the mills were idle.",)),
        # Two numbers of the text, neither in the abstract.
        ("We study mills.", (r"Of the mills, 50\% were idle.", r"Of the mills, 48\% were idle.")),
    ],
)
def test_an_abstract_that_may_be_right_is_left_alone(abstract: str, texts: tuple[str, ...]) -> None:
    """Rounding, several groups, other or unsaid wholes, other work, and two places of the text."""
    assert found(paper(*texts, abstract=abstract)) == []


def test_an_abstract_under_a_heading_counts() -> None:
    """Markdown and PDF papers have a heading `Abstract` in place of an environment."""
    blocks = (
        Block(id="h", text="Abstract", kind="heading"),
        Block(id="a", text="Of all wells, 31% are dry.", kind="paragraph"),
        Block(id="i", text="Introduction", kind="heading"),
        Block(id="b", text="Of all wells, 13% are dry.", kind="paragraph"),
    )
    (remark,) = found(Manuscript(id="m", paper_id="p", title="", format="markdown", blocks=blocks))
    assert remark.quote == "31%"


def test_the_values_that_are_left_alone_are_wrong_in_the_table() -> None:
    """What holds the findings back above is the wording: said of all, the same value is one."""
    (remark,) = found(paper(r"Among all churches, 31.7\% are ruined.", tabular=CHURCHES, caption="Churches"))
    assert remark.against
    assert remark.against.startswith("70")
