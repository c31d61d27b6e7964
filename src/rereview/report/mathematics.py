"""TeX formulas as MathML, without style attributes (which the page's policy forbids)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup, escape
from math_core import LatexError, LatexToMathML

from rereview.report.pieces import printable
from rereview.text.tables import group_end
from rereview.types.manuscript import Macro

ENVIRONMENT = re.compile(r"\s*\\begin\s*\{([A-Za-z]+)\*?\}(.*)\\end\s*\{\1\*?\}\s*", re.DOTALL)
LABEL = re.compile(
    r"\\(?:label|tag\*?|vspace\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag|qedhere|allowdisplaybreaks|noindent)(?![A-Za-z])"
)
RESPELLED = (
    (re.compile(r"(?<!\\)\\\s"), r"\\ "),
    (re.compile(r"\\left\s*<"), r"\\left\\langle "),
    (re.compile(r"\\right\s*>"), r"\\right\\rangle "),
)
"""Spellings of TeX that math-core does not read, and the same in those that it reads."""
ONE_PLACE = frozenset(("equation", "displaymath", "math", "dmath", "subequations", "empheq"))
ROWS = {
    "align": "aligned",
    "flalign": "aligned",
    "alignat": "aligned",
    "split": "aligned",
    "gather": "gathered",
    "multline": "gathered",
}
"""Environments of which only the arrangement is taken; the printed number stands beside."""

SPELLINGS = {
    "mbox": r"\text{#1}",
    "hbox": r"\text{#1}",
    "ensuremath": "#1",
    "bm": r"\boldsymbol{#1}",
    "mathds": r"\mathbb{#1}",
    "mathbbm": r"\mathbb{#1}",
    "num": r"\text{#1}",
    "nicefrac": r"\frac{#1}{#2}",
    "textsc": r"\text{#1}",
    "emph": r"\textit{#1}",
    "textnormal": r"\text{#1}",
    "xspace": "",
    "mathrlap": "#1",
    "mathllap": "#1",
    "mathclap": "#1",
    "smallsetminus": r"\setminus",
    "substack": r"\begin{gathered}#1\end{gathered}",
    "scalebox": "#2",
    "undervec": r"\underset{\rightarrow}{#1}",
    "displaylimits": "",
}
"""Commands that math-core does not know, in those that it knows."""

STYLE = re.compile(r' style="([^"]*)"')
IDENTIFIER = re.compile(r' (?:id|href)="[^"]*"')
TEXT = re.compile(r"\\(?:text|mbox|textrm|textit|textbf|hbox)\s*\{")


@dataclass
class Styles:
    """The styles that formulas need, each under a class; in order of first use."""

    classes: dict[str, str] = field(default_factory=dict)

    def without_attributes(self, mathml: str) -> str:
        """The same MathML, with classes in the place of style attributes."""
        return STYLE.sub(lambda match: f' class="{self._class(match[1])}"', mathml)

    def _class(self, style: str) -> str:
        return self.classes.setdefault(style, f"m{len(self.classes)}")

    def css(self) -> str:
        """One rule a style."""
        return "".join(f".{name}{{{style}}}\n" for style, name in self.classes.items())


@dataclass(frozen=True)
class Mathematics:
    """Formulas of one paper, with its macros."""

    converter: LatexToMathML
    styles: Styles
    labels: re.Pattern[str]
    """Commands of the paper that only name a formula."""
    refused: list[str] = field(default_factory=list)
    """The TeX of the formulas that are shown as TeX."""

    @classmethod
    def of(cls, macros: Mapping[str, Macro]) -> Mathematics:
        """A converter that knows the macros of a paper (by name, with backslash).

        Those that the converter refuses, and those with a default argument, are left out.
        """
        plain = {name[1:]: normal_form(m.body) for name, m in macros.items() if m.default is None}
        naming = [re.escape(name) for name, macro in macros.items() if "\\label" in macro.body]
        labels = re.compile(rf"(?:{'|'.join(naming) or '(?!)'})(?![A-Za-z])\s*\{{[^{{}}]*\}}")
        return cls(_converter(tuple({**_usable(plain), **SPELLINGS}.items())), Styles(), labels)

    def html(self, tex: str, *, display: bool) -> Markup:
        """MathML; where TeX is refused, the TeX in `<code>` with the reason as title."""
        try:
            plain = printable(normal_form(self.labels.sub("", tex)))
            mathml = self.converter.convert_with_local_state(plain, displaystyle=display)
        except LatexError as error:
            self.refused.append(tex)
            reason = f"shown as TeX: {str(error).splitlines()[0]}"
            return Markup('<code class="tex" title="{}">{}</code>').format(reason, tex.strip())
        return Markup(_annotated(self.styles.without_attributes(IDENTIFIER.sub("", mathml)), tex))  # noqa: S704 math-core escapes all text


def _annotated(mathml: str, tex: str) -> str:
    """MathML with the TeX as the paper has it."""
    head, rest = mathml.split(">", 1)
    body = rest.removesuffix("</math>")
    note = f'<annotation encoding="application/x-tex">{escape(tex.strip())}</annotation>'
    return f"{head}><semantics><mrow>{body}</mrow>{note}</semantics></math>"


def normal_form(tex: str) -> str:
    """The formula in words that math-core knows, without number and label."""
    text = LABEL.sub("", tex)
    for spelling, other in RESPELLED:
        text = spelling.sub(other, text)
    if match := ENVIRONMENT.fullmatch(text):
        text = _body(match[1], match[2])
    text = re.sub(r"\\(begin|end)\s*\{(align|split|gather|multline)\*?\}", _inner_rows, text)
    return _without_formulas_in_text(text).strip().removesuffix("\\\\")


def _body(environment: str, body: str) -> str:
    if environment in ONE_PLACE:
        return normal_form(body) if ENVIRONMENT.fullmatch(body) else body
    body = body.strip().removesuffix("\\\\")
    if environment == "alignat":
        body = re.sub(r"^\s*\{\d+\}", "", body)
    if environment == "eqnarray":
        return rf"\begin{{array}}{{rcl}}{body}\end{{array}}"
    inner = ROWS.get(environment, environment)
    return rf"\begin{{{inner}}}{body}\end{{{inner}}}"


def _inner_rows(match: re.Match[str]) -> str:
    return rf"\{match[1]}{{{ROWS[match[2]]}}}"


def _without_formulas_in_text(tex: str) -> str:
    r"""`\text{if $x$ is}` as `\text{if }x\text{ is}`."""
    parts: list[str] = []
    at = 0
    while match := TEXT.search(tex, at):
        end = group_end(tex, match.end() - 1)
        words = tex[match.end() : end - 1].split("$")
        if len(words) % 2:
            pairs = enumerate(words)
            inner = "".join(word if odd % 2 else f"{match.group()}{word}}}" for odd, word in pairs)
        else:
            inner = tex[match.start() : end]
        parts += (tex[at : match.start()], inner)
        at = end
    return "".join(parts) + tex[at:]


@lru_cache(maxsize=64)
def _converter(macros: tuple[tuple[str, str], ...]) -> LatexToMathML:
    return LatexToMathML(
        macros=dict(macros), fancy_error=False, allow_unreliable_rendering=True, max_expansions=1000
    )


def _usable(macros: Mapping[str, str]) -> dict[str, str]:
    """The macros that the converter takes: what it names as wrong is left out, one after the other."""
    left = dict(macros)
    while left:
        try:
            LatexToMathML(macros={**left, **SPELLINGS}, fancy_error=False)
        except LatexError as error:
            named = re.match(r"macro(\d+):", str(error))
            if named is None or int(named[1]) >= len(left):
                return {}
            del left[list(left)[int(named[1])]]
        else:
            break
    return left
