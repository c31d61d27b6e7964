"""The scan, the records, validation, injection and the rules on 12 real papers."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from perturb.reasons import tabulated
from perturb.shared_papers import FILE, papers
from rereview.perturb.inject import inject, restore
from rereview.perturb.rules import Rules
from rereview.perturb.scan import paper_kind
from rereview.perturb.validate import validated
from rereview.text.edits import overlap

PAGE = Path(__file__).resolve().parents[2] / "docs" / "injection" / "scan.md"
ROW = re.compile(r"^\| (\d+) \| (.+?) \|", re.MULTILINE)
THEORETICAL = {"2604.26913v1", "2604.26950v1"}


def test_every_original_is_inside_a_span_or_its_reason_is_on_the_page():
    """The counts are those of the page, and nothing is without a reason."""
    found = {reason or "inside": len(edits) for reason, edits in tabulated(papers()).items()}
    assert found == {reason: int(count) for count, reason in ROW.findall(PAGE.read_text())}
    assert sum(found.values()) == 578


def test_no_formula_is_a_part_of_a_number_or_word():
    """As a search of another kind sees it: what is printed without a space on either side, and powers."""
    seen = 0
    for paper in papers():
        for each in paper.candidates:
            if each.kind != "inline-equation":
                continue
            seen += 1
            before = (
                paper.text[max(each.span.start - 12, 0) : each.span.start].replace("~", " ").split(" ")[-1]
            )
            after = paper.text[each.span.end : each.span.end + 4]
            body = each.text.strip("$\\() ")
            assert not before[-1:].isalnum(), (paper.name, before, each.text)
            assert not after[:1].isdigit(), (paper.name, each.text, after)
            assert not body.startswith(("^", "_", "\\times 10", "\\cdot 10")), (paper.name, each.text)
    assert seen > 3000


def test_every_record_but_one_has_its_place():
    """44 of 579 originals stand more than once; what cannot be told apart is counted."""
    unplaced = [each for paper in papers() for each in paper.unplaced]
    assert unplaced == [("2604.23438v1/claim/P003_S0013", "ambiguous")]
    placed = [(paper, edit) for paper in papers() for edit in paper.perturbations]
    assert len(placed) == 578
    assert sum(paper.text.count(edit.original) > 1 for paper, edit in placed) == 43
    assert all(paper.text[edit.span.start : edit.span.end] == edit.original for paper, edit in placed)


def test_numbers_keep_the_order_of_the_formulas():
    """Among inline formulas of a run a larger number stands later, also where the text repeats itself."""
    for paper in papers():
        inline = [e for e in paper.perturbations if e.family == "surface" and e.original.startswith("$")]
        inline = [e for e in inline if not e.original.startswith("$$")]
        numbered = sorted(inline, key=lambda edit: edit.id.rpartition("_S")[2])
        starts = [edit.span.start for edit in numbered]
        assert starts == sorted(set(starts))


@pytest.mark.parametrize("versions", ["run", "paper"])
def test_undoing_gives_back_the_clean_bytes_of_every_run(versions):
    """36 runs lose nothing; 12 papers with all families in one version do."""
    made = [
        (paper, version)
        for paper in papers()
        for version in inject({FILE: paper.data}, paper.perturbations, versions=versions)
    ]
    assert len(made) == {"run": 36, "paper": 12}[versions]
    for paper, version in made:
        assert version.files[FILE] != paper.data
        assert restore(version.files, version.manifest, paper.perturbations) == {FILE: paper.data}
    assert sum(len(version.manifest.lost) for _, version in made) == {"run": 0, "paper": 54}[versions]


def test_families_overlap_each_other_and_never_themselves():
    """38 pairs of originals that stand once, in 10 papers; 54 with those that stand more than once."""
    once = total = 0
    touched = set()
    for paper in papers():
        for one, other in combinations(paper.perturbations, 2):
            if overlap((one.span.start, one.span.end), (other.span.start, other.span.end)):
                assert one.family != other.family
                total += 1
                touched.add(paper.name)
                once += paper.text.count(one.original) == paper.text.count(other.original) == 1
    assert (once, total, len(touched)) == (38, 54, 10)


def test_what_validation_rejects_of_the_authors_edits():
    """Comments that were edited as paragraphs, and two environments that no longer close."""
    rejected = Counter()
    for paper in papers():
        for edit in validated({FILE: paper.text}, paper.perturbations):
            rejected[edit.rejected] += 1
    assert rejected == {None: 565, "blank": 11, "unbalanced": 2}


@pytest.mark.long
def test_rules_make_errors_in_every_paper_that_pass_validation():
    """At least 30 a paper in three runs, each once, verbatim quotes, the same with the same seed."""
    for paper in papers():
        kind = "theoretical" if paper.name in THEORETICAL else "empirical"
        files = {FILE: paper.text}
        made = Rules()(files, paper.candidates, kind)
        assert len(made) >= 30
        assert all(each.rejected is None for each in validated(files, made))
        assert all(each.contradicts is None or each.contradicts in paper.text for each in made)
        assert len({each.candidate_id for each in made}) == len({each.id for each in made}) == len(made)
        assert made == Rules()(files, paper.candidates, kind)


def test_the_kind_of_a_paper_is_guessed():
    """Eleven as the authors' records have it; one that they call empirical proves more than it measures."""
    guessed = {paper.name: paper_kind(paper.candidates) for paper in papers()}
    theoretical = {name for name, kind in guessed.items() if kind == "theoretical"}
    assert theoretical == THEORETICAL | {"2604.22236v1"}
    assert None not in guessed.values()
