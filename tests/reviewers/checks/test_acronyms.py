"""Acronyms with two meanings."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.acronyms import Acronyms
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(*texts: str) -> list[Remark]:
    blocks = tuple(Block(id=f"p{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    manuscript = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)
    remarks = list(Acronyms()(manuscript))
    for remark in remarks:
        assert [manuscript.text_of(place) for place in remark.places] == [remark.quote, remark.against]
        assert remark.rule == "acronyms"
    return remarks


@pytest.mark.parametrize(
    ("texts", "acronym"),
    [
        (("Convolutional neural networks (CNNs) see.", "A cellular neural network (CNN) is older."), "CNN"),
        (
            (
                "We took magnetic resonance imaging (MRI).",
                r"The \emph{marine research institute} (MRI) sent it.",
            ),
            "MRI",
        ),
        (
            ("Principal component analysis (PCA) helps.", "Patient-controlled analgesia (PCA) was given."),
            "PCA",
        ),
        (("Leaf area index (LAI) was read.", "Each has a light absorption intensity (LAI), too."), "LAI"),
        (("The rate of return (RR) fell.", "All share a relative risk (RR) of two."), "RR"),
    ],
)
def test_two_meanings_are_found(texts: tuple[str, ...], acronym: str) -> None:
    """The same letters, introduced with other words."""
    (remark,) = found(*texts)
    assert remark.arithmetic
    assert remark.arithmetic.startswith(f"{acronym}: ")


@pytest.mark.parametrize(
    "texts",
    [
        # The same, with plural, capitals, hyphen, small words, a slip of the pen, another ending.
        ("Convolutional neural networks (CNNs) see.", "A Convolutional Neural Network (CNN) is old."),
        ("Mean-squared error (MSE) fell.", "The mean squared errors (MSE) fell."),
        ("Quality of life (QOL) rose.", "Quality of Life (QOL) rose."),
        ("Generative adversarial networks (GAN) draw.", "Generative adverserial network (GAN) draws."),
        ("Genetic algorithms (GA) search.", "A genetical algorithm (GA) searches."),
        ("The Institute for the Study of Labor (ISL) met.", "The Institute Study Labor (ISL) agreed."),
        # One leaves a word out, as "deep" below.
        ("Deep belief networks (DBN) learn.", "Deep Bayesian belief networks (DBN) learn."),
        # No introduction: something else in brackets.
        ("We met in Graz (AT).", "An early test (ET) and another (AT) followed."),
        ("The largest area (see LAI) is his.", "Leaf area index (LAI) was read."),
    ],
)
def test_one_meaning_is_left_alone(texts: tuple[str, ...]) -> None:
    """Variants of the same words, and brackets that introduce nothing."""
    assert found(*texts) == []
