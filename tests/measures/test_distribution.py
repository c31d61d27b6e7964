"""The table of distribution estimates against one split, one partition and one paper at a time."""

import importlib.util
from itertools import combinations
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest
from scipy import stats

from rereview.measures.auxiliary import material
from rereview.measures.distribution import distribution
from rereview.measures.tables import measure
from rereview.measures.tabulate import Settings
from rereview.stats.calibration import losses, quick_grid
from rereview.stats.heldout import refit_bootstrap
from score_frames import cells, frame, scores

_spec = importlib.util.spec_from_file_location(
    "calibration_reference", Path(__file__).parents[1] / "stats" / "calibration_reference.py"
)
reference = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(reference)

SETTINGS = Settings(draws=200)
PAPERS = 9
CALLS, TABLE, TARGETS = reference.sample(PAPERS, seed=5)
FURTHER = reference.sample(PAPERS, seed=6, reviews=4)[2]
ACCEPTED = [True, False, True, True, False, False, True, False, False]
KNOWN = [{"accepted": accepted, "group": "ab"[i % 2]} for i, accepted in enumerate(ACCEPTED)]
VALIDATED = (2, 6)


def call(paper, number, returned):
    candidates = {f"p{score}": probability for score, probability in returned.items()}
    return {"paper": f"p{paper:03d}", "round": number, "call": number, "role": "auxiliary", **candidates}


def rows(targets=None, known=KNOWN):
    auxiliary = [call(i, 2, returned) for i, returned in enumerate(CALLS)]
    # A call that did not answer comes first, and another answer later: neither feeds Quick.
    auxiliary += [call(0, 1, {}), call(0, 3, {9: 1.0})]
    return [*scores(TARGETS.tolist() if targets is None else targets, known, role="target"), *auxiliary]


def made(given=None, settings=SETTINGS):
    return distribution(material(frame(rows() if given is None else given), settings))


def halves(seed=0):
    rng = np.random.default_rng((seed, 30))
    train = [[False] * PAPERS for _ in range(30)]
    for row in train:
        for i in rng.permutation(PAPERS)[: PAPERS // 2]:
            row[i] = True
    return train


def fit(papers, known):
    """The reference's search, with Quick's losses of each paper and point looked up."""
    point = reference.GRID[
        reference.first_smallest([mean(known[i][g] for i in papers) for g in range(len(reference.GRID))])
    ]

    def loss(mix):
        return mean(
            reference.brier(reference.standard(reference.quick(CALLS[i], *point), inputs, mix), rest)
            for i in papers
            for inputs, rest in reference.partitions(TARGETS[i].tolist())
        )

    return point, reference.WEIGHTS[reference.first_smallest([loss(mix) for mix in reference.WEIGHTS])]


@pytest.fixture(scope="module")
def slow():
    """Fits of all splits, and Quick's and Standard's risk of each paper over the splits that test it."""
    train = halves()
    known = [
        [reference.brier(reference.quick(returned, *point), targets) for point in reference.GRID]
        for returned, targets in zip(CALLS, TARGETS.tolist(), strict=True)
    ]
    fits = [fit([i for i in range(PAPERS) if split[i]], known) for split in train]
    risks = []
    for i in range(PAPERS):
        seen = [
            reference.risks(CALLS[i], TARGETS[i].tolist(), found)
            for found, split in zip(fits, train, strict=True)
            if not split[i]
        ]
        risks.append([mean(column) for column in zip(*seen, strict=True)])
    return train, fits, risks


def direct(i, n):
    """Expected risk of n reviews of a paper: (1 - share of equal pairs) / n."""
    return (1 - mean(float(a == b) for a, b in combinations(TARGETS[i].tolist(), 2))) / n


def per_paper(risks, name):
    """Risk of each paper by a row of the table."""
    quick, standard = zip(*risks, strict=True)
    if name in ("quick", "standard"):
        return list(quick if name == "quick" else standard)
    n = int(name[-1])
    lone = [direct(i, n) for i in range(PAPERS)]
    return lone if name.startswith("direct") else [a - b for a, b in zip(standard, lone, strict=True)]


@pytest.mark.parametrize(
    "name",
    [
        *("quick", "standard", "direct-1", "direct-2", "direct-3", "direct-5"),
        *("standard-minus-2", "standard-minus-3"),
    ],
)
def test_risks_against_loops(slow, name):
    """Partitions, then test appearances, then papers; Student limits over papers, and by group."""
    found, each = cells(made()), per_paper(slow[2], name)
    cell = found[name, "risk"]
    assert cell.value == pytest.approx(mean(each), abs=1e-12)
    half = stats.t.ppf(0.975, PAPERS - 1) * stdev(each) / PAPERS**0.5
    assert (cell.low, cell.high) == pytest.approx((mean(each) - half, mean(each) + half), abs=1e-12)
    assert found[f"{name}, a", "risk"].value == pytest.approx(mean(each[::2]), abs=1e-12)
    assert found[f"{name}, b", "risk"].value == pytest.approx(mean(each[1::2]), abs=1e-12)
    assert found[name, "risk_refit"].value == pytest.approx(cell.value, abs=1e-12)


def test_chosen_parameters_are_counted(slow):
    """How often each fit was chosen stands in a note; the counts sum to the splits."""
    (note,) = [note for note in made().notes if note.startswith("Chosen in 30 random halves")]
    for point, mix in slow[1]:
        t, a, b = map(float, point)
        count = slow[1].count((point, mix))
        assert f"T={t:g} a={a:g} b={b:g} w={mix:g}: {count}" in note
    tested = [sum(not split[i] for split in slow[0]) for i in range(PAPERS)]
    assert f"Each paper is tested {min(tested)} to {max(tested)} times." in made().notes


def test_refitted_limits_are_those_of_the_bootstrap(slow):
    """A thousand draws from the seed of every table, refitted inside the same halves."""
    known = losses(quick_grid(TABLE), TARGETS)
    picks = np.random.default_rng(0).integers(0, PAPERS, (1000, PAPERS))
    weights = np.array([np.bincount(row, minlength=PAPERS) for row in picks], dtype=float)
    cell = cells(made(settings=Settings(draws=10_000)))["standard-minus-2", "risk_refit"]
    whole = refit_bootstrap(known, np.array(slow[0]), weights)
    kept = whole[~np.isnan(whole[:, 6]), 6]
    assert cell.marks == (f"{1000 - len(kept)} draws without a value are left out",)
    assert (cell.low, cell.high) == pytest.approx(np.quantile(kept, [0.025, 0.975]), abs=1e-12)


def test_areas_against_loops(slow):
    """Expected scores on the test papers of each split; the same rounds for all papers, or any."""
    train, fits, _ = slow
    shared, independent = [], []
    for split, (point, mix) in zip(train, fits, strict=True):
        high = [i for i in range(PAPERS) if not split[i] and ACCEPTED[i]]
        low = [i for i in range(PAPERS) if not split[i] and not ACCEPTED[i]]
        if not high or not low:
            continue
        predicted = {
            (i, pair): round(
                sum(
                    (s + 1) * p
                    for s, p in enumerate(
                        reference.standard(
                            reference.quick(CALLS[i], *point), [int(TARGETS[i][t]) for t in pair], mix
                        )
                    )
                ),
                9,
            )
            for i in high + low
            for pair in combinations(range(5), 2)
        }
        pairs = list(combinations(range(5), 2))

        def above(one, other, values=predicted):
            return (values[one] > values[other]) + 0.5 * (values[one] == values[other])

        shared.append(mean(above((i, p), (j, p)) for p in pairs for i in high for j in low))
        independent.append(
            mean(above((i, p), (j, q)) for p in pairs for q in pairs for i in high for j in low)
        )
    found = cells(made())
    assert found["standard", "auc"].value == pytest.approx(mean(shared))
    assert found["standard", "auc_independent"].value == pytest.approx(mean(independent))
    two = found["direct-2", "auc"].value
    assert found["standard-minus-2", "auc"].value == pytest.approx(mean(shared) - two)
    assert ("standard", "auc_without_withdrawn") not in found


def test_withdrawn_papers_leave_the_negatives():
    """A paper that is not accepted and withdrawn does not count; an accepted one does."""
    gone = (1, 4, 6)
    known = [{**facts, "withdrawn": i in gone} for i, facts in enumerate(KNOWN)]
    found = cells(made(rows(known=known)))
    unknown = [{"accepted": None if i in (1, 4) else a} for i, a in enumerate(ACCEPTED)]
    expected = cells(made(rows(known=unknown)))
    for name in ("quick", "standard", "direct-3"):
        for column in ("auc", "auc_independent"):
            cell = found[name, f"{column}_without_withdrawn"]
            assert cell.value == pytest.approx(expected[name, column].value)
            assert (cell.n, cell.dropped) == (7, 2)


def test_without_decisions_there_are_no_areas():
    """The columns are absent, not 0.5."""
    assert {column for _, column in cells(made(rows(known=None)))} == {"risk", "risk_refit"}


def test_validation_against_loops():
    """Fitted on papers without further scores; every call of Quick alone; subsets, then papers."""
    further = [
        {"paper": f"p{i:03d}", "round": t + 1, "role": "validation", "score": int(score)}
        for i in VALIDATED
        for t, score in enumerate(FURTHER[i])
    ]
    table = made([*rows(), *further, call(2, 3, {4: 0.5, 5: 0.5})])
    weights = [i not in VALIDATED for i in range(PAPERS)]
    point, mix = reference.fit(CALLS, TARGETS.tolist(), weights)
    losses_of = {"quick": [], "standard": [], "direct-3": []}
    for i in VALIDATED:
        own = TARGETS[i].tolist()
        answers = [CALLS[i], {4: 0.5, 5: 0.5}] if i == 2 else [CALLS[i]]
        q = reference.quick(CALLS[i], *point)
        predictions = {
            "quick": [reference.quick(answer, *point) for answer in answers],
            "standard": [reference.standard(q, list(pair), mix) for pair in combinations(own, 2)],
            "direct-3": [[c.count(s + 1) / 3 for s in range(10)] for c in combinations(own, 3)],
        }
        for name, each in predictions.items():
            losses_of[name].append(mean(reference.brier(p, FURTHER[i].tolist()) for p in each))
    found = cells(table)
    for name, each in losses_of.items():
        assert found[name, "brier"].value == pytest.approx(mean(each))
        assert found[name, "brier"].n == 2
    assert {"w1", "modal_accuracy", "mean_error", "tail_error"} < {column for _, column in found}
    assert ("standard-minus-2", "brier") not in found
    assert "Validation: 2 of 2 papers, fitted on the other 7." in table.notes


def test_papers_that_cannot_be_used_are_counted_by_reason():
    """No answer, a target fewer, a target between two integers."""
    targets = TARGETS.tolist()
    targets[3] = targets[3][:4]
    targets[4] = [*targets[4][:4], 5.5]
    given = [row for row in rows(targets) if (row["paper"], row["role"]) != ("p005", "auxiliary")]
    table = made(given)
    assert "Targets: the first 5 scores of role 'target'; 6 of 9 papers are used." in table.notes
    having = "with an auxiliary call that answered and 5 targets"
    assert f"Sample: 6 papers {having}, 30 scores; 3 lost." in table.notes
    assert "Left out, no auxiliary call with an answer: 1 (p005)." in table.notes
    assert "Left out, fewer than 5 targets: 1 (p003)." in table.notes
    assert "Left out, targets that are no integers 1-10: 1 (p004)." in table.notes
    assert cells(table)["quick", "risk"].n == 6


def test_a_target_too_many_is_the_last():
    """Where most papers have five, a sixth is not used, and the paper is."""
    targets = TARGETS.tolist()
    one, other = made(rows([*targets[:8], [*targets[8], 1]])), made()
    assert cells(one) == cells(other)


def test_a_zero_that_was_returned_is_told():
    """0 and an empty cell are two things, and the note says which is which."""
    given = [*rows(), call(8, 1, {5: 1.0, 6: 0.0})]
    assert any(note.startswith("1 probability is 0") for note in made(given).notes)


def test_four_targets_give_risks_and_no_areas():
    """Five reviews are a baseline of the areas; risks need only their pairs."""
    table = made(rows([row[:4] for row in TARGETS.tolist()]))
    assert {column for _, column in cells(table)} == {"risk", "risk_refit"}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([{**row, "role": "target"} for row in rows()], "needs calls of the role auxiliary"),
        ([row for row in rows() if row["role"] == "auxiliary"], "needs scores of the role target"),
        (scores(TARGETS.tolist(), role="target"), "needs the columns p1 to p10"),
        (scores(TARGETS.tolist()), "needs the column role"),
        (
            [row for row in rows() if row["role"] == "target" or row["paper"] == "p001"],
            "cannot be made: 1 paper has an auxiliary call with an answer",
        ),
    ],
)
def test_why_it_is_left_out(given, reason):
    """What is missing is named."""
    left_out = measure(frame(given), ("distribution",), SETTINGS).left_out
    assert left_out["distribution"].startswith(reason)
