r"""LaTeX commands whose backslash looks like an escape of JSON: `\nabla`, `\theta`, `\beta`."""

from __future__ import annotations

TEX_AFTER_N = frozenset(
    """nabla natural ncong ne nearrow neg neq newcommand newenvironment newline newpage newtheorem nexists
    ngeq ngeqq ngeqslant ngtr ni nleftarrow nleftrightarrow nleq nleqq nleqslant nless nmid nobreak
    nobreakspace nocite node noindent nolimits nolinkurl nonumber norm normalfont normalsize not notag note
    notin notni nparallel nprec npreceq nrightarrow nshortmid nshortparallel nsim nsubset nsubseteq
    nsubseteqq nsucc nsucceq nsupset nsupseteq nsupseteqq ntriangleleft ntrianglelefteq ntriangleright
    ntrianglerighteq nu null num numrange nvdash nvDash nwarrow nLeftarrow nLeftrightarrow nRightarrow
    nVdash nVDash""".split()  # noqa: SIM905 - a column of 70 strings is no easier to read
)
TEX_AFTER_T = frozenset(
    """tabcolsep tableofcontents tabular tag tan tanh tau tbinom text textasciitilde textbackslash textbf
    textcolor textgreater textit textless textmd textnormal textquotesingle textrm textsc textsf textsl
    textstyle textsubscript textsuperscript texttt textup textwidth tfrac thanks therefore theta thetasym
    thickapprox thicksim thickspace thinspace thispagestyle tikz tilde times tiny title to today top
    toprule tr triangle triangledown triangleleft trianglelefteq triangleq triangleright trianglerighteq
    tt twoheadleftarrow twoheadrightarrow""".split()  # noqa: SIM905 - as above
)
COMMAND = rf"(?:{'|'.join(sorted(TEX_AFTER_N | TEX_AFTER_T))})(?![A-Za-z])"
"""Matches one of these, whole, without its backslash."""


def is_command(word: str) -> bool:
    r"""True if `\word` is a LaTeX command although it begins like an escape of JSON."""
    if word[0] in "bfr":  # nobody means a backspace, a form feed or a lone carriage return
        return len(word) > 1
    return word in (TEX_AFTER_N if word[0] == "n" else TEX_AFTER_T)
