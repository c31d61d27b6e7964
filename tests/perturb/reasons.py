"""Why an original of the authors' records is not inside one span of the scan."""

import re

from rereview.perturb.equations import why_not
from rereview.perturb.taxonomy import admissible
from rereview.text.edits import diff_blocks

HEADING = r"\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*\{(?:[^{}]|\{[^{}]*\})*\}"
LABEL = r"\\label\s*\{[^{}]*\}"
AROUND = re.compile(rf"(?:\s|\\noindent(?![A-Za-z])|(?<!\\)%[^\n]*(?:\n|\Z)|{HEADING}|{LABEL})+")
TRAILING = re.compile(rf"(?:\s+|(?<!\\)%[^\n]*|{HEADING}|{LABEL})\Z")
FLOAT = re.compile(r"\\begin\{(?:figure|table)\*?\}|\\begin\{tabular\}|\\end\{tabular\}|\\multirow")
LEFT_OUT = re.compile(r"\\section\*?\{(?:Acknowledg|Data|Code|References|Funding)[^{}]*\}", re.IGNORECASE)


def core(text):
    """Leave out headings, comments, labels and white space at both ends: where the rest stands."""
    start = found.end() if (found := AROUND.match(text)) else 0
    end = len(text)
    while end > start and (found := TRAILING.search(text, start, end)):
        end = found.start()
    return start, end


def holds(candidates, low, high, error=None):
    return any(
        each.span.start <= low and high <= each.span.end and (error is None or error in admissible(each.kind))
        for each in candidates
    )


def reason(paper, edit):
    """Say why not; None for an original inside a span that admits its error."""
    low, text = edit.span.start, edit.original
    if holds(paper.candidates, low, low + len(text), edit.error):
        return None
    return _formula(paper, edit) if edit.family == "surface" else _passage(paper, edit, low, text)


def _passage(paper, edit, low, text):
    first, last = core(text)
    if first >= last:
        headed = re.search(HEADING, text)
        return "only a heading, without a sentence" if headed else "only comments, which no reader sees"
    if holds(paper.candidates, low + first, low + last, edit.error):
        return "inside a span but for headings or comments around it"
    if holds(paper.candidates, low + first, low + last):
        return "inside a span of another kind: a matter of section or environment"
    return _wider(paper, edit, low, text[first:last])


def _wider(paper, edit, low, text):
    if FLOAT.search(text):
        changes = diff_blocks(edit.original, edit.replacement)
        caption = all(holds(paper.candidates, low + each.start, low + each.end) for each in changes)
        return "a whole float, changed in its caption" if caption else "a whole float, changed elsewhere"
    if re.search(HEADING, text):
        return "crosses a heading"
    if LEFT_OUT.match(paper.text, paper.text.rfind("\\section", 0, low)):
        return "in a section in which nothing is claimed"
    if re.search(r"\\begin\{|\n[ \t]*\n", text):
        return "crosses a theorem, display or list"
    return "no sentence of eight words"


def _formula(paper, edit):
    text = edit.original
    span = edit.span.start, edit.span.end
    width = 2 if text.startswith(("$$", "\\[")) else 1
    why = why_not(paper.text, span, (span[0] + width, span[1] - width), inline=True)
    if why is None:
        return "among the names of the authors, or in a title"
    return why


def tabulated(papers):
    """Each reason with its edits, the commonest first; None for those inside."""
    found = {}
    for paper in papers:
        for edit in paper.perturbations:
            found.setdefault(reason(paper, edit), []).append(edit)
    return dict(sorted(found.items(), key=lambda each: (-len(each[1]), str(each[0]))))
