"""The registry: what is made of a frame, what is left out, and that nothing else happens."""

import json
import math

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.measures.tables import MEASURES, measure, measure_all
from rereview.measures.tabulate import Settings
from rereview.measures.usual import ordinary
from score_frames import frame, scores

QUICK = Settings(draws=20, price=(4, 0.4, 5, 20))
FEW = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # A frame that fails is small as it is; shrinking it would take minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)

ROW = st.fixed_dictionaries(
    {
        "paper": st.sampled_from("abcdefgh"),
        "round": st.integers(1, 5),
        "protocol": st.sampled_from(["", "integer", "decimal"]),
        "role": st.sampled_from(["", "pilot", "target", "validation", "auxiliary"]),
        "score": st.none() | st.integers(1, 10) | st.integers(10, 100).map(lambda tenths: tenths / 10),
        "group": st.sampled_from(["", "x", "y"]),
        "human": st.none() | st.floats(1, 10),
        "accepted": st.none() | st.booleans(),
        "withdrawn": st.none() | st.booleans(),
        "p5": st.none() | st.floats(0, 1),
        "p6": st.none() | st.floats(0, 1),
        "input_tokens": st.none() | st.integers(-1, 100),
        "cached_tokens": st.none() | st.integers(0, 60),
        "output_tokens": st.none() | st.integers(0, 100),
    }
)


@FEW
@given(st.lists(ROW, min_size=1, max_size=60))
def test_any_frame_gives_tables_or_reasons(rows):
    """Gaps, doubles, one paper, no score: never an error, and every number is finite or unknown."""
    found = measure(frame(rows), tuple(MEASURES), QUICK)
    assert {each.name for each in found.tables} | set(found.left_out) == set(MEASURES)
    for table in found.tables:
        for cell in table.cells:
            numbers = (cell.estimate.value, cell.estimate.low, cell.estimate.high)
            assert all(number is None or math.isfinite(number) for number in numbers)
            assert cell.estimate.dropped >= 0
            assert cell.estimate.n is None or cell.estimate.n >= 0
        json.loads(table.model_dump_json())
    assert all(
        reason.startswith(("needs", "cannot be made", "enumerates")) for reason in found.left_out.values()
    )


@FEW
@given(st.lists(ROW, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_the_order_of_rows_says_nothing(rows, random):
    """Rows with different keys may come in any order."""
    unique = list({(row["paper"], row["round"], row["protocol"], row["role"]): row for row in rows}.values())
    facts = {row["paper"]: row for row in unique}
    known = [
        {**row, **{name: facts[row["paper"]][name] for name in ("group", "human", "accepted", "withdrawn")}}
        for row in unique
    ]
    shuffled = known[:]
    random.shuffle(shuffled)
    names = [name for name in MEASURES if name != "cost"]
    one, other = (measure(frame(given), names, QUICK) for given in (known, shuffled))
    assert one == other


def test_an_unknown_table_is_refused():
    """With the names that there are."""
    with pytest.raises(UsageError, match="no table is called 'x'") as error:
        measure_all({"": frame(scores([[5, 6]]))}, ("x",), QUICK)
    assert "repeatability" in str(error.value)


def test_only_what_is_asked_is_made():
    """Names choose tables, and give the reason for those that cannot be."""
    found = measure_all({"": frame(scores([[5, 6], [5, 5]]))}, ("batches", "cost"), QUICK)[""]
    assert [each.name for each in found.tables] == ["batches"]
    assert found.left_out == {"cost": "needs the columns input_tokens, output_tokens"}


@pytest.mark.parametrize(
    ("rounds", "left_out"),
    [
        (1, {"repeatability", "variance-quantiles", "batches", "ranking", "close-pairs", "budget"}),
        (2, {"close-pairs"}),
        (4, set()),
    ],
)
def test_rounds_that_are_missing_are_named(rounds, left_out):
    """The reason says how many there are."""
    found = measure(frame(scores([[5] * rounds] * 3)), tuple(MEASURES), QUICK)
    short = {name for name, reason in found.left_out.items() if f"at most {rounds}" in reason}
    assert left_out <= short


def test_scores_of_the_usual_kind():
    """Integers before decimals, the pilot before targets, never a row without a score."""
    rows = [
        *scores([[1, None]], protocol="integer", role="pilot"),
        *scores([[2]], protocol="integer", role="target"),
        *scores([[3.5]], protocol="decimal", role="pilot"),
        {"paper": "p000", "round": 2, "protocol": "integer", "role": "pilot"},
    ]
    assert ordinary(frame(rows))["score"].tolist() == [1]
    assert ordinary(frame(rows[1:3]))["score"].tolist() == [2]
    assert ordinary(frame(rows[2:3]))["score"].tolist() == [3.5]
    further = scores([[4]], protocol="integer", role="validation")
    assert ordinary(frame([*further, *scores([[5]], protocol="integer", role="auxiliary")]))[
        "score"
    ].tolist() == [4]
