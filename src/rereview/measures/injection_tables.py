"""Every table of an injection study that its frames allow, by group of models, and why others are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

from rereview.measures.audit import audit
from rereview.measures.control import background, control, false_alarms_by
from rereview.measures.curves import Curve
from rereview.measures.detections import Rule
from rereview.measures.injected import Group, Injection
from rereview.measures.injected_samples import Sampled
from rereview.measures.lengths import differences, equal_comments, equal_comments_by, found_curves
from rereview.measures.recall import rating_sweep, recall, recall_by, rules, tau_sweep, unions, values_of
from rereview.measures.recall_groups import best_by_domain, by_domain, by_model, by_type
from rereview.measures.selection import selection
from rereview.measures.spent import Left, spent
from rereview.measures.tabulate import Settings
from rereview.measures.unseen import unseen
from rereview.types.estimate import Table

Frame = pd.DataFrame
Why = Callable[[Injection], str | None]
Configuration = tuple[str, str, str]
"""Label, system and model."""
TWO = 2


@dataclass(frozen=True)
class InjectionFrames:
    """The frames of a study, columns of `study.frames`; None: the study does not have it.

    PERTURBATIONS, READINGS and PAIRS; JUDGED (precision), SHOWN (selection) and AUDITED (audit).
    """

    perturbations: Frame
    readings: Frame
    pairs: Frame
    judged: Frame | None = None
    shown: Frame | None = None
    audited: Frame | None = None


@dataclass(frozen=True)
class InjectionPlan:
    """How they are measured. Without groups, all models are one; with groups no cell pools two of them.

    `left`: how many papers each (system, model) has still to read.
    """

    rule: Rule = field(default_factory=Rule)
    groups: tuple[Group, ...] = ()
    settings: Settings = field(default_factory=Settings)
    left: Left | None = None


@dataclass(frozen=True)
class InjectionMeasured:
    """Tables and curves by group; those of the whole study stand under "". Reasons for what is left out."""

    tables: Mapping[str, tuple[Table, ...]]
    curves: Mapping[str, tuple[Curve, ...]]
    configurations: Mapping[str, tuple[Configuration, ...]]
    left_out: tuple[str, ...]
    by_place: bool = False
    """No judge rated: what is found is found by the place of a comment alone."""


@dataclass(frozen=True)
class _Measure:
    make: Callable[[Injection], Table]
    lacks: Why


def _always(_: Injection) -> None:
    return None


def _several(column: str, words: str) -> Why:
    def lacks(injection: Injection) -> str | None:
        there = injection.found[column].nunique()
        return None if there >= TWO else f"needs two {words}; there is {there}"

    return lacks


def _either(injection: Injection) -> str | None:
    pairs = injection.found.drop_duplicates(["system", "model"])
    shared = any(pairs[column].duplicated().any() for column in ("system", "model"))
    return None if shared else "needs two models of a system, or two systems of a model"


def _passes(injection: Injection) -> str | None:
    passes = injection.found.drop_duplicates(["system", "model", "round"])
    return None if len(passes) >= TWO else "needs two rounds, models or systems"


def _clean(injection: Injection) -> str | None:
    arms = injection.read["arm"].eq("clean")
    return None if arms.any() else "needs reviews of the clean papers, which is the control arm"


def _judge(injection: Injection) -> str | None:
    return "needs a judge's ratings" if injection.rule.rating is None else None


def _domains(injection: Injection) -> str | None:
    return None if values_of(injection, "domain") else "needs papers with a domain, named in study.toml"


def _by(name: str, make: Callable[..., Table], lacks: Why) -> dict[str, _Measure]:
    """One table for each of family, subtype and domain."""

    def by_column(column: str) -> Why:
        return (lambda injection: lacks(injection) or _domains(injection)) if column == "domain" else lacks

    return {
        f"{name}-{column}": _Measure(partial(make, column=column), by_column(column))
        for column in ("family", "error", "domain")
    }


def _measures(judged: Frame | None) -> dict[str, _Measure]:
    """The tables of one group, in the order in which they are read."""
    return {
        "recall": _Measure(recall, _always),
        "systems-by-model": _Measure(by_model, _several("model", "models")),
        "systems-by-type": _Measure(by_type, _always),
        "systems-by-domain": _Measure(by_domain, _domains),
        "best-model": _Measure(best_by_domain, _several("model", "models")),
        "equal-comments": _Measure(equal_comments, _always),
        "differences": _Measure(differences, _several("system", "systems")),
        "control": _Measure(lambda injection: control(injection, judged), _clean),
        "background": _Measure(background, _always),
        "unions": _Measure(unions, _either),
        "unseen": _Measure(unseen, _passes),
        "location-rules": _Measure(rules, _always),
        "recall-by-error": _Measure(lambda injection: recall_by(injection, "error"), _always),
        "recall-by-domain": _Measure(lambda injection: recall_by(injection, "domain"), _domains),
        "recall-by-paper-kind": _Measure(lambda injection: recall_by(injection, "paper_kind"), _always),
        "recall-by-kind": _Measure(lambda injection: recall_by(injection, "kind"), _always),
        **_by("false-alarms-by", false_alarms_by, _clean),
        **_by("equal-comments-by", equal_comments_by, _always),
        "tau-sweep": _Measure(lambda injection: tau_sweep(injection, _systems(injection)), _always),
        "rating-sweep": _Measure(lambda injection: rating_sweep(injection, _systems(injection)), _judge),
    }


def _systems(injection: Injection) -> tuple[str, ...]:
    return ("system",) if len(injection.systems()) >= TWO else ()


def measure_injection(frames: InjectionFrames, plan: InjectionPlan | None = None) -> InjectionMeasured:
    """Measure a study. What a group names and no review has yet is said, and the rest of it measured."""
    plan = plan or InjectionPlan()
    whole = Injection(
        _plain(frames.perturbations), _plain(frames.readings), _plain(frames.pairs), plan.rule, plan.settings
    )
    left_out: list[str] = []
    there = [each for group in plan.groups if (each := _present(whole, group, left_out)) is not None]
    parts = {group.name: whole.of(group) for group in there} if plan.groups else {"": whole}
    tables: dict[str, tuple[Table, ...]] = {}
    for name, part in parts.items():
        tables[name] = _tables(name, part, frames.judged, left_out)
    tables[""] = (*tables.pop("", ()), *_of_the_study(frames, plan, left_out))
    return InjectionMeasured(
        tables={name: made for name, made in tables.items() if made},
        curves={name: found_curves(part) for name, part in parts.items()},
        configurations={name: tuple(part.configurations()) for name, part in parts.items()},
        left_out=tuple(left_out),
        by_place=plan.rule.rating is None,
    )


def injection_tables(
    frames: InjectionFrames, plan: InjectionPlan | None = None
) -> Mapping[str, tuple[Table, ...]]:
    """The tables of `measure_injection` by group, those of the whole study under ""."""
    return measure_injection(frames, plan).tables


def _plain(frame: Frame) -> Frame:
    """Words as objects: the same rows are taken many times, and other kinds of text are copied each time."""
    words = [name for name in frame.columns if pd.api.types.is_string_dtype(frame[name].dtype)]
    return frame.astype(dict.fromkeys(words, object))


def _present(whole: Injection, group: Group, left_out: list[str]) -> Group | None:
    """The group with what has been reviewed of it; None where that is nothing."""
    named = {"model": group.models, "system": group.systems, "paper": group.papers}
    kept: dict[str, tuple[str, ...] | None] = {}
    for column, wanted in named.items():
        known = set(whole.readings[column])
        absent = [repr(each) for each in wanted or () if each not in known]
        if absent:
            left_out.append(f"{group.name}: there is no review of the {column} {', '.join(absent)}")
        kept[column] = None if wanted is None else tuple(each for each in wanted if each in known)
    if () in kept.values():
        return None
    return Group(group.name, kept["model"], kept["system"], kept["paper"])


def _tables(name: str, part: Injection, judged: Frame | None, left_out: list[str]) -> tuple[Table, ...]:
    if not part.found["review"].nunique():
        left_out.append(_reason(name, "recall", "needs a review of a corrupted version"))
        return ()
    made, sampled = [], Sampled(part)
    for table, measure in _measures(judged).items():
        why = measure.lacks(part)
        if why is None:
            made.append(sampled.stated(measure.make(part)))
        else:
            left_out.append(_reason(name, table, why))
    return tuple(made)


def _of_the_study(frames: InjectionFrames, plan: InjectionPlan, left_out: list[str]) -> Sequence[Table]:
    """Money, selection and audit: they belong to no group."""
    made = []
    if frames.readings["usd"].notna().any():
        made.append(spent(frames.readings, plan.settings, plan.left))
    else:
        left_out.append(_reason("", "injection-cost", "needs a review whose cost is known"))
    if frames.shown is not None and len(frames.shown):
        made += selection(frames.shown, plan.settings)
    else:
        left_out.append(_reason("", "selection", "needs what a generator was shown"))
    if frames.audited is not None and frames.audited["label"].notna().any():
        made.append(audit(frames.audited, frames.perturbations, plan.settings))
    else:
        left_out.append(_reason("", "audit", "needs a labelled error of the audit sample"))
    return made


def _reason(group: str, table: str, why: str) -> str:
    return f"{group + ': ' if group else ''}{table} is left out: it {why}"
