"""The page of an injection study: does a reviewer find errors that are known to be there."""

from __future__ import annotations

from collections.abc import Iterator

from rereview.measures.injection_tables import InjectionFrames, InjectionMeasured, InjectionPlan
from rereview.report.injected_charts import injection_charts
from rereview.report.measured import Measurement, Pairs, measured_page

TITLE = "Are errors found?"


def injection_page(
    measured: InjectionMeasured,
    frames: InjectionFrames,
    plan: InjectionPlan,
    *,
    notes: tuple[str, ...] = (),
    versions: Pairs = (),
) -> str:
    """One HTML file that needs no other. The same study gives the same text.

    `notes` are sentences on how the study was made, `versions` names and versions of what made the page.
    """
    return measured_page(
        Measurement(
            measured.tables,
            injection_charts(measured),
            measured.left_out,
            notes=notes,
            settings=_settings(plan),
            versions=versions,
            title=TITLE,
            lead=tuple(_lead(measured, frames)),
        )
    )


def _lead(measured: InjectionMeasured, frames: InjectionFrames) -> Iterator[str]:
    errors, papers = len(frames.perturbations), frames.perturbations["paper"].nunique()
    yield f"{errors:,} injected error{_s(errors)} in {papers:,} paper{_s(papers)}."
    arms = frames.readings["arm"].value_counts()
    corrupted, clean = int(arms.get("corrupted", 0)), int(arms.get("clean", 0))
    yield f"{corrupted:,} review{_s(corrupted)} of corrupted papers, {clean:,} of clean ones."
    names = [name for name in measured.configurations if name]
    if names:
        yield f"Groups of models, measured apart: {', '.join(names)}."


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _settings(plan: InjectionPlan) -> Pairs:
    rule, settings = plan.rule, plan.settings
    kind = "percentile" if settings.percentile else "papers left out in turn, on log odds"
    rating = "no judge: the place alone decides" if rule.rating is None else f"at least {rule.rating} of 5"
    cover = f", of at least {rule.tau:g}" if rule.location == "quote-coverage" else ""
    return (
        ("Place", f"{rule.location}{cover}"),
        ("Rating", rating),
        ("Intervals", f"{settings.level:.0%}, {kind}; {settings.draws:,} draws, seed {settings.seed}"),
    )
