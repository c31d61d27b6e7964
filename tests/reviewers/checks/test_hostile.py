"""Text that no paper holds, and that a file may: every rule reads it to its end."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks import RULES
from rereview.reviewers.checks.base import Rule
from rereview.types.manuscript import Block, Manuscript

DEEP = 400
TEXTS = {
    "brackets": "$" + "(1+" * DEEP + "1" + ")" * DEEP + " = 5$",
    "signs": "$" + "-" * DEEP + "1 = 2$",
    "fractions": r"\begin{equation}" + r"\frac{" * DEEP + "1" + "}{2}" * DEEP + r" = 1 \end{equation}",
    "digits": f"${'9' * 5000} + 1 = 3$ of {'9' * 5000} trees",
    "powers": r"It was 1e999999999, $3 \times 10^{99999999}$, 10⁹⁹⁹⁹⁹⁹⁹⁹ and $99^{99999999} = 1 + 2$.",
    "statistics": f"t({'9' * 99}) = {'9' * 99}, p = .05; (N = {'9' * 40}, M = 3.12, SD = {'1' * 90}.12)",
    "shares": f"12 (30%) of the {'4' * 99} trees, which rose from {'4' * 99} to 9 (a 20% reduction)",
    "intervals": f"a mean of {'1' * 99}.1 (95% CI {'1' * 99}.0 to {'1' * 99}.3, p = 0.04)",
    "braces": "{" * DEEP + "}" * DEEP + "$" * (DEEP + 1) + "%" * DEEP,
    "table": r"\begin{tabular}{lll} A & B (n = 0) & Total \\ \hline "
    + " ".join(rf"r{i} & {'9' * 5000} & 9{'9' * 98}*** \\ & (0.00) & (0.0) \\" for i in range(4))
    + r"Total & 1e99999999 & 9 \end{tabular} Notes: * p<0.1. Standard errors in parentheses.",
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("name", TEXTS)
def test_every_rule_reads_hostile_text_to_its_end(rule: Rule, name: str) -> None:
    """Deep nesting, thousands of digits, and powers that no machine holds: nothing is raised."""
    kind = "table" if name == "table" else "paragraph"
    block = Block(id="b", text=TEXTS[name], kind=kind)
    list(rule(Manuscript(id="m", paper_id="p", title="", format="latex", blocks=(block,))))
