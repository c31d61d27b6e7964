"""A reviewer that is a program of its own: it reads a paper from a file and prints a Draft as JSON.

It imports nothing of rereview, and could be written in any language.
"""

import json
import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
vague = re.findall(r"[A-Z][^.\n]{10,160}\b(?:significantly|substantial(?:ly)?)\b[^.\n]{0,120}\.", text)
remarks = [
    {
        "title": "How much is substantial?",
        "body": "A number with its spread would say it.",
        "quote": sentence,
        "severity": "minor",
    }
    for sentence in vague
]
print(json.dumps({"summary": f"{len(text.split())} words were read.", "remarks": remarks}))  # noqa: T201  its output
