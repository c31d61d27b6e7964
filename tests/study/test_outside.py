"""Scores from elsewhere: every row is used or listed with the reason."""

import json

import numpy as np
import pytest

from rereview.errors import UnusableInput, UsageError
from rereview.study.answers import answers
from rereview.study.outside import configurations, read
from rereview.study.schema import MANIFEST
from rereview.study.store import Store
from rereview.types.call import Call, Completion, Message, Picture, Request, Usage
from rereview.types.edit import Manifest
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Draft, Exclusion, Review

SCALE = (1.0, 10.0)


@pytest.fixture
def file(tmp_path):
    def write(content, name="s.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def unused(loaded):
    return {each.reason: each.rows for each in loaded.unused}


def column(loaded, name):
    return [None if value != value else value for value in loaded.frame[name]]  # noqa: PLR0124  NaN


def test_names_near_ours_are_read_and_told(file):
    """Case, spaces and hyphens do not matter; an exact name wins over one that is near."""
    found = read([file("Paper-ID,Overall Rating,score,Year\na,1,5,2025\n")])
    assert column(found, "score") == [5]
    assert column(found, "group") == ["2025"]
    assert found.notes[:2] == (
        "s.csv: the column 'Paper-ID' is read as 'paper'",
        "s.csv: the column 'Year' is read as 'group'",
    )


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("6", 6),
        ("6: Marginally above the threshold", 6),
        (" 6 - weak accept ", 6),
        ("6 – good", 6),
        ("6 (weak accept)", 6),
        ("6.5", 6.5),
        ("7.", 7),
        ("6e0", 6),
    ],
)
def test_scores_with_words(file, text, score):
    """OpenReview writes the number and what it means."""
    assert column(read([file(f'paper,score\na,"{text}"\n')]), "score") == [score]


@pytest.mark.parametrize("text", ["5-6", "5/10", "six", "inf", "1e999", "0x6", "6 7"])
def test_what_is_no_score_is_listed(file, text):
    """A range or a fraction is not its first number."""
    found = read([file(f'paper,score\na,"{text}"\nb,5\n')])
    assert unused(found) == {"score is no number": (2,)}


@pytest.mark.parametrize("text", ["", "NaN", "null", "n/a", "-", "None"])
def test_missing_scores_are_no_score(file, text):
    """Whatever an export writes there."""
    assert unused(read([file(f"paper,score\na,{text}\nb,5\n")])) == {"no score": (2,)}


def test_every_row_is_used_or_listed(file):
    """Rows used and rows listed are all rows there are."""
    content = (
        "paper,round,score,p1\na,1,5,\na,2,11,\na,3,0.5,\n,4,5,\na,x,5,\na,1.5,5,\na,1,6,\na,7,,\na,8,5,-.1\n"
    )
    found = read([file(content)], SCALE)
    assert unused(found) == {
        "round is no number": (6,),
        "round is no whole number": (7,),
        "p1 is negative": (10,),
        "no paper": (5,),
        "score off the scale 1 to 10": (3, 4),
        "no score": (9,),
        "the same round again; the first is used": (8,),
    }
    assert len(found.frame) == 1


def test_decimal_commas_of_semicolon_files(file):
    """5,5 is five and a half there."""
    assert column(read([file("paper;score\na;5,5\n")]), "score") == [5.5]


def test_rounds_are_numbered_by_appearance(file):
    """Within a paper; a row without a round comes after those that have one."""
    found = read([file("paper,score\na,5\nb,6\na,7\n")])
    assert column(found, "round") == [1, 1, 2]
    assert "rounds are numbered by order of appearance" in found.notes[0]
    mixed = read([file("paper,round,score\na,,5\na,2,6\na,,7\n")])
    assert column(mixed, "round") == [3, 2, 4]


def test_two_files_are_two_rounds(file):
    """Runs that were saved apart and have no column of rounds are not each other's double."""
    found = read([file("paper,score\na,5\n", "one.csv"), file("paper,score\na,7\n", "two.csv")])
    assert column(found, "round") == [1, 2]
    with pytest.raises(UsageError, match="a file is named twice"):
        read([file("paper,score\na,5\n", "one.csv"), file("paper,score\na,5\n", "one.csv")])


def test_json_lines_keep_ids_as_they_are(file):
    """7 and "7" are one paper, also beside a null; true, 1 and "Accept (poster)" are accepted."""
    rows = [
        {"paper": 7, "score": 5, "accepted": True},
        {"paper": "7", "score": 6.0, "accepted": None},
        {"paper": "b", "score": None},
        {"paper": "c", "score": "6: ok", "accepted": "Accept (poster)"},
        {"paper": None, "score": 5},
        {"paper": "d\ud800", "score": {"value": 5}},
    ]
    found = read([file("\n".join(map(json.dumps, rows)), "s.jsonl")])
    assert column(found, "paper") == ["7", "7", "c"]
    assert column(found, "accepted") == [True, None, True]
    assert unused(found) == {"no score": (3,), "no paper": (5,), "score is no number": (6,)}


def test_decisions(file):
    """What OpenReview calls them; what cannot be read is unknown, and the row is used."""
    words = ["Accept (poster)", "Reject", "Withdrawn", "Desk rejected", "pending", "", "oral", "0", "yes"]
    content = "paper,score,decision\n" + "".join(f"p{i},5,{word}\n" for i, word in enumerate(words))
    found = read([file(content)])
    assert column(found, "accepted") == [True, False, False, False, None, None, True, False, True]
    assert [bool(each) for each in column(found, "withdrawn")] == [i == 2 for i in range(9)]
    assert any("accepted is neither true nor false in 1 row" in note for note in found.notes)


def test_the_samples_of_the_paper(file):
    """36, 41 and 23 of 2025 and 27, 43, 26 and 4 of 2026 give 63 accepted, 137 not, 49 withdrawn (A.3)."""
    counts = [("2025", "Accept", 36), ("2025", "Reject", 41), ("2025", "Withdrawn", 23)]
    counts += [("2026", "Accept", 27), ("2026", "Reject", 43), ("2026", "Withdrawn", 26)]
    counts += [("2026", "Desk rejected", 4)]
    lines = [f"{year},{word}" for year, word, count in counts for _ in range(count)]
    content = "paper,score,year,decision\n" + "".join(f"{i},5,{line}\n" for i, line in enumerate(lines))
    frame = read([file(content)]).frame
    assert [int(frame["accepted"].eq(value).sum()) for value in (True, False)] == [63, 137]
    assert int(frame["withdrawn"].eq(True).sum()) == 49  # noqa: FBT003  a value of the column
    kept = frame[~frame["withdrawn"].astype(bool)]
    assert (len(kept), int(kept["accepted"].eq(False).sum())) == (151, 88)  # noqa: FBT003
    assert kept.groupby("group").size().tolist() == [77, 74]


def test_contradictions_are_told(file):
    """A paper has one human score: the first that is given."""
    found = read([file("paper,round,score,human\na,1,5,6\na,2,5,7\nb,1,5,6\n")])
    assert found.notes == ("human differs within 1 paper, the first is used: a",)


def test_small_probabilities_are_numbers(file):
    """Token probabilities come as 1e-07."""
    found = read([file("paper,role,p5,p6\na,auxiliary,1e-07,.9\n")])
    assert column(found, "p5") == [1e-07]
    assert found.frame["score"].isna().all()
    assert "1 row has no score, used for probabilities or tokens alone" in found.notes


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no column paper or score"),
        ("\n\n", "no column paper or score"),
        ("paper,score\n", "no row can be used"),
        ("paper,score\na,\n", "no score \\(1 row: 2\\)"),
        ("paper\na\n", "no column score"),
        ("id,score\na,5\n", "no column paper"),
        ("Score,score,paper\n1,2,a\n", "the columns 'Score' and 'score' are both 'score'"),
    ],
)
def test_a_file_without_scores_is_refused(file, content, says):
    """In one line that says what is there."""
    with pytest.raises(UnusableInput, match=says):
        read([file(content)])


def test_many_rows_are_read_quickly(file):
    """A hundred thousand rows, half of which are refused, in seconds and not in hours."""
    lines = [f"p{i // 10},{i % 10 + 1},{5 if i % 2 else 'x'}\n" for i in range(100_000)]
    found = read([file("paper,round,score\n" + "".join(lines))])
    assert len(found.frame) == len(unused(found)["score is no number"]) == 50_000


def named(loaded):
    return dict(configurations(loaded.frame))


def test_a_form_gives_the_scale_of_its_rows(file):
    """Each row on its own; a row off the scale of its form is listed, and a form that is none is told."""
    rows = "a,1,5,arr,\na,2,6,arr,\nb,1,0,iclr-2026,\nb,2,0,,\nc,1,3,nips,\nd,1,3,icml-2025,0.1\n"
    path = file("paper,round,score,form,p6\n" + rows)
    found = read([path])
    assert column(found, "score") == [5, 0, 3]
    assert unused(found) == {
        "score off the scale 1 to 5": (3,),
        "score off the scale 1 to 10": (5,),
        "p6 is off the scale 1 to 5": (7,),
    }
    assert "s.csv: no form is called 'nips': its scale is not known" in found.notes
    assert column(read([path], (0.0, 10.0)), "score") == [5, 6, 0, 0, 3, 3]


def test_forms_of_one_reviewer_are_configurations_of_their_own(file):
    """Their scores are never in one table."""
    found = named(read([file("paper,round,score,form\na,1,5,arr\na,1,9,iclr-2025\n")]))
    assert list(found) == ["arr", "iclr-2025"]
    alone = named(read([file("paper,round,score,form\na,1,5,arr\na,2,4,arr\n", "t.csv")]))
    assert list(alone) == [""]


def test_configurations_are_named_by_what_distinguishes_them(file):
    """One model: no name; two: theirs; a version only where a paper has several."""
    assert list(named(read([file("paper,model,score\na,m,5\n")]))) == [""]
    two = named(read([file("paper,reviewer,model,score\na,r,m,5\na,r,n,6\n")]))
    assert list(two) == ["m", "n"]
    assert list(named(read([file("paper,version,score\na,v1,5\nb,w1,5\n")]))) == [""]
    assert list(named(read([file("paper,version,score\na,v1,5\na,v2,5\nb,v1,5\n")]))) == ["v1", "v2"]


def test_auxiliary_calls_of_another_model_join_the_targets(file):
    """A model that only made auxiliary calls is no configuration of its own."""
    content = (
        "paper,model,role,score,p5\na,big,target,5,\na,big,target,6,\na,small,auxiliary,,1\n"
        "a,other,pilot,4,\n"
    )
    found = named(read([file(content)]))
    assert list(found) == ["big", "other"]
    assert found["big"]["model"].tolist() == ["big", "big", "small"]
    assert found["other"]["model"].tolist() == ["other"]


def manuscript(paper, text):
    return Manuscript(
        id=f"{paper}-{len(text)}",
        paper_id=paper,
        title="T",
        format="markdown",
        blocks=(Block(id="b1", text=text, kind="paragraph"),),
    )


def review(paper, number, score, **more):
    draft = None if score is None else Draft(score=score)
    return Review(
        id=f"{paper.id}{number}{more}",
        manuscript_id=paper.id,
        reviewer="scorecard",
        model=more.get("model", "a:m"),
        round=number,
        status="ok" if draft else "refused",
        draft=draft,
    )


def test_a_study_folder_is_a_file(tmp_path):
    """Its newest reviews by reviewer and model; rounds without a score are listed."""
    one, two = manuscript("x", "one"), manuscript("y", "three")
    with Store(tmp_path / "study") as store:
        for paper in (one, two):
            store.add_version(paper)
            for number, score in enumerate((5.0, 6.0, None), start=1):
                store.add_review(review(paper, number, score), "c")
        store.add_review(review(one, 1, 7.0), "c")
        store.add_review(review(one, 1, 3.0, model="b:n"), "d")
    found = read([tmp_path / "study"], SCALE)
    configured = named(found)
    assert list(configured) == ["a:m", "b:n"]
    assert configured["a:m"].pivot_table(
        index="paper", columns="round", values="score"
    ).to_numpy().tolist() == [
        [7, 6],
        [5, 6],
    ]
    assert [len(each.rows) for each in found.unused] == [2]
    assert np.issubdtype(found.frame["round"].dtype, np.integer)


def test_versions_are_named_by_the_errors_that_they_carry(tmp_path):
    """The families of two papers differ, and no order of versions makes one of them the other."""
    versions = {
        "x": ("clean", "surface", "claim"),
        "y": ("clean", "empirical", "surface"),
        "z": ("old", "new"),
    }
    with Store(tmp_path / "study") as store:
        for paper, texts in versions.items():
            for number, text in enumerate(texts):
                version = manuscript(paper, f"{number}{text}" * (number + 1))
                store.add_version(version)
                store.add_review(review(version, 1, 5.0), "c")
                if paper != "z" and text != "clean":
                    run = f"{paper}/{text}"
                    manifest = Manifest(paper_id=paper, run=run, version=version.id, placed=())
                    store.add_records(MANIFEST, {run: manifest})
    frame = read([tmp_path / "study"]).frame
    found = frame.groupby("paper")["version"].agg(list).to_dict()
    assert found["x"] == ["clean", "surface", "claim"]
    assert found["y"] == ["clean", "empirical", "surface"]
    assert found["z"] == ["version 1", "version 2"]


def test_a_study_without_reviews_says_so(tmp_path):
    """Not that its rows are wrong."""
    with Store(tmp_path / "study") as store:
        store.add_version(manuscript("x", "one"))
    with pytest.raises(UnusableInput, match="nothing has been reviewed yet"):
        read([tmp_path / "study"])


TOY = "embedded:toy: a plumbing test, carries no information"


def test_a_toy_is_left_out_of_what_is_measured(tmp_path):
    """Its scores are nowhere, nor its rounds without one; a line says so."""
    with Store(tmp_path / "study") as store:
        store.add_version(manuscript("x", "one"))
        for number, score in enumerate((5.0, 6.0, None), start=1):
            store.add_review(review(manuscript("x", "one"), number, score), "c")
            store.add_review(review(manuscript("x", "one"), number, score, model="embedded:toy"), "t")
    found = read([tmp_path / "study"])
    assert set(found.frame["model"]) == set(found.tried["model"]) == {"a:m"}
    assert [len(each.rows) for each in found.unused] == [1]
    assert TOY in found.notes


def test_a_study_of_a_toy_alone_has_nothing_to_measure(tmp_path):
    """The reason is that it carries no information, not that nothing was reviewed."""
    with Store(tmp_path / "study") as store:
        store.add_version(manuscript("x", "one"))
        store.add_review(review(manuscript("x", "one"), 1, 5.0, model="embedded:toy"), "t")
    with pytest.raises(UnusableInput, match=TOY):
        read([tmp_path / "study"])
    with Store(tmp_path / "study") as store:  # and one that gives no score beside it
        store.add_review(review(manuscript("x", "one"), 1, None), "c")
    with pytest.raises(UnusableInput, match=TOY):
        read([tmp_path / "study"])


def test_answers_of_a_toy_are_not_counted(tmp_path):
    """A form that is filled in at random says nothing of a paper."""
    paper = manuscript("x", "one")
    with Store(tmp_path / "study") as store:
        store.add_version(paper)
        for model in ("a:m", "embedded:toy"):
            given = review(paper, 1, 5.0, model=model).but(reviewer="scorecard(tmlr)")
            fields = {"claims_and_evidence": "Yes"}
            store.add_review(given.but(draft=Draft(score=None, fields=fields)), model)
    assert set(answers([tmp_path / "study"])["model"]) == {"a:m"}


def test_a_folder_that_is_no_study_is_refused_and_left_alone(tmp_path):
    """No ledger is made where there was none."""
    with pytest.raises(UnusableInput, match="this folder holds no study"):
        read([tmp_path])
    assert list(tmp_path.iterdir()) == []


def called(name, sample, usage, *pictures):
    """A call of the model `a:m`."""
    turn = Message(role="user", text="a paper", pictures=pictures)
    return Call(
        id=name,
        model="a:m",
        host="",
        sample=sample,
        request=Request(messages=(turn,)),
        completion=Completion(text="{}", finish="stop", usage=usage),
        started="2026-01-01T00:00:00+00:00",
        seconds=1.0,
        usd=None,
    )


def test_a_study_says_what_its_calls_took(tmp_path):
    """The tokens of all calls of a round; unknown where one of them says nothing."""
    paper = manuscript("x", "one")
    picture = Picture(sha256="0" * 64, width=1, height=1)
    with Store(tmp_path / "study") as store:
        store.add_version(paper)
        for name, tokens in (("c1", 100), ("c2", 40), ("c3", None)):
            store.add_call(called(name, name, Usage(input_tokens=tokens, output_tokens=7), picture))
        for number, calls in enumerate((("c1", "c2"), ("c1", "c3"), ()), start=1):
            store.add_review(review(paper, number, 5.0).but(call_ids=calls), "c")
    found = read([tmp_path / "study"], SCALE)
    assert found.frame["input_tokens"].fillna(-1).tolist() == [140, -1, -1]
    assert found.frame["output_tokens"].fillna(-1).tolist() == [14, 14, -1]
    assert found.inputs == {"a:m": "text and images"}


def test_a_study_says_who_was_not_given_a_paper_and_what_gave_no_score(tmp_path):
    """Exclusions are kept once; a round without a score is known, but not one of what never scores."""
    paper = manuscript("x", "one")
    exclusion = Exclusion(paper="long", model="b:n", why="224 images, over the limit of 100 a call")
    with Store(tmp_path / "study") as store:
        store.add_version(paper)
        store.add_exclusion(exclusion)
        store.add_exclusion(exclusion)
        for number, score in enumerate((5.0, None), start=1):
            store.add_review(review(paper, number, score), "c")
        store.add_review(review(paper, 1, None, model=None), "checks")
    found = read([tmp_path / "study"], SCALE)
    assert found.excluded == (exclusion,)
    assert found.tried[["model", "round"]].to_numpy().tolist() == [["a:m", 2]]
