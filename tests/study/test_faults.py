"""Checking a study."""

import hashlib
import shutil
import sqlite3
import zipfile
from contextlib import closing

import pytest

from ingest.packages import PAPER, image, put
from rereview.errors import StorageError
from rereview.study.faults import verified
from rereview.study.store import FORMAT, Store
from rereview.types.call import Call, Completion, Message, Request, Usage
from rereview.types.document import ReviewDocument, Versions
from rereview.types.manuscript import Span
from rereview.types.review import Comment, Review

CALL = Call(
    id="c1",
    model="m",
    host="h",
    sample="s",
    request=Request(messages=(Message(role="user", text="How deep?"),)),
    completion=Completion(text="Deep.", finish="stop", usage=Usage()),
    started="2026-01-01T00:00:00Z",
    seconds=1.0,
    usd=None,
)
REVIEW = Review(
    id="r1",
    manuscript_id=PAPER.id,
    reviewer="checks",
    model="m",
    round=1,
    status="ok",
    call_ids=("c1",),
    comments=(
        Comment(title="t", body="b", id="k1", match="exact", spans=(Span(block_id="b3", start=0, end=6),)),
    ),
)


@pytest.fixture
def study(tmp_path):
    """A study with a version, a call, a review and the images of its paper."""
    with Store(tmp_path) as store:
        store.add_version(PAPER)
        store.add_call(CALL)
        store.add_review(REVIEW, "checks m")
    figures = tmp_path / "papers" / PAPER.paper_id / "figures"
    figures.mkdir(parents=True)
    for each in PAPER.figures:
        if each.path:
            (figures / f"{each.sha256[:16]}.png").write_bytes(image(each))
    return tmp_path


def sql(study, statement, *values):
    with closing(sqlite3.connect(study / "study.db")) as database, database:
        database.execute(statement, values)


def faults(study):
    return [str(fault) for fault in verified(study).faults]


def test_a_study_that_was_written_has_no_fault(study):
    """What it holds is counted, and nothing is written beside it."""
    before = sorted(study.rglob("*"))
    found = verified(study)
    assert found.faults == ()
    assert dict(found.counts) == {"calls": 1, "blobs": 2, "versions": 1, "states of reviews": 1}
    assert sorted(study.rglob("*")) == before


def test_a_study_is_checked_while_somebody_is_at_work_in_it(study):
    """With what was added last."""
    with Store(study) as store:
        store.add_call(CALL.but(id="c2"))
        assert dict(verified(study).counts)["calls"] == 2


def test_an_answer_that_was_changed_has_another_hash(study):
    """A model said something else than is written there."""
    sql(study, "UPDATE blobs SET body = replace(body, 'Deep.', 'Flat.')")
    (fault,) = faults(study)
    assert fault.startswith("calls: blob ")
    assert "its SHA-256 is" in fault


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE reviews SET body = '{}'", "cannot be read: id: Field required"),
        (f"UPDATE reviews SET body = replace(body, '{PAPER.id}', 'x')", "holds round 1 of x"),
        ("UPDATE reviews SET round = 2", "holds round 1 of"),
        ("UPDATE reviews SET body = replace(body, '\"c1\"', '\"c9\"')", "the call c9 is not there"),
        (
            "UPDATE reviews SET body = replace(body, '\"b3\"', '\"b9\"')",
            "the comment k1 points outside of the text",
        ),
        (
            "UPDATE reviews SET body = replace(body, '\"end\":6', '\"end\":99')",
            "the comment k1 points outside",
        ),
    ],
)
def test_a_review_that_is_not_right_is_named(study, statement, what):
    """By its version, configuration, round and state."""
    sql(study, statement)
    (fault,) = faults(study)
    assert fault.startswith(f"reviews: review of {PAPER.id} by checks m, round ")
    assert what in fault


def test_a_version_that_cannot_be_read_is_named(study):
    """And so are the reviews of it."""
    sql(study, "UPDATE versions SET body = '{}'")
    found = faults(study)
    assert found[0].startswith(f"versions: version {PAPER.id}: cannot be read")
    assert any("its version is not there, or cannot be read" in fault for fault in found)


def test_a_version_under_the_id_of_another_is_named(study):
    """A changed paper must not stand for the one that was reviewed."""
    sql(study, "UPDATE versions SET id = 'other'")
    assert f"versions: version other: holds the version {PAPER.id} of paper" in faults(study)


def test_an_answer_that_is_gone_is_named(study):
    """By the ledger's own rule, before anything is read from it."""
    with closing(sqlite3.connect(study / "study.db")) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("DELETE FROM blobs WHERE body LIKE '%Deep.%'")
    assert faults(study) == ["database: study.db, calls 1: names a row of blobs that is not there"]


def test_an_image_that_was_changed_or_is_gone_is_named(study):
    """Its name is its hash."""
    one, other = sorted((study / "papers" / "paper" / "figures").iterdir())
    one.write_bytes(b"another")
    other.unlink()
    found = faults(study)
    digest = hashlib.sha256(b"another").hexdigest()
    assert f"figures: papers/paper/figures/{one.name}: its SHA-256 is {digest}" in found
    assert len([fault for fault in found if "no image of the figure" in fault]) == 1


def with_its_source(study, keep):
    """The images as a study of injected errors keeps them, and a second version that shows them too."""
    with Store(study) as store:
        store.add_version(PAPER.but(id="0123456789abcdef"))
    paper = study / "papers" / PAPER.paper_id
    shutil.rmtree(paper / "figures")
    (paper / "source").mkdir()
    keep(paper / "source", {each.path: image(each) for each in PAPER.figures if each.path})
    return paper / "source"


def as_files(source, images):
    (source / "main.tex").write_text("Lakes.")
    (source / "parts").mkdir()
    for name, content in images.items():
        (source / "parts" / name).write_bytes(content)


def as_archive(source, images):
    with zipfile.ZipFile(source / "paper.zip", "w") as archive:
        for name, content in images.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("keep", [as_files, as_archive])
def test_a_study_of_injected_errors_keeps_images_with_the_source(study, keep):
    """Under the names of the paper, as files or in the archive that it came in."""
    with_its_source(study, keep)
    assert faults(study) == []


@pytest.mark.parametrize("gone", [True, False])
def test_an_image_of_the_source_that_was_changed_or_is_gone_is_named_once(study, gone):
    """However many versions show it."""
    damaged = with_its_source(study, as_files) / "parts" / "a.png"
    if gone:
        damaged.unlink()
    else:
        damaged.write_bytes(b"another")
    digest = hashlib.sha256(b"image a").hexdigest()
    assert faults(study) == [
        f"figures: papers/paper/source: no image of the figure f1: a.png with the SHA-256 {digest}"
    ]


def test_an_archive_that_was_damaged_holds_no_image(study):
    """Each of them is named."""
    source = with_its_source(study, as_archive)
    (source / "paper.zip").write_bytes(b"PK, and no more")
    assert [fault.partition(" of the ")[2][:9] for fault in faults(study)] == ["figure f1", "figure f2"]


def test_a_paper_that_is_kept_as_a_package_is_checked_as_one(study):
    """With the place in the study."""
    for path in (study / "papers" / "paper" / "figures").iterdir():
        path.unlink()
    put(study / "papers" / "paper")
    assert faults(study) == []
    (study / "papers" / "paper" / "text.json").write_text("")
    assert faults(study)[0].startswith("figures: papers/paper, text.json: files: Invalid JSON")


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"{}", "cannot be read: manuscript: Field required"), (b"", "cannot be read: Invalid JSON")],
)
def test_a_review_json_that_cannot_be_read_is_named(study, content, what):
    """It is what others read."""
    (study / "review.json").write_bytes(content)
    (fault,) = faults(study)
    assert what in fault


def test_a_review_json_says_what_the_ledger_says(study):
    """A review that was changed in one of them is named."""
    document = ReviewDocument(
        manuscript=PAPER, reviews=(REVIEW,), scores=(), costs=(), sent_to=(), versions=Versions(rereview="0")
    )
    (study / "review.json").write_text(document.to_json())
    assert faults(study) == []
    (study / "review.json").write_text(document.but(reviews=(REVIEW.but(round=3),)).to_json())
    assert faults(study) == ["document: review.json: the review r1 is not in the ledger as it is here"]


def test_a_ledger_of_a_later_version_is_not_guessed_at(study):
    """It is said, and nothing in it is looked at."""
    sql(study, f"PRAGMA user_version = {FORMAT + 1}")
    assert faults(study) == [f"database: study.db: format {FORMAT + 1}, and this rereview knows {FORMAT}"]


def said(study):
    """The faults of a study, or the one error with which its check ends."""
    try:
        return faults(study)
    except StorageError as error:
        return [error.what]


def test_a_damaged_file_is_never_said_to_be_well(study):
    """Wherever the damage is."""
    whole = (study / "study.db").read_bytes()
    for at in range(0, len(whole), 4096):
        damaged = bytearray(whole)
        damaged[at : at + 512] = b"\xa5" * 512
        (study / "study.db").write_bytes(bytes(damaged))
        assert said(study), at


def test_another_sqlite_file_is_no_ledger(tmp_path):
    """It is said, and nothing in it is looked at."""
    with closing(sqlite3.connect(tmp_path / "study.db")) as database, database:
        database.execute("CREATE TABLE t (x)")
    assert faults(tmp_path) == ["database: study.db: no ledger of rereview"]


def test_a_file_that_is_no_database_is_an_error(tmp_path):
    """In one line."""
    (tmp_path / "study.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StorageError, match="cannot be read"):
        verified(tmp_path)
