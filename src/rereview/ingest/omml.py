"""Mathematics of Office (OMML, ECMA-376 part 1, 22.1) as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from lxml import etree

from rereview.text.symbols import SYMBOLS

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml has no other name for it
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_VALUE = f"{MATH}val"


# Long lists of short words are read more easily as text.
def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_OPERATORS = {
    sign: f"\\{name} "
    for name, sign in reversed(SYMBOLS.items())
    if not sign.isalnum() and not sign.isascii()
}
_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        **_OPERATORS,
        **{sign: f"\\{sign}" for sign in "#$%&_{}"},
        "\\": "\\backslash ",
        "~": "\\sim ",
        "^": "\\hat{}",
        "−": "-",
        "…": "\\ldots ",
        "⋯": "\\cdots ",
        "⋮": "\\vdots ",
        "⋱": "\\ddots ",
        "′": "'",
        "″": "''",
        "∗": "*",
        "∥": "\\Vert ",
        "‖": "\\Vert ",
        "∣": "\\mid ",
        "⟨": "\\langle ",
        "⟩": "\\rangle ",
        "〈": "\\langle ",
        "〉": "\\rangle ",
        "⌊": "\\lfloor ",
        "⌋": "\\rfloor ",
        "⌈": "\\lceil ",
        "⌉": "\\rceil ",
        "ℓ": "\\ell ",
        "ℏ": "\\hbar ",
        "ϵ": "\\epsilon ",
        "ϕ": "\\phi ",
        "φ": "\\varphi ",
        "ε": "\\varepsilon ",
        "ϑ": "\\vartheta ",
        "ϱ": "\\varrho ",
        "ς": "\\varsigma ",
        "ϖ": "\\varpi ",
        "\u2009": "\\,",
        "\u200a": "\\,",
        "\u2005": "\\:",
        "\u2004": "\\;",
        "\u2003": "\\quad ",
        "\u200b": "",
        "\u2061": "",
        "\u2062": "",
        "\u00a0": "~",
        "\n": " ",
    }
)
_GREEK = _words(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi pi rho sigma tau upsilon phi "
    "chi psi omega"
)
_CAPITALS = _words("Gamma Delta Theta Lamda Xi Pi Sigma Upsilon Phi Psi Omega")
_FUNCTIONS = _words(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf "
    "sup inf max min arg argmax argmin det dim ker deg gcd hom Pr"
)
_SCRIPTS = {
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_FONT_NAMES = (
    ("DOUBLE-STRUCK", "mathbb"),
    ("FRAKTUR", "mathfrak"),
    ("BLACK-LETTER", "mathfrak"),
    ("SCRIPT", "mathcal"),
    ("SANS-SERIF", "mathsf"),
    ("MONOSPACE", "mathtt"),
    ("BOLD", "mathbf"),
)
_ACCENTS = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "overline", "\u0307": "dot",
    "\u0308": "ddot", "\u030c": "check", "\u0301": "acute", "\u0300": "grave", "\u0306": "breve",
    "\u20d7": "vec", "\u20d6": "overleftarrow", "^": "hat", "~": "tilde", "¯": "bar", "‾": "overline",
    "→": "vec", "˙": "dot", "\u20db": "dddot", "\u030a": "mathring",
}  # fmt: skip
_NARY = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "⋃": "\\bigcup", "⋂": "\\bigcap", "⋁": "\\bigvee", "⋀": "\\bigwedge", "⨁": "\\bigoplus",
    "⨂": "\\bigotimes", "⨀": "\\bigodot", "⨄": "\\biguplus", "⨆": "\\bigsqcup",
}  # fmt: skip
_GROUPS = {"⏞": "overbrace", "⏟": "underbrace", "⏜": "overparen", "⏝": "underparen"}
_COMMAND_ENDS = re.compile(r"\\[A-Za-z]+\Z")
_LONGEST_COMMAND = 24
_BARE = re.compile(r"[^\\{}^_\s]|\\[A-Za-z]+ ?|\\[^A-Za-z]|\\(?:math[a-z]+|boldsymbol)\{[^{}]*\}")


def latex(element: Element, shown: Callable[[Element], bool] = lambda _: True) -> str:
    """The LaTeX of an `m:oMath`; runs for which `shown` is False are left out."""
    return re.sub(r" +", " ", _Walk(shown).inside(element)).strip()


def _joined(pieces: Iterable[str]) -> str:
    """Pieces one after the other, with space where a command would grow into the letters after it."""
    text = ""
    for piece in pieces:
        grows = piece[:1].isascii() and piece[:1].isalpha() and _COMMAND_ENDS.search(text[-_LONGEST_COMMAND:])
        text += f" {piece}" if grows else piece
    return text


def tex_of(text: str) -> str:
    """Characters of mathematics as LaTeX."""
    return "".join(map(_sign, text))


def _sign(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isascii():
        return character
    name = unicodedata.name(character, "")
    if name.startswith("GREEK ") and "LETTER" in name and " WITH " not in name:
        return _greek(name, character)
    if name.startswith(("MATHEMATICAL ", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER")):
        return _lettered(name, character)
    return character


def _greek(name: str, character: str) -> str:
    letter = name.rsplit(" ", 1)[-1]
    word = letter.lower() if "SMALL" in name else letter.capitalize()
    return f"\\{word.replace('amda', 'ambda')} " if word in _GREEK | _CAPITALS else character


def _lettered(name: str, character: str) -> str:
    """A letter of the mathematical alphabets: the plain one in its font."""
    plain = tex_of(unicodedata.normalize("NFKC", character)).strip()
    font = next((font for word, font in _FONT_NAMES if word in name), None)
    if font == "mathbf" and plain.startswith("\\"):
        font = "boldsymbol"
    return f"\\{font}{{{plain}}}" if font and plain != character else plain + " " * plain.startswith("\\")


class _Walk:
    """Turns one element after the other into LaTeX; what it does not know gives what is inside."""

    def __init__(self, shown: Callable[[Element], bool]) -> None:
        self.shown = shown

    def of(self, element: Element) -> str:
        if not str(element.tag).startswith(MATH):
            inside = {"ins", "moveTo", "smartTag", "sdt", "sdtContent", "r", "hyperlink"}
            return self.inside(element) if etree.QName(element).localname in inside else ""
        name = str(element.tag).removeprefix(MATH)
        made = getattr(self, f"_{name}", None)
        if name.endswith("Pr"):
            return ""
        return str(made(element)) if made else self.inside(element)

    def inside(self, element: Element) -> str:
        return _joined(self.of(child) for child in element if isinstance(child.tag, str))

    def part(self, element: Element, name: str) -> str:
        found = element.find(f"{MATH}{name}")
        return "" if found is None else re.sub(r" +", " ", self.inside(found)).strip()

    def base(self, element: Element) -> str:
        """The `m:e` of an element, in braces where more than one sign needs them."""
        text = self.part(element, "e")
        return text if _BARE.fullmatch(text) else f"{{{text}}}"

    def setting(self, element: Element, name: str, default: str) -> str:
        """The value of a property; present without value it means "on"."""
        kind = etree.QName(element).localname
        found = element.find(f"{MATH}{kind}Pr/{MATH}{name}")
        return default if found is None else str(found.get(_VALUE, "1" if default in "01" else ""))

    def _r(self, element: Element) -> str:
        if not self.shown(element):
            return ""
        text = "".join(child.text or "" for child in element.iterchildren(f"{MATH}t"))
        return self._styled(element, text) if text.strip() else text

    def _styled(self, element: Element, text: str) -> str:
        properties = element.find(f"{MATH}rPr")

        def value(name: str) -> str | None:
            found = None if properties is None else properties.find(f"{MATH}{name}")
            return None if found is None else str(found.get(_VALUE, "1"))

        if value("nor") not in (None, "0", "off"):
            return "\\text{" + re.sub(r"[#$%&_{}]", r"\\\g<0>", text) + "}"
        script, style = _SCRIPTS.get(value("scr") or ""), value("sty")
        tex = tex_of(text)
        if script:
            return f"\\{script}{{{tex.strip()}}}"
        if style == "p" and text.strip() in _FUNCTIONS:
            return _function(text.strip())
        if style == "p" and re.fullmatch(r"[A-Za-z]+", text.strip()):
            return f"\\mathrm{{{tex.strip()}}}"
        if style in ("b", "bi") and text.strip().isalnum():
            return ("\\mathbf{" if style == "b" and text.isascii() else "\\boldsymbol{") + tex.strip() + "}"
        return tex

    def _f(self, element: Element) -> str:
        top, bottom = self.part(element, "num"), self.part(element, "den")
        match self.setting(element, "type", "bar"):
            case "noBar":
                return f"\\genfrac{{}}{{}}{{0pt}}{{}}{{{top}}}{{{bottom}}}"
            case "lin" | "skw":
                return f"{{{top}}}/{{{bottom}}}"
        return f"\\frac{{{top}}}{{{bottom}}}"

    def _sSup(self, element: Element) -> str:  # noqa: N802  named as the element
        return self.base(element) + _above(self.part(element, "sup"))

    def _sSub(self, element: Element) -> str:  # noqa: N802  the same
        return f"{self.base(element)}_{{{self.part(element, 'sub')}}}"

    def _sSubSup(self, element: Element) -> str:  # noqa: N802  the same
        return f"{self.base(element)}_{{{self.part(element, 'sub')}}}{_above(self.part(element, 'sup'))}"

    def _sPre(self, element: Element) -> str:  # noqa: N802  the same
        return f"{{}}_{{{self.part(element, 'sub')}}}^{{{self.part(element, 'sup')}}}{self.base(element)}"

    def _rad(self, element: Element) -> str:
        degree = self.part(element, "deg")
        shown = degree and self.setting(element, "degHide", "0") in ("0", "off")
        return f"\\sqrt{f'[{degree}]' if shown else ''}{{{self.part(element, 'e')}}}"

    def _nary(self, element: Element) -> str:
        sign = self.setting(element, "chr", "∫")
        low, high = self.part(element, "sub"), self.part(element, "sup")
        tex = _NARY.get(sign, tex_of(sign).strip())
        limits = "\\limits" if sign == "∫" and self.setting(element, "limLoc", "subSup") == "undOvr" else ""
        below, above = (f"_{{{low}}}" if low else ""), (f"^{{{high}}}" if high else "")
        return f"{tex}{limits}{below}{above} {self.part(element, 'e')}"

    def _d(self, element: Element) -> str:
        opening, closing = self.setting(element, "begChr", "("), self.setting(element, "endChr", ")")
        between = tex_of(self.setting(element, "sepChr", "|"))
        inner = f" \\middle{between} ".join(
            self.inside(each).strip() for each in element.iterchildren(f"{MATH}e")
        )
        return f"\\left{_fence(opening)}{inner}\\right{_fence(closing)}"

    def _func(self, element: Element) -> str:
        return f"{self.part(element, 'fName')} {self.base(element)}"

    def _limLow(self, element: Element) -> str:  # noqa: N802  the same
        base = self.part(element, "e")
        if base.startswith(("\\underbrace", "\\operatorname*")) or base.removeprefix("\\") in _FUNCTIONS:
            return f"{base}_{{{self.part(element, 'lim')}}}"
        return f"\\underset{{{self.part(element, 'lim')}}}{{{base}}}"

    def _limUpp(self, element: Element) -> str:  # noqa: N802  the same
        base = self.part(element, "e")
        if base.startswith("\\overbrace"):
            return f"{base}^{{{self.part(element, 'lim')}}}"
        return f"\\overset{{{self.part(element, 'lim')}}}{{{base}}}"

    def _acc(self, element: Element) -> str:
        accent = _ACCENTS.get(self.setting(element, "chr", "\u0302"), "hat")
        inner = self.part(element, "e")
        wide = {"hat": "widehat", "tilde": "widetilde", "bar": "overline", "vec": "overrightarrow"}
        single = _BARE.fullmatch(inner) or inner.startswith("\\math")
        return f"\\{accent if single else wide.get(accent, accent)}{{{inner}}}"

    def _bar(self, element: Element) -> str:
        over = self.setting(element, "pos", "bot") == "top"
        return ("\\overline{" if over else "\\underline{") + self.part(element, "e") + "}"

    def _groupChr(self, element: Element) -> str:  # noqa: N802  the same
        sign = self.setting(element, "chr", "⏟")
        if sign in _GROUPS:
            return f"\\{_GROUPS[sign]}{{{self.part(element, 'e')}}}"
        above = self.setting(element, "pos", "bot") == "top"
        command = "\\overset" if above else "\\underset"
        return f"{command}{{{tex_of(sign).strip()}}}{{{self.part(element, 'e')}}}"

    def _borderBox(self, element: Element) -> str:  # noqa: N802  the same
        return f"\\boxed{{{self.part(element, 'e')}}}"

    def _phant(self, element: Element) -> str:
        inner = self.part(element, "e")
        return inner if self.setting(element, "show", "1") not in ("0", "off") else f"\\phantom{{{inner}}}"

    def _m(self, element: Element) -> str:
        rows = [
            " & ".join(self.inside(each).strip() for each in row.iterchildren(f"{MATH}e"))
            for row in element.iterchildren(f"{MATH}mr")
        ]
        return "\\begin{matrix}" + r" \\ ".join(rows) + "\\end{matrix}"

    def _eqArr(self, element: Element) -> str:  # noqa: N802  the same
        rows = [self.inside(each).strip().replace("\\&", "&") for each in element.iterchildren(f"{MATH}e")]
        return "\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}"


def _function(name: str) -> str:
    return f"\\operatorname*{{{name}}}" if name in ("argmax", "argmin") else f"\\{name} "


def _above(text: str) -> str:
    """A superscript; primes stand before it."""
    rest = text.lstrip("'")
    return "'" * (len(text) - len(rest)) + (f"^{{{rest}}}" if rest else "")


def _fence(sign: str) -> str:
    r"""A delimiter as \left and \right take it."""
    return tex_of(sign) if sign else "."
