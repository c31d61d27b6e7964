"""The ledger."""

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rereview.errors import StorageError
from rereview.study.store import Store, write_files
from rereview.types.call import Call, Completion, Message, Request, Usage
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Exclusion, Review

REQUEST = Request(messages=(Message(role="user", text="Is 2 + 2 = 5? 🧪"),), max_output_tokens=9)


def call(name="c1", text="No."):
    completion = Completion(text=text, finish="stop", usage=Usage(input_tokens=7))
    return Call(
        id=name,
        model="scripted:x",
        host="",
        sample="s",
        request=REQUEST,
        completion=completion,
        started="2026-01-01T00:00:00+00:00",
        seconds=0.5,
        usd=None,
    )


def review(status="failed", number=1):
    return Review(id="r", manuscript_id="m", reviewer="a", model=None, round=number, status=status)


def test_a_call_comes_back_as_it_was(tmp_path):
    """What was added is read back equal, in another connection."""
    with Store(tmp_path) as store:
        store.add_call(call())
    with Store(tmp_path) as store:
        assert store.get_call("c1") == call()
        assert store.get_call("c2") is None


def test_a_prompt_is_kept_once(tmp_path):
    """Two calls with one request share its bytes."""
    with Store(tmp_path) as store:
        store.add_call(call("c1", "No."))
        store.add_call(call("c2", "Yes."))
        assert [each.id for each in store.calls()] == ["c1", "c2"]
    with sqlite3.connect(tmp_path / "study.db") as database:
        assert database.execute("SELECT count(*) FROM blobs").fetchone() == (3,)
    database.close()


def test_the_same_call_again_changes_nothing(tmp_path):
    """A second answer under one id does not replace the first."""
    with Store(tmp_path) as store:
        store.add_call(call("c1", "No."))
        store.add_call(call("c1", "Yes."))
        assert [each.completion.text for each in store.calls()] == ["No."]


def test_the_newest_state_of_a_round_counts(tmp_path):
    """A round that failed and was answered later is answered; the failure stays in the file."""
    with Store(tmp_path) as store:
        for status in ("failed", "failed", "ok"):
            store.add_review(review(status), "a")
        store.add_review(review(number=2), "a")
        assert [each.status for each in store.reviews("m")] == ["ok", "failed"]
    with sqlite3.connect(tmp_path / "study.db") as database:
        assert database.execute("SELECT count(*) FROM reviews").fetchone() == (3,)
    database.close()


def test_a_version_comes_back(tmp_path):
    """A manuscript is kept whole."""
    block = Block(id="b1", text="x", kind="paragraph")
    paper = Manuscript(id="m", paper_id="p", title="T", format="markdown", blocks=(block,), sequence=("b1",))
    with Store(tmp_path) as store:
        store.add_version(paper)
        store.add_version(paper)
        assert store.version("m") == paper
        assert store.version("n") is None


def test_another_process_waits(tmp_path):
    """A study that is worked on is refused to a second process, and free when the first is killed."""
    hold = (
        "import sys, time; from pathlib import Path; from rereview.study.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "with store.claim():\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", hold, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with Store(tmp_path) as store:
            with pytest.raises(StorageError, match="another rereview is at work"), store.claim():
                pass
            other.send_signal(signal.SIGKILL)
            other.wait()
            with store.claim():
                pass


def test_every_acknowledged_call_survives_a_kill(tmp_path):
    """Calls whose add returned are there after kill -9, and the file is whole."""
    add = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path; from test_store import Store, call\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for number in range(100_000):\n"
        "    store.add_call(call(f'c{number}', f'answer {number}')); print(number, flush=True)"
    )
    here = str(Path(__file__).parent)
    with subprocess.Popen([sys.executable, "-c", add, str(tmp_path), here], stdout=subprocess.PIPE) as other:
        for _ in range(20):
            other.stdout.readline()
        other.kill()
        acknowledged = 20 + len(other.stdout.readlines())
    with Store(tmp_path) as store:
        kept = {each.id for each in store.calls()}
    assert {f"c{number}" for number in range(acknowledged)} <= kept
    assert len(kept) <= acknowledged + 1


def test_a_paid_answer_outlives_a_full_disk(tmp_path):
    """When the ledger cannot grow, the error names the file in which the answer is."""
    with Store(tmp_path) as store:
        store._database.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StorageError, match="the answer is kept in") as caught:
            store.add_call(call(text="x" * 100_000))
    path = Path(caught.value.what.rsplit(" kept in ", 1)[1])
    assert Call.model_validate_json(path.read_text("utf-8")) == call(text="x" * 100_000)
    path.unlink()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"not a data base, " * 400, "not a database"), (b"", None)],
    ids=["other bytes", "empty"],
)
def test_a_file_that_is_no_ledger_is_refused(tmp_path, content, message):
    """Foreign bytes are refused and left as they are; an empty file becomes a ledger."""
    (tmp_path / "study.db").write_bytes(content)
    if message is None:
        Store(tmp_path).close()
        return
    with pytest.raises(StorageError, match=message):
        Store(tmp_path)
    assert (tmp_path / "study.db").read_bytes() == content


def test_another_program_s_data_base_is_refused(tmp_path):
    """A SQLite file of something else is not written into."""
    with sqlite3.connect(tmp_path / "study.db") as database:
        database.execute("CREATE TABLE songs (name)")
    database.close()
    with pytest.raises(StorageError, match="no ledger of rereview"):
        Store(tmp_path)


def test_a_newer_ledger_is_refused(tmp_path):
    """A format that is not known yet is not guessed at."""
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "study.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StorageError, match="format 99"):
        Store(tmp_path)


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    """`--out` that names a file says so."""
    (tmp_path / "out").write_text("x")
    with pytest.raises(StorageError, match="cannot be used"):
        Store(tmp_path / "out")


def test_files_are_written_whole(tmp_path):
    """A file is replaced at once, and nothing else is left behind."""
    write_files(tmp_path, {"report.html": b"old"})
    write_files(tmp_path, {"report.html": b"new", "papers/x/a.txt": b"a"})
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["papers/x/a.txt", "report.html"]
    assert (tmp_path / "report.html").read_bytes() == b"new"
    with pytest.raises(StorageError, match="cannot be written"):
        write_files(tmp_path / "report.html", {"x": b""})


def test_a_file_that_cannot_be_written_leaves_no_part(tmp_path):
    """What is left after a failure is what was there before it."""
    (tmp_path / "report.html").mkdir()
    with pytest.raises(StorageError, match="cannot be written"):
        write_files(tmp_path, {"report.html": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("out", ["file", "file/below", "foreign"])
def test_what_is_in_the_way_is_not_called_a_full_disk(tmp_path, out):
    """A file, or foreign bytes, where the ledger should be: another folder is what helps."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "study.db").write_bytes(b"not a data base, " * 400)
    with pytest.raises(StorageError) as raised:
        Store(tmp_path / out)
    assert raised.value.expected == "name another folder with --out"
    assert "Errno" not in str(raised.value)
    if out != "foreign":
        assert str(raised.value).startswith(f"{tmp_path / 'file'}: a file, and no folder;")


def test_further_records_keep_their_newest_state_and_their_first_place(tmp_path):
    """Of each key the newest counts, in the order in which the keys came; the same again adds no row."""
    first, second = review(number=1), review(number=2)
    with Store(tmp_path) as store:
        store.add_records("label", {"b": first, "a": first})
        store.add_records("label", {"b": second})
        store.add_records("label", {"b": second})
        store.add_records("other", {"b": first})
    with Store(tmp_path) as store:
        assert list(store.records("label", Review).items()) == [("b", second), ("a", first)]
        assert store.records("nothing", Review) == {}
    with sqlite3.connect(tmp_path / "study.db") as database:
        assert database.execute("SELECT count(*) FROM records").fetchone() == (4,)
    database.close()


def test_costs_are_read_without_what_was_asked(tmp_path):
    """USD by call, in the order of the calls; what a call cost may not be known."""
    with Store(tmp_path) as store:
        store.add_call(call("c2").but(usd=0.25))
        store.add_call(call("c1"))
        assert list(store.costs().items()) == [("c2", 0.25), ("c1", None)]


BEGIN = """\
import sys, time
from pathlib import Path
from rereview.study.store import Store
for number in range(60):
    while time.time() < float(sys.argv[2]) + number * 0.02:
        pass
    Store(Path(sys.argv[1]) / str(number)).close()
"""


def test_two_may_begin_a_study_at_the_same_time(tmp_path):
    """Neither takes the half-made ledger of the other for a foreign file."""
    start = str(time.time() + 2.0)
    both = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(tmp_path), start], stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [each.communicate(timeout=60)[1] for each in both]
    assert [each.returncode for each in both] == [0, 0, 0], said


def test_a_full_disk_is_called_by_its_name(tmp_path):
    """SQLite ends the transaction by itself; the message is of the disk, and the ledger goes on after it."""
    with Store(tmp_path) as store:
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        long = Exclusion(paper="p" * 20_000, model="m", why="w")
        with pytest.raises(StorageError, match="full"):
            store.add_exclusion(long)
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.add_exclusion(long)
        assert store.exclusions() == (long,)


def test_a_claim_that_is_no_lock_is_a_line_and_no_defect(tmp_path):
    """A file of that name with something else in it: what is told is that, not that somebody is at work."""
    with Store(tmp_path) as store:
        (tmp_path / "study.claim").write_bytes(b"something else " * 100)
        with pytest.raises(StorageError, match="not a database"), store.claim():
            pass
