"""Scores of Agents4Science as a CSV: `python examples/scores/agents4science.py reviews.json scores.csv`.

Reads what OpenReview gives for the venue: three AI reviewers of every paper, once each, and some people.
Plain Python. A person has no name here: the people of a paper are the rounds of one reviewer, `human`.
Other reviews by programs are left out.
"""

import csv
import json
import sys
from collections import Counter
from pathlib import Path

AI = ("AIRev 1", "AIRev 2", "AIRev 3")


def main() -> None:
    """Write one row a review."""
    source, target = map(Path, sys.argv[1:])
    reviews = json.loads(source.read_text(encoding="utf-8"))["reviews"]
    seen: Counter[tuple[str, str]] = Counter()
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("paper", "reviewer", "round", "score"))
        for review in sorted(reviews, key=lambda each: (each["forum"], each["cdate"], each["id"])):
            title = review["content"]["title"]["value"]
            person = "AIRev" not in review["signatures"][0]
            if not person and title not in AI:
                continue
            key = (review["forum"], "human" if person else title)
            seen[key] += 1
            writer.writerow((*key, seen[key], review["content"]["overall"]["value"]))


if __name__ == "__main__":
    main()
