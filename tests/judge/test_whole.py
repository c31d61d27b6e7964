"""From a clean project to a detection: scan, write, validate, verify, inject, read, locate, judge."""

import json
import re
from pathlib import Path

import pytest

from injected import model
from rereview.ingest.versions import with_contents
from rereview.judge.detect import Judge, is_found
from rereview.judge.meeting import Version, pairs
from rereview.perturb.evidence import Evidence
from rereview.perturb.generate import Generator, Run, opening
from rereview.perturb.inject import inject
from rereview.perturb.records import read_records
from rereview.perturb.scan import scan
from rereview.perturb.validate import fault
from rereview.perturb.verify import Verifier
from rereview.text.decoding import decoded
from rereview.text.edits import changed
from rereview.text.locate import Locator
from rereview.types.review import Comment, Review

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
MAIN = r"""\documentclass{article}
\begin{document}
% The draft says more.
\begin{abstract}
Barnacles settle where the shear $\tau_w$ is low.
\end{abstract}
\section{Model} % one
The settling rate is $r = k_s - \tau_w$, with $k_s = 12$ throughout, as % two
Table 1 shows for $k_s = 12$ and for the bound $\tau_w < 3$ that we use below.

\input{more}
\end{document}
"""
MORE = "Since $\\tau_w < 3$ holds at every site, the rate $r$ is positive. % three\nNo barnacle was lost.\n"
GOOD = {"well_formed": "Y", "evidence": "Y", "contradiction": "Y", "cosmetic": "N", "quote": ""}
WRONG = {
    "$k_s = 12$": "$k_s = 17$",
    "$\\tau_w < 3$": "$\\tau_w > 3$",
    "$r = k_s - \\tau_w$": "$r = k_z - \\tau_w$",
}


def generator(request):
    """Changes what it knows how to change, as JSON; the field for the first question."""
    text = request.messages[1].text
    found = re.findall(r"^Passage (\d+)\n.*?^source:\n(.*?)(?=\n\n|\n===)", text, re.MULTILINE | re.DOTALL)
    if not found:
        return '{"field": "marine biology", "errors": ["a wrong rate"]}'
    edits = [
        {"passage": int(number), "label": "numeric-parameter", "replacement": WRONG[passage], "why": "w"}
        for number, passage in found
        if passage in WRONG
    ]
    return json.dumps({"edits": edits})


def verifier(request):
    numbers = re.findall(r"^Record (\d+)$", request.messages[1].text, re.MULTILINE)
    return json.dumps({"items": [{"item": int(number), **GOOD} for number in numbers]})


def judge(request):
    return json.dumps({"rating": 5 if "wrong here" in request.messages[1].text else 1, "reason": ""})


def review_of(paper, quote):
    """A review with one comment, which explains what it quotes."""
    found = Locator(paper).locate(quote)
    comment = Comment(id="c", title="t", body="wrong here", quote=quote, spans=found.spans, match=found.match)
    return Review(
        id="r",
        manuscript_id=paper.id,
        reviewer="x",
        model=None,
        round=1,
        status="ok",
        comments=(comment,),
    )


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
async def test_an_injected_error_is_found_where_it_stands(tmp_path, ends):
    """Over two files, comments, and both kinds of line end, in both arms; one rule finds its twin too."""
    for name, text in (("main.tex", MAIN), ("more.tex", MORE)):
        (tmp_path / name).write_bytes(text.replace("\n", ends).encode())
    files = {name: (tmp_path / name).read_bytes() for name in ("main.tex", "more.tex")}
    texts = {name: data.decode() for name, data in files.items()}
    clean = with_contents(tmp_path / "main.tex", {})
    evidence = Evidence(texts)
    formulas = tuple(each for each in scan(texts, "p") if each.kind == "inline-equation")
    run = Run("p", "surface", formulas, evidence, opening(clean))
    written = await Generator()(run, model(generator), lambda edit, before: fault(texts, edit, before))
    edits = await Verifier()(written.perturbations, evidence, model(verifier))
    assert [edit.rejected for edit in edits] == ["unbound-symbol", None, None, None, None]
    (done,) = inject(files, [edit for edit in edits if edit.verdict == "substantive"])
    corrupted = with_contents(tmp_path / "main.tex", done.files)
    seen = Version(corrupted, done.manifest.placed)
    carried = [edit for edit in edits if seen.carries(edit)]
    assert [corrupted.text_of(span) for edit in carried for span in seen.region(edit)] == [
        "17",
        "17",
        ">",
        ">",
    ]
    before = Version(clean, done.manifest.placed, "clean")
    assert [clean.text_of(span) for edit in carried for span in before.region(edit)] == ["12", "12", "<", "<"]
    for version, quote in (
        (seen, "Since $\\tau_w > 3$ holds at every site"),
        (before, "Since $\\tau_w < 3$"),
    ):
        review = review_of(version.manuscript, quote)
        met = await Judge()(pairs(edits, review, version), edits, review.comments, model(judge))
        by_place = [pair.perturbation_id for pair in met if is_found(pair, "changed-region")]
        by_words = [pair.perturbation_id for pair in met if is_found(pair, "quote-coverage")]
        assert by_place == [carried[3].id]
        assert by_words == [carried[2].id, carried[3].id]


@pytest.mark.long
def test_the_errors_of_twelve_papers_stand_where_they_are_said_to(tmp_path):
    """What the blocks show at each region is what the edit changed, or nothing that a reader sees."""
    papers = sorted((DATA / "injected-errors").glob("*/*/clean.tex"))
    if not papers:
        pytest.skip("needs the injected errors in shared/data beside the project")
    counts = {"carried": 0, "shown": 0, "verbatim": 0}
    for path in papers:
        raw = {"clean.tex": path.read_bytes()}
        text = decoded(raw["clean.tex"])
        candidates = scan({"clean.tex": text}, path.parent.name)
        for records in sorted(path.parent.glob("*.json")):
            family, name = records.stem, path.parent.name
            options = {"family": family, "paper_id": name, "file": "clean.tex", "source": text}
            edits = read_records(records.read_text(), **options, candidates=candidates).perturbations
            (done,) = inject(raw, edits)
            version = Version(with_contents(path, done.files), done.manifest.placed)
            for edit in filter(version.carries, edits):
                shown = [version.manuscript.text_of(span) for span in version.region(edit)]
                new = [edit.replacement[slice(*place)] for place in changed(edit.original, edit.replacement)]
                counts["carried"] += 1
                counts["shown"] += version.shows(edit)
                counts["verbatim"] += "".join("".join(shown).split()) == "".join("".join(new).split())
    assert counts["carried"] == 578
    assert counts["shown"] == 549
    assert counts["verbatim"] == 543  # the other six change labels or comments too
