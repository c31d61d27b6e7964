"""Reviews in JSON: OpenAIReview, coarse, Reviewer3, prebuttal, refereed, AI-Scientist, our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rereview.reviewers.imported.base import (
    COARSE,
    NAMED,
    REVIEWER3,
    ReadReview,
    number,
    once,
    remark,
    severity_of,
    text_of,
)
from rereview.reviewers.imported.lists import comment, items
from rereview.text.plurals import many
from rereview.text.scanning import scan
from rereview.types.review import Aside, Draft, Remark, Severity

Json = Any
"""What `json.loads` gives."""


def openaireview(found: Json) -> Iterator[ReadReview]:
    """One review a method. A list before consolidation is of the same review: what is not in it is aside."""
    methods = found["methods"]
    for key, method in methods.items():
        name, _, model = key.partition("__")
        if name.endswith("_original") and f"{name.removesuffix('_original')}__{model}" in methods:
            continue
        scale = _scale_of(name, method)
        made = [_openaireview_comment(each, scale) for each in _dicts(method.get("comments"))]
        remarks, notes = once(made)
        aside = tuple(_consolidated(methods.get(f"{name}_original__{model}"), remarks, scale))
        if aside:
            notes = (*notes, f"{many(len(aside), 'comment')} that consolidation changed or dropped set aside")
        said = text_of(method.get("overall_feedback")) or None
        yield ReadReview(
            system=f"openaireview:{name}",
            model=text_of(method.get("model")) or model or None,
            draft=Draft(summary=said, remarks=remarks, aside=aside),
            notes=notes,
        )


def _consolidated(before: Json, kept: tuple[Remark, ...], scale: Mapping[str, Severity]) -> Iterator[Aside]:
    """What the list before consolidation holds and the one after does not, word for word."""
    if not isinstance(before, dict):
        return
    had, _ = once(_openaireview_comment(each, scale) for each in _dicts(before.get("comments")))
    for each in had:
        if each not in kept:
            yield Aside(remark=each, why="not so in the list after consolidation")


def _scale_of(name: str, method: Mapping[str, Json]) -> Mapping[str, Severity]:
    """Other systems put into this format keep their own words for severity."""
    if name.startswith("reviewer3"):
        return {**NAMED, **REVIEWER3}
    words = {str(each.get("severity")).lower() for each in _dicts(method.get("comments"))}
    return COARSE if name.startswith("coarse") and "moderate" not in words else NAMED


def _openaireview_comment(found: Mapping[str, Json], scale: Mapping[str, Severity]) -> Remark:
    return remark(
        title=text_of(found.get("title")),
        body=text_of(found.get("explanation")),
        quote=_words(found.get("quote")),
        severity=severity_of(found.get("severity"), scale),
    )


def coarse(found: Json) -> Iterator[ReadReview]:
    """The review of coarse as its Python interface gives it."""
    overall = found.get("overall_feedback") or {}
    issues = _dicts(overall.get("issues")) if isinstance(overall, dict) else []
    made = [
        remark(
            title=text_of(each.get("title")),
            body=text_of(each.get("feedback")),
            quote=_words(each.get("quote")),
            severity=severity_of(each.get("severity"), COARSE),
        )
        for each in _dicts(found["detailed_comments"])
    ]
    remarks, notes = once(made)
    summary = (
        [text_of(overall.get(name)) for name in ("summary", "assessment")] if issues else [text_of(overall)]
    )
    draft = Draft(
        summary="\n\n".join(part for part in summary if part) or None,
        concerns=tuple(f"{text_of(each.get('title'))}\n\n{text_of(each.get('body'))}" for each in issues),
        fields=_others(overall if isinstance(overall, dict) else {}, {"summary", "assessment", "issues"}),
        remarks=remarks,
    )
    yield ReadReview(system="coarse", model=text_of(found.get("model")) or None, draft=draft, notes=notes)


def reviewer3(found: Json) -> Iterator[ReadReview]:
    """What the interface of Reviewer3 answers once a review is complete."""
    made = [
        remark(
            title=text_of(each.get("title")),
            body=text_of(each.get("comment") or each.get("explanation") or each.get("body")),
            quote=_words(each.get("citedText") or each.get("quote")),
            severity=severity_of(each.get("severity"), {**NAMED, **REVIEWER3}),
        )
        for each in sorted(_dicts(found["comments"]), key=lambda each: (_rank(each), 0))
    ]
    remarks, notes = once(made)
    summary = next(
        (text_of(found[name]) for name in ("summary", "overall", "overallFeedback") if found.get(name)), None
    )
    yield ReadReview(system="reviewer3", draft=Draft(summary=summary, remarks=remarks), notes=notes)


def _rank(found: Mapping[str, Json]) -> float:
    rank = number(found.get("rank"))
    return float("inf") if rank is None else rank


def prebuttal(found: Json) -> Iterator[ReadReview]:
    """One review a simulated reviewer; the area chair's summary holds no comments of its own."""
    for each in _dicts(found["reviewers"]):
        name = f"prebuttal:{text_of(each.get('persona') or each.get('reviewer_id'))}"
        fields = each.get("fields") or {}
        notes: tuple[str, ...] = ()
        if not each.get("parse_ok", True):
            fields = fields or _salvaged(text_of(each.get("raw_output")))
            notes = (
                "read from the raw answer, which the program could not read"
                if fields
                else f"no readable review: {text_of(each.get('error')) or 'the answer is no form'}",
            )
        draft = _form(fields, score=each.get("rating"), confidence=each.get("confidence"))
        yield ReadReview(system=name, model=text_of(each.get("model")) or None, draft=draft, notes=notes)
    meta = found.get("meta") or {}
    if text_of(meta.get("meta_review")):
        draft = Draft(
            summary=text_of(meta["meta_review"]),
            score=number(meta.get("estimated_rating")),
            confidence=number(meta.get("confidence")),
            fields=_others(meta, set(meta) - {"recommendation", "disagreements", "action_plan"}),
        )
        yield ReadReview(system="prebuttal:meta", model=text_of(meta.get("model")) or None, draft=draft)


def _salvaged(raw: str) -> dict[str, Json]:
    """The form in an answer whose backslashes or commas another program could not read."""
    held = [each.value for each in scan(raw).found if isinstance(each.value, dict)]
    return dict(held[-1]) if held else {}


def refereed(found: Json) -> Iterator[ReadReview]:
    """One review a referee; the synthesis holds no comments of its own."""
    model = text_of(found.get("model")) or None
    for key, each in found["reviews"].items():
        made = [_concern(concern) for concern in _dicts(each.get("concerns"))]
        remarks, notes = once(made)
        if not each.get("ok", True):
            notes = (*notes, f"no readable review: {text_of(each.get('error')) or 'the referee failed'}")
        draft = Draft(
            summary=text_of(each.get("summary")) or None,
            score=number(each.get("score")),
            strengths=_texts(each.get("strengths")),
            fields=_others(each, set(each) - {"recommendation", "score_max"}),
            remarks=remarks,
        )
        yield ReadReview(system=f"refereed:{key}", model=model, draft=draft, notes=notes)
    meta = found.get("meta") or {}
    if text_of(meta.get("summary")):
        kept = {"overall_recommendation", "key_concerns", "revision_list", "agreements", "divergences"}
        draft = Draft(
            summary=text_of(meta["summary"]),
            score=number(found.get("weighted_score")),
            strengths=_texts(meta.get("key_strengths")),
            fields=_others(meta, set(meta) - kept),
        )
        yield ReadReview(system="refereed:meta", model=model, draft=draft)


def _concern(found: Mapping[str, Json]) -> Remark:
    parts = (found.get("location"), found.get("suggestion"))
    return remark(
        title=text_of(found.get("issue")),
        body="\n\n".join(part for each in (found.get("issue"), *parts) if (part := text_of(each))),
        severity=severity_of(found.get("severity")),
    )


def ai_scientist(found: Json) -> Iterator[ReadReview]:
    """The form of the AI-Scientist reviewer, and any form of strengths and weaknesses in JSON."""
    reads = {str(name).lower().replace(" ", "_"): value for name, value in found.items()}
    yield ReadReview(system="ai-scientist" if "Overall" in found else "form", draft=_form(reads))


ASKED = ("weaknesses", "questions", "limitations", "requested_changes", "comments", "typos", "suggestions")
SCORES = ("overall", "rating", "overall_score", "overall_assessment", "recommendation", "score")


def _form(found: Mapping[str, Json], *, score: Json = None, confidence: Json = None) -> Draft:
    """A form in JSON as a draft: what is asked for or criticised are remarks, all else are fields."""
    reads = {str(name).lower().replace(" ", "_"): value for name, value in found.items()}
    given = [number(reads.get(name)) for name in SCORES]
    scores = [number(score), *given]
    remarks, _ = once(
        comment(each)
        for name in ASKED
        for part in _texts(reads.get(name))
        for each in _whole(reads.get(name), part)
    )
    return Draft(
        summary=text_of(reads.get("summary")) or None,
        score=next((value for value in scores if value is not None), None),
        confidence=number(confidence if confidence is not None else reads.get("confidence")),
        strengths=_texts(reads.get("strengths")),
        fields=_others(reads, {"summary", "strengths", "confidence", *ASKED}),
        remarks=remarks,
    )


def _whole(value: Json, part: str) -> tuple[str, ...]:
    """An entry of a list is one comment; a text may hold several."""
    return (part,) if isinstance(value, list) else items(part)


def texts(found: Json) -> Iterator[ReadReview]:
    """A list of comments, each a text or an object with `text`."""
    made = [comment(text_of(each.get("text") if isinstance(each, dict) else each)) for each in found]
    remarks, notes = once(made)
    yield ReadReview(system="list", draft=Draft(remarks=remarks), notes=notes)


def own(found: Json) -> Iterator[ReadReview]:
    """A Draft as any program may print it, or a `review.json` of ours with all its reviews."""
    if "format" not in found:
        yield ReadReview(system="draft", draft=Draft.model_validate(found))
        return
    for each in _dicts(found["reviews"]):
        if each.get("draft") is None:
            continue
        kept = [
            {name: said[name] for name in Remark.model_fields if name in said} for said in each["comments"]
        ]
        remarks, notes = once(Remark.model_validate(said) for said in kept)
        draft = Draft.model_validate(each["draft"]).but(remarks=remarks)
        yield ReadReview(system=each["reviewer"], model=each.get("model"), draft=draft, notes=notes)


READERS: tuple[tuple[str, Callable[[Json], bool], Callable[[Json], Iterator[ReadReview]]], ...] = (
    ("OpenAIReview JSON", lambda d: isinstance(d, dict) and isinstance(d.get("methods"), dict), openaireview),
    ("coarse JSON", lambda d: isinstance(d, dict) and isinstance(d.get("detailed_comments"), list), coarse),
    (
        "prebuttal JSON",
        lambda d: isinstance(d, dict) and "prebuttal_version" in d and "reviewers" in d,
        prebuttal,
    ),
    ("refereed JSON", lambda d: isinstance(d, dict) and isinstance(d.get("reviews"), dict), refereed),
    ("rereview JSON", lambda d: isinstance(d, dict) and d.get("format") == "rereview/1", own),
    (
        "a Draft",
        lambda d: isinstance(d, dict) and "remarks" in d and set(d) <= set(Draft.model_fields),
        own,
    ),
    (
        "Reviewer3 JSON",
        lambda d: isinstance(d, dict) and isinstance(d.get("comments"), list) and "content" not in d,
        reviewer3,
    ),
    (
        "a form in JSON",
        lambda d: (
            isinstance(d, dict) and {"weaknesses", "strengths"} & {str(name).lower() for name in d} != set()
        ),
        ai_scientist,
    ),
    (
        "a list of comments",
        lambda d: (
            isinstance(d, list)
            and bool(d)
            and all(isinstance(each, str) or (isinstance(each, dict) and "text" in each) for each in d)
        ),
        texts,
    ),
)
"""What a document is, and what reads it; the first that fits is taken."""


def _dicts(value: Json) -> list[dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _words(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _texts(value: Json) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(part for each in value if (part := text_of(each)))
    return (text_of(value),) if text_of(value) else ()


def _others(found: Mapping[str, Json], known: set[str]) -> dict[str, str]:
    return {str(name): text_of(each) for name, each in found.items() if name not in known and text_of(each)}
