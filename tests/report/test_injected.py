"""The page of an injection study, and its figures."""

import numpy as np
import pandas as pd
import pytest

from injected_frames import shown, study
from report import htmlcheck
from report.measurements import HOSTILE
from rereview.measures.detections import Rule
from rereview.measures.injected import Group, Injection
from rereview.measures.injection_tables import (
    InjectionFrames,
    InjectionMeasured,
    InjectionPlan,
    measure_injection,
)
from rereview.measures.recall import recall
from rereview.measures.tabulate import Settings
from rereview.report.injected import injection_page
from rereview.report.injected_charts import injection_charts
from rereview.report.plots import numbers
from score_frames import cells

MADE = study(seed=3, papers=7, systems=("open", "zero"), models=("m1", "m2"), each=3)
AUDITED = pd.DataFrame(
    {"perturbation": MADE.perturbations["perturbation"][:20], "label": ["valid", "ambiguous"] * 10}
)
FRAMES = InjectionFrames(*MADE.frames, shown=shown(1), audited=AUDITED)
PLAN = InjectionPlan(
    groups=(Group("small", models=("m1",)), Group("large", models=("m2",))), settings=Settings(draws=200)
)


@pytest.fixture(scope="module")
def measured():
    """Two groups of one model each."""
    return measure_injection(FRAMES, PLAN)


@pytest.fixture(scope="module")
def html(measured):
    """Their page."""
    return injection_page(measured, FRAMES, PLAN, notes=("made by rules",), versions=(("rereview", "1.2.3"),))


def named(measured, name):
    return next(chart for chart in injection_charts(measured) if chart.name == name)


def table(measured, group, name):
    return cells(next(made for made in measured.tables[group] if made.name == name))


def test_it_is_well_formed_and_every_link_leads_somewhere(html):
    """Nesting, unique ids, links to ids that are there."""
    page = htmlcheck.read(html)
    assert page.wrong == []
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)


def test_it_says_what_was_read_and_how(html):
    """Errors, papers, reviews of both arms, groups; the rule; what was left out."""
    words = " ".join(htmlcheck.read(html).words)
    assert f"{len(MADE.perturbations)} injected errors in 7 papers." in words
    assert "Groups of models, measured apart: small, large." in words
    assert "quote-coverage, of at least 0.75" in words
    assert "small: best-model is left out" in words
    assert "made by rules" in words
    assert "Every row of the files" not in words


def test_every_section_that_was_measured_is_there(measured, html):
    """One a name, in the order of the tables."""
    ids = [name for name in htmlcheck.read(html).ids if name.startswith("table-") and name[-5:] != "-head"]
    names = dict.fromkeys(made.name for tables in measured.tables.values() for made in tables)
    assert ids == [f"table-{name}" for name in names]


def test_the_same_study_gives_the_same_bytes(measured, html):
    """No clock, no random number."""
    again = injection_page(
        measured, FRAMES, PLAN, notes=("made by rules",), versions=(("rereview", "1.2.3"),)
    )
    assert again == html


def test_there_is_a_figure_for_every_question(measured):
    """Families, lengths, control arm, both sweeps, money, selection, audit."""
    assert [chart.name for chart in injection_charts(measured)] == [
        "injected-recall",
        "found-by-comments",
        "injected-control",
        "tau-sweep",
        "rating-sweep",
        "recall-by-cost",
        "selection",
        "audit",
    ]


def test_points_are_the_cells_of_the_table(measured):
    """Value and limits, at the place of the family; the panel is the group's model."""
    (panel, _) = named(measured, "injected-recall").panels
    assert panel.title == "small: m1"
    series = next(each for each in panel.series if each.label == "zero")
    expected = table(measured, "small", "recall")
    families = [words for _, words in panel.x.ticks]
    assert families == ["surface", "claim", "reasoning", "empirical"]
    for at, y, low, high in zip(series.x, series.y, series.low, series.high, strict=True):
        cell = expected["zero | m1", families[int(at)]]
        assert (y, low, high) == (cell.value, cell.low, cell.high)


def test_a_sweep_has_a_line_a_system(measured):
    """Ten thresholds of coverage, each the recall of the table."""
    (panel, _) = named(measured, "tau-sweep").panels
    series = next(each for each in panel.series if each.label == "open")
    expected = table(measured, "small", "tau-sweep")
    taus = [f"{0.5 + step / 20:.2f}" for step in range(10)]
    assert list(series.y) == [expected[f"open: {tau}", "recall"].value for tau in taus]


def test_a_curve_ends_at_the_recall(measured):
    """Found against comments, on an axis that holds every point."""
    for panel in named(measured, "found-by-comments").panels:
        for series in panel.series:
            assert all(panel.y.holds(y) for y in series.y)
            assert all(panel.x.holds(x) for x in series.x)


def test_selection_and_audit_are_drawn_by_quarter_and_family(measured):
    """Differences and sums are no points."""
    lengths, places = named(measured, "selection").panels
    assert lengths.series[0].y == pytest.approx((0.2, 0.4, 0.4, 0.6))
    assert places.series[0].y == pytest.approx((0.2, 0.4, 0.4, 0.6))
    (panel,) = named(measured, "audit").panels
    assert "all" not in [words for _, words in panel.x.ticks]


def test_a_chart_is_a_file_of_numbers_too(measured):
    """Every chart gives a CSV with a line a point."""
    for chart in injection_charts(measured):
        points = sum(len(series.x) for panel in chart.panels for series in panel.series)
        assert len(numbers(chart).splitlines()) == points + 1


def test_hostile_names_are_only_words():
    """Systems, models, papers and domains may be called anything."""
    made = study(seed=1, papers=6, systems=(HOSTILE,), models=(HOSTILE + "m",), each=2)
    frames = InjectionFrames(made.perturbations.assign(domain=HOSTILE), made.readings, made.pairs)
    page = injection_page(measure_injection(frames), frames, InjectionPlan())
    assert htmlcheck.read(page).wrong == []
    assert "<script>alert" not in page


def test_more_systems_than_colours_go_in_parts():
    """Seven systems: two figures, which say so."""
    made = Injection(*study(seed=1, papers=2, systems=tuple("abcdefg"), models=("m",), each=1).frames)
    alone = InjectionMeasured({"": (recall(made),)}, {}, {"": tuple(made.configurations())}, ())
    found = injection_charts(alone)
    assert [chart.name for chart in found] == ["injected-recall-1", "injected-recall-2"]
    assert found[0].caption.endswith("Part 1 of 2.")


def test_a_study_without_reviews_has_a_page():
    """Nothing was read yet: no figure, every reason."""
    frames = InjectionFrames(MADE.perturbations, MADE.readings[:0].assign(usd=np.nan), MADE.pairs[:0])
    measured = measure_injection(frames)
    assert injection_charts(measured) == ()
    page = injection_page(measured, frames, InjectionPlan())
    assert htmlcheck.read(page).wrong == []
    assert "needs a review of a corrupted version" in page


def test_systems_stand_beside_each_other(measured):
    """Marks of one category do not hide each other, and stay in it."""
    for panel in named(measured, "injected-recall").panels:
        shifts = [series.shift for series in panel.series]
        assert len(set(shifts)) == len(shifts) > 1
        assert all(abs(shift) < 0.5 for shift in shifts)


def test_without_a_judge_no_rating_is_asked_for():
    """The place alone decides, and the page says so."""
    plan = InjectionPlan(rule=Rule(rating=None), settings=Settings(draws=200))
    html = injection_page(measure_injection(FRAMES, plan), FRAMES, plan)
    assert "None of 5" not in html
    assert "no judge: the place alone decides" in html


def test_without_a_judge_nothing_is_said_to_explain(measured):
    """What was found by place alone is called found."""
    placed = measure_injection(FRAMES, InjectionPlan(rule=Rule(rating=None), settings=Settings(draws=200)))
    for made, word, words in (
        (placed, "found", "Errors that were found (by place alone); places"),
        (measured, "explained", "Errors that a comment explains; places"),
    ):
        chart = named(made, "injected-control")
        assert chart.caption.startswith(words)
        assert [tick for _, tick in chart.panels[0].x.ticks] == [word, "located", "false alarm"]
