"""What a paper defines."""

from rereview.text.latex import tokens
from rereview.text.macros import definitions


def of(source):
    """The definitions of one source."""
    return definitions([(source, tokens(source))])


def test_abbreviations_of_begin_and_end():
    r"""`\be` and `\[`-like pairs; a macro that says more is none."""
    known = of(
        "\\newcommand{\\be}{ \\begin{equation} }\\def\\ee{\\end{equation}}\\newcommand{\\lb}{\\[}"
        "\\newcommand{\\bx}{\\begin{align}\\label{x}}\\newcommand{\\with}[1]{\\begin{equation}}"
    ).vocabulary
    assert known.opens == {"\\be": "equation", "\\lb": "\\["}
    assert known.closes == {"\\ee": "equation"}


def test_environments_that_only_wrap_another():
    """Not the ones whose own name says what they are, nor ones that wrap two different ones."""
    known = of(
        "\\newenvironment{disp}{\\begin{align*}}{\\end{align*}}"
        "\\renewenvironment{abstract}{\\begin{quote}}{\\end{quote}}"
        "\\newenvironment{odd}{\\begin{a}}{\\end{b}}"
        "\\newenvironment{items}[1]{\\begin{itemize}\\setlength{#1}{0pt}}{ \\end{itemize} }"
    )
    assert known.vocabulary.aliases == {"disp": "align*", "items": "itemize"}
    assert known.environment_arguments == {"disp": 0, "abstract": 0, "odd": 0, "items": 1}


def test_switches_are_known_when_they_are_set_one_way():
    """A new switch is false; one that is set both ways is not known, but is a conditional."""
    known = of("\\newif\\ifa\\newif\\ifb\\btrue\\newif\\ifc\\ctrue\\cfalse\\dtrue").vocabulary
    assert known.switches == {"\\ifa": False, "\\ifb": True}
    assert known.conditionals == {"\\ifa", "\\ifb", "\\ifc"}


def test_a_dead_definition_defines_nothing():
    """In a comment or a dead branch."""
    assert of("% \\newcommand{\\a}{1}\n\\iffalse\\newcommand{\\b}{2}\\fi").macros == ()


def test_a_definition_in_pieces_is_read():
    """Over lines and comments, with nested braces and a default."""
    (macro,) = of("\\newcommand*{\\f} % two\n  [2]\n [{a]b}]\n {x{#1}\\} y}").macros
    assert (macro.name, macro.arguments, macro.default, macro.body) == ("\\f", 2, "{a]b}", "x{#1}\\} y")


def test_document_commands_and_paired_delimiters():
    """With mandatory arguments only; others have no plain form."""
    found = of(
        "\\NewDocumentCommand{\\f}{m m}{#1#2}\\NewDocumentCommand{\\g}{o m}{#1}"
        "\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}"
    ).macros
    assert [(m.name, m.arguments, m.body) for m in found] == [
        ("\\f", 2, "#1#2"),
        ("\\abs", 1, "\\lvert #1 \\rvert"),
    ]
