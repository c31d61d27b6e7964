"""Every table of a study, by group, and the reasons for those that are left out."""

import numpy as np
import pandas as pd
import pytest

from injected_frames import shown, study
from rereview.measures.detections import Rule
from rereview.measures.injected import Group
from rereview.measures.injection_tables import (
    InjectionFrames,
    InjectionPlan,
    injection_tables,
    measure_injection,
)
from rereview.measures.tabulate import Settings
from score_frames import cells

SETTINGS = Settings(draws=200)
MADE = study(seed=3, papers=7, systems=("open", "zero"), models=("m1", "m2", "m3"), each=3)
SMALL = study(seed=3, papers=7, systems=("zero",), models=("m1",), each=3)
GROUPS = (
    Group("efficient", models=("m1", "m2")),
    Group("frontier", models=("m3",), systems=("open", "zero"), papers=("p00", "p01", "p02", "p03")),
)


@pytest.fixture(scope="module")
def whole():
    """All frames, and two groups."""
    audited = pd.DataFrame(
        {"perturbation": MADE.perturbations["perturbation"][:12], "label": ["valid", "ambiguous", None] * 4}
    )
    frames = InjectionFrames(*MADE.frames, shown=shown(), audited=audited)
    return measure_injection(frames, InjectionPlan(groups=GROUPS, settings=SETTINGS))


def named(measured, group):
    return {table.name: table for table in measured.tables[group]}


def test_groups_have_their_own_tables_and_nothing_is_pooled_over_them(whole):
    """Rows of the one hold no model of the other; the study has money, selection and audit."""
    rows = {cell.row for cell in named(whole, "efficient")["recall"].cells}
    assert rows == {f"{system} | {model}" for system in ("open", "zero") for model in ("m1", "m2")}
    rows = {cell.row for cell in named(whole, "frontier")["recall"].cells}
    assert rows == {"open | m3", "zero | m3"}
    assert list(named(whole, "")) == [
        "injection-cost",
        "selection-runs",
        "selection-rates",
        "selection-subtypes",
        "selection-positions",
        "audit",
    ]
    assert all(cells(named(whole, "frontier")["recall"])[row, "all"].n <= 4 for row in rows)


def counted(made, models, systems=("open", "zero"), papers=None):
    """Papers, errors and reviews of the versions, by rows of the frames: nothing failed is known."""
    read = made.readings[made.readings["status"].isin(["ok", "repaired"])].to_dict("records")
    errors = made.perturbations.to_dict("records")
    own = {
        (system, model): {
            error["perturbation"]: error["paper"]
            for error in errors
            for row in read
            if (row["system"], row["model"], row["run"]) == (system, model, error["run"])
            and (papers is None or error["paper"] in papers)
        }
        for system in systems
        for model in models
    }
    reviews = {
        arm: sum(
            row["arm"] == arm
            and row["model"] in models
            and row["system"] in systems
            and (papers is None or row["paper"] in papers)
            for row in read
        )
        for arm in ("corrupted", "clean")
    }
    return own, reviews


def test_every_table_states_its_sample(whole):
    """Papers, errors and reviews, and what all configurations share; each pair its own."""
    for made in whole.tables.values():
        for table in made:
            assert any("Sample: " in note for note in table.notes), table.name
    bare = study(seed=3, papers=7, systems=("open", "zero"), models=("m1", "m2", "m3"), each=3)
    rated = bare.pairs["unreadable"] | bare.pairs["rating"].isna() & bare.pairs["arm"].eq("corrupted")
    frames = InjectionFrames(bare.perturbations, bare.readings, bare.pairs[~rated])
    own, reviews = counted(bare, ("m1", "m2"))
    made = named(measure_injection(frames, InjectionPlan(groups=GROUPS, settings=SETTINGS)), "efficient")
    everything = {error: paper for each in own.values() for error, paper in each.items()}
    alike = set.intersection(*map(set, own.values()))
    assert len(alike) < len(everything)
    papers = len(set(everything.values()))
    shared = len({everything[error] for error in alike})
    start = (
        f"Sample: {papers} papers with {len(everything)} injected errors, {reviews['corrupted']} reviews of"
    )
    tail = f"; all 4 configurations know {shared} papers with {len(alike)} injected errors"
    assert made["recall"].notes[-1].startswith(f"{start} corrupted versions{tail}")
    assert f" and {reviews['clean']} reviews of clean papers{tail}" in made["control"].notes[-1]
    both = set(own["open", "m1"]) & set(own["zero", "m1"])
    line = f"zero − open | m1: Sample: {len({everything[each] for each in both})} papers with {len(both)}"
    assert f"{line} injected errors known of both." in made["differences"].notes


def test_the_sample_of_one_and_of_all_alike():
    """One configuration shares nothing; where all know the same the sample says so."""
    clear = SMALL.readings.assign(status="ok")
    two = pd.concat([clear, clear.assign(system="one", review="one" + clear["review"])])
    frames = InjectionFrames(SMALL.perturbations, clear, SMALL.pairs[:0])
    plan = InjectionPlan(rule=Rule(rating=None), settings=SETTINGS)
    errors = len(SMALL.perturbations)
    size = f"Sample: 7 papers with {errors} injected errors"
    notes = named(measure_injection(frames, plan), "")["recall"].notes
    assert notes[-1] == f"{size}, 21 reviews of corrupted versions."
    both = InjectionFrames(SMALL.perturbations, two, SMALL.pairs[:0])
    notes = named(measure_injection(both, plan), "")["recall"].notes
    assert notes[-1] == f"{size}, 42 reviews of corrupted versions; the same for all 2 configurations."


@pytest.mark.parametrize("nameless", [1, 2])
def test_a_paper_without_a_domain_is_in_no_column_and_no_sample(nameless):
    """It is said, and where the table has a row of all papers it is in that one."""
    lost = sorted(set(SMALL.perturbations["paper"]))[:nameless]
    domains = SMALL.perturbations["domain"].mask(SMALL.perturbations["paper"].isin(lost), "")
    clear = SMALL.readings.assign(status="ok")
    frames = InjectionFrames(SMALL.perturbations.assign(domain=domains), clear, SMALL.pairs[:0])
    made = named(measure_injection(frames, InjectionPlan(rule=Rule(rating=None), settings=SETTINGS)), "")
    kept = SMALL.perturbations[~SMALL.perturbations["paper"].isin(lost)]
    reads = clear[clear["paper"].isin(kept["paper"])]["arm"].value_counts()
    said = "1 paper names no domain and is" if nameless == 1 else "2 papers name no domain and are"
    sample = (
        f"Sample: {7 - nameless} papers with {len(kept)} injected errors, {reads['corrupted']} reviews of"
        " corrupted versions"
    )
    for table, further in (
        ("recall-by-domain", ""),
        ("equal-comments-by-domain", ""),
        ("false-alarms-by-domain", f" and {reads['clean']} reviews of clean papers"),
    ):
        assert made[table].notes[-2:] == (f"{said} in no column.", f"{sample}{further}.")
    assert made["systems-by-domain"].notes[-2] == f"{said} in no row but all."
    assert made["systems-by-domain"].notes[-1].startswith("Sample: 7 papers")
    assert not any("domain" in note for note in (*made["recall"].notes, *made["recall-by-error"].notes))


def test_the_best_model_by_domain_says_who_is_in_no_domain():
    """In no row of a domain; the last row is of all papers too."""
    first = SMALL.perturbations["paper"].eq(SMALL.perturbations["paper"].min())
    nameless = SMALL.perturbations.assign(domain=SMALL.perturbations["domain"].mask(first, ""))
    two = pd.concat([SMALL.readings, SMALL.readings.assign(model="n", review="n" + SMALL.readings["review"])])
    for errors, expected in ((nameless, 1), (SMALL.perturbations, 0), (nameless.assign(domain=""), 0)):
        frames = InjectionFrames(errors, two, SMALL.pairs[:0])
        made = named(measure_injection(frames, InjectionPlan(settings=SETTINGS)), "")
        said = [note for note in made["best-model"].notes if "names no domain" in note]
        assert said == ["1 paper names no domain and is in no row but all."] * expected


def test_what_is_left_out_is_said(whole):
    """A group of one model has no best model; the reason names the group."""
    assert "frontier: best-model is left out: it needs two models; there is 1" in whole.left_out
    assert "best-model" in named(whole, "efficient")


def test_no_name_of_a_table_is_there_twice(whole):
    """A page has one section a name."""
    for made in whole.tables.values():
        names = [table.name for table in made]
        assert len(names) == len(set(names))


def test_no_cell_holds_what_is_no_number(whole):
    """Undefined is None, never NaN or infinite."""
    numbers = [
        value
        for made in whole.tables.values()
        for table in made
        for cell in table.cells
        for value in (cell.estimate.value, cell.estimate.low, cell.estimate.high)
        if value is not None
    ]
    assert np.isfinite(numbers).all()


def test_a_study_without_a_control_arm_says_so():
    """No clean review, no cost, nothing shown or labelled: reasons are said, other tables made."""
    readings = SMALL.readings[SMALL.readings["arm"] == "corrupted"].assign(usd=np.nan)
    frames = InjectionFrames(SMALL.perturbations, readings, SMALL.pairs)
    made = measure_injection(frames, InjectionPlan(settings=SETTINGS))
    assert [line.partition(" is left out")[0] for line in made.left_out] == [
        "systems-by-model",
        "best-model",
        "differences",
        "control",
        "unions",
        "unseen",
        "false-alarms-by-family",
        "false-alarms-by-error",
        "false-alarms-by-domain",
        "injection-cost",
        "selection",
        "audit",
    ]
    assert "needs reviews of the clean papers" in made.left_out[3]
    assert "recall" in named(made, "")


def test_a_study_that_nobody_read_has_no_recall():
    """Nothing was reviewed yet: one reason, no empty tables."""
    frames = InjectionFrames(MADE.perturbations, MADE.readings[:0], MADE.pairs[:0])
    made = measure_injection(frames)
    assert "recall is left out: it needs a review of a corrupted version" in made.left_out
    assert made.tables == {}


def test_the_rule_reaches_every_table():
    """Under the other rule of location the recall is another."""
    plan = InjectionPlan(rule=Rule(location="changed-region"), settings=SETTINGS)
    made = {table.name: table for table in injection_tables(InjectionFrames(*SMALL.frames), plan)[""]}
    both = cells(made["location-rules"])
    assert cells(made["recall"])["zero | m1", "all"] == both["zero | m1", "changed-region"]
    assert cells(made["recall"])["zero | m1", "all"] != both["zero | m1", "quote-coverage"]
    assert "changed-region" in made["control"].caption


def test_what_a_group_has_not_read_yet_is_said():
    """Of one group a model has no review yet, of the other nothing was read: the first is measured."""
    groups = (Group("here", models=("m1", "m7")), Group("later", systems=("other",)))
    made = measure_injection(InjectionFrames(*SMALL.frames), InjectionPlan(groups=groups, settings=SETTINGS))
    assert made.left_out[:2] == (
        "here: there is no review of the model 'm7'",
        "later: there is no review of the system 'other'",
    )
    assert {cell.row for cell in named(made, "here")["recall"].cells} == {"zero | m1"}
    assert "later" not in made.tables
