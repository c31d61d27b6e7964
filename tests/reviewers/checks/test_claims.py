"""Claims of change and share against their own numbers and against the table that they speak of."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from promptly import promptly
from rereview.ingest.base import read
from rereview.reviewers.checks.claims import Claims
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark

ALLOYS = r"""\begin{tabular}{llcc}
\toprule
Treatment & Alloy & Wear rate & Hardness \\
\midrule
\multirow{3}{*}{Untreated} & A1 & 4.12 & 210 \\
 & B2 & 3.87 & 198 \\
 & C3 & 0.95 & 305 \\
\midrule
\multirow{3}{*}{Nitrided} & A1 & 3.60 & 260 \\
 & B2 & 3.01 & 251 \\
 & C3 & 0.99 & 340 \\
\bottomrule
\end{tabular}"""
ALLOY_CAPTION = "Wear and hardness of the alloys before and after nitriding"

WARDS = r"""\begin{tabular}{lcc}
\toprule
Hospital & Control & Checklist \\
\midrule
North & 8.1 & 6.0 \\
South & 7.4 & 5.9 \\
East & 5.2 & 5.6 \\
\bottomrule
\end{tabular}"""
WARD_CAPTION = "Infection rate (\\%) by hospital"

PARSERS = r"""\begin{tabular}{lccc}
\toprule
Parser & Finnish & Basque & Welsh \\
\midrule
Baseline & 81.0 & 74.5 & 69.2 \\
+ morphology & 82.4 & 76.0 & 68.8 \\
\bottomrule
\end{tabular}"""
PARSER_CAPTION = "Labelled accuracy of the parsers in three languages"


def paper(*texts: str, table: str = "", caption: str = "") -> Manuscript:
    """A manuscript of these paragraphs after a table; a text that begins with `*` is a list item."""
    blocks = []
    if table:
        blocks = [
            Block(id="cap", text=caption, kind="caption", environment="table"),
            Block(id="tab", text=table, kind="table", labels=("tab:one",)),
        ]
    for i, text in enumerate(texts):
        inside = "itemize" if text.startswith("*") else None
        blocks.append(Block(id=f"p{i}", text=text.lstrip("*"), kind="paragraph", environment=inside))
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=tuple(blocks))


def found(manuscript: Manuscript) -> list[Remark]:
    """The findings, each with exact places."""
    remarks = list(Claims()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "claims"
        assert remark.severity
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    "text",
    [
        r"Irrigation gave a 20\% reduction in water use (from 50 to 45 litres per plot).",
        "Serum ferritin increased from 12 to 9 after supplementation.",
        r"The yield of the ester rose by 31\% (from 42.0 to 63.0).",
        "Traffic on the bridge doubled from 10 to 15 vehicles per minute.",
        r"Of the patients, 37 of 120 (25\%) reported nausea.",
        r"Vowel duration fell from 88.2 to 95.4 in unstressed syllables.",
        r"Nitrate decreased from 40 to 30 mg/l, a decrease of 35\%.",
        r"Only 9/60 (25.0\%) of the beams cracked.",
        "Runoff was halved from 18.0 to 14.5 mm by the cover crop.",
        r"Settlement dropped from 31.2 mm to 24.1 mm (a 12.8\% decrease).",
    ],
)
def test_a_claim_that_its_own_numbers_contradict_is_found(text: str) -> None:
    """Percentages, directions, multiples and shares are computed again."""
    (remark,) = found(paper(text))
    assert remark.quote in text


@pytest.mark.parametrize(
    "text",
    [
        r"Irrigation gave a 10\% reduction in water use (from 50 to 45 litres per plot).",
        "Viscosity decreases from 20 to 80 °C.",
        "Enrolment declined from 1990 to 2005 in all districts.",
        r"Approval rose by 5\% (from 40\% to 45\%).",
        "Training cost approximately doubled, from 36.9 to 75.2 minutes.",
        r"Of the patients, 37 of 120 (31\%) reported nausea.",
        r"We found reductions in cost ranging from 5\% to 12\%.",
        r"In 12 of 40 trials (5\% of the programme) the pump failed.",
        r"The error decreases as the span increases from 10 to 50 m.",
        "Image resolution increased from 30 to 10 m.",
        r"Costs fell by more than 10\% (from 50 to 40).",
        r"The mixture 30/70 (30\%) was cast first.",
        r"The odds rose from 0.30 to 0.36 (95\% CI 0.31 to 0.41), a 20\% increase.",
        r"Intervals of 3 of 4 (75\% confidence) were kept.",
        r"Yield rose by 12.8\% from 0.86 to 0.97.",
        r"Output rose by 12.8\% from 1000.0 to 1128.6 t.",
        r"Throughput was 25\% faster (from 100 s to 80 s).",
        r"The growth rate did not increase from 12 to 9.",
    ],
)
def test_a_claim_that_can_be_right_is_left_alone(text: str) -> None:
    """Ranges, axes, years, percentage points, other bases and roundings are no contradiction."""
    assert found(paper(text)) == []


@pytest.mark.parametrize(
    ("text", "table", "caption", "against"),
    [
        (
            "Nitriding gave reductions in wear rate for all alloys.",
            ALLOYS,
            ALLOY_CAPTION,
            "0.99",
        ),
        (
            "The checklist lowered the infection rate in every hospital.",
            WARDS,
            WARD_CAPTION,
            r"East & 5.2 & 5.6",
        ),
        (
            "Morphology consistently improves accuracy across all languages.",
            PARSERS,
            PARSER_CAPTION,
            "68.8",
        ),
        (
            "We see a decrease of the wear rate across all three alloys.",
            ALLOYS,
            ALLOY_CAPTION,
            "0.99",
        ),
        (
            "For alloy B2 the wear rate fell from 3.87 to 3.10 in Table~\\ref{tab:one}.",
            ALLOYS,
            ALLOY_CAPTION,
            "3.01",
        ),
    ],
)
def test_a_claim_that_the_table_contradicts_is_found(
    text: str, table: str, caption: str, against: str
) -> None:
    """A row that goes the other way, and a number that the named row does not hold."""
    (remark,) = found(paper(text, table=table, caption=caption))
    assert remark.quote in text
    assert against in (remark.against or "")


@pytest.mark.parametrize(
    ("text", "table", "caption"),
    [
        ("Nitriding gave increases in hardness for all alloys.", ALLOYS, ALLOY_CAPTION),
        ("Nitriding gave reductions in wear rate for most alloys.", ALLOYS, ALLOY_CAPTION),
        ("The checklist may lower the infection rate in every hospital.", WARDS, WARD_CAPTION),
        ("The checklist lowered mortality in every hospital.", WARDS, WARD_CAPTION),
        ("Morphology improves speed across all languages.", PARSERS, PARSER_CAPTION),
        ("For alloy B2 the wear rate fell from 3.87 to 3.01.", ALLOYS, ALLOY_CAPTION),
        ("For alloy B2 the wear rate fell from 3.9 to 3.0.", ALLOYS, ALLOY_CAPTION),
        ("In a later run, the wear rate of B2 fell from 3.80 to 3.10.", ALLOYS, ALLOY_CAPTION),
        ("The untreated state shows a lower hardness for all alloys.", ALLOYS, ALLOY_CAPTION),
        ("Reductions in wear rate were not seen for all alloys.", ALLOYS, ALLOY_CAPTION),
        ("It is unclear whether wear rate is reduced for all alloys.", ALLOYS, ALLOY_CAPTION),
    ],
)
def test_a_claim_that_the_table_allows_is_left_alone(text: str, table: str, caption: str) -> None:
    """Weaker claims, other quantities and rounded numbers are no contradiction."""
    assert found(paper(text, table=table, caption=caption)) == []


def test_an_improvement_that_goes_against_its_siblings_is_found() -> None:
    """Two reductions and one rise in the same column cannot all be improvements."""
    items = (
        r"*A1: 12.6\% reduction (from 4.12 to 3.60)",
        r"*B2: 22.2\% reduction (from 3.87 to 3.01)",
        r"*C3: 4.2\% improvement (from 0.95 to 0.99)",
    )
    (remark,) = found(paper(*items, table=ALLOYS, caption=ALLOY_CAPTION))
    assert remark.quote == items[2][1:]
    assert "reduction" in (remark.against or "")


def test_an_improvement_of_another_quantity_is_left_alone() -> None:
    """Wear goes down and hardness goes up, and both are better."""
    items = (
        r"*A1: 12.6\% reduction (from 4.12 to 3.60)",
        r"*B2: 22.2\% reduction (from 3.87 to 3.01)",
        r"*A1: 23.8\% improvement (from 210 to 260)",
    )
    assert found(paper(*items, table=ALLOYS, caption=ALLOY_CAPTION)) == []


def test_an_improvement_that_goes_the_way_of_its_siblings_is_left_alone() -> None:
    """Three values that fall can all be improvements, whichever word is used."""
    items = (
        r"*A1: 12.6\% reduction (from 4.12 to 3.60)",
        r"*B2: 22.2\% reduction (from 3.87 to 3.01)",
        r"*C3: 4.0\% improvement (from 0.99 to 0.95)",
    )
    assert found(paper(*items, table=ALLOYS, caption=ALLOY_CAPTION)) == []


def test_the_bundled_paper_is_contradicted_by_its_moons_row_twice_and_nowhere_else() -> None:
    """The claim for all datasets, and the improvement among reductions."""
    bundled = Path(__file__).resolve().parents[3] / "examples" / "adaptive_dual_scale_denoising"
    remarks = found(read(bundled / "template.tex"))
    assert [(r.quote, r.against) for r in remarks] == [
        ("reductions in KL divergence across all datasets", "Moons & 0.093"),
        (
            r"Moons: 3.3\% improvement (from 0.090 to 0.093)",
            r"Line: 5.0\% reduction (from 0.161 to 0.153)",
        ),
    ]


def test_text_that_never_ends_a_sentence_is_read_in_time_that_grows_with_it() -> None:
    """A listing of 200,000 characters is no sentence, and takes no minutes."""
    began = process_time()
    found(paper("a reduction (from 1.5 to 2.5) and " * 6000))
    assert process_time() - began < 20


def test_ties_in_a_row_are_read_in_no_time():
    """Between two numbers of a change, as a table of dots is drawn."""
    promptly(
        "from rereview.reviewers.checks.changes import changes\n"
        "ties = '~' * 60\n"
        "for text in (f'It rose from 5 to {ties}x 9.', f'It rose from {ties}x 5 to 9.'):\n"
        "    assert list(changes(text)) == []\n"
    )
