"""What the clean paper says about an edit."""

from injected import span_of
from rereview.perturb.evidence import Evidence

TEXT = r"""\documentclass{article} % NEVER
\newcommand{\flux}{NEVER}
\begin{document}
Beavers felled % NEVER seen
twelve aspens near Camp Osprey in the first autumn. \iffalse NEVER \fi
The mean girth was $g_i = 31$ cm, and $10.53$ trees fell each week.

Later, at Camp Osprey, the girth $g_i$ of felled trees was near $30$ cm.
\input{more}
\end{document}
NEVER"""
SOURCE = Evidence(
    {
        "main.tex": TEXT,
        "more.tex": "The beavers of Camp Osprey\nleft in spring.",
        "draft.tex": "Camp Osprey, NEVER",
    }
)


def at(text, file="main.tex"):
    return span_of(SOURCE.files[file], text, file)


def test_the_surroundings_are_what_a_reader_sees():
    """Two hundred characters to each side without comments, dead branches and preamble."""
    before, after = SOURCE.around(at("twelve aspens"))
    assert before == "Beavers felled"
    assert after.startswith("near Camp Osprey in the first autumn. The mean girth")
    assert len(after) <= 200
    assert "NEVER" not in before + after


def test_a_quote_is_found_over_line_ends_and_comments():
    """Its place is that of the file."""
    place = SOURCE.find("felled twelve aspens")
    assert TEXT[place.start : place.end].startswith("felled % NEVER")
    assert SOURCE.find("Camp Osprey left in spring").file == "more.tex"


def test_what_is_not_verbatim_is_not_found():
    """Another word, a part of a number or of a word, what no reader sees, nothing at all."""
    for quote in ("felled eleven aspens", "0.53", "10", "spen", "NEVER seen", " ", ""):
        assert SOURCE.find(quote) is None


def test_a_quote_from_the_passage_itself_is_no_quote_from_elsewhere():
    """The next place counts, if there is one."""
    assert SOURCE.find("$g_i = 31$", outside=at("$g_i = 31$")) is None
    assert SOURCE.find("Camp Osprey", outside=at("near Camp Osprey")).start > at("near Camp Osprey").end


def test_related_passages_come_from_all_files():
    """In the order of the paper, at most five, without the passage itself."""
    found = SOURCE.related(at("near Camp Osprey"))
    assert len(found) == 2
    assert "Later, at Camp Osprey" in found[0]
    assert found[1] == "The beavers of Camp Osprey left in spring."
    assert not any("NEVER" in each or "near Camp" in each for each in found)


def test_the_surroundings_of_a_quote_are_among_them():
    """Whatever the names say, and in the order of the paper."""
    found = SOURCE.related(at("10.53"), "left in spring.")
    assert found == ("The beavers of Camp Osprey left in spring.",)
    assert SOURCE.related(at("10.53"), "it never says this") == ()
    assert len(SOURCE.related(at("near Camp Osprey"), "first autumn", limit=2)) == 2
