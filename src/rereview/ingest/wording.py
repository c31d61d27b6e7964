"""How headings, captions and references begin, in papers that do not mark them as such."""

from __future__ import annotations

import re

CAPTION = re.compile(
    r"[*_ ]*(?P<what>Table|Figure|Fig\.)\s+(?P<number>[A-Z]?\d+(?:\.\d+)*)\s*[.:|*]", re.IGNORECASE
)
NUMBER = re.compile(r"(?P<number>(?:\d+|[A-Z])(?:\.\d+)+|\d+)\.?\s+\S")
REFERENCES = re.compile(
    r"\W*(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature cited|literature)\W*$", re.IGNORECASE
)
ABSTRACT = re.compile(r"\W*abstract\W*$", re.IGNORECASE)
KEY = re.compile(r"(?:[-*+]\s+)?(?:\[\^?(?P<key>[^\]\s]{1,40})\]|(?P<number>\d{1,4})[.)]\s)")
