r"""A server on loopback that writes errors, checks them, reviews papers and judges comments.

The papers are made here. An error is a "not" (or a `\neq`) that the clean papers never have, so the server
sees every error in a paper. It reports those whose text has an even checksum: that is its true recall.
"""

import json
import re
from zlib import crc32

MARKS = (" is not ", "\\neq")
GENERATOR, VERIFIER, REVIEWER, JUDGE = "generator", "verifier", "reviewer", "judge"
PASSAGE = re.compile(
    r"Passage (\d+)\n.*?\nlabels: ([^\n]*)\n.*?\nsource:\n(.*?)(?=\n\nPassage \d|\n=== )", re.DOTALL
)
RECORD = re.compile(r"Record (\d+)\n.*?\nas it was: (.*?)\nas it is now: (.*?)\nbefore it:", re.DOTALL)


def reported(text):
    """Whether the reviewer reports an error with this text; True for about half of all texts."""
    return crc32(" ".join(text.split()).encode()) % 2 == 0


def verdict_of(text):
    """What the verifier says of an edit with this text: kept, rejected, or nothing that can be read."""
    return ("keep", "keep", "keep", "keep", "keep", "cosmetic", "unreadable")[crc32(text.encode()) % 7]


def answer(body):
    """The answer to a request of the protocol."""
    text = "\n".join(message["content"] for message in body["messages"])
    return json.dumps(
        {GENERATOR: _generate, VERIFIER: _verify, REVIEWER: _review, JUDGE: _judge}[body["model"]](text)
    )


def _generate(text):
    passages = PASSAGE.findall(text)
    if not passages:
        return {"field": "made-up science", "errors": ["a denial"]}
    edits = []
    for number, labels, source in passages:
        changed = (
            source.replace(" is ", " is not ", 1) if " is " in source else source.replace("=", "\\neq ", 1)
        )
        if changed != source:
            edit = {"passage": int(number), "label": labels.split(", ")[0], "replacement": changed}
            edits.append({**edit, "why": "The paper says the opposite.", "contradicts": ""})
    return {"edits": edits}


def _verify(text):
    items = []
    for number, _, now in RECORD.findall(text):
        said = verdict_of(now)
        four = {"well_formed": "Y", "evidence": "Y", "contradiction": "Y", "cosmetic": "N"}
        if said == "cosmetic":
            four["cosmetic"] = "Y"
        if said == "unreadable":
            four["contradiction"] = "perhaps"
        items.append({"item": int(number), **four, "quote": ""})
    return {"items": items}


def _review(text):
    """Report every sentence and formula with a mark, if its text says so; and one place that is right."""
    sentences = re.findall(r"[^.\n]*? is not [^.\n]*\.", text) + re.findall(r"\$[^$\n]*\\neq[^$\n]*\$", text)
    issues = [_issue("wrong", each.strip()) for each in sentences if reported(each)]
    right = re.search(r"The reagent number 1 [^.]*\.", text)
    return {"summary": "", "issues": issues + ([_issue("unclear", right.group())] if right else [])}


def _issue(title, quote):
    return {"title": title, "explanation": title, "quote": quote, "severity": "major", "pages": []}


def _judge(text):
    if "Elsewhere in the manuscript" in text:
        return {"right": "yes" if "- title: wrong" in text else "no", "reason": ""}
    return {"rating": 5 if "- title: wrong" in text else 1, "reason": ""}


def paper(number):
    """A made-up empirical paper of eleven results, each of them a paragraph with a formula."""
    words = ["lake", "river", "stone", "cloud", "grass", "metal", "glass", "chalk", "sugar", "brick", "cloth"]
    results = "\n\n".join(
        f"The reagent number {n + 1} of {word} {number} is stable in all {n + 3} trials that we made.\n"
        f"We found $y_{{{n + 1}}} = {n + 2} x_{{{n + 1}}} + {number}$ in every sample of {word} that we took."
        for n, word in enumerate(words)
    )
    return (
        "\\documentclass{article}\n\\title{Reagents of kind "
        + str(number)
        + "}\n\\begin{document}\n\\maketitle\n"
        "\\begin{abstract}Eleven reagents are measured.\\end{abstract}\n\\section{Results}\n"
        f"{results}\n\\end{{document}}\n"
    )
