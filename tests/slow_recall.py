"""Recall and false alarms of a study by loops over its ledger and files: slow, and no measure of ours.

Taken from the ledger are reviews (their quotes), edits and manifests, and the text of each version with where
it stands in the source. Quotes are looked for anew, the changed characters are found anew, and coverage is
reckoned anew; only the normal form in which text and quote are compared is the one of `rereview.text`.
"""

import json
import sqlite3
from collections import Counter

from rereview.text.normalise import fold

TAU = 0.75


def rates(study):
    """By rule and reviewer: recall, false-alarm rate, and the numbers of errors behind them."""
    ledger = sqlite3.connect(study / "study.db")
    edits = {edit["id"]: edit for edit in newest(ledger, "perturbation")}
    versions = {row[0]: json.loads(row[1]) for row in ledger.execute("SELECT id, body FROM versions")}
    manifests = newest(ledger, "manifest")
    corrupted = {manifest["version"] for manifest in manifests}
    clean = {each["paper_id"]: name for name, each in versions.items() if name not in corrupted}
    reviews = {}
    for (body,) in ledger.execute("SELECT body FROM reviews ORDER BY state"):
        review = json.loads(body)
        reviews[review["manuscript_id"], review["reviewer"]] = review
    ledger.close()
    found = {}
    for manifest in manifests:
        for place in manifest["placed"]:
            edit = edits[place["perturbation_id"]]
            if not regions(versions[manifest["version"]], place["file"], *grown(place["start"], edit)):
                continue  # no reader is shown it
            for arm, name in (("recall", manifest["version"]), ("false_alarm", clean[edit["paper_id"]])):
                for reviewer in {reviewer for _, reviewer in reviews}:
                    comments = reviews[name, reviewer]["comments"]
                    by_place = any(touches(each, versions[name], place, edit, arm) for each in comments)
                    text = edit["replacement" if arm == "recall" else "original"]
                    by_quote = any(covers(text, each["quote"]) for each in comments)
                    for rule, hit in (("changed-region", by_place), ("quote-coverage", by_quote)):
                        found.setdefault((rule, reviewer, arm), []).append(hit)
    return {key: (sum(hits) / len(hits), len(hits)) for key, hits in found.items()}


def newest(ledger, kind):
    rows = ledger.execute("SELECT key, body FROM records WHERE kind = ? ORDER BY state", (kind,))
    return [json.loads(body) for body in dict(rows.fetchall()).values()]


def grown(start, edit, *, in_corrupted=True):
    """Where the changed characters stand in the source: what both texts begin and end with is not changed."""
    before, after = edit["original"], edit["replacement"]
    if not in_corrupted:
        before, after = after, before
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return start + same, start + len(after) - tail


def regions(version, file, low, high):
    """The same characters in the blocks of a version: block and place of every one that is shown."""
    shown = []
    for block in version["blocks"]:
        runs = block["source"]
        for run in runs:
            if run["file"] != file:
                continue
            first, end = max(low, run["start"]), min(max(high, low + 1), run["end"])
            shown += [(block["id"], run["text_start"] + at - run["start"]) for at in range(first, end)]
    return shown


def touches(comment, version, place, edit, arm):
    """Whether the words that are quoted stand over a changed character."""
    quote = comment["quote"]
    if not quote:
        return False
    in_corrupted = arm == "recall"
    start = place["start" if in_corrupted else "clean_start"]
    region = regions(version, place["file"], *grown(start, edit, in_corrupted=in_corrupted))
    for block in version["blocks"]:
        squeezed, places = squeeze(block["text"])
        at = squeezed.find(squeeze(quote)[0])
        if at >= 0:
            first, last = places[at], places[at + len(squeeze(quote)[0]) - 1]
            return any(name == block["id"] and first <= there <= last for name, there in region)
    return False


def squeeze(text):
    """A text without white space, and where each of its characters stood."""
    there = [(letter, at) for at, letter in enumerate(text) if not letter.isspace()]
    return "".join(letter for letter, _ in there), [at for _, at in there]


def covers(text, quote):
    """Whether a quote covers enough of a text: longest shared run, then left and right of it, and so on."""
    if not quote or not quote.strip():
        return False
    ours, theirs = fold(text).text, fold(quote).text
    if not ours:
        return False
    if ours in theirs:
        return True
    most = sum((Counter(ours) & Counter(theirs)).values())  # no matching has more
    return most >= TAU * len(ours) and matched(ours, theirs) >= TAU * len(ours)


def matched(ours, theirs):
    """Characters of the longest common run, and of those on both sides of it."""
    size, a, b = 0, 0, 0
    row = [0] * (len(theirs) + 1)
    for i, letter in enumerate(ours):
        row = [0] + [row[j] + 1 if other == letter else 0 for j, other in enumerate(theirs)]
        best = max(row)
        if best > size:
            size, a, b = best, i + 1 - best, row.index(best) - best
    if not size:
        return 0
    return size + matched(ours[:a], theirs[:b]) + matched(ours[a + size :], theirs[b + size :])
