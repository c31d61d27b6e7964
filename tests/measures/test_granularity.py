"""Integer against decimal scores, against plain loops."""

from statistics import mean, stdev, variance

import pytest
from scipy import stats

from rereview.measures.granularity import granularity
from rereview.measures.tables import measure
from rereview.measures.tabulate import Settings
from score_frames import cells, frame, scores, values

SETTINGS = Settings(draws=200)
INTEGER = [
    [5, 5, 6, 9],
    [4, 5, 4, 9],
    [7, 5, 6, 9],
    [3, 4, 3, 9],
    [6, 6, 6, 9],
    [5, 8, 5, 9],
    [2, 2, 3, 9],
    [8, 8, 9, 9],
]
DECIMAL = [
    [5.1, 5.2, 6.4],
    [4.7, 5.1, 4.2],
    [7.1, 6.4, 6.2],
    [3.3, 4.1, 3.4],
    [6.6, 6.5, 6.8],
    [5.9, 7.1, 5.6],
    [2.8, 3.2, 3.1],
    [8.3, 8.1, 9.2],
]
PEOPLE = [5.5, 3.0, 6.25, 4.0, 6.25, 5.0, 2.5, 8.0]


def facts():
    return [{"human": human, "accepted": human > 5, "group": "ab"[i % 2]} for i, human in enumerate(PEOPLE)]


def rows(integer=INTEGER, decimal=DECIMAL):
    return [*scores(integer, facts(), protocol="integer"), *scores(decimal, facts(), protocol="decimal")]


def made(**changed):
    return granularity(frame(rows(**changed)), SETTINGS)


def t_limits(parts):
    half = stats.t.ppf(0.975, len(parts) - 1) * stdev(parts) / len(parts) ** 0.5
    return mean(parts) - half, mean(parts) + half


@pytest.mark.parametrize(("protocol", "table"), [("integer", [r[:3] for r in INTEGER]), ("decimal", DECIMAL)])
def test_each_protocol_against_loops(protocol, table):
    """The integer side is its first three rounds, as many as the decimal side has."""
    found = cells(made())
    means = [mean(row) for row in table]
    errors = [m - h for m, h in zip(means, PEOPLE, strict=True)]
    assert found[protocol, "within_sd"].value == pytest.approx(mean(map(variance, table)) ** 0.5)
    assert found[protocol, "mean"].value == pytest.approx(mean(means))
    assert (found[protocol, "mean"].low, found[protocol, "mean"].high) == pytest.approx(t_limits(means))
    assert found[protocol, "pearson"].value == pytest.approx(stats.pearsonr(means, PEOPLE).statistic)
    assert found[protocol, "spearman"].value == pytest.approx(stats.spearmanr(means, PEOPLE).statistic)
    assert found[protocol, "mae"].value == pytest.approx(mean(map(abs, errors)))
    assert found[protocol, "rmse"].value == pytest.approx(mean(e * e for e in errors) ** 0.5)
    high = [m for m, h in zip(means, PEOPLE, strict=True) if h > 5]
    low = [m for m, h in zip(means, PEOPLE, strict=True) if h <= 5]
    area = mean((p > n) + 0.5 * (p == n) for p in high for n in low)
    assert found[protocol, "auc"].value == pytest.approx(area)
    own = [means[i] for i in range(1, 8, 2)]
    assert found[f"{protocol}, b", "mean"].value == pytest.approx(mean(own))


def test_differences_are_paired_within_papers():
    """Limits come from the differences of each paper, not from two independent means."""
    found = cells(made())
    old, new = [mean(row[:3]) for row in INTEGER], [mean(row) for row in DECIMAL]
    shifts = [b - a for a, b in zip(old, new, strict=True)]
    changes = [abs(b - h) - abs(a - h) for a, b, h in zip(old, new, PEOPLE, strict=True)]
    for column, parts in (("mean", shifts), ("mae", changes)):
        cell = found["decimal minus integer", column]
        assert cell.value == pytest.approx(mean(parts))
        assert (cell.low, cell.high) == pytest.approx(t_limits(parts))
    assert set(values(made(), "mae")) == {
        f"{side}{group}"
        for side in ("integer", "decimal", "decimal minus integer")
        for group in ("", ", a", ", b")
    }


def test_a_round_counts_where_both_sides_have_it():
    """A decimal round that is missing takes its integer round along, and the note counts it."""
    gap = [[None, *DECIMAL[0][1:]], *DECIMAL[1:]]
    table = made(decimal=gap)
    expected = mean([mean(INTEGER[0][1:3]), *(mean(row[:3]) for row in INTEGER[1:])])
    assert cells(table)["integer", "mean"].value == pytest.approx(expected)
    assert "1 score without one of the other protocol in the same round; left out." in table.notes


def test_papers_of_one_protocol_are_left_out_and_counted():
    """Seven papers are paired where the eighth has integers alone."""
    table = made(decimal=DECIMAL[:7])
    assert cells(table)["integer", "mean"].n == 7
    assert "1 paper has scores of one protocol only; left out." in table.notes
    scores = 2 * sum(len(row) for row in DECIMAL[:7])
    sample = (
        f"Sample: 7 papers with a round of both protocols, {scores} scores; 1 lost, without such a round."
    )
    assert sample in table.notes


def test_notes_say_what_a_smaller_variance_is_not():
    """The two-point model, the moved target, and decimals that are whole."""
    notes = " ".join(made(decimal=[[5.0, *DECIMAL[0][1:]], *DECIMAL[1:]]).notes)
    assert "π(1 − π)" in notes
    assert "2π(1 − π)" in notes
    assert "is not accuracy" in notes
    assert "The decimal protocol has 1 whole number among its scores." in notes


def test_without_people_the_spread_and_the_shift_remain():
    """Association and error are unknown, never 0."""
    bare = [{k: v for k, v in row.items() if k not in ("human", "accepted")} for row in rows()]
    found = cells(granularity(frame(bare), SETTINGS))
    assert found["integer", "pearson"].value is None
    assert found["decimal minus integer", "mae"].value is None
    assert found["decimal minus integer", "mean"].value is not None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([{k: v for k, v in row.items() if k != "protocol"} for row in rows()], "needs the column protocol"),
        (
            scores(INTEGER, protocol="integer"),
            "needs scores of the protocols integer and decimal; there are: 'integer'",
        ),
        (
            [
                *scores(INTEGER, protocol="integer"),
                *({**row, "paper": "x"} for row in scores([[5.1]], protocol="decimal")),
            ],
            "needs papers with scores of both protocols",
        ),
    ],
)
def test_why_it_is_left_out(given, reason):
    """The reason names what is there and what is not."""
    assert measure(frame(given), ("granularity",), SETTINGS).left_out == {"granularity": reason}
