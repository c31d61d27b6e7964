"""Names that LaTeX gives a meaning: which environments and commands make which blocks."""

from __future__ import annotations

import re

from rereview.text.latex import named
from rereview.types.manuscript import RemovedKind


def _commands(text: str, arguments: int) -> dict[str, int]:
    return dict.fromkeys((f"\\{name}" for name in text.split()), arguments)


LISTS = frozenset(
    named("itemize enumerate description compactitem compactenum inparaenum asparaenum list trivlist")
)
TABULARS = named(
    "tabular tabular* tabularx tabulary longtable supertabular tabu NiceTabular deluxetable deluxetable*"
)
PICTURES = named("tikzpicture pgfpicture picture pspicture circuitikz tikzcd")
CAPTURED = named("algorithmic algorithm2e algpseudocode pseudocode alltt Verbatim lstlisting")
DROPPED = named("CCSXML filecontents filecontents*")
FLOATS = {
    **dict.fromkeys(named("figure figure* wrapfigure sidewaysfigure sidewaysfigure* SCfigure"), "figure"),
    **dict.fromkeys(named("teaserfigure floatingfigure marginfigure"), "figure"),
    **dict.fromkeys(named("table table* wraptable sidewaystable sidewaystable* SCtable"), "table"),
    **dict.fromkeys(named("margintable"), "table"),
    **dict.fromkeys(named("algorithm algorithm*"), "algorithm"),
}
SUBFLOATS = named("subfigure subtable subcaptionblock subcaptiongroup")
LAYOUT = frozenset(
    named(
        "document center flushleft flushright raggedright minipage multicols multicols* spacing"
        " adjustwidth adjustbox small footnotesize scriptsize tiny normalsize large landscape singlespace"
        " doublespace onehalfspace threeparttable measuredfigure subequations sloppypar strip frontmatter"
        " mainmatter titlepage CJK CJK* appendices appendix otherlanguage tcolorbox"
        " mdframed framed column columns"
    )
)
ENVIRONMENT_ARGUMENTS = {
    **dict.fromkeys(named("minipage multicols multicols* spacing subfigure subtable adjustbox"), 1),
    **dict.fromkeys(named("column subcaptionblock otherlanguage floatingfigure"), 1),
    **dict.fromkeys(named("wrapfigure wraptable adjustwidth CJK CJK*"), 2),
}
# What says who wrote the paper, and of what kind it is.
AUTHORS: dict[str, RemovedKind] = {
    **dict.fromkeys(
        named(
            r"\author \icmlauthor \affil \affiliation \institute \institution \address \icmlaffiliation"
            r" \orcid \authorrunning \shortauthors \urladdr \curraddr \altaffiltext \correspondingauthor"
            r" \icmlcorrespondingauthor"
        ),
        "authors",
    ),
    "\\email": "email",
    "\\ead": "email",
    "\\thanks": "acknowledgements",
    "\\dedicatory": "acknowledgements",
}
TITLES = frozenset(_commands("title icmltitle Title papertitle", 1))
THEOREMS = frozenset(
    named(
        "theorem lemma proposition corollary definition remark example assumption conjecture claim fact"
        " observation axiom hypothesis notation exercise problem question condition property"
    )
)
SIZES = frozenset(
    _commands("scriptsize footnotesize small normalsize large Large LARGE huge Huge normalfont", 0)
)
# A brace after one of these is a group and no argument.
SWITCHES = SIZES | frozenset(
    _commands(
        "tiny bf it rm sf tt sc em sl bfseries itshape rmfamily sffamily ttfamily scshape slshape upshape"
        " mdseries centering raggedright raggedleft noindent begingroup item hfill quad qquad",
        0,
    )
)
# Commands that make a heading, with its depth.
LEVELS = {
    "\\part": -1,
    "\\chapter": 0,
    "\\section": 1,
    "\\subsection": 2,
    "\\subsubsection": 3,
    "\\paragraph": 4,
    "\\subparagraph": 5,
}
# Boxes that may hold whole blocks, with the arguments before what they hold.
BOXES = {
    **_commands("resizebox", 2),
    **_commands("scalebox rotatebox parbox", 1),
    **_commands(
        "fbox makebox framebox mbox centerline adjustbox subfloat subfigure twocolumn raisebox colorbox"
        " vbox hbox",
        0,
    ),
}
# Commands that print nothing, with the number of their braced arguments.
SILENT = {
    **_commands(
        "maketitle newpage clearpage cleardoublepage pagebreak tableofcontents listoffigures listoftables"
        " centering bigskip medskip smallskip FloatBarrier onecolumn twocolumn balance frontmatter"
        " mainmatter backmatter doublespacing singlespacing onehalfspacing linenumbers nolinenumbers"
        " makeatletter makeatother sloppy raggedbottom flushbottom break peerreviewmaketitle"
        " IEEEpeerreviewmaketitle vfill vfil endgroup begingroup relax global long allowdisplaybreaks"
        " noindent indent appendixpage selectfont listofalgorithms phantomsection printglossary",
        0,
    ),
    **_commands(
        "author date affil affiliation institute address email orcid thanks dedicatory urladdr subjclass"
        " authorrunning titlerunning institution city state country postcode corref ead curraddr"
        " shortauthors shorttitle received accepted submitted journal pacs thispagestyle pagestyle"
        " pagenumbering bibliographystyle graphicspath vspace hypersetup captionsetup usepackage"
        " RequirePackage documentclass theoremstyle addbibresource tcbset sisetup usetikzlibrary"
        " pgfplotsset lstset setstretch linespread includepdf icmlsetsymbol icmlaffiliation"
        " icmlcorrespondingauthor printAffiliationsAndNotice correspondingauthor ccsdesc setcopyright"
        " copyrightyear acmYear acmDOI acmISBN nocite setcitestyle hyphenation fancyhead bibpunct",
        1,
    ),
    **_commands(
        "setlength addtolength icmlauthor markboth fontsize counterwithin numberwithin altaffiltext", 2
    ),
    **_commands("tnotetext cortext altaffilmark", 1),
    **_commands("addcontentsline definecolor", 3),
}
DIMENSION = re.compile(
    r"\s*+=?\s*+[-+]?[\d.]*+\s*+(?:\\[A-Za-z]+|[a-z]{2})(?:\s*+(?:plus|minus)\s*+[\d.]*+\s*+[a-z]+)*"
)
SPACES = frozenset(_commands("vskip hskip kern parindent parskip baselineskip tabcolsep", 0))
GRAPHICS = {**_commands("includegraphics epsfig plotone epsfbox includesvg", 1), **_commands("plottwo", 2)}
