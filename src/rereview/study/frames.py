"""Tidy frames with documented columns: what every measure starts from.

`SCORES` and `COMMENTS` are the one list of columns, for studies and for files from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from rereview.types.call import Call
from rereview.types.review import Review

SCORES = {
    "paper": "the paper; all its versions share it",
    "version": "the version of the manuscript",
    "reviewer": "the procedure",
    "model": "the model, as provider:id; empty for a reviewer that asks none",
    "round": "the repeat, from 1",
    "score": "the overall score; missing where the round gave none",
    "status": "ok, repaired, invalid, refused, truncated or failed",
}
"""Columns that a study always has. A file needs `paper` and `score`; what is absent is empty."""

PROBABILITIES = tuple(f"p{score}" for score in range(11))
TOKENS = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")

FURTHER = {
    "group": "a stratum inside which papers are compared: the year, say",
    "human": "mean of the paper's official human scores",
    "accepted": "true or false",
    "withdrawn": "true or false",
    "area": "subject area",
    "form": "the venue form whose scale the scores stand on, as `--form` names it",
    "protocol": "integer or decimal",
    "role": "pilot, target, validation or auxiliary",
    "call": "number of an auxiliary call of the paper, from 1",
    **{
        name: f"probability of the score {name[1:]}; empty where the call did not return it"
        for name in PROBABILITIES
    },
    "input_tokens": "all input tokens of the call, cached ones included",
    "cached_tokens": "input tokens that were read from a cache",
    "cache_write_tokens": "input tokens that were written to a cache",
    "output_tokens": "output tokens",
}
"""Columns that a file may have beside them."""

NUMBERS = ("score", "human", *TOKENS, *PROBABILITIES)
TRUTHS = ("accepted", "withdrawn")
COUNTS = ("round", "call")

COMMENTS = {
    "paper": "the paper",
    "version": "the version of the manuscript",
    "reviewer": "the procedure",
    "model": "the model",
    "round": "the repeat, from 1",
    "comment": "id of the comment",
    "severity": "major, moderate, minor, or missing",
    "block_id": "the block in which its quote begins; missing where it was not located",
    "page": "the page of that block, or the first page that the comment cites",
    "match": "how its quote was located",
}

PERTURBATIONS = {
    "perturbation": "id of the injected error",
    "paper": "the paper",
    "run": "one paper and one family",
    "version": "the corrupted version that carries it",
    "family": "surface, claim, reasoning or empirical",
    "error": "the subtype",
    "kind": "what the span is: display-equation, proof, paragraph, ...",
    "paper_kind": "theoretical or empirical",
    "domain": "subject area of the paper",
    "pinned": "whether a located verbatim passage contradicts it; missing where not asked",
}
"""One row an injected error."""

READINGS = {
    "review": "id of the review",
    "paper": "the paper",
    "run": "the run of the version that was read; empty for the clean paper",
    "arm": "corrupted or clean",
    "system": "the procedure",
    "model": "the model; empty for a reviewer that asks none",
    "round": "the repeat, from 1",
    "status": "ok, repaired, invalid, refused, truncated or failed",
    "comments": "number of comments",
    "usd": "what it cost; missing where not known",
}
"""One row a review of a corrupted or a clean version. A failed review has no comments and is no miss."""

PAIRS = {
    "perturbation": "id of the injected error",
    "review": "id of the review",
    "comment": "id of the comment",
    "arm": "corrupted or clean",
    "coverage": "share of the perturbed text that the quote covers; missing without a quote",
    "touches": "whether the located quote meets the changed region; missing where not located",
    "rating": "the judge's, 1 to 5; missing where not judged or unreadable",
    "unreadable": "true where the judge answered and could not be read",
}
"""One row a perturbation and a comment whose places may meet. A pair that is absent does not meet."""


JUDGED = {
    "review": "id of the review",
    "comment": "id of the comment",
    "valid": "whether a judge or a person finds it right; missing where not judged or unreadable",
}
"""One row a comment that was judged by itself, with or without an injected error."""

SHOWN = {
    "run": "one paper and one family",
    "paper": "the paper",
    "family": "surface, claim, reasoning or empirical",
    "batch": "number of the call within the run, from 1",
    "position": "place in the prompt of the batch, from 1",
    "candidate": "id of the candidate",
    "kind": "what the span is: display-equation, proof, paragraph, ...",
    "length": "characters of the span",
    "at": "where the span begins in the paper, 0 to 1",
    "chosen": "whether the generator perturbed it",
    "error": "the subtype that it chose; missing where it chose none",
}
"""One row a candidate that a generator was shown."""

AUDITED = {
    "perturbation": "id of the injected error",
    "label": "valid, not-an-error or ambiguous; missing where not yet labelled",
}
"""One row an injected error of the audit sample."""


def scores(reviews: Iterable[Review], papers: Mapping[str, str]) -> pd.DataFrame:
    """One row a review, columns `SCORES`; `papers` gives the paper of each manuscript version."""
    rows = [
        (
            papers[review.manuscript_id],
            review.manuscript_id,
            review.reviewer,
            review.model or "",
            review.round,
            None if review.draft is None else review.draft.score,
            review.status,
        )
        for review in reviews
    ]
    frame = pd.DataFrame(rows, columns=list(SCORES))
    return frame.astype({"round": "int64", "score": "float64"})


def probabilities(reviews: Iterable[Review]) -> pd.DataFrame:
    """One row a review, a column of `PROBABILITIES` for each score that came back in any; else missing."""
    rows = [
        {}
        if review.draft is None
        else {f"p{each.score}": each.probability for each in review.draft.score_probabilities}
        for review in reviews
    ]
    there = {name for row in rows for name in row}
    columns = [name for name in PROBABILITIES if name in there]
    return pd.DataFrame(rows, columns=columns, index=range(len(rows))).astype("float64")


def tokens(reviews: Iterable[Review], calls: Iterable[Call]) -> pd.DataFrame:
    """One row a review, columns `TOKENS`: those of all its calls, missing where one of them says nothing."""
    usage = {call.id: call.completion.usage for call in calls}
    rows = [
        [
            _all([getattr(usage[name], column) if name in usage else None for name in review.call_ids])
            for column in TOKENS
        ]
        for review in reviews
    ]
    return pd.DataFrame(rows, columns=list(TOKENS)).astype("float64")


def _all(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def comments(
    reviews: Iterable[Review], papers: Mapping[str, str], pages: Mapping[str, int | None]
) -> pd.DataFrame:
    """One row a comment, columns `COMMENTS`; `pages` gives the page of each block."""
    rows = []
    for review in reviews:
        for comment in review.comments:
            block = comment.spans[0].block_id if comment.spans else None
            page = pages.get(block) if block else None
            cited = comment.pages[0] if comment.pages else None
            rows.append(
                (
                    papers[review.manuscript_id],
                    review.manuscript_id,
                    review.reviewer,
                    review.model or "",
                    review.round,
                    comment.id,
                    comment.severity,
                    block,
                    cited if page is None else page,
                    comment.match,
                )
            )
    return pd.DataFrame(rows, columns=list(COMMENTS))
