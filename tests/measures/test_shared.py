"""The samples that tables say they rest on."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.measures.shared import Told
from rereview.measures.tables import TABLES, measure_all
from rereview.measures.tabulate import Settings
from rereview.study.frames import SCORES
from rereview.study.outside import configurations
from rereview.types.review import Exclusion
from score_frames import cells, frame, scores

QUICK = Settings(draws=20)
FULL = [[5, 6, 5], [7, 7, 8], [4, 4, 4]]


def of(model, table):
    return scores(table, reviewer="scorecard", model=model)


def made(rows, names, told=None):
    return measure_all(dict(configurations(frame(rows))), names, QUICK, told)


def test_the_table_of_samples_has_a_row_for_every_need_and_pair():
    """Papers, rounds that are needed, scores that are there; the notes say who was lost and why."""
    found = made([*of("a:one", [*FULL, [3]]), *of("b:two", FULL[:2])], ["samples"])
    (table,) = found[""].tables
    shown = cells(table)
    assert {row for row, _ in shown} == {
        *(f"{name}: {need}" for name in ("a:one", "b:two") for need in ("1 scored round", "2 scored rounds")),
        "a:one ~ b:two",
    }
    assert [shown["a:one: 1 scored round", name].value for name in ("papers", "rounds", "scores")] == [
        4,
        1,
        10,
    ]
    assert [shown["a:one: 2 scored rounds", name].value for name in ("papers", "scores")] == [3, 9]
    assert [shown["a:one ~ b:two", name].value for name in ("papers", "scores")] == [2, 12]
    assert shown["a:one ~ b:two", "papers"].dropped == 2
    assert (
        "a:one: 2 scored rounds: 1 lost, p003: 1 of 2 rounds of scorecard, a:one have a score" in table.notes
    )
    assert "a:one ~ b:two: 2 lost, p002, p003: not reviewed by scorecard, b:two" in table.notes


def test_an_excluded_paper_is_lost_to_every_comparison_with_that_model():
    """And stays in what the other model says alone."""
    told = Told(
        excluded=(Exclusion(paper="p002", model="b:two", why="224 images, over the limit of 100 a call"),),
        inputs={"a:one": "text", "b:two": "text and images"},
    )
    (table,) = made([*of("a:one", FULL), *of("b:two", FULL[:2])], ["samples"], told)[""].tables
    shown = cells(table)
    assert shown["a:one: 1 scored round", "papers"].value == 3
    assert shown["a:one ~ b:two", "papers"].value == 2
    why = "excluded for b:two: 224 images, over the limit of 100 a call"
    assert f"a:one ~ b:two: 1 lost, p002: {why}" in table.notes
    assert f"b:two: 2 scored rounds: 1 lost, p002: {why}" in table.notes
    assert "a:one ~ b:two: text against text and images, by scorecard, a:one; scorecard, b:two" in table.notes


def test_rounds_without_a_score_are_told_from_rounds_that_never_were():
    """A paper all of whose rounds failed was reviewed."""
    tried = pd.DataFrame([("p009", "", "scorecard", "a:one", 1, None, "refused")], columns=list(SCORES))
    found = made(of("a:one", FULL), ["samples"], Told(tried))
    (table,) = found[""].tables
    assert "all: 1 scored round: 1 lost, p009: 0 of 1 round of scorecard, a:one has a score" in table.notes


def test_two_versions_of_a_paper_are_two_sides():
    """A paper of which one version was not scored is in neither."""
    rows = [each | {"version": v} for v, t in (("before", FULL), ("after", FULL[:1])) for each in of("m", t)]
    (table,) = made(rows, ["samples"])[""].tables
    assert cells(table)["after ~ before", "papers"].value == 1
    assert any("not reviewed by scorecard after, m" in note for note in table.notes)


def test_every_table_states_its_sample():
    """The papers that it has, the scores that it rests on, and how many were lost."""
    found = made(of("a:one", [*FULL, [3]]), ["repeatability", "concentration", "ranking"])
    notes = {table.name: table.notes[-1] for table in found[""].tables}
    lost = "1 lost, see the table samples."
    assert notes == {
        "repeatability": f"Sample: 3 papers with 2 scored rounds or more, 9 scores; {lost}",
        "concentration": "Sample: 4 papers with 1 scored round or more, 10 scores.",
        "ranking": f"Sample: 3 papers with 2 scored rounds or more, 9 scores; {lost}",
    }


def test_a_table_of_whole_papers_states_those():
    """The one that lacks a round is lost to it."""
    (table,) = made(of("a:one", [*FULL, [3, 4]]), ["stopping"])[""].tables
    said = "Sample: 3 papers with a score in each of 3 rounds, 9 scores; 1 lost, see the table samples."
    assert table.notes[-1] == said
    assert {cell.estimate.n for cell in table.cells} == {3}


def test_a_table_of_pairs_states_the_sample_of_each():
    """Those that both have, however many the others are."""
    rows = [*of("a:one", FULL), *of("b:two", FULL[:2]), *of("c:three", FULL)]
    (table,) = made(rows, ["between"])[""].tables
    lost = "1 lost, see the table samples."
    assert table.notes[-3:] == (
        f"a:one ~ b:two: Sample: 2 papers that both scored, 12 scores; {lost}",
        "a:one ~ c:three: Sample: 3 papers that both scored, 18 scores.",
        f"b:two ~ c:three: Sample: 2 papers that both scored, 12 scores; {lost}",
    )
    shown = cells(table)
    assert [shown[row, "papers"].value for row in ("a:one ~ b:two", "a:one ~ c:three")] == [2, 3]


def test_of_many_pairs_the_table_of_samples_tells():
    """Five configurations make ten pairs, six make fifteen."""
    rows = [row for number in range(6) for row in of(f"m{number}", FULL)]
    (table,) = made(rows, ["between"])[""].tables
    assert sum("Sample: 3 papers" in note for note in table.notes) == 10
    assert table.notes[-1] == "5 further pairs: see the table samples."


@pytest.mark.parametrize("name", [name for name in TABLES if name != "samples"])
def test_no_table_leaves_its_sample_out(name):
    """Whatever it is made of."""
    rows = [
        {"paper": f"p{i}", "round": t + 1, "score": score, "role": "target", "protocol": protocol}
        | {"model": model, "human": float(i), "accepted": i % 2, "input_tokens": 9, "output_tokens": 1}
        for model in ("a", "b")
        for protocol, shift in (("integer", 0), ("decimal", 0.5))
        for i in range(6)
        for t, score in enumerate([5 + i % 3 + shift, 6 + shift, 5 + shift, 6 + shift, 7 + shift])
    ]
    calls = [
        {"paper": f"p{i}", "round": 1, "role": "auxiliary", "model": model, "p5": 0.4, "p6": 0.6}
        for model in ("a", "b")
        for i in range(6)
    ]
    found = made(rows + calls, [name])
    tables = [table for each in found.values() for table in each.tables]
    assert tables, [dict(each.left_out) for each in found.values()]
    assert all(any("Sample: 6 papers" in note for note in table.notes) for table in tables)


@given(st.lists(st.lists(st.integers(4, 6), min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_stated_sample_is_the_one_that_was_used(table):
    """The table counts as many papers as its note."""
    for made_table in made(of("m", table), ["repeatability"])[""].tables:
        n = cells(made_table)["all", "within_sd"].n
        assert made_table.notes[-1].startswith(f"Sample: {n} paper{'' if n == 1 else 's'} with ")


def test_a_frame_without_names_has_a_sample_too():
    """What tells configurations apart is then their label alone."""
    bare = frame(scores(FULL)).drop(columns=["version", "reviewer", "model", "status"])
    found = measure_all({"a": bare, "b": bare[bare["paper"] != "p001"]}, ["samples"], QUICK)
    shown = cells(found[""].tables[0])
    assert [shown[row, "papers"].value for row in ("a: 2 scored rounds", "b: 2 scored rounds", "a ~ b")] == [
        3,
        2,
        2,
    ]
