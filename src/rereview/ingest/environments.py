"""Names that LaTeX gives a meaning: which environments and commands make which blocks."""

from __future__ import annotations

import re

LISTS = frozenset(
    "itemize enumerate description compactitem compactenum inparaenum asparaenum list trivlist".split()
)
TABULARS = frozenset("tabular tabular* tabularx tabulary longtable supertabular tabu NiceTabular".split())
PICTURES = frozenset("tikzpicture pgfpicture picture pspicture circuitikz tikzcd".split())
CAPTURED = frozenset("algorithmic algorithm2e algpseudocode pseudocode alltt Verbatim lstlisting".split())
DROPPED = frozenset({"CCSXML", "filecontents", "filecontents*"})
FLOATS = {
    **dict.fromkeys(("figure", "figure*", "wrapfigure", "sidewaysfigure", "sidewaysfigure*"), "figure"),
    **dict.fromkeys(("SCfigure", "teaserfigure", "floatingfigure", "marginfigure"), "figure"),
    **dict.fromkeys(("table", "table*", "wraptable", "sidewaystable", "sidewaystable*"), "table"),
    **dict.fromkeys(("SCtable", "margintable", "deluxetable", "deluxetable*"), "table"),
    **dict.fromkeys(("algorithm", "algorithm*"), "algorithm"),
}
SUBFLOATS = frozenset("subfigure subtable subcaptionblock subcaptiongroup".split())
LAYOUT = frozenset(
    "document center flushleft flushright raggedright minipage multicols multicols* spacing adjustwidth"
    " adjustbox small footnotesize scriptsize tiny normalsize large landscape singlespace doublespace"
    " onehalfspace threeparttable measuredfigure subequations sloppypar strip frontmatter mainmatter"
    " titlepage appendices appendix otherlanguage tcolorbox mdframed framed column columns group".split()
)
ENVIRONMENT_ARGUMENTS = {
    **dict.fromkeys("minipage multicols multicols* spacing subfigure subtable adjustbox column".split(), 1),
    **dict.fromkeys("subcaptionblock otherlanguage floatingfigure".split(), 1),
    **dict.fromkeys("wrapfigure wraptable adjustwidth".split(), 2),
}
TITLES = frozenset("\\title \\icmltitle \\Title \\papertitle".split())
THEOREMS = frozenset(
    "theorem lemma proposition corollary definition remark example assumption conjecture claim fact"
    " observation axiom hypothesis notation exercise problem question condition property".split()
)
FONTS = frozenset(
    "\\tiny \\scriptsize \\footnotesize \\small \\normalsize \\large \\Large \\LARGE \\huge \\Huge"
    " \\bf \\it \\rm \\sf \\tt \\sc \\em \\sl \\bfseries \\itshape \\rmfamily \\sffamily \\ttfamily"
    " \\scshape \\slshape \\upshape \\mdseries \\normalfont \\centering \\raggedright \\raggedleft"
    " \\noindent \\begingroup \\item \\\\ \\hfill \\quad \\qquad".split()
)
BOXES = {
    "\\resizebox": 2,
    "\\scalebox": 1,
    "\\rotatebox": 1,
    "\\parbox": 1,
    **dict.fromkeys("\\fbox \\makebox \\framebox \\mbox \\centerline \\adjustbox".split(), 0),
    **dict.fromkeys("\\subfloat \\subfigure \\twocolumn \\raisebox \\colorbox \\vbox \\hbox".split(), 0),
}
# Commands that print nothing, with the number of their braced arguments.
SILENT = {
    **dict.fromkeys(
        "\\maketitle \\newpage \\clearpage \\cleardoublepage \\pagebreak \\tableofcontents \\listoffigures"
        " \\listoftables \\centering \\bigskip \\medskip \\smallskip \\FloatBarrier \\onecolumn \\balance"
        " \\frontmatter \\mainmatter \\backmatter \\doublespacing \\singlespacing \\onehalfspacing"
        " \\linenumbers \\nolinenumbers \\makeatletter \\makeatother \\sloppy \\raggedbottom \\flushbottom"
        " \\break \\newline \\peerreviewmaketitle \\titlepage \\vfill \\vfil \\IEEEpeerreviewmaketitle"
        " \\keepXColumns \\endgroup \\begingroup \\relax \\global \\long \\allowdisplaybreaks \\twocolumn"
        " \\noindent \\indent \\appendixpage \\printglossary \\selectfont \\listofalgorithms".split(),
        0,
    ),
    **dict.fromkeys(
        "\\author \\date \\affil \\affiliation \\institute \\address \\email \\orcid \\thanks \\dedicatory"
        " \\urladdr \\subjclass \\authorrunning \\titlerunning \\institution \\city \\state \\country"
        " \\postcode \\corref \\ead \\curraddr \\shortauthors \\shorttitle \\received \\accepted"
        " \\submitted \\journal \\pacs \\thispagestyle \\pagestyle \\pagenumbering \\bibliographystyle"
        " \\graphicspath \\vspace \\hypersetup \\captionsetup \\usepackage \\RequirePackage"
        " \\documentclass \\phantomsection \\theoremstyle \\addbibresource \\tcbset \\sisetup"
        " \\usetikzlibrary \\pgfplotsset \\lstset \\setstretch \\linespread \\includepdf \\icmlsetsymbol"
        " \\printAffiliationsAndNotice \\icmlaffiliation \\icmlcorrespondingauthor \\correspondingauthor"
        " \\acmConference \\ccsdesc \\setcopyright \\copyrightyear \\acmYear \\acmDOI \\acmISBN"
        " \\newif \\nocite \\makebox".split(),
        1,
    ),
    **dict.fromkeys(
        "\\setlength \\addtolength \\icmlauthor \\tnotetext \\markboth \\fancyhead \\fontsize"
        " \\providecolor \\setcitestyle \\counterwithin \\numberwithin \\hyphenation".split(),
        2,
    ),
    **dict.fromkeys("\\addcontentsline \\definecolor \\cortext \\renewenvironment".split(), 3),
    "\\makebox": 0,
    "\\phantomsection": 0,
    "\\setcitestyle": 1,
    "\\hyphenation": 1,
    "\\fancyhead": 1,
    "\\tnotetext": 1,
    "\\cortext": 1,
}
DIMENSION = re.compile(
    r"\s*=?\s*[-+]?[\d.]*\s*(?:\\[A-Za-z]+|[a-z]{2})(?:\s*(?:plus|minus)\s*[\d.]*\s*[a-z]+)*"
)
SPACES = frozenset("\\vskip \\hskip \\kern \\parindent \\parskip \\baselineskip \\tabcolsep".split())
GRAPHICS = {
    "\\includegraphics": 1,
    "\\epsfig": 1,
    "\\plotone": 1,
    "\\epsfbox": 1,
    "\\includesvg": 1,
    "\\plottwo": 2,
}
