"""Made-up studies of injected errors, drawn by numpy and pandas alone: the truth is known, and not ours."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

SUBTYPES = {
    "surface": ("operator-or-sign", "index-or-subscript", "numeric-parameter", "computation"),
    "claim": ("incorrect-claim",),
    "reasoning": ("missing-case", "induction", "circular-reasoning", "invalid-implication"),
    "empirical": ("misinterpretation", "causal-reversal", "p-hacking"),
}
KINDS = {"surface": "inline-equation", "claim": "theorem", "reasoning": "proof", "empirical": "experiment"}
DOMAINS = ("math.OC", "cs.LG", "econ.EM")
PERTURBATIONS = (
    "perturbation", "paper", "run", "version", "family", "error", "kind", "paper_kind", "domain", "pinned",
)  # fmt: skip
READINGS = ("review", "paper", "run", "arm", "system", "model", "round", "status", "comments", "usd")
PAIRS = ("perturbation", "review", "comment", "arm", "coverage", "touches", "rating", "unreadable")


def perturbations(rows):
    """One row a dictionary; what is not said is filled in."""
    whole = {"paper": "p1", "family": "surface", "error": "computation", "kind": "inline-equation"}
    whole |= {"paper_kind": "theoretical", "domain": "math.OC", "pinned": None}
    made = [whole | row for row in rows]
    for row in made:
        row.setdefault("run", f"{row['paper']}/{row['family']}")
        row.setdefault("version", f"{row['run']}@1")
    return pd.DataFrame(made, columns=PERTURBATIONS)


def readings(rows):
    """The same for reviews."""
    whole = {"paper": "p1", "arm": "corrupted", "system": "zero", "model": "m", "round": 1}
    whole |= {"status": "ok", "comments": 10, "usd": 0.5}
    made = [whole | row for row in rows]
    for row in made:
        row.setdefault("run", "" if row["arm"] == "clean" else f"{row['paper']}/surface")
    return pd.DataFrame(made, columns=READINGS)


def pairs(rows):
    """The same for pairs."""
    whole = {"comment": "c1", "arm": "corrupted", "coverage": None, "touches": None, "rating": None}
    whole |= {"unreadable": False}
    made = pd.DataFrame([whole | row for row in rows], columns=PAIRS)
    return made.astype(
        {"coverage": "float64", "touches": "boolean", "rating": "Int64", "unreadable": "boolean"}
    )


@dataclass(frozen=True)
class Study:
    """The three frames."""

    perturbations: pd.DataFrame
    readings: pd.DataFrame
    pairs: pd.DataFrame

    @property
    def frames(self):
        return self.perturbations, self.readings, self.pairs


def study(
    seed=0,
    papers=9,
    *,
    systems=("coarse", "open", "zero"),
    models=("m1", "m2"),
    rounds=1,
    each=5,
    comments=12,
):
    """A plausible study: papers, systems and models differ, some reviews fail, some ratings are odd."""
    rng = np.random.default_rng(seed)
    errors = [row for at in range(papers) for row in _errors(rng, at, each)]
    made = perturbations(errors)
    skill = {(s, m): -1.2 + 0.7 * i + 0.4 * j for i, s in enumerate(systems) for j, m in enumerate(models)}
    ease = dict(zip(made["perturbation"], rng.normal(0, 0.8, len(made)), strict=True))
    paper_ease = {f"p{at:02d}": value for at, value in enumerate(rng.normal(0, 0.6, papers))}
    read, met = [], []
    for (system, model), own_skill in skill.items():
        for number in range(1, rounds + 1):
            for arm, run in [("corrupted", run) for run in sorted(set(made["run"]))] + [
                ("clean", paper) for paper in sorted(set(made["paper"]))
            ]:
                who = {"system": system, "model": model, "round": number}
                read.append(_reading(rng, who, arm, run, comments))
                if read[-1]["status"] == "ok":
                    odds = own_skill + paper_ease[read[-1]["paper"]]
                    own = made[made["run"] == run] if arm == "corrupted" else made[made["paper"] == run]
                    met += _pairs(rng, own["perturbation"], read[-1], odds, ease)
    return Study(made, readings(read), pairs(met))


def _errors(rng, at, each):
    theory = at % 2 == 0
    for family in ("surface", "claim", "reasoning") if theory else ("surface", "claim", "empirical"):
        subtypes = SUBTYPES[family] if theory or family != "claim" else ("incorrect-statement",)
        for number in range(int(rng.integers(max(1, each - 3), each + 4))):
            yield {
                "perturbation": f"p{at:02d}-{family}-{number}",
                "paper": f"p{at:02d}",
                "family": family,
                "error": str(rng.choice(subtypes)),
                "kind": KINDS[family],
                "paper_kind": "theoretical" if theory else "empirical",
                "domain": DOMAINS[at % len(DOMAINS)],
                "pinned": bool(rng.random() < 0.7) if family in {"claim", "empirical"} else None,
            }


def _reading(rng, who, arm, run, comments):
    failed = rng.random() < 0.03
    return {
        **who,
        "review": f"{'-'.join(map(str, who.values()))}-{arm}-{run}",
        "paper": run.partition("/")[0],
        "run": run if arm == "corrupted" else "",
        "arm": arm,
        "status": "failed" if failed else "ok",
        "comments": 0 if failed else int(rng.poisson(comments + 8 * (who["system"] == "open"))) + 3,
        "usd": None if who["system"] == "coarse" and rng.random() < 0.1 else round(rng.gamma(4, 0.05), 4),
    }


def _pairs(rng, errors, reading, odds, ease):
    for error in errors:
        chance = 1 / (1 + np.exp(-(odds + ease[error] - 2.5 * (reading["arm"] == "clean"))))
        for at in range(int(rng.binomial(2, chance))):
            unreadable = rng.random() < 0.02
            yield {
                "perturbation": error,
                "review": reading["review"],
                "comment": f"c{at}-{error}",
                "arm": reading["arm"],
                "coverage": round(float(rng.uniform(0.5, 1)), 2),
                "touches": bool(rng.random() < 0.9),
                "rating": None if unreadable or reading["arm"] == "clean" else int(rng.integers(2, 6)),
                "unreadable": bool(unreadable),
            }


# -- what a generator was shown ------------------------------------------------------------

SHOWN = (
    "run", "paper", "family", "batch", "position", "candidate", "kind", "length", "at", "chosen", "error",
)  # fmt: skip
EQUATIONS = ("inline-equation", "named-equation")
PICKED = (1, 2, 2, 3)
"""How many of the five spans of each quarter of length are chosen."""


def surface(paper, rng, *, everything=False):
    """Twenty equation spans, two batches; the later the longer; 1, 2, 2, 3 of each quarter chosen.

    Of each quarter the first are chosen, so of odd spans (named equations) 4 of 10, of even ones 4 of 10.
    """
    order = rng.permutation(20)
    for place in range(20):
        quarter, within = divmod(place, 5)
        chosen = everything or within < PICKED[quarter]
        at = int(order[place])
        yield {
            "run": f"{paper}/surface",
            "paper": paper,
            "family": "surface",
            "batch": 1 + at // 10,
            "position": 1 + at % 10,
            "candidate": f"{paper}-{place}",
            "kind": EQUATIONS[place % 2],
            "length": 10 * (place + 1),
            "at": place / 20,
            "chosen": chosen,
            "error": ("operator-or-sign" if quarter else "computation") if chosen else None,
        }


def claims(paper, positions):
    """One batch of ten definitions, of which those at `positions` are chosen."""
    for position in range(1, 11):
        yield {
            "run": f"{paper}/claim",
            "paper": paper,
            "family": "claim",
            "batch": 1,
            "position": position,
            "candidate": f"{paper}-d{position}",
            "kind": "definition",
            "length": 100,
            "at": 0.5,
            "chosen": position in positions,
            "error": "incorrect-claim" if position in positions else None,
        }


def shown(everything=0):
    """Eight papers; `everything` further ones chose all they saw."""
    rng = np.random.default_rng(1)
    rows = [row for p in range(8) for row in surface(f"p{p}", rng)]
    rows += [row for p in range(8) for row in claims(f"p{p}", {1, 2, 3})]
    rows += [row for p in range(everything) for row in surface(f"q{p}", rng, everything=True)]
    return pd.DataFrame(rows, columns=SHOWN)
