"""Which candidates a generator is shown."""

import pytest

from rereview.perturb.draw import CAP, drawn
from rereview.types.edit import Candidate
from rereview.types.manuscript import SourceSpan


def candidates(kind, count, first=0):
    return [
        Candidate(
            id=f"{kind}{number}",
            paper_id="p",
            kind=kind,
            span=SourceSpan(file="a.tex", start=first + number, end=first + number + 1),
            text="x",
        )
        for number in range(count)
    ]


MANY = [*candidates("inline-equation", 1000), *candidates("proof", 5, 2000)]


def numbers(chosen, kind="inline-equation"):
    return [int(each.id.removeprefix(kind)) for each in chosen if each.kind == kind]


def test_a_draw_takes_some_of_every_part_of_the_paper():
    """One of each twentieth of the formulas, and all proofs, in reading order."""
    chosen = drawn(MANY)
    assert [number // 50 for number in numbers(chosen)] == list(range(CAP))
    assert numbers(chosen, "proof") == [0, 1, 2, 3, 4]
    assert [each.span.start for each in chosen] == sorted(each.span.start for each in chosen)


def test_the_first_ones_may_be_taken_instead():
    """As the authors' code does."""
    assert numbers(drawn(MANY, how="first", cap=3)) == [0, 1, 2]


def test_without_a_cap_all_are_drawn():
    """As the paper says."""
    assert drawn(MANY, cap=None) == tuple(MANY)


@pytest.mark.parametrize("count", [19, 20, 21, 39, 41])
def test_a_draw_has_the_cap_or_all(count):
    """Near the cap too; nothing twice."""
    chosen = numbers(drawn(candidates("inline-equation", count)))
    assert len(set(chosen)) == len(chosen) == min(count, CAP)


def test_the_seed_decides_the_draw():
    """The same one gives the same, another one another; other kinds do not matter."""
    assert drawn(MANY, seed=1) == drawn(MANY, seed=1) != drawn(MANY, seed=2)
    fewer = [each for each in MANY if each.kind != "proof"]
    assert numbers(drawn(fewer, seed=1)) == numbers(drawn(MANY, seed=1))
