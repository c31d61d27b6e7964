"""Values that their own names do not allow."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.ranges import Ranges
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def paper(*texts: str) -> Manuscript:
    blocks = tuple(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    return Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)


def found(text: str) -> list[Remark]:
    manuscript = paper(text)
    remarks = list(Ranges()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote]
        assert remark.rule == "ranges"
        assert remark.arithmetic
    return remarks


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        # Genetics, hydrology, psychology, surveying, botany, metrology, medicine, geography, history.
        ("Each allele is passed on with probability 1.2 in this cross.", ""),
        ("Each allele is passed on with a probability of 1.2 in this cross.", "1.2 > 1"),
        (r"Rain and runoff had a correlation of $-1.31$ in all basins.", "−1.31 < -1"),
        (r"Anxiety and sleep were correlated ($r = 1.42$, $n = 80$).", "1.42 > 1"),
        (r"The regression explained most of the variance ($R^2 = 1.08$).", "1.08 > 1"),
        ("The measured heights had a variance of -0.4 over the plot.", "-0.4 < 0"),
        (r"Petal length was 4.1 mm ($SD = -0.6$).", "−0.6 < 0"),
        (r"The kit reached a sensitivity of 104.2\% on stored blood.", "104.2% > 100"),
        (r"Fever was seen in 130\% of the patients.", "130% > 100%"),
        ("The station lies at a latitude of 95.2 degrees.", "95.2 > 90"),
        ("The treaty was signed on 31 June 1848 in the old hall.", "31 > 30"),
        ("Samples were frozen on February 29, 2021 in Graz.", "29 > 28"),
        ("Logs run until 2021-13-05 on the server.", "month 13 > 12"),
        ("We used harvest records from 2015 to 2009 for all farms.", "2015 > 2009"),
        (r"Extremes follow a law with scale parameter $\sigma < 0$ and shape $\xi$.", "σ < 0"),
        (r"The groups did not differ significantly, $p = 1.30$.", "1.30 > 1"),
    ],
)
def test_a_value_beyond_its_range_is_found(text: str, relation: str) -> None:
    """Probabilities, correlations, spreads, shares, places and dates."""
    remarks = found(text)
    assert [r.arithmetic for r in remarks] == ([relation.replace("−", "-")] if relation else [])


@pytest.mark.parametrize(
    "text",
    [
        "Each allele is passed on with a probability of 0.52 in this cross.",
        r"The probability density of 1.3 at the mode is no error.",
        r"A probability of 52\% was given by the panel.",
        r"The correlation length of 3.4 nm and the correlation energy of $-1.3$ eV were used.",
        r"Within a radius of $r = 1.42$ kpc the fit is good.",
        r"Counting modulo a prime $p = 97$ is significantly harder.",
        r"The space $L^p$ with $p = 1.5$ is reflexive.",
        r"A correlation of 1.2 would be impossible.",
        r"The variance cannot be -0.4 here, so a variance of -0.4 shows a bug.",
        r"Output reached 130\% of the target and 120\% of the controls' mean.",
        r"Sales grew by 170\% of GDP.",
        r"Costs represent a 120\% increase, and accuracy improved by 104\% relative to chance.",
        r"The data run from 2009 to 2015, and temperatures fell from 2015 to 2009 K.",
        r"Back in time, from 2015 to 2009, records thin out.",
        "The treaty was signed on 30 June 1848 and printed on February 29, 2020.",
        "In May 40 plots were sown; June 31--35 are row numbers.",
        r"A latitude of $-45.2^\circ$ and a longitude of 170.1 degrees.",
        r"The learning rate $\eta > 0$ is fixed; if the step size $h < 0$ we stop.",
        r"The precision of $10^{-3}$ and a recall of 0.91 were reached.",
        r"$R^2 = -0.08$ shows a bad fit.",
        r"With a standard deviation of 5--10 mm.",
    ],
)
def test_a_value_that_can_be_is_left_alone(text: str) -> None:
    """Other quantities of like names, right values, and what is denied or supposed."""
    assert found(text) == []
