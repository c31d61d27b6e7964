"""Reviews that exist already: every comment once, severity as the paper maps it, nothing lost."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from rereview.errors import UnusableInput, UsageError
from rereview.reviewers.imported import Imported, read_reviews, read_text
from rereview.types.manuscript import Manuscript

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared" / "data"
FIVE, OPENAIREVIEW = SHARED / "reviews-five-systems", SHARED / "reviews-openaireview"

COARSE = """# Tidal heating of small moons

**Date**: 05/02/2026
**Domain**: natural_sciences/astronomy
**Taxonomy**: academic/research_paper
**Filter**: Active comments

---

## Overall Feedback

Here are some overall reactions to the document.

**Outline**

Heating is modelled for twelve moons.

**Dissipation is assumed, not measured**

The factor Q is taken from one body.

**Recommendation**: minor revision.

**Status**: [Pending]

---

## Detailed Comments (3)

### 1. Energy grows with distance

**Severity**: critical
**Status**: [Pending]

**Quote**:
> The heating rate scales as $a^{15/2}$.

$$ \\dot E = \\frac{21}{2} $$

> It is largest for the outer moons.

**Feedback**:
The sign of the exponent is wrong.

### 7. A heading of the comment itself

It should be $a^{-15/2}$.

---

### 2. Twelve or eleven moons

**Severity**: major

**Quote**:
> twelve moons

**Feedback**:
Table 1 has eleven.

---

### 3. Unit missing

**Importance**: Nitpick
**Status**: [Pending]

**Feedback**:
State watts.

---
"""


def only(text):
    (read,) = read_text(text)
    return read


def severities(read):
    return [each.severity for each in read.draft.remarks]


def test_coarse_markdown_is_read_whole():
    """Detailed comments are remarks, issues of the overall feedback concerns; no heading begins a comment."""
    read = only(COARSE)
    assert (read.system, read.model, read.notes) == ("coarse", None, ())
    first, second, third = read.draft.remarks
    assert first.title == "Energy grows with distance"
    assert first.quote == (
        "The heating rate scales as $a^{15/2}$.\n\n$$ \\dot E = \\frac{21}{2} $$\n\n"
        "It is largest for the outer moons."
    )
    assert first.body.startswith("The sign of the exponent is wrong.\n\n### 7. A heading")
    assert first.body.endswith("It should be $a^{-15/2}$.")
    assert (second.quote, second.body) == ("twelve moons", "Table 1 has eleven.")
    assert (third.quote, third.body) == (None, "State watts.")
    assert read.draft.concerns == (
        "Dissipation is assumed, not measured\n\nThe factor Q is taken from one body.",
    )
    assert "Heating is modelled for twelve moons." in read.draft.summary
    assert read.draft.fields == {"recommendation": "minor revision."}


def test_severity_is_mapped_as_the_paper_maps_it():
    """Of coarse critical, major, minor become major, moderate, minor; a nitpick is minor."""
    assert severities(only(COARSE)) == ["major", "moderate", "minor"]
    found = [
        {"title": "t", "feedback": name, "quote": "q", "severity": name}
        for name in ("critical", "major", "minor")
    ]
    document = {
        "title": "p",
        "overall_feedback": {"issues": [{"title": "i", "body": "b"}]},
        "detailed_comments": found,
    }
    read = only(json.dumps(document))
    assert severities(read) == ["major", "moderate", "minor"]
    assert read.draft.concerns == ("i\n\nb",)


def test_refine_is_told_from_coarse_by_its_time_of_day():
    """The two share their format."""
    assert only(COARSE.replace("05/02/2026", "5/2/2026, 8:59:20 PM")).system == "refine"


def test_a_number_that_the_heading_announces_is_checked():
    """Nothing is lost in silence."""
    assert only(COARSE.replace("Comments (3)", "Comments (4)")).notes == (
        "the heading announces 4 comments, 3 are there",
    )
    assert only(COARSE.replace("Comments (3)", "Comments (1)")).notes == (
        "the heading announces 1 comment, 3 are there",
    )


def openaireview(**methods):
    return json.dumps({"slug": "s", "title": "t", "paragraphs": [], "methods": methods})


def said(title, severity=None, quote="the yield rose"):
    return {
        "id": "1",
        "title": title,
        "quote": quote,
        "explanation": f"{title}!",
        "severity": severity,
        "x": 1,
    }


def test_openaireview_gives_a_review_a_method():
    """With the method, the model, and quotes as they are."""
    text = openaireview(
        progressive__m={
            "model": "lab/m",
            "overall_feedback": "Fine.",
            "comments": [said("Yield", "moderate")],
        },
        local__n={
            "model": "lab/n",
            "overall_feedback": "",
            "comments": [said("Soil"), said("Soil"), said("Rain")],
        },
    )
    first, second = read_text(text)
    assert (first.system, first.model, first.draft.summary) == ("openaireview:progressive", "lab/m", "Fine.")
    (remark,) = first.draft.remarks
    assert (remark.title, remark.body, remark.quote, remark.severity) == (
        "Yield",
        "Yield!",
        "the yield rose",
        "moderate",
    )
    assert [each.title for each in second.draft.remarks] == ["Soil", "Rain"]
    assert second.notes == ("1 of 3 comments repeat another word for word",)


def test_the_list_before_consolidation_is_no_second_review():
    """What is no longer in the list after it is set aside."""
    text = openaireview(
        progressive__m={"model": "m", "comments": [said("Yield")]},
        progressive_original__m={"model": "m", "comments": [said("Yield"), said("Yield again")]},
    )
    read = only(text)
    assert read.system == "openaireview:progressive"
    assert [each.title for each in read.draft.remarks] == ["Yield"]
    assert [each.remark.title for each in read.draft.aside] == ["Yield again"]
    assert read.notes == ("1 comment that consolidation changed or dropped set aside",)


def test_other_systems_in_that_format_keep_their_scale():
    """Coarse's words move a tier, Reviewer3's numbers become words."""
    coarse = openaireview(coarse__m={"model": "m", "comments": [said("a", "critical"), said("b", "major")]})
    assert severities(only(coarse)) == ["major", "moderate"]
    theirs = openaireview(reviewer3__r={"comments": [said(str(n), n) for n in (1, 2, 3, 4)]})
    assert severities(only(theirs)) == ["major", "moderate", "minor", "minor"]


def test_reviewer3_comes_as_json_and_as_markdown():
    """In JSON with quotes and severity, by rank; in Markdown with the comments of all its reviewers."""
    comments = [
        {
            "reviewerId": "a",
            "comment": "Dose is unclear.",
            "title": "Dose",
            "citedText": "5 mg",
            "severity": 3,
            "rank": 2,
        },
        {
            "reviewerId": "b",
            "comment": "No control.",
            "title": "Control",
            "citedText": "",
            "severity": 1,
            "rank": 1,
        },
    ]
    read = only(json.dumps({"status": "complete", "session": {"title": "x"}, "comments": comments}))
    assert [(each.title, each.quote, each.severity) for each in read.draft.remarks] == [
        ("Control", None, "major"),
        ("Dose", "5 mg", "minor"),
    ]
    text = (
        "# Study Design Reviewer Feedback\n\nA trial of a drug in 1.5 years.\n\n# Comments\n\n"
        "1. **Missing control** There is none.\n\n- not in arm A\n\n2. Dose: It is unclear.\n\n"
        "<!-- PAGE BREAK -->\n\n"
        "# Reproducibility Reviewer Feedback\n\nData are absent.\n\n"
        "## Comments\n\n1. Share the data. They matter."
    )
    read = only(text)
    assert [(each.title, each.body) for each in read.draft.remarks] == [
        ("Missing control", "There is none.\n\n- not in arm A"),
        ("Dose", "It is unclear."),
        ("Share the data", "They matter."),
    ]
    assert "A trial of a drug in 1.5 years." in read.draft.summary


STANFORD = """Summary
Bats were recorded in caves.

Strengths
Technical novelty and innovation

Microphones are calibrated.
Weaknesses
Technical limitations or concerns

Only two caves were visited; both are wet.
Seasons to test:
spring,
and autumn
Detailed Comments
Technical soundness evaluation

The filter is adequate.
Questions for Authors
Were the bats ringed?
Overall Assessment
A careful study."""


def test_stanford_has_a_comment_a_line():
    """Groups are no comments, and a line in lower case goes on with the one before."""
    read = only(STANFORD)
    assert read.system == "stanford"
    assert [each.body or each.title for each in read.draft.remarks] == [
        "Only two caves were visited; both are wet.",
        "spring,\nand autumn",
        "The filter is adequate.",
        "Were the bats ringed?",
    ]
    assert read.draft.remarks[1].title == "Seasons to test"
    assert read.draft.strengths == ("Microphones are calibrated.",)
    assert (read.draft.summary, read.draft.rationale) == ("Bats were recorded in caves.", "A careful study.")


def test_prebuttal_gives_a_review_a_persona_and_saves_what_it_could_not_read():
    """A form with a backslash that is no JSON escape is read from the raw answer."""
    good = {
        "summary": "S",
        "strengths": ["Clear"],
        "weaknesses": ["Few rats: only six."],
        "questions": ["Why?"],
    }
    text = json.dumps(
        {
            "prebuttal_version": "0.4.0",
            "reviewers": [
                {
                    "reviewer_id": "R1",
                    "persona": "expert",
                    "model": "m",
                    "fields": good,
                    "rating": 6.0,
                    "parse_ok": True,
                },
                {
                    "reviewer_id": "R2",
                    "persona": "sceptic",
                    "model": "m",
                    "fields": {},
                    "parse_ok": False,
                    "raw_output": '{"weaknesses": ["$\\alpha$ is undefined",], "rating": 3}',
                },
                {
                    "reviewer_id": "R3",
                    "persona": "novice",
                    "fields": {},
                    "parse_ok": False,
                    "error": "time-out",
                },
            ],
            "meta": {"meta_review": "Mixed.", "estimated_rating": 5, "action_plan": [{"issue": "Few rats"}]},
        }
    )
    first, second, third, meta = read_text(text)
    assert (first.system, first.draft.score, first.draft.strengths) == ("prebuttal:expert", 6.0, ("Clear",))
    assert [(each.title, each.body) for each in first.draft.remarks] == [
        ("Few rats", "only six."),
        ("Why?", "Why?"),
    ]
    assert [each.body for each in second.draft.remarks] == ["$\\alpha$ is undefined"]
    assert (second.draft.score, third.draft.remarks) == (3.0, ())
    assert third.notes == ("no readable review: time-out",)
    assert (meta.system, meta.draft.score, meta.draft.remarks) == ("prebuttal:meta", 5.0, ())


def test_refereed_gives_a_review_a_referee():
    """Concerns keep place and advice; the synthesis holds no comments of its own."""
    concern = {
        "severity": "nit",
        "issue": "Axis has no unit.",
        "location": "Figure 2",
        "suggestion": "Add kPa.",
    }
    text = json.dumps(
        {
            "title": "t",
            "model": "m",
            "weighted_score": 6.5,
            "reviews": {
                "method": {
                    "name": "Method",
                    "ok": True,
                    "score": 7,
                    "strengths": ["x"],
                    "concerns": [concern],
                }
            },
            "meta": {"summary": "Good.", "key_concerns": ["Axis"], "weighted_score": 6.4},
        }
    )
    first, meta = read_text(text)
    assert (first.system, first.draft.score) == ("refereed:method", 7.0)
    (remark,) = first.draft.remarks
    assert (remark.title, remark.severity) == ("Axis has no unit.", "minor")
    assert remark.body == "Axis has no unit.\n\nFigure 2\n\nAdd kPa."
    assert (meta.draft.score, meta.draft.remarks) == (6.5, ())


def test_the_form_of_the_ai_scientist():
    """Its names begin with capitals; limitations and questions are comments too."""
    text = json.dumps(
        {
            "Summary": "S",
            "Strengths": ["A"],
            "Weaknesses": ["B", "C"],
            "Questions": ["D?"],
            "Limitations": ["E"],
        }
        | {"Originality": 3, "Overall": 4, "Confidence": 5, "Decision": "Reject", "Ethical Concerns": False}
    )
    read = only(text)
    assert (read.system, read.draft.score, read.draft.confidence) == ("ai-scientist", 4.0, 5.0)
    assert [each.body for each in read.draft.remarks] == ["B", "C", "D?", "E"]
    assert read.draft.fields["decision"] == "Reject"


def note(content, forum="f1", signature="conf/2025/Reviewer_a1", **more):
    return {
        "id": "n",
        "forum": forum,
        "signatures": [signature],
        "invitations": ["conf/2025/Submission1/-/Official_Review", "conf/2025/-/Edit"],
        "content": content,
    } | more


def test_openreview_notes_of_both_interfaces():
    """A score is read from its number; what is no review is left; each reviewer is one."""
    new = note(
        {"rating": {"value": 6}, "confidence": {"value": 4}, "weaknesses": {"value": "- Few sites\n- No map"}}
    )
    old = note(
        {
            "recommendation": "5: marginally below",
            "main_review": "Strengths:\n- bold\n\nWeaknesses:\n1. Noise.\n2. Drift.",
        },
        signature="conf/2025/Reviewer_b2",
    )
    decision = note({"decision": {"value": "Accept"}}, invitations=["conf/2025/Submission1/-/Decision"])
    first, second = read_text(json.dumps({"notes": [new, decision, old]}))
    assert (first.system, first.submission, first.draft.score) == ("openreview:Reviewer_a1", "f1", 6.0)
    assert (first.draft.confidence, [each.body for each in first.draft.remarks]) == (
        4.0,
        ["Few sites", "No map"],
    )
    assert (second.draft.score, second.draft.strengths) == (5.0, ("bold",))
    assert [each.body for each in second.draft.remarks] == ["Noise.", "Drift."]
    submission = {
        "id": "f1",
        "content": {"title": {"value": "T"}},
        "details": {"directReplies": [new, decision]},
    }
    assert only(json.dumps([submission])).draft.score == 6.0


def test_a_form_without_a_number_is_legal():
    """No score is made up."""
    read = only(
        json.dumps(
            [note({"claims_and_evidence": {"value": "Yes"}, "requested_changes": {"value": "Add a map."}})]
        )
    )
    assert read.draft.score is None
    assert [each.body for each in read.draft.remarks] == ["Add a map."]
    assert read.draft.fields == {"claims_and_evidence": "Yes"}


def test_the_names_of_many_forms():
    """Those of ARR, NeurIPS and TMLR; an answer of yes or none is no comment."""
    arr = {
        "paper_summary": "Tones are counted.",
        "summary_of_strengths": "Large.",
        "summary_of_weaknesses": "1. One speaker.\n2. No noise.",
        "comments_suggestions_and_typos": "Line 3 is cut.",
        "overall_assessment": "2.5 = Borderline Findings",
        "ethical_concerns": "There are concerns about consent.",
    }
    neurips = {"limitations": "Yes.", "strengths_and_weaknesses": "Weaknesses: \n- Slow.", "rating": 3}
    first, second = read_text(json.dumps([note(arr), note(neurips, signature="Reviewer_z")]))
    assert (first.draft.score, first.draft.summary, first.draft.strengths) == (
        2.5,
        "Tones are counted.",
        ("Large.",),
    )
    assert [each.body for each in first.draft.remarks] == ["One speaker.", "No noise.", "Line 3 is cut."]
    assert list(first.draft.fields) == ["ethical_concerns"]
    assert ([each.body for each in second.draft.remarks], second.draft.score) == (["Slow."], 3.0)


WIDE = (
    "pid,review,email,round,submitted_at,Overall merit,Reviewer expertise,"
    "Paper summary,Comments for authors\n"
    '7,7A,a@x,R1,2026-01-01,2. Weak reject,3. Expert,"Dams are modelled.","1. No silt.\n2. No ice."\n'
    "8,8A,b@x,R1,2026-01-01,4,2,Rivers.,None of it is new.\n"
)
NARROW = (
    "pid,review,field,format,data\n7,7A,Overall merit,,2\n7,7A,Weaknesses,text,No silt.\n"
    "7,7B,Overall merit,,5\n"
)


@pytest.mark.parametrize(("text", "scores"), [(WIDE, [2.0, 4.0]), (NARROW, [2.0, 5.0])])
def test_hotcrp_tables_wide_and_narrow(text, scores):
    """A row a review, or a row a field."""
    found = read_text(text)
    assert [each.draft.score for each in found] == scores
    assert found[0].submission == "7"
    assert found[0].draft.remarks[0].body == "No silt."


LETTERED = """==+== IceConf Review Form
==-== DO NOT CHANGE LINES THAT START WITH "==+==" UNLESS DIRECTED!
==+== Begin Review
==+== Paper #12
==-== Title: Ice
==+== Review Readiness
Ready
==+== A. Overall merit
==-== Choices: 1. Reject
==-== Enter the number of your choice: 3
==+== B. Paper summary
Ice drifts.
\\==+== is quoted here.
==+== C. Comments for authors
- Speed is not given.
- Nor is depth.
==+== End Review
"""
STARRED = """==+== IceConf '26 Review Form
==-== DO NOT CHANGE LINES THAT START WITH "==+==" OR "==*==".

==+== =====================================================================
==+== Begin Review #12B
==+== Reviewer: A Name <a@example.org>

==+== Paper #12
==-== Title: Ice that drifts and the sea
==-==        below

==+== Review Readiness
==-== Enter "Ready" if the review is ready for others to see:

Ready

==*== Overall merit
==-== Choices:
==-==    3. Weak accept
==-== Enter the number of your choice:

3. Weak accept

==*== Reviewer expertise

(Your choice here)

==*== Paper summary

Ice drifts.
\\==+== is quoted here.

==*== Comments for authors
==-== Markdown styling is supported.

- Speed is not given.
- Nor is depth.
"""


@pytest.mark.parametrize(("text", "who"), [(LETTERED, "form 1"), (STARRED, "12B")])
def test_hotcrp_offline_form_old_and_new(text, who):
    """Lines of the form are not the review; an escaped mark is; what is not filled in is not."""
    read = only(text)
    assert (read.system, read.submission, read.draft.score) == (f"hotcrp:{who}", "12", 3.0)
    assert read.draft.summary == "Ice drifts.\n==+== is quoted here."
    assert [each.body for each in read.draft.remarks] == ["Speed is not given.", "Nor is depth."]
    assert (read.draft.confidence, read.draft.fields) == (None, {})
    assert len(read_text(STARRED + LETTERED)) == 2


def test_a_form_may_count_down_and_says_so():
    """The score is as it stands; what the ends of its scale mean is noted. Words to chairs are none."""
    text = """==+== Rev Review Form
==+== Begin Review #9
==+== Paper #9
==*== Reviewer confidence
==-==    1. High: I understand it.
2
==*== Reviewer expertise
4
==*== Pre-rebuttal overall merit
==-== Choices:
==-==    1. Strong accept -- excellent paper that moves the needle in at
==-==       least one dimension
==-==    5. Reject -- serious problems
3
==*== Weaknesses
1. No wind.
==*== Suggestion of reviewers
==-== (shown only to administrators)
A. Nother
==*== Comments for PC
Hm.
==+== End Review
"""
    read = only(text)
    assert (read.draft.score, read.draft.confidence) == (3.0, 2.0)
    assert read.notes == ("Pre-rebuttal overall merit: from “1. Strong accept” to “5. Reject”",)
    assert [each.body for each in read.draft.remarks] == ["No wind."]
    assert read.draft.fields["comments_for_pc"] == "Hm."


def test_plain_text_with_headings_and_without():
    """Major and minor comments have their severity; without a list each paragraph is a comment."""
    read = only(
        "This paper counts owls.\n\nMajor comments\n\n1. The nests are few, 12 in all.\n   They moved.\n"
        "12. June was wet.\n2. No control.\n\nMinor comments:\n- Figure 3 is dark.\n\nScore: 4/10\n"
    )
    assert [(each.severity, each.title) for each in read.draft.remarks] == [
        ("major", "The nests are few, 12 in all"),
        ("major", "No control."),
        ("minor", "Figure 3 is dark."),
    ]
    assert read.draft.summary == "This paper counts owls."
    assert read.draft.score == 4.0
    assert [each.severity for each in read.draft.remarks] == ["major", "major", "minor"]
    assert "12. June was wet." in read.draft.remarks[0].body
    bare = only("The nests are few.\n\nNo control was made, and 3 owls died.\n")
    assert [each.body for each in bare.draft.remarks] == [
        "The nests are few.",
        "No control was made, and 3 owls died.",
    ]


def test_two_scores_are_none():
    """What is ambiguous is not guessed."""
    assert only("Score: 4\n\nBad.\n\nRating: 6\n").draft.score is None


def test_a_draft_and_a_review_of_ours():
    """The published format, and review.json."""
    draft = {"summary": "S", "remarks": [{"title": "T", "body": "B", "quote": "q", "severity": "minor"}]}
    assert only(json.dumps(draft)).draft.remarks[0].quote == "q"
    comment = draft["remarks"][0] | {"id": "c1", "match": "exact", "spans": []}
    review = {"reviewer": "scorecard", "model": "openai:m", "draft": {"score": 6.0}, "comments": [comment]}
    read = only(json.dumps({"format": "rereview/1", "reviews": [review, {"draft": None}]}))
    assert (read.system, read.model, read.draft.score) == ("scorecard", "openai:m", 6.0)
    assert read.draft.remarks[0].title == "T"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"%PDF-1.7 ...", "the content is a PDF, no review"),
        (b"a\0b", "the content is binary, no review"),
        (b"<!doctype html><p>x", "the content is HTML, no review"),
        (b'{"methods": {"a__b": 7}}', "it begins like a known format and is none"),
        (b'{"title": "x", "pages": 3}', "no known review: JSON with fields 'title', 'pages'"),
        (b'{"summary": "x"', "this is no whole JSON"),
        (b'{"remarks": [{"title": "x"}]}', r"remarks.0.body: Field required"),
        (b'{"methods": {}}', "there is no comment, summary or score in it"),
        (b"7", "there is no comment|JSON"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, content, said):
    """What, where, and what would be right."""
    path = tmp_path / "r.x"
    path.write_bytes(content)
    if content == b"7":
        assert read_reviews(path)[0].draft.remarks[0].body == "7"
        return
    with pytest.raises(UnusableInput, match=said) as failure:
        read_reviews(path)
    assert "\n" not in str(failure.value)
    assert str(path) in str(failure.value)


def test_a_file_that_is_not_there_is_said(tmp_path):
    """With the system's own reason."""
    with pytest.raises(UnusableInput, match="cannot be read: No such file"):
        read_reviews(tmp_path / "no.json")


def test_what_no_file_can_hold_is_replaced():
    """A lone surrogate in an escape."""
    read = only('{"remarks": [], "summary": "x"}')
    assert read.draft.summary == "x"
    read = only(json.dumps({"strengths": ["\ud835"], "weaknesses": ["bad \udc00 half"]}))
    read.to_json()
    assert read.draft.remarks[0].body == "bad \ufffd half"


def test_an_imported_review_is_a_reviewer(tmp_path):
    """One review in the file is it; of several one is named."""
    paper = Manuscript(id="i", paper_id="p", title="T", format="markdown", blocks=())
    one, two = tmp_path / "one.md", tmp_path / "two.csv"
    one.write_text(COARSE)
    two.write_text(WIDE)
    assert len(asyncio.run(Imported(str(one))(paper)).remarks) == 3
    with pytest.raises(UsageError, match="holds several reviews; review= one of hotcrp:7A, hotcrp:8A"):
        asyncio.run(Imported(str(two))(paper))
    assert asyncio.run(Imported(str(two), "hotcrp:8A")(paper)).score == 4.0


def test_two_reviews_of_one_name_are_two(tmp_path):
    """Neither is taken for the file: which is meant cannot be said by its name."""
    paper = Manuscript(id="i", paper_id="p", title="T", format="markdown", blocks=())
    path = tmp_path / "two.json"
    path.write_text(json.dumps([{"remarks": [], "summary": "one"}, {"remarks": [], "summary": "two"}]))
    assert len(read_reviews(path)) == 2
    with pytest.raises(UsageError, match="2 reviews in it are called 'draft'; a file for each"):
        asyncio.run(Imported(str(path))(paper))
    with pytest.raises(UsageError, match="2 reviews in it are called 'draft'"):
        asyncio.run(Imported(str(path), "draft")(paper))


def files(folder, pattern):
    if not folder.is_dir():
        pytest.skip("needs the reviews in shared/data beside the project")
    return sorted(folder.rglob(pattern))


def squeezed(text):
    return re.sub(r"[\W_]+", "", text)


def test_reviews_of_five_systems_import_whole():
    """Every comment of 28 files once, and no line of them lost but headings and labels."""
    counts = {}
    for path in files(FIVE, "*.md"):
        text = path.read_text()
        read = only(text)
        counts[read.system] = counts.get(read.system, 0) + len(read.draft.remarks)
        if read.system in ("coarse", "refine"):
            assert len(read.draft.remarks) == len(re.findall(r"^\*\*Feedback\*\*:", text, re.MULTILINE))
            assert all(each.quote for each in read.draft.remarks)
        assert read.notes == ()
        draft = read.draft
        parts = [draft.words, *draft.fields]
        parts += [part for each in draft.remarks for part in (f"{each.title} {each.body}", each.quote or "")]
        kept = squeezed("|".join(parts))
        for line in text.splitlines():
            plain = re.sub(r"^\s*(?:[-*>#]+|\d+\.)\s*", "", line)
            label = line.startswith(("#", "**", "<!--")) or (read.system == "stanford" and len(line) < 80)
            assert label or squeezed(plain) in kept, (path, line)
    assert counts == {"coarse": 262, "refine": 52, "reviewer3": 54, "stanford": 136}


def test_reviews_of_openaireview_import_whole():
    """Every comment of 9 reviews with its quote, once."""
    total = 0
    for path in files(OPENAIREVIEW, "*.json"):
        methods = json.loads(path.read_text())["methods"]
        for read, method in zip(read_reviews(path), methods.values(), strict=True):
            assert read.model == method["model"]
            pairs = zip(read.draft.remarks, method["comments"], strict=True)
            assert all((got.quote, got.title) == (had["quote"], had["title"]) for got, had in pairs)
            assert [each.severity for each in read.draft.remarks] == [
                c.get("severity") for c in method["comments"]
            ]
            total += len(read.draft.remarks)
    assert total == 128


def test_a_form_that_a_model_put_in_a_fence_is_read():
    """Its thoughts before it are no comments; a fence of something else is words."""
    read = only(
        'THOUGHT:\nHmm.\n\nREVIEW JSON:\n```json\n{"Weaknesses": ["$\\alpha$ is free",], "Overall": 4}\n```\n'
    )
    assert (read.system, read.draft.score) == ("ai-scientist", 4.0)
    assert [each.body for each in read.draft.remarks] == ["$\\alpha$ is free"]
    words = only('The output\n\n```json\n{"rate": 3}\n```\n\nis not explained.')
    assert words.system == "text"
