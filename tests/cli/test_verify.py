"""`rereview verify` as a person meets it."""

import json

import pytest
from click.testing import CliRunner

from ingest.packages import PAPER, change, put
from rereview.cli.main import main
from rereview.cli.verify import counted, verify
from rereview.errors import UnusableInput, UsageError
from rereview.study.store import Store


def run(*arguments):
    """Exit code, and what is printed."""
    done = CliRunner().invoke(verify, [str(each) for each in arguments], catch_exceptions=False)
    return done.exit_code, done.stdout


def test_a_package_that_is_right_says_what_was_looked_at(tmp_path):
    """Counts, and each check."""
    code, shown = run(put(tmp_path / "p"))
    assert code == 0
    assert shown.splitlines() == [
        "package p: 2 pages, 7 text records, 91 characters, 3 images, 3 protected records",
        "files ok; records ok; sequence ok; paths ok; hashes ok; unlisted ok; identity ok",
    ]


def test_what_is_wrong_is_a_line_each_and_exit_code_5(tmp_path):
    """With the check that failed."""
    folder = put(tmp_path / "p")
    change(folder, "index.json", lambda held: held["sequence"][4].update(path="../x\x1b[2J"))
    code, shown = run(folder)
    assert code == 5
    assert shown.splitlines()[1].startswith("paths: index.json, image f1: no path: '../x\\x1b[2J'")
    assert "paths FAILED; hashes ok" in shown


@pytest.mark.parametrize(("damage", "expected"), [("", 0), ("x", 5)])
def test_the_exit_code_is_that_of_the_command(tmp_path, damage, expected):
    """A script that asks no more learns it."""
    folder = put(tmp_path / "p")
    if damage:
        (folder / "figures" / "more").write_text(damage)
    with pytest.raises(SystemExit) as stop:
        main(["verify", str(folder)])
    assert stop.value.code == expected


def test_json_is_one_object(tmp_path):
    """Also where something is wrong."""
    folder = put(tmp_path / "p")
    (folder / "index.json").write_text("")
    code, shown = run(folder, "--json")
    assert code == 5
    assert [fault["check"] for fault in json.loads(shown)["faults"]] == ["files"]


def test_a_package_is_compared_with_the_one_that_it_was_made_from(tmp_path):
    """Edited text is counted, an edited page marker is not allowed."""
    blocks = [block.but(text="Both are very deep.") if block.id == "b6" else block for block in PAPER.blocks]
    original, revised = put(tmp_path / "p"), put(tmp_path / "q", PAPER.but(blocks=tuple(blocks)))
    change(revised, "text.json", lambda held: held["manuscript"].pop("id"))
    code, shown = run(revised, "--against", original)
    assert code == 0
    assert "1 edited record\n" in shown
    change(revised, "text.json", lambda held: held["records"][1].update(text="Page one"))
    code, shown = run(revised, "--against", original)
    assert code == 5
    assert "protected: record b1: its text was changed, and it is protected" in shown


def test_an_original_that_is_not_right_is_an_error(tmp_path):
    """Nothing can be said against it."""
    (put(tmp_path / "p") / "text.json").write_text("")
    with pytest.raises(UnusableInput):
        run(put(tmp_path / "q"), "--against", tmp_path / "p")


def test_a_study_is_checked(tmp_path):
    """A folder with a ledger is one, whatever else is in it."""
    with Store(tmp_path / "s") as store:
        store.add_version(PAPER.but(figures=()))
    code, shown = run(tmp_path / "s")
    assert code == 0
    assert "study s: 0 calls, 0 blobs, 1 version, 0 states of reviews" in shown
    with pytest.raises(UsageError, match="--against"):
        run(tmp_path / "s", "--against", tmp_path)


@pytest.mark.parametrize(
    ("name", "one", "several"),
    [
        ("text records", "1 text record", "1,200 text records"),
        ("protected records", "1 protected record", "1,200 protected records"),
        ("versions", "1 version", "1,200 versions"),
        ("states of reviews", "1 state of a review", "1,200 states of reviews"),
    ],
)
def test_one_of_a_kind_is_not_several(name, one, several):
    """In words; the names in JSON stay what they are, whatever the count."""
    assert counted([(name, 1), (name, 1200), (name, 0)]) == f"{one}, {several}, 0 {name}"


@pytest.mark.parametrize("name", ["", "not there", "file"])
def test_a_folder_that_is_neither_is_an_error(tmp_path, name):
    """It says what would be right."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"neither a package nor a study; expected index\.json or study\.db"):
        run(tmp_path / name)
