"""The stratified sample: what it must hold, and what it must refuse."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from rereview.errors import UsageError
from rereview.stats.sampling import Item, stratified_sample


def items(seed, papers=20, count=300):
    """Two strata with four and one inner labels, five labels across, unequal papers; some labels are rare."""
    rng = np.random.default_rng(seed)
    made = []
    for at in range(count):
        paper = int(papers * rng.random() ** 2)
        stratum = "surface" if rng.random() < 0.7 else "claim"
        inner = "abcd"[min(3, int(rng.exponential(0.7)))] if stratum == "surface" else "claim"
        made.append(Item(str(at), stratum, inner, f"d{paper % 5}", f"p{paper}"))
    return made


def drawn(made, **options):
    ids = stratified_sample(made, rng=np.random.default_rng(options.pop("seed", 0)), **options)
    return [item for item in made if item.id in ids]


@pytest.mark.parametrize("seed", range(4))
def test_every_stratum_label_and_domain_is_there(seed):
    """Ten a stratum; every subtype; every domain; one of a paper where there are papers enough."""
    made = items(seed)
    sample = drawn(made, each=10)
    assert Counter(item.stratum for item in sample) == {"surface": 10, "claim": 10}
    assert {(item.stratum, item.inner) for item in sample} == {(item.stratum, item.inner) for item in made}
    assert {item.across for item in sample} == {item.across for item in made}
    papers = len({item.unit for item in made})
    assert max(Counter(item.unit for item in sample).values()) <= -(-20 // papers) + 1


def test_no_paper_gives_more_than_it_must():
    """Against every sample there is: the smallest possible maximum."""
    made = [
        Item("0", "s", "a", "x", "p1"),
        Item("1", "s", "b", "x", "p1"),
        Item("2", "s", "b", "y", "p2"),
        Item("3", "t", "c", "x", "p1"),
        Item("4", "t", "c", "y", "p2"),
        Item("5", "t", "c", "y", "p3"),
    ]
    allowed = []
    for chosen in combinations(made, 4):
        strata = Counter(item.stratum for item in chosen)
        inner = {item.inner for item in chosen}
        across = {item.across for item in chosen}
        if strata == {"s": 2, "t": 2} and inner == {"a", "b", "c"} and across == {"x", "y"}:
            allowed.append(max(Counter(item.unit for item in chosen).values()))
    sample = drawn(made, each=2)
    assert max(Counter(item.unit for item in sample).values()) == min(allowed)


def test_a_stratum_with_too_few_is_taken_whole():
    """Three claims where ten are asked for."""
    made = [Item(str(at), "claim", "c", "x", f"p{at}") for at in range(3)]
    assert len(drawn(made, each=10)) == 3


def test_the_seed_decides():
    """The same seed gives the same sample, another one another."""
    made = items(1)
    assert drawn(made, each=10) == drawn(made, each=10)
    assert drawn(made, each=10) != drawn(made, each=10, seed=1)


def test_common_items_are_all_taken_sometimes():
    """Over many seeds every one of twenty equal items is drawn, none always."""
    made = [Item(str(at), "s", "a", "x", f"p{at}") for at in range(20)]
    taken = Counter(item.id for seed in range(30) for item in drawn(made, each=5, seed=seed))
    assert len(taken) == 20
    assert max(taken.values()) < 25


def test_nothing_gives_nothing():
    """No items, no sample."""
    assert stratified_sample([], each=10, rng=np.random.default_rng(0)) == ()


def test_a_sample_too_small_for_its_labels_is_refused():
    """Four subtypes in three places; six domains in two places."""
    made = [Item(str(at), "surface", "abcd"[at % 4], "x", f"p{at}") for at in range(12)]
    with pytest.raises(UsageError, match=r"3 of 'surface' cannot hold its 4 kinds; at least 4 of each"):
        drawn(made, each=3)
    wide = [Item(str(at), "surface", "a", f"d{at}", f"p{at}") for at in range(6)]
    with pytest.raises(UsageError, match="covers every domain"):
        drawn(wide, each=2)
