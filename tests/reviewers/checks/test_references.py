"""The rule that follows references: to labels, to entries of the list, to numbered things."""

import pytest

from promptly import promptly
from rereview.reviewers.checks.references import References
from rereview.types.manuscript import Block, Gap, Hidden, Macro, Manuscript, Span

ORNITHOLOGY = (
    "Lindqvist, A. (2011). Moult in reed warblers. Ibis, 12, 3-9.",
    "Okafor, C. and Brandt, L. (2016). Song learning across dialects. Auk, 133, 1-14.",
    "Pereira, M., Sato, K., and Wolff, J. (2019). Night migration over water. Ibis, 20, 40-55.",
    "Royal Society for Wetland Birds (2014). Census of the marshes. London.",
    "van der Meer, T. (2008). Nests on the ground. Ardea, 2, 100-120.",
    "D. Castellanos and R. Ng. Egg colour and predators. Condor, 5:1--12, 2003.",
)
SENTENCE = (
    "Clutch size is discussed by Lindqvist (2011), Okafor and Brandt (2016) and Pereira et al. (2019). "
)


def paper_of(
    *texts,
    references=(),
    captions=(),
    headings=(),
    labels=(),
    gaps=(),
    macros=(),
    hidden=(),
    fmt="latex",
    marked=None,
):
    """A manuscript of headings, paragraphs, captions (kind of float and its number) and a list."""
    blocks = [
        Block(
            id=f"h{i}", text=f"Heading {number}", kind="heading", level=number.count(".") + 1, number=number
        )
        for i, number in enumerate(headings)
    ]
    blocks += [
        Block(id=f"p{i}", text=text, kind="paragraph", labels=labels if not i else ())
        for i, text in enumerate(texts)
    ]
    label = (marked,) if marked else ()
    blocks += [
        Block(
            id=f"c{i}", text="What it shows.", kind="caption", environment=what, number=number, labels=label
        )
        for i, (what, number) in enumerate(captions)
    ]
    blocks += [
        Block(id=f"r{i}", text=text, kind="reference", labels=(f"key{i}",))
        for i, text in enumerate(references)
    ]
    return Manuscript(
        id="m",
        paper_id="p",
        title="",
        format=fmt,
        blocks=tuple(blocks),
        sequence=tuple(block.id for block in blocks),
        gaps=gaps,
        macros=macros,
        hidden=hidden,
    )


TABLES = (("table", "1"), ("table", "2"), ("figure", "1"))
LIST = ORNITHOLOGY

POSITIVE = {
    "hydrology: a label that nothing has": (
        paper_of(r"The gauges are shown in Figure~\ref{fig:gauges}. \label{sec:site}"),
        r"Figure~\ref{fig:gauges}",
        "0 of 1 label is called",
    ),
    "topology: a label in a comment": (
        paper_of(
            r"By \eqref{eq:cone} the cone is contractible. \label{eq:disc}",
            hidden=(Hidden(kind="comment", text=r"% \label{eq:cone}"),),
        ),
        r"\eqref{eq:cone}",
        "0 of 1 label is called",
    ),
    "glaciology: one of several labels": (
        paper_of(r"We compare \cref{tab:ice, tab:snow}.", labels=("tab:ice",)),
        r"\cref{tab:ice, tab:snow}",
        "tab:snow",
    ),
    "law: a macro of the paper refers": (
        paper_of(
            r"See \secref{treaty}. \label{sec:courts}",
            macros=(Macro(name=r"\secref", arguments=1, default=None, body=r"Section~\ref{sec:#1}"),),
        ),
        r"\secref{treaty}",
        "sec:treaty",
    ),
    "optics: a label defined twice": (
        paper_of(
            r"The lens \label{fig:lens} bends.", r"The grating \label{fig:lens} splits, see \ref{fig:lens}."
        ),
        r"\label{fig:lens}",
        "2 times",
    ),
    "textiles: two figures of one label": (
        paper_of(r"The loom is in Figure~\ref{fig:loom}.", captions=TABLES[:2], marked="fig:loom"),
        "What it shows.",
        "2 times",
    ),
    "brewing: a label twice in the text, once at a caption": (
        paper_of(
            r"The \label{tab:hops} hops.",
            r"The malt \label{tab:hops} in \ref{tab:hops}.",
            captions=TABLES[:1],
            marked="tab:hops",
        ),
        r"\label{tab:hops}",
        "2 times",
    ),
    "virology: a key without an entry": (
        paper_of(r"Strains differ \citep[see][p. 3]{key0,wu2020}, as \citet{key1} shows.", references=LIST),
        r"\citep[see][p. 3]{key0,wu2020}",
        "0 of 6 entries",
    ),
    "ornithology: another year": (
        paper_of(SENTENCE + "Night flights cost less (Pereira et al., 2017).", references=LIST),
        "Pereira et al., 2017",
        "cited 2017, listed 2019",
    ),
    "ornithology: another year of two authors": (
        paper_of("Dialects are learnt, as Okafor and Brandt (2018) show.", references=LIST),
        "Okafor and Brandt (2018)",
        "cited 2018, listed 2016",
    ),
    "ornithology: another year of a study": (
        paper_of("We repeat Lindqvist's 2010 study in the same reed bed.", references=LIST),
        "Lindqvist's 2010",
        "cited 2010, listed 2011",
    ),
    "ornithology: another year of an institution": (
        paper_of("Source: Royal Society for Wetland Birds (2017).", references=LIST),
        "Royal Society for Wetland Birds (2017)",
        "cited 2017, listed 2014",
    ),
    "ornithology: initials first": (
        paper_of("Predators see colour (Castellanos and Ng, 2005).", references=LIST),
        "Castellanos and Ng, 2005",
        "cited 2005, listed 2003",
    ),
    "ornithology: a particle": (
        paper_of(r"The ground is safe \emph{if} wet (see van der Meer, 2006).", references=LIST),
        "van der Meer, 2006",
        "cited 2006, listed 2008",
    ),
    "ornithology: no such author": (
        paper_of(SENTENCE + "Feathers wear out (Haddad et al., 2015).", references=LIST),
        "Haddad et al., 2015",
        "0 of 6 references",
    ),
    "ornithology: no such author in a group": (
        paper_of(SENTENCE + "Feathers wear out (Haddad, 2015; Lindqvist, 2011).", references=LIST),
        "Haddad, 2015",
        "0 of 6 references",
    ),
    "ornithology: no such author who shows": (
        paper_of(SENTENCE + "Haddad (2015) shows that feathers wear out.", references=LIST),
        "Haddad (2015)",
        "0 of 6 references",
    ),
    "economics: a table that is not there": (
        paper_of("Column 3 of Table 7 adds controls.", captions=TABLES),
        "Table 7",
        "2 tables",
    ),
    "acoustics: a figure that is not there": (
        paper_of("The spectrum in Fig.~4b has two peaks.", captions=TABLES, fmt="pdf"),
        "Fig.~4b",
        "1 figure",
    ),
    "history: a section that is not there": (
        paper_of("We return to this in Section 4.2.", headings=("1", "2", "2.1", "2.2", "3", "3.1", "4")),
        "Section 4.2",
        "4.2",
    ),
}

NEGATIVE = {
    "a label of a block": paper_of(r"See \ref{fig:kiln} and \pageref{fig:kiln}.", labels=("fig:kiln",)),
    "a label in a missing file": paper_of(
        r"See \ref{tab:wool}. \label{sec:a}", gaps=(Gap(kind="input", name="tables/wool"),)
    ),
    "a label that a macro may set": paper_of(
        r"\plate{kiln.png}{The kiln}{fig:kiln} See \ref{fig:kiln}. \label{b}"
    ),
    "a label in an option": paper_of(r"\begin{lstlisting}[label={lst:sort}] See \ref{lst:sort}. \label{b}"),
    "a label in a dead branch": paper_of(
        r"See \ref{app:dead}. \label{b}", hidden=(Hidden(kind="dead-branch", text=r"\label{app:dead}"),)
    ),
    "invisible mentions": paper_of(
        r"\uses{lem:a, lem:b} Then. \label{b}",
        macros=(Macro(name=r"\uses", arguments=1, default=None, body=r"\map{#1}{\vphantom{\ref{##1}}}"),),
    ),
    "a table and its caption": paper_of(
        r"See \ref{fig:lens} \label{fig:lens}.",
        captions=(("table", "1"), ("tabular", "1")),
        marked="fig:lens",
    ),
    "a label twice that nobody uses": paper_of(r"One \label{x} and two \label{x}."),
    "a parameter": paper_of(r"Write \ref{#1} for it. \label{b}"),
    "a bibliography that was not read": paper_of(
        r"Strains differ \cite{wu2020}.", references=LIST, gaps=(Gap(kind="bibliography", name="more.bib"),)
    ),
    "no list at all": paper_of(r"Strains differ \cite{wu2020} (Haddad et al., 2015)."),
    "most keys without an entry": paper_of(r"Strains differ \cite{wu2020,ito2019,key0}.", references=LIST),
    "a label in each branch": paper_of(r"\ifdraft One \label{x} \else two \label{x} \fi See \ref{x}."),
    "an entry that is not printed": paper_of(
        r"As \cite{key0} shows. \nocite{wu2020} \nocite{*}", references=LIST
    ),
    "the same year": paper_of(SENTENCE, references=LIST),
    "a letter after the year": paper_of(
        "As Lindqvist (2011a) says (Okafor \\& Brandt, 2016; Pereira et al. 2019).", references=LIST
    ),
    "another first author of that name": paper_of(
        "Brandt (2012) counted rings of trees. Sato (2012) too.", references=LIST
    ),
    "two entries of that author": paper_of(
        "As Lindqvist (2015) says.",
        references=(*LIST, "Lindqvist, A. (2013). Moult again. Ibis, 14, 1-2."),
    ),
    "a dash for the same author": paper_of(
        "As Lindqvist (2015) says.",
        references=(*LIST[:1], "——— (2015). Moult again. Ibis, 14, 1-2."),
    ),
    "the last of several": paper_of(
        "Foraging pays (Calv´o, and Lindqvist, 2009), as Calv´o and Lindqvist (2009) show.", references=LIST
    ),
    "an entry that is cut off": paper_of(
        "As Hoang (2010) shows.",
        references=(*LIST, "Hoang T. Terns after the oil spill of 1969", "in the strait. Ibis 2010;4:1-2."),
        fmt="pdf",
    ),
    "alone or with others": paper_of("As Okafor (2018) and Lindqvist and Sato (2009) say.", references=LIST),
    "dates of a life": paper_of("Lindqvist (1951--2013) founded the station.", references=LIST),
    "not published": paper_of("Pereira et al. (2021, in preparation) agree.", references=LIST),
    "a place and a year": paper_of(
        SENTENCE
        + "After the floods in Passau (2013) and Vienna (2002), the Bird Act (2010) came (Brussels, 2009).",
        references=LIST,
    ),
    "countries": paper_of("In Bosnia and Herzegovina (1995) no census was held.", references=LIST),
    "both years in one entry": paper_of(
        "As Darwin (1859) says.",
        references=(*LIST, "Darwin, C. (2003). On the Origin of Species. Reprint of 1859."),
    ),
    "a name in a paper that cites by number": paper_of("Feathers wear (see Haddad, 2015).", references=LIST),
    "a month": paper_of(SENTENCE + "It ran in spring (see June, 2015).", references=LIST),
    "a meeting": paper_of(SENTENCE + "It was shown (e.g., EOU, 2015).", references=LIST),
    "a name spelt otherwise": paper_of("As Pereyra et al. (2019) say.", references=LIST),
    "an institution with two reports": paper_of(
        "Source: Royal Society for Wetland Birds (2017).",
        references=(*LIST, "Royal Society for Wetland Birds (2010). Census of the fens. London."),
    ),
    "a short list": paper_of("As Haddad et al. (2015) and Pereira et al. (2019) say.", references=LIST[2:5]),
    "a table of another paper": paper_of(
        "We reproduce Table 7 from Smith (2019). The source is [3], Table 8.", captions=TABLES
    ),
    "a table of them": paper_of("This is seen in their Figure 9 and in Fischer's Table 8.", captions=TABLES),
    "a table of a manual": paper_of("Table 7 of the manual lists the codes.", captions=TABLES),
    "a counter that is set": paper_of(r"\setcounter{table}{6} See Table 7.", captions=TABLES),
    "a caption that was not read as one": paper_of(
        "See Table 7.", "Table 7. Yields by plot.", captions=TABLES, fmt="pdf"
    ),
    "sections of a letter": paper_of("See Section 2.4.", headings=("1", "2", "2.1")),
    "a table of the supplement": paper_of(
        "See Table S7, Supplementary Table 7, Appendix Table 9 and Table A.3.", captions=TABLES
    ),
    "a citation with a place": paper_of(r"As known \citep[Table 9]{key1}.", references=LIST, captions=TABLES),
    "tables without numbers": paper_of("See Table 7.", captions=(("table", None), ("table", "1"))),
    "no table at all": paper_of("See Table 7 and Figure 2 and Section 8.1 and Theorem 3."),
    "tables in a missing file": paper_of(
        "See Table 7.", captions=TABLES, gaps=(Gap(kind="input", name="t"),)
    ),
    "sections of a book": paper_of(
        "We return in Section 4.2 to it.", headings=("1", "1.1", "1.2", "2", "A", "A.1"), fmt="latex"
    ),
    "a section of a law": paper_of(
        "Section 15 of the Act and Section 230 apply.", headings=("1", "2", "3", "4"), fmt="latex"
    ),
}


@pytest.mark.parametrize("name", POSITIVE)
def test_a_reference_without_its_target_is_found(name):
    """One finding, whose quote is the mention and whose arithmetic a person can redo."""
    paper, quote, arithmetic = POSITIVE[name]
    (remark,) = References()(paper)
    assert remark.quote == quote
    assert arithmetic in remark.arithmetic
    assert remark.rule == "references"
    assert [paper.text_of(place) for place in remark.places] == [
        text for text in (remark.quote, remark.against) if text is not None
    ]


@pytest.mark.parametrize("name", NEGATIVE)
def test_what_may_be_right_is_left_alone(name):
    """Targets that exist, may exist where nothing was read, or stand in another work."""
    assert list(References()(NEGATIVE[name])) == []


def test_a_missing_label_is_said_once():
    """Three mentions of one missing label are one remark that counts them."""
    paper = paper_of(r"See \ref{x} and \ref{x}. \label{y}", r"And \ref{x}.")
    (remark,) = References()(paper)
    assert "3 places" in remark.body
    assert remark.places == (Span(block_id="p0", start=4, end=11),)


@pytest.mark.parametrize(
    ("authors", "several"),
    [
        ("Okafor, C., and Brandt, L.", False),
        ("Okafor, C., and L. Brandt", False),
        ("Okafor, C. and Brandt, L.", False),
        ("C. Okafor and L. Brandt", False),
        ("Okafor, C., L. Brandt, and S. Ito", True),
        ("Okafor, C., Brandt, L., and Ito, S.", True),
        ("C. Okafor, L. Brandt, and S. Ito", True),
        ("Chidi Okafor, Lena Brandt, Sora Ito, and Ana Ruiz", True),
        ("Okafor, C. et al.", True),
    ],
)
def test_et_al_means_three_authors(authors, several):
    """An entry of two authors is another work than a citation with et al."""
    paper = paper_of(
        "As Okafor et al. (2014) show.", references=(*LIST[2:], f"{authors} (2017). On terns. Auk.")
    )
    assert len(list(References()(paper))) == several


def test_the_entry_is_the_second_place():
    """Another year quotes the entry up to its year."""
    paper = paper_of("As Okafor and Brandt (2018) show.", references=LIST)
    (remark,) = References()(paper)
    assert remark.against == "Okafor, C. and Brandt, L. (2016"


def test_authors_in_capitals_are_read_in_no_time():
    """Hundreds of letters that could each begin a name; and given names are what they were."""
    promptly(
        "from rereview.reviewers.checks.reference_list import GIVEN\n"
        "assert GIVEN.fullmatch('A' * 2_000 + '!') is None\n"
        "for names in ('J.K. ', 'Jean-Luc van der ', 'JOHN R.R. ', 'A.B.C.D.'):\n"
        "    assert GIVEN.fullmatch(names), names\n"
    )
