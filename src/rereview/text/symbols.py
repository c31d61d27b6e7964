"""What LaTeX commands print: a symbol, space, or nothing of their own."""

from __future__ import annotations


# Long lists of short words are read more easily as text.
def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _pairs(names: str) -> dict[str, str]:
    words = names.split()
    return dict(zip(words[::2], words[1::2], strict=True))


SYMBOLS = _pairs(
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ iota ι "
    "kappa κ varkappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi π rho ρ varrho ρ sigma σ "
    "varsigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma γ Delta δ Theta θ Lambda λ "
    "Xi ξ Pi π Sigma σ Upsilon υ Phi φ Psi ψ Omega ω "
    "le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ ll ≪ gg ≫ lt < gt > approx ≈ sim ∼ "
    "simeq ≃ cong ≅ equiv ≡ propto ∝ prec ≺ succ ≻ preceq ≼ succeq ≽ in ∈ notin ∉ ni ∋ subset ⊂ "
    "subseteq ⊆ subsetneq ⊊ supset ⊃ supseteq ⊇ perp ⊥ parallel ∥ models ⊨ vdash ⊢ pm ± mp ∓ "
    "times × div ÷ cdot · bullet · cup ∪ cap ∩ bigcup ∪ bigcap ∩ setminus ∖ wedge ∧ land ∧ vee ∨ "
    "lor ∨ neg ¬ lnot ¬ oplus ⊕ otimes ⊗ odot ⊙ circ ∘ forall ∀ exists ∃ partial ∂ nabla ∇ infty ∞ "
    "int ∫ iint ∬ oint ∮ sum ∑ prod ∏ coprod ∐ sqrt √ emptyset ∅ varnothing ∅ aleph ℵ to → "
    "rightarrow → longrightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ implies ⇒ "
    "Longrightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ mapsto ↦ hookrightarrow ↪ uparrow ↑ "
    "downarrow ↓ ell l hbar ħ Re R Im I ss ss ae æ AE æ oe œ OE œ o ø O ø l ł L ł aa å AA å i i j j "
    "lvert | rvert | percent %"
)
# Dropped, their arguments kept: fonts, sizes, delimiters, accents, structure.
WRAPPERS = _words(
    "emph text textrm textbf textit textsl textsc textsf texttt textup textmd textnormal underline "
    "mbox hbox fbox mathrm mathbf mathit mathsf mathtt mathbb mathcal mathfrak mathscr mathnormal "
    "boldsymbol bm pmb operatorname mathop mathbin mathrel mathord ensuremath rm bf it em sl sc sf tt "
    "bfseries itshape rmfamily sffamily ttfamily scshape upshape normalfont displaystyle textstyle "
    "scriptstyle scriptscriptstyle left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr "
    "Biggl Biggr limits nolimits frac dfrac tfrac cfrac hat widehat bar overline tilde widetilde vec "
    "dot ddot check breve acute grave mathring overrightarrow mid vert Vert lVert rVert langle rangle "
    "lfloor rfloor lceil rceil lbrace rbrace lbrack rbrack ldots cdots dots vdots ddots dotsc dotsb "
    "prime ast star dagger ddagger tiny scriptsize footnotesize small normalsize large Large LARGE "
    "huge Huge part chapter section subsection subsubsection paragraph subparagraph title caption "
    "footnote footnotetext item centering noindent hline toprule midrule bottomrule maketitle nonumber "
    "notag tag backslash protect relax leavevmode raggedright xspace url nolinkurl H"
)
SPACES = _words("quad qquad hfill hskip newline linebreak par space enspace smallskip medskip")
