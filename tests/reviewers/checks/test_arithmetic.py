"""Arithmetic that a paper prints."""

from __future__ import annotations

import pytest

from promptly import promptly
from rereview.reviewers.checks.arithmetic import Arithmetic
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(text: str, kind: str = "paragraph") -> Manuscript:
    return Manuscript(
        id="m", paper_id="p", title="", format="latex", blocks=(Block(id="b", text=text, kind=kind),)
    )


def found(text: str, kind: str = "paragraph") -> list[Remark]:
    manuscript = paper(text, kind)
    remarks = list(Arithmetic()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote]
        assert remark.rule == "arithmetic"
    return remarks


@pytest.mark.parametrize(
    ("text", "arithmetic"),
    [
        # Forestry, pharmacy, surveying, sampling, computing, statistics.
        ("In all $120 + 80 = 250$ trees were felled.", "120 + 80 = 200; printed: 250"),
        (r"The dose is $3 \times 12.5 = 35.5$ mg a day.", "3 × 12.5 = 37.5; printed: 35.5"),
        (
            r"At least $\lceil 0.70 \times 61 \rceil = 35$ plots must agree.",
            "⌈ 0.70 × 61 ⌉ = 43; printed: 35",
        ),
        (r"A share of $\frac{12}{48} = 0.35$ was lost.", "12/48 = 0.25; printed: 0.35"),
        (r"The table holds $2^{10} = 1042$ entries.", "2^10 = 1024; printed: 1042"),
        (r"We have $1{,}200 - 345 = 865$ left.", "1,200 - 345 = 855; printed: 865"),
        ("The grid has 16 × 24 = 348 nodes (see Methods).", "16 × 24 = 384; printed: 348"),
        (r"The ratio is $45/60 \approx 0.57$.", "45/60 = 0.75; printed: 0.57"),
        (
            r"The loss is $\Delta = \tfrac{2}{9} - \frac14 = -\frac{1}{32} < 0$ there.",
            "2/9 - 1/4 = -0.0277778; -1/32 = -0.03125",
        ),
        (
            r"But $\frac13 \cdot \frac29 > \frac1{12}$ here.",
            "1/3 · 2/9 = 0.0740741; 1/12 = 0.0833333; printed: 1/3 · 2/9 > 1/12",
        ),
        (r"$(12 + 18) / 5 = 6 = 3 \times 4$", "3 × 4 = 12; printed: 6"),
    ],
)
def test_arithmetic_that_does_not_hold_is_found(text: str, arithmetic: str) -> None:
    """Sums, products, quotients, powers and what is rounded up."""
    (remark,) = found(text)
    assert remark.arithmetic == arithmetic


@pytest.mark.parametrize(
    "text",
    [
        "In all $120 + 80 = 200$ trees were felled.",
        r"The loss is $\Delta = \tfrac{2}{9} - \frac14 = -\frac{1}{36} < 0 < 3 - 1$ there.",
        # Rounding on both sides.
        r"The speed is $10 / 3 = 3.33$ m/s, or $0.67 \times 1.5 = 1.01$.",
        r"Then $2/3 \approx 0.7$ and $22/7 \approx 3.1$.",
        # Part of something with letters.
        r"With $x + 120 + 80 = 250$ and $120 + 80 = 250 - x$ we get $2n + 3 = 12$.",
        r"$f(3) = 12$ and $n_2 + 3 = 7$ and $5! + 1 = 11$.",
        # Other arithmetic.
        r"Modulo 12, $9 + 5 = 2$.",
        r"In binary, $10 + 10 = 100$.",
        # Quoted as an error.
        r"The model made the mistake $2 + 2 = 5$.",
        # Hyphens that are no minus; dates; ranges.
        "For the years 2010-12 = 3 crops were sown.",
        "The flow 10--12 = level 3 in the code book.",
        # Grouping that only the source shows.
        r"$2^{3+1} = 16$ and $\frac{12+3}{5} = 3$ and $\sqrt{16+9} = 5$.",
        r"The number of TFs is $\lceil 0.70 \times 61 \rceil = 43$ TFs, $k=10$ each, $p < 0.05$.",
        # Units between.
        r"Of 3 boxes 2 = small.",
    ],
)
def test_what_holds_or_is_no_arithmetic_is_left_alone(text: str) -> None:
    """Right results, rounding, letters, other number systems and hyphens."""
    assert found(text) == []
    assert found(text, "equation") == []


def test_a_number_of_many_digits_takes_no_time():
    """A prime of 200 digits beside an equation, as a PDF has it: it is passed over, in an instant."""
    promptly(
        "from rereview.reviewers.checks.arithmetic import Arithmetic\n"
        "from rereview.types.manuscript import Block, Manuscript\n"
        f"block = Block(id='b', text='The prime is {'7' * 200}=2+3 in full.', kind='paragraph')\n"
        "paper = Manuscript(id='m', paper_id='p', title='', format='pdf', blocks=(block,))\n"
        "assert list(Arithmetic()(paper)) == []\n"
    )


def test_a_number_that_nobody_works_out_by_hand_is_no_arithmetic():
    """Five thousand digits of a constant: no finding, and no failure of the other rules."""
    digits = "3" * 5000
    assert found(f"It begins with $1 + 1 = {digits}$ and $0.{digits} + 1 = 2$.") == []
