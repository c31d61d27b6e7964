"""What commands of LaTeX text stand for. Data only."""

from __future__ import annotations

SYMBOLS = {
    **{c: c for c in "%&#_${}"},
    "ldots": "…",
    "dots": "…",
    "textellipsis": "…",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "textregistered": "®",
    "texttrademark": "™",
    "ss": "ß",
    "SS": "ẞ",
    "o": "ø",
    "O": "Ø",
    "aa": "å",
    "AA": "Å",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "l": "ł",
    "L": "Ł",
    "i": "ı",
    "j": "ȷ",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "dj": "đ",
    "DJ": "Đ",
    "textendash": "–",
    "textemdash": "—",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "textquoteleft": "‘",
    "textquoteright": "’",
    "textquotesingle": "'",
    "textquotedbl": '"',
    "lq": "‘",
    "rq": "’",
    "glqq": "„",
    "grqq": "“",
    "flqq": "«",
    "frqq": "»",
    "quotedblbase": "„",
    "guillemotleft": "«",
    "guillemotright": "»",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textunderscore": "_",
    "textdollar": "$",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textdegree": "°",
    "degree": "°",
    "textmu": "µ",
    "pounds": "£",
    "textsterling": "£",
    "euro": "€",
    "texteuro": "€",
    "textyen": "¥",
    "dag": "†",
    "ddag": "‡",
    "textdagger": "†",
    "textdaggerdbl": "‡",
    "textbullet": "•",
    "textperiodcentered": "·",
    "textasteriskcentered": "∗",
    "texttimes": "×",
    "textpm": "±",
    "textrightarrow": "→",
    "textleftarrow": "←",
    "textonehalf": "½",
    "textsection": "§",
    "textparagraph": "¶",
    "textcopyright": "©",
    "checkmark": "✓",
    "cmark": "✓",
    "xmark": "✗",
    "slash": "/",
    "eg": "e.g.",
    "ie": "i.e.",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "BibTeX": "BibTeX",
    "LaTeXe": "LaTeX2e",
    "XeTeX": "XeTeX",
    ",": "\u2009",
    "thinspace": "\u2009",
    ";": "\u2005",
    ":": "\u2005",
    ">": "\u2005",
    " ": " ",
    "\n": " ",
    "\t": " ",
    "quad": "\u2003",
    "qquad": "\u2003\u2003",
    "enspace": "\u2002",
    "space": " ",
    "nobreakspace": "\xa0",
    "!": "",
    "/": "",
    "-": "\u00ad",
    "@": "",
    "allowbreak": "",
    "today": "",
    "figurename": "Figure",
    "tablename": "Table",
    "refname": "References",
    "abstractname": "Abstract",
    "aj": "AJ",
    "apj": "ApJ",
    "apjl": "ApJL",
    "apjs": "ApJS",
    "mnras": "MNRAS",
    "aap": "A&A",
    "pasp": "PASP",
    "nat": "Nature",
    "araa": "ARA&A",
    "actaa": "Acta Astron.",
    "ndash": "–",
    "mdash": "—",
    "pound": "£",
    "prd": "Phys. Rev. D",
    "prl": "Phys. Rev. Lett.",
    "na": "New Astron.",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "milli": "m",
    "micro": "µ",
    "nano": "n",
    "centi": "c",
    "second": "s",
    "metre": "m",
    "meter": "m",
    "gram": "g",
    "hertz": "Hz",
    "byte": "B",
    "bit": "bit",
    "percent": "%",
    "per": "/",
    "squared": "²",
    "cubed": "³",
    "kelvin": "K",
    "joule": "J",
    "watt": "W",
}
"""Commands without arguments that print a character or a word; journals of astronomy, units of siunitx."""

ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "b": "\u0331",
    "d": "\u0323",
}
"""Commands that put a combining character on their argument."""

FONTS: dict[str, str] = {
    **dict.fromkeys(("textbf", "mathbf"), "b"),
    **dict.fromkeys(("emph", "textem"), "em"),
    **dict.fromkeys(("textit", "textsl"), "i"),
    **dict.fromkeys(("texttt", "code", "lstinline", "path"), "code"),
    **dict.fromkeys(("underline", "uline", "ul"), "u"),
    "textsuperscript": "sup",
    "textsubscript": "sub",
    "sout": "s",
    "st": "s",
    **dict.fromkeys(("footnote", "footnotetext", "thanks"), "small"),
    **dict.fromkeys(
        ("textrm", "textsf", "textup", "textnormal", "textmd", "text", "mbox", "hbox", "fbox"), ""
    ),
    **dict.fromkeys(
        ("makebox", "enquote", "textsc", "uppercase", "MakeUppercase", "lowercase", "mathrm"), ""
    ),
    **dict.fromkeys(("section", "subsection", "subsubsection", "paragraph", "subparagraph", "chapter"), ""),
    **dict.fromkeys(
        (
            "part",
            "title",
            "caption",
            "captionof",
            "author",
            "date",
            "abstract",
            "intertext",
            "llap",
            "rlap",
            "inst",
            "software",
            "orcid",
        ),
        "",
    ),
    **dict.fromkeys(("centerline", "leftline", "rightline", "hl", "highlight", "shortstack", "makecell"), ""),
    **dict.fromkeys(
        (
            "ensuremath",
            "boldmath",
            "operatorname",
            "subcaption",
            "protect",
            "email",
            "hologo",
            "version",
            "keywords",
            "institute",
            "affiliation",
            "num",
            "si",
            "unit",
            "SI",
            "qty",
        ),
        "",
    ),
}
"""Commands whose argument is text, with the element that holds it ("": none)."""

SWITCHES: dict[str, str] = {
    **dict.fromkeys(("bf", "bfseries"), "b"),
    **dict.fromkeys(("em",), "em"),
    **dict.fromkeys(("it", "itshape", "sl", "slshape"), "i"),
    **dict.fromkeys(("tt", "ttfamily"), "code"),
    **dict.fromkeys(
        ("rm", "sf", "sc", "scshape", "rmfamily", "sffamily", "normalfont", "upshape", "mdseries"), ""
    ),
    **dict.fromkeys(("tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "Large"), ""),
    **dict.fromkeys(
        ("LARGE", "huge", "Huge", "centering", "raggedright", "raggedleft", "noindent", "indent"), ""
    ),
    **dict.fromkeys(("par", "newpage", "clearpage", "pagebreak", "nopagebreak", "smallskip", "medskip"), ""),
    **dict.fromkeys(("bigskip", "hfill", "vfill", "hfil", "maketitle", "appendix", "tableofcontents"), ""),
    **dict.fromkeys(
        ("relax", "ignorespaces", "unskip", "leavevmode", "sloppy", "fussy", "null", "strut"), ""
    ),
    **dict.fromkeys(("qed", "qedhere", "frenchspacing", "onecolumn", "twocolumn", "singlespacing"), ""),
    **dict.fromkeys(
        ("doublespacing", "onehalfspacing", "newblock", "and", "AND", "And", "toprule", "midrule"), ""
    ),
    **dict.fromkeys(
        ("bottomrule", "hline", "linebreak", "nolinebreak", "footnotemark", "bgroup", "egroup"), ""
    ),
    **dict.fromkeys(
        ("listoffigures", "listoftables", "backmatter", "mainmatter", "frontmatter", "cleardoublepage"), ""
    ),
    **dict.fromkeys(
        (
            "selectfont",
            "begingroup",
            "endgroup",
            "balance",
            "IEEEPARstart",
            "acknowledgments",
            "acknowledgements",
            "hss",
            "hrulefill",
        ),
        "",
    ),
}
"""Commands that hold to the end of their group and print nothing, with the element they open."""

SILENT: dict[str, int] = {
    **dict.fromkeys(
        ("label", "bibitem", "vspace", "hspace", "index", "thispagestyle", "pagestyle", "phantom"), 1
    ),
    **dict.fromkeys(("bibliographystyle", "bibliography", "nocite", "includegraphics", "color"), 1),
    **dict.fromkeys(("pagenumbering", "graphicspath", "usepackage", "input", "include", "vphantom"), 1),
    **dict.fromkeys(
        ("hphantom", "marginpar", "captionsetup", "linespread", "todo", "pdfbookmark", "cline"), 1
    ),
    **dict.fromkeys(("tag", "PACS", "cmidrule", "enlargethispage", "rowcolor"), 1),
    **dict.fromkeys(("cellcolor", "columncolor", "theoremstyle"), 1),
    **dict.fromkeys(("setlength", "addtolength", "setcounter", "addtocounter", "fontsize", "rule"), 2),
    **dict.fromkeys(("definecolor",), 3),
    **dict.fromkeys(("addcontentsline",), 3),
}
"""Commands of which nothing is printed, with the number of arguments that go with them."""

LAST_ONLY: dict[str, int] = {
    **dict.fromkeys(("textcolor", "colorbox", "parbox", "raisebox", "scalebox", "rotatebox"), 1),
    **dict.fromkeys(("hypertarget", "hyperlink", "altaffiltext", "foreignlanguage", "adjustbox"), 1),
    **dict.fromkeys(("multirow", "multicolumn", "resizebox", "fcolorbox"), 2),
}
"""Commands that print their last argument only, with the number of those before it."""

LABEL_REFERENCES = frozenset(
    ("ref", "eqref", "autoref", "cref", "Cref", "pageref", "nameref", "vref", "labelcref", "fref", "Ref")
)
CITATIONS = frozenset(
    (
        *("cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "citeyearpar", "Citet"),
        *(
            "Citep",
            "parencite",
            "textcite",
            "autocite",
            "footcite",
            "citenum",
            "citen",
            "Citealt",
            "fullcite",
        ),
        *(
            "citetalias",
            "citepalias",
            "citealias",
            "onlinecite",
            "supercite",
            "Citeauthor",
            "shortcite",
            "citeN",
            "shortciteN",
        ),
    )
)
IN_SENTENCE = frozenset(("citet", "Citet", "textcite", "citeN", "shortciteN", "citetalias"))
"""Citations whose authors are words of the sentence."""

LISTS = {"itemize": "ul", "enumerate": "ol", "description": "ul", "compactitem": "ul", "compactenum": "ol"}
MATHEMATICS = frozenset(
    (
        *("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "displaymath", "math"),
        *("dmath", "IEEEeqnarray", "subequations", "empheq"),
    )
)
VERBATIM = frozenset(
    (
        "verbatim",
        "lstlisting",
        "minted",
        "Verbatim",
        "algorithmic",
        "tikzpicture",
        "tabular",
        "tabularx",
        "alltt",
    )
)
"""Environments that are shown as their source."""

PLAIN = frozenset(
    (
        *("center", "flushleft", "flushright", "abstract", "minipage", "figure", "table", "wrapfigure"),
        *(
            "subfigure",
            "document",
            "quote",
            "quotation",
            "thebibliography",
            "small",
            "footnotesize",
            "algorithm",
        ),
        *(
            "proof",
            "appendices",
            "adjustbox",
            "threeparttable",
            "tablenotes",
            "sloppypar",
            "spacing",
            "verse",
        ),
        *("singlespace", "doublespace", "titlepage", "keywords", "acknowledgments", "ack", "multicols"),
    )
)
"""Environments of which only the contents are printed."""

ENVIRONMENT_ARGUMENTS = {"minipage": 1, "spacing": 1, "multicols": 1, "thebibliography": 1, "wrapfigure": 2}

GLUE = frozenset(
    ("looseness", "vskip", "hskip", "kern", "tolerance", "emergencystretch", "parskip", "parindent")
)
"""Commands with a number or a length behind them, of which nothing is printed."""
