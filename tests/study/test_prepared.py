"""Where errors may go: only where a reader of the printed paper sees them."""

from pathlib import Path

import pytest

from rereview.study.design import Design, StudyPaper
from rereview.study.perturbing import by_rules
from rereview.study.prepared import UNSEEN, prepare
from rereview.types.edit import Perturbation

SEEN = r"""\textcolor{red}{The yield is greater in all 14 trials that we made, and $a_{1} = 4 b_{1}$ holds.}

{\color{gray} The yield was lower in each of the 15 runs, where $a_{2} = 5 b_{2}$ was measured.}

{\small We found that $a_{3} = 6 b_{3}$ in every one of the 16 samples that were taken.}

\colorbox{black}{\textcolor{white}{We found that $a_{4} = 7 b_{4}$ in every one of the 17 samples.}}
"""
HIDDEN = r"""\textcolor{white}{The yield is smaller in all 24 trials, and $h_{1} = 4 g_{1}$ holds.}

{\color{white} The yield was higher in each of the 25 runs, where $h_{2} = 5 g_{2}$ was measured.}

{\fontsize{0.1pt}{0.1pt}\selectfont We found that $h_{3} = 6 g_{3}$ in every one of the 26 samples.}

% We found that $h_{4} = 7 g_{4}$ in every one of the 27 samples that were taken.

\iffalse We found that $h_{5} = 8 g_{5}$ in every one of the 28 samples that were taken.\fi
"""
PAPER = r"""\documentclass{article}\usepackage{xcolor}
\title{Yields}\author{A. Author, who found that $h_{6} = 9 g_{6}$ in all 29 samples}
\begin{document}\maketitle
\section{Results}
%s
%s
\section*{Acknowledgements}
We thank B. Body, who found that $h_{7} = 9 g_{7}$ in every one of the 30 samples.
\end{document}
"""


def prepared(folder, text):
    """A paper of a study; the study is not there."""
    (folder / "main.tex").write_text(text)
    return prepare(Path(), StudyPaper(id="p", source=str(folder / "main.tex"), kind="empirical"), Design())


def places(paper):
    """The texts of all places that are offered to a generator."""
    return [each.text for run in paper.runs for each in run.candidates]


def test_no_place_is_offered_that_nobody_sees(tmp_path):
    """White and very small words, comments, dead branches, names and thanks; coloured words are seen."""
    found = " ".join(places(prepared(tmp_path, PAPER % (SEEN, HIDDEN))))
    assert [number for number in range(1, 5) if f"$a_{{{number}}} =" not in found] == []
    assert [number for number in range(1, 8) if f"$h_{{{number}}} =" in found] == []


def edit_of(paper, old, new):
    """An edit of the first place that holds some words."""
    place = next(each for run in paper.runs for each in run.candidates if old in each.text)
    return Perturbation(
        id="p/claim/1",
        paper_id="p",
        span=place.span,
        original=place.text,
        replacement=place.text.replace(old, new),
        author="me",
        run="p/claim",
        candidate_id=place.id,
        kind=place.kind,
        family="empirical",
        error="misinterpretation",
        why_wrong="",
    )


MIXED = PAPER % (
    (
        "The yield rose in all 14 trials that we made in the first year of the project. "
        "\\textcolor{white}{It grew by 99 per cent in all 15 trials of the second year.} We found it\n"
        "% in a sample of 2024\nin every sample. "
        "It was stable in the 31 samples that were taken in the third year."
    ),
    "",
)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [("rose", "fell", None), ("grew", "shrank", UNSEEN), ("2024", "1999", "identical")],
)
def test_of_a_paragraph_only_what_is_printed_is_changed(tmp_path, old, new, reason):
    """A white clause in a paragraph that is seen, and a comment, which another rule looks after."""
    paper = prepared(tmp_path, MIXED)
    assert paper.fault(edit_of(paper, old, new), ()) == reason


def test_the_rules_leave_white_words_alone(tmp_path):
    """Whatever the seed: what they change is seen."""
    paper = prepared(tmp_path, MIXED)
    made = [edit for seed in range(40) for run in paper.runs for edit in by_rules(paper, run, 20, seed)]
    assert len(made) >= 40
    assert all(
        "It grew by 99 per cent in all 15 trials of the second year." in each.replacement for each in made
    )
