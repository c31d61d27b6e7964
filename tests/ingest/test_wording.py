"""How captions, headings and references begin in papers that do not mark them as such."""

import pytest

from ingest.test_docx import docx, p
from rereview.ingest.base import read
from rereview.ingest.wording import CAPTION

CAPTIONS = [
    ("Figure 1 Steps of the synthesis", "Figure", "1"),
    ("Figure 1: Steps", "Figure", "1"),
    ("figure 1: steps", "figure", "1"),
    ("Figure 1. Steps", "Figure", "1"),
    ("Figure 1 | Steps", "Figure", "1"),
    ("Fig. 1 — growth of yeast", "Fig.", "1"),
    ("Fig. 1 – Growth of yeast", "Fig.", "1"),
    ("Fig 2 - Growth of yeast", "Fig", "2"),
    ("Figure 3.2 Élan and inertia of rivers", "Figure", "3.2"),
    ("Figure S4 Rates by month", "Figure", "S4"),
    ("TABLE II Rates of the reaction", "TABLE", "II"),
    ("TABLE IV", "TABLE", "IV"),
    ("Table I. Rates", "Table", "I"),
    ("Table 1 The lakes and their depth", "Table", "1"),
    ("**Table 2** Bridges before the storm", "Table", "2"),
    ("**Table 2.** Bridges before the storm", "Table", "2"),
    ("*Figure 7* | Verdicts by court", "Figure", "7"),
    ("Figure 5", "Figure", "5"),
]
SENTENCES = [
    "Figure 1 shows that yeast grows.",
    "Figure 1 – the largest one – shows that yeast grows.",
    "Figure 1 — as was said — shows that yeast grows.",
    "Figure 1–3 show three lakes.",
    "Figures 1 and 2 are drawn at one scale.",
    "Figure 1 (left) shows the nave.",
    "Figure 1, which is due to Roe, shows the nave.",
    "Table 3 and Table 4 list the verdicts.",
    "Table II lists the rates of the reaction.",
    "Table I would like to see is one of rates.",
    "**Figure 1** shows that yeast grows.",
    "Figure IVa shows the nave.",
    "Figure 1's axes are logarithmic.",
    "Figure 1 A shows the nave, B the choir.",
    "Tables are turned in the third act.",
    "Table 1 Table 2 Table 3",
    "Figurative speech is rare.",
]


@pytest.mark.parametrize(("text", "what", "number"), CAPTIONS)
def test_a_caption_is_told_by_what_stands_behind_its_number(text, what, number):
    """A stop, a dash, a capital letter or nothing; numbers may be Roman."""
    found = CAPTION.match(text)
    assert found is not None
    assert (found["what"], found["number"]) == (what, number)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_that_begins_with_a_figure_is_none(text):
    """It goes on with a small letter, an insertion between dashes, a range, or a part of the figure."""
    assert CAPTION.match(text) is None


@pytest.mark.parametrize("ending", ["md", "html", "docx"])
def test_a_caption_without_a_stop_is_one_in_every_format(tmp_path, ending):
    """It has its number; what is said about the figure stays a paragraph."""
    said = (
        "Words before.",
        "Figure 1 Steps of the synthesis",
        "TABLE II Rates",
        "Figure 1 shows that it ends.",
    )
    path = tmp_path / f"a.{ending}"
    if ending == "docx":
        docx(path, "".join(map(p, said)))
    elif ending == "html":
        path.write_text("".join(f"<p>{words}</p>" for words in said))
    else:
        path.write_text("\n\n".join(said))
    assert [(block.kind, block.environment, block.number) for block in read(path).blocks] == [
        ("paragraph", None, None),
        ("caption", "figure", "1"),
        ("caption", "table", "II"),
        ("paragraph", None, None),
    ]
