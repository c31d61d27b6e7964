"""Corrupted versions: what is in them, and the way back to the clean bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturb.made import perturbation
from rereview.errors import UnusableInput
from rereview.perturb.inject import digest, inject, is_usable, restore
from rereview.text.decoding import decoded
from rereview.types.manuscript import Span

TEXT = "one two three four"


def test_a_run_gives_one_version_with_all_its_edits():
    """The manifest has every place before and after; other files come along."""
    edits = [
        perturbation(TEXT, "three", "3", name="b"),
        perturbation(TEXT, "one", "eleven", name="a"),
        perturbation(TEXT, "four", "five", name="c", run="p/empirical", family="empirical"),
    ]
    files = {"a.tex": TEXT.encode(), "fig.png": b"\x89PNG\xff"}
    first, second = inject(files, edits)
    assert first.files == {"a.tex": b"eleven two 3 four", "fig.png": b"\x89PNG\xff"}
    assert second.files["a.tex"] == b"one two three five"
    assert (first.manifest.run, second.manifest.run) == ("p/claim", "p/empirical")
    assert [
        (p.perturbation_id, p.clean_start, p.clean_end, p.start, p.end) for p in first.manifest.placed
    ] == [("a", 0, 3, 0, 6), ("b", 8, 13, 11, 12)]
    assert files == {"a.tex": TEXT.encode(), "fig.png": b"\x89PNG\xff"}


def test_one_version_for_the_paper_lists_what_lost_its_place():
    """The edit that came first stays, whatever its family."""
    edits = [
        perturbation(TEXT, "one two", "1 2", name="a"),
        perturbation(TEXT, "two three", "2 3", name="b", run="p/empirical", family="empirical"),
        perturbation(TEXT, "four", "4", name="c", run="p/empirical", family="empirical"),
    ]
    (version,) = inject({"a.tex": TEXT.encode()}, edits, versions="paper")
    assert version.files["a.tex"] == b"1 2 three 4"
    assert version.manifest.lost == (("b", "overlaps a (claim)"),)
    assert version.manifest.run == "p"
    assert [each.manifest.lost for each in inject({"a.tex": TEXT.encode()}, edits)] == [(), ()]


def test_the_version_is_named_by_its_content():
    """By default a digest of all files; the study may name it by what it reads."""
    edits = [perturbation(TEXT, "one", "1")]
    (version,) = inject({"a.tex": TEXT.encode()}, edits)
    assert version.manifest.version == digest(version.files) != digest({"a.tex": TEXT.encode()})
    (named,) = inject({"a.tex": TEXT.encode()}, edits, name=lambda files: files["a.tex"].decode()[:3])
    assert named.manifest.version == "1 t"


def test_only_substantive_edits_are_usable():
    """Not what was rejected, nor what has no verdict."""
    edit = perturbation(TEXT, "one", "1")
    assert is_usable(edit)
    assert not is_usable(edit.model_copy(update={"rejected": "label"}))
    assert not is_usable(edit.model_copy(update={"verdict": None}))
    assert not is_usable(edit.model_copy(update={"verdict": "typo-shaped"}))


@pytest.mark.parametrize(
    ("files", "edits", "said"),
    [
        ({}, [perturbation(TEXT, "one", "1")], r"a\.tex: no such file; expected it for e1"),
        ({"a.tex": b"x"}, [perturbation(TEXT, "one", "1")], "e1: the original is not at 0:3"),
        (
            {"a.tex": TEXT.encode()},
            [
                perturbation(TEXT, "one", "1"),
                perturbation(TEXT, "two", "2").model_copy(update={"paper_id": "q"}),
            ],
            "p, q: edits of 2 papers; expected those of one",
        ),
        (
            {"a.tex": TEXT.encode()},
            [perturbation(TEXT, "one", "1").model_copy(update={"span": Span(block_id="b1", start=0, end=3)})],
            "e1: the edit is one of a block and not of a file",
        ),
    ],
)
def test_what_cannot_be_done_is_said(files, edits, said):
    """One line: what, where, what would be right."""
    with pytest.raises(UnusableInput, match=said):
        list(inject(files, edits))


def test_no_edits_give_no_version():
    """The clean paper is no corrupted one."""
    assert list(inject({"a.tex": b"x"}, [])) == []


def test_a_latin_1_file_stays_one():
    """An edit may take away the only byte that shows it; what it cannot hold is lost and listed."""
    data = "caf\xe9 and tea".encode("latin-1")
    text = decoded(data)
    edits = [
        perturbation(text, "caf\xe9", "water", name="a"),
        perturbation(text, "tea", "\u2264", name="b"),
    ]
    (version,) = inject({"a.tex": data}, edits)
    assert version.files["a.tex"] == b"water and tea"
    assert version.manifest.latin_1 == ("a.tex",)
    assert version.manifest.lost == (
        ("b", "a.tex is in Latin-1, which lacks a character of the replacement"),
    )
    assert restore(version.files, version.manifest, edits) == {"a.tex": data}


def test_an_edit_that_makes_a_file_unreadable_is_lost():
    """What is left of a Latin-1 file may happen to be UTF-8, and would be read as another text."""
    data = b"\x80 and \xc2\x80"
    edits = [perturbation(decoded(data), "\x80", "x")]
    (version,) = inject({"a.tex": data}, edits)
    assert version.files == {"a.tex": data}
    assert version.manifest.lost == (("e1", "a.tex is in Latin-1, and would be read as UTF-8"),)
    assert version.manifest.placed == version.manifest.latin_1 == ()


def test_a_byte_order_mark_and_line_ends_stay():
    """Byte for byte outside of the edits."""
    data = b"\xef\xbb\xbfone\r\ntwo\rthree\n"
    edits = [perturbation(decoded(data), "two", "2\r\n2")]
    (version,) = inject({"a.tex": data}, edits)
    assert version.files["a.tex"] == b"\xef\xbb\xbfone\r\n2\r\n2\rthree\n"
    assert restore(version.files, version.manifest, edits) == {"a.tex": data}


def test_a_version_that_was_changed_since_is_not_restored():
    """The clean paper is not made up."""
    edits = [perturbation(TEXT, "one", "1")]
    (version,) = inject({"a.tex": TEXT.encode()}, edits)
    with pytest.raises(UnusableInput, match="e1: the replacement is not at 0:1"):
        restore({"a.tex": b"2 two three four"}, version.manifest, edits)


TEXTS = st.text(alphabet="ab \\{}$%0.1\r\n\ufeff\xe9\xff\u2264\U0001d504", max_size=50)
BYTES = st.one_of(TEXTS.map(str.encode), st.binary(max_size=50))


@st.composite
def cases(draw):
    """A few files of any bytes, and edits of them in two runs, which may overlap between the runs."""
    files = draw(st.dictionaries(st.sampled_from(["a.tex", "b/c.tex", "d.sty"]), BYTES, min_size=1))
    edits = []
    for run in ("p/surface", "p/claim"):
        for file, data in files.items():
            text = decoded(data)
            cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
            for low, high in zip(cuts[::2], cuts[1::2], strict=False):
                name = f"{run} {file} {low}"
                family = run.removeprefix("p/")
                original, new = text[low:high], draw(TEXTS)
                edits.append(
                    perturbation(text, original, new, name=name, run=run, family=family, file=file, start=low)
                )
    return files, draw(st.permutations(edits)), draw(st.sampled_from(["run", "paper"]))


def check(case):
    files, edits, versions = case
    for version in inject(files, edits, versions=versions):
        assert restore(version.files, version.manifest, edits) == files
        placed = {each.perturbation_id for each in version.manifest.placed}
        lost = {name for name, _ in version.manifest.lost}
        own = {each.id for each in edits if versions == "paper" or each.run == version.manifest.run}
        assert placed | lost == own
        assert not placed & lost
        for file, data in files.items():
            _only_inside(decoded(data), version, file)


def _only_inside(clean, version, file):
    """Between the places of the manifest the corrupted text is the clean one."""
    corrupted = version.files[file].decode(
        "latin-1" if file in version.manifest.latin_1 else "utf-8", "ignore"
    )
    if file not in {each.file for each in version.manifest.placed}:
        assert decoded(version.files[file]) == clean
        return
    at = clean_at = 0
    for each in sorted(version.manifest.placed, key=lambda each: each.start):
        if each.file == file:
            assert corrupted[at : each.start] == clean[clean_at : each.clean_start]
            at, clean_at = each.end, each.clean_end
    assert corrupted[at:] == clean[clean_at:]


@given(cases())
@settings(max_examples=150, deadline=None)
def test_undoing_gives_back_the_clean_bytes(case):
    """Of any files and any edits, and nothing outside of the edits has changed."""
    check(case)


@pytest.mark.long
@given(cases())
@settings(max_examples=10_000, deadline=None)
def test_undoing_gives_back_the_clean_bytes_ten_thousand_times(case):
    """The same, for longer."""
    check(case)
