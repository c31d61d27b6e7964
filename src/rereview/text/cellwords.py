"""What a reader sees of a short piece of LaTeX or Markdown: a cell, a caption, a label."""

from __future__ import annotations

import re

_SYMBOLS = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "approx": "≈", "sim": "∼", "neq": "≠", "uparrow": "↑", "downarrow": "↓", "rightarrow": "→", "to": "→",
    "leftarrow": "←", "checkmark": "✓", "cmark": "✓", "xmark": "✗", "dagger": "†", "ddagger": "‡",
    "ast": "*", "star": "*", "ldots": "…", "dots": "…", "infty": "∞", "alpha": "α", "beta": "β",
    "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Omega": "Ω", "degree": "°",
    "textdegree": "°", "textendash": "–", "textemdash": "—", "textbackslash": "\\", "textless": "<",
    "textgreater": ">", "quad": " ", "qquad": " ", "newline": " ", "par": " ", "lt": "<", "gt": ">",
    "textasteriskcentered": "*", "minus": "−", "S": "§", "ss": "ß", "textmu": "μ", "euro": "€", "pounds": "£",
}  # fmt: skip
_DROPPED = re.compile(
    r"\\(?:cite\w*|ref|eqref|cref|Cref|autoref|label|footnote(?:mark|text)?|tnote|hspace\*?|vspace\*?|color|textcolor"
    r"|cellcolor|rowcolor|fontsize|phantom|hphantom|vphantom|tablefootnote|includegraphics|raisebox|rotatebox|parbox"
    r"|arraystretch|setlength|ref\*|pageref|hyperref)"
    r"(?![a-zA-Z])(?:\s*\[[^\]]*\])*\s*\{[^{}]*\}"
)
_STRUT = re.compile(r"\\rule\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*\{[^{}]*\}")
_STACKED = re.compile(r"\\(?:makecell|shortstack|thead|multirowcell)(?![a-zA-Z])\s*(?:\[[^\]]*\])*")
_ENVIRONMENT = re.compile(
    r"\\begin\s*\{(?:tabular|array)\}(?:\[[^\]]*\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\(?:begin|end)\s*\{[^{}]*\}"
)
_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?\s?|\\(\\|.|\Z)", re.DOTALL)
_POWER = re.compile(r"\^\s*(?:\{\s*([-−+]?\d+)\s*\}|(\d))")
_RAISED = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")
# Characters that a command prints and that would be taken for markup afterwards.
_KEPT = str.maketrans("$^{}", "\ue000\ue001\ue002\ue003")
_BACK = str.maketrans("\ue000\ue001\ue002\ue003", "$^{}")
_SPACE = re.compile(r"\s+")


def plain_words(source: str) -> str:
    """`source` without commands, braces, dollar signs and Markdown emphasis; one space where many were."""
    text = _STRUT.sub("", source)
    text = _ENVIRONMENT.sub(" ", _STACKED.sub("", _DROPPED.sub("", text)))
    text = _COMMAND.sub(_command, text.replace("~", " "))
    text = _POWER.sub(lambda found: (found[1] or found[2]).translate(_RAISED), text)
    text = re.sub(r"[{}$]|\^(?=[\s{$]*[*†‡§])", "", text).translate(_BACK)
    text = re.sub(r"(\*\*|__)(?=\w)(.+?)(?<=\w)\1", r"\2", text)
    text = text.replace("---", "—").replace("--", "–")
    return _SPACE.sub(" ", text).strip()


def _command(found: re.Match[str]) -> str:
    """What a command prints, as far as it is a symbol; its argument stays as it is."""
    if found[1] is not None:
        return _SYMBOLS.get(found[1], "")
    if found[2] in {"\\", " ", ""}:
        return " "
    return "" if found[2] in ",;:!/-()[]" else found[2].translate(_KEPT)
