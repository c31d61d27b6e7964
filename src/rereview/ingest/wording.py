"""How headings, captions and references begin, in papers that do not mark them as such."""

from __future__ import annotations

import re

# Behind the number stands a stop, a dash that opens no insertion and no range, a capital letter, or nothing.
# "Figure 2 Growth of yeast" is a caption; "Figure 2 shows", "Figure 2 – the largest – shows" are sentences.
CAPTION = re.compile(
    r"[*_ ]*(?P<what>(?i:table|figure|fig\.?))\s+(?P<number>[A-Z]?\d+(?:\.\d+)*|[IVXL]+(?![^\W_]))[*_]*"
    r"(?:\s*[.:|]|\s*\Z|\s*(?:[—–]|\s-{1,3}\s)(?!\s*\d)(?!\s*[a-z][^—–]*\s[—–-])"
    r"|\s+[*_]*(?!Fig|FIG|Table|TABLE)[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w)"
)
NUMBER = re.compile(r"(?P<number>(?:\d+|[A-Z])(?:\.\d+)+|\d+)\.?\s+\S")
REFERENCES = re.compile(
    r"\W*(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature cited|literature)\W*$", re.IGNORECASE
)
ABSTRACT = re.compile(r"\W*abstract\W*$", re.IGNORECASE)
KEY = re.compile(r"(?:[-*+]\s+)?(?:\[\^?(?P<key>[^\]\s]{1,40})\]|(?P<number>\d{1,4})[.)]\s)")
