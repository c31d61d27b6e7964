"""Draw the scores in this folder from known laws: `python examples/scores/simulate.py`.

Plain Python; knows nothing of what measures them. Two made-up models score forty made-up papers of two years.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import NormalDist, mean

HERE = Path(__file__).parent
PAPERS, ROUNDS, PEOPLE, SHORT, TARGETS = 40, 6, 4, 3, 5
SCALE = range(1, 11)
NOISE = {"model-a": 0.45, "model-b": 0.3}
"""SD of a score before it is rounded: between rounds of one paper."""
DECIMAL_SHIFT, DECIMAL_NOISE = 0.4, 0.35
"""A protocol with decimals is quieter, and aims at something else."""


@dataclass(frozen=True)
class Paper:
    """A paper, what each model expects of it, and what people said."""

    name: str
    year: str
    expected: dict[str, float]
    human: float
    accepted: str


def main() -> None:
    """Write the three files anew."""
    rng = Random(2026)  # noqa: S311  nothing secret is drawn
    papers = [draw_paper(number, rng) for number in range(1, PAPERS + 1)]
    write("simulated_scores.csv", scores(papers, rng))
    write("simulated_protocols.csv", protocols(papers, rng))
    write("simulated_auxiliary.csv", auxiliary(papers, rng))


def draw_paper(number: int, rng: Random) -> Paper:
    """Quality is what people and both models share; each has a view of its own beside it."""
    quality = normal(5.2, 1.1, rng)
    people = [whole(normal(quality, 1.2, rng)) for _ in range(PEOPLE)]
    return Paper(
        f"paper-{number:02d}",
        "2025" if number <= PAPERS // 2 else "2026",
        {"model-a": normal(quality, 0.8, rng), "model-b": normal(0.6 * quality + 1.4, 0.5, rng)},
        mean(people),
        "accept" if normal(quality, 0.7, rng) > 5.6 else "reject",  # noqa: PLR2004  a threshold of its own
    )


def scores(papers: list[Paper], rng: Random) -> Iterator[dict[str, object]]:
    """Six rounds of integers by both models."""
    for model, noise in NOISE.items():
        for paper in papers:
            for number in range(1, ROUNDS + 1):
                yield {
                    "paper": paper.name,
                    "model": model,
                    "round": number,
                    "score": whole(normal(paper.expected[model], noise, rng)),
                    "group": paper.year,
                    "human": paper.human,
                    "accepted": paper.accepted,
                }


def protocols(papers: list[Paper], rng: Random) -> Iterator[dict[str, object]]:
    """Three rounds of integers and three of decimals by one model."""
    for paper in papers:
        expected = paper.expected["model-a"]
        for number in range(1, SHORT + 1):
            drawn = {
                "integer": whole(normal(expected, NOISE["model-a"], rng)),
                "decimal": fraction(normal(expected + DECIMAL_SHIFT, DECIMAL_NOISE, rng)),
            }
            for protocol, score in drawn.items():
                yield {
                    "paper": paper.name,
                    "protocol": protocol,
                    "round": number,
                    "score": score,
                    "human": paper.human,
                    "accepted": paper.accepted,
                }


def auxiliary(papers: list[Paper], rng: Random) -> Iterator[dict[str, object]]:
    """Five reasoned scores, and one call that gives probabilities: off, too sure of itself, and too high."""
    for paper in papers:
        expected = paper.expected["model-a"]
        near = NormalDist(normal(1.1 * expected + 0.3, 0.6, rng), 0.25)
        shares = {f"p{score}": round(near.cdf(score + 0.5) - near.cdf(score - 0.5), 4) for score in SCALE}
        known = {"paper": paper.name, "accepted": paper.accepted}
        length = rng.randrange(9_000, 30_000)
        yield {
            **known,
            "role": "auxiliary",
            "round": 1,
            **{name: share or "" for name, share in shares.items()},
            "input_tokens": length,
            "cached_tokens": 0,
            "cache_write_tokens": length,
            "output_tokens": rng.randrange(250, 400),
        }
        for number in range(1, TARGETS + 1):
            yield {
                **known,
                "role": "target",
                "round": number,
                "score": whole(normal(expected, NOISE["model-a"], rng)),
                "input_tokens": length,
                "cached_tokens": length - 500,
                "cache_write_tokens": 0,
                "output_tokens": rng.randrange(1_500, 4_000),
            }


def normal(centre: float, spread: float, rng: Random) -> float:
    """A normal number, from a uniform one that every version of Python draws alike."""
    return NormalDist(centre, spread).inv_cdf(1 - rng.random())


def whole(value: float) -> int:
    """The nearest score on the scale."""
    return min(max(round(value), SCALE[0]), SCALE[-1])


def fraction(value: float) -> float:
    """One decimal, never a whole number, inside the scale."""
    tenths = min(max(round(10 * value), 11), 99)
    return (tenths if tenths % 10 else tenths + 1) / 10


def write(name: str, rows: Iterable[dict[str, object]]) -> None:
    """Rows as CSV, with every column that a row has."""
    found = list(rows)
    columns = list(dict.fromkeys(column for row in found for column in row))
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


if __name__ == "__main__":
    main()
