"""Files as they stand: separators, quotes, broken lines, and what is refused."""

import json
import sys

import pytest

from rereview.errors import UnusableInput
from rereview.study.cells import read_cells


@pytest.fixture
def file(tmp_path):
    def write(content, name="s.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("paper,score\na,5\nb,6\n", "s.csv"),
        ("\ufeffpaper,score\na,5\nb,6\n", "s.csv"),
        ("paper;score\na;5\nb;6\n", "s.csv"),
        ("paper\tscore\na\t5\nb\t6\n", "s.tsv"),
        ("paper|score\na|5\nb|6\n", "s.txt"),
        ("paper,score\r\na,5\r\nb,6", "s.CSV"),
        ("\n\npaper,score\n\na,5\n,\nb,6\n\n", "s.csv"),
        ('"paper","score"\n"a","5"\n"b","6"\n', "s.csv"),
        ('"paper, or id";"score"\n', "none.csv"),
    ],
)
def test_separators_quotes_and_marks_of_order(file, content, name):
    """One table, however it is written."""
    found = read_cells(file(content, name))
    if name == "none.csv":
        assert list(found.frame.columns) == ["paper, or id", "score"]
        return
    assert found.frame.to_numpy().tolist() == [["a", "5"], ["b", "6"]]
    assert list(found.frame.columns) == ["paper", "score"]
    assert found.bad == {}


def test_rows_keep_their_lines(file):
    """Blank lines and cells of several lines count, so that a row can be found in an editor."""
    found = read_cells(file('paper,score\n\n"a\nb",5\nc\nd,6,\ne,7,8\nf,9\n'))
    assert found.numbers == [3, 6, 8]
    assert found.bad == {
        "the header has 2 cells, the row 1": [5],
        "the header has 2 cells, the row 3": [7],
    }


def test_a_row_of_more_cells_than_a_header_of_one_is_named(file):
    """One cell is not several."""
    assert read_cells(file("score\n5,6\n")).bad == {"the header has 1 cell, the row 2": [2]}


def test_decimal_commas_go_with_semicolons(file):
    """Only there: elsewhere a comma parts cells."""
    assert read_cells(file("paper;score\na;5,5\n")).decimal_comma
    assert not read_cells(file("paper,score\na,5\n")).decimal_comma


def test_json_lines_have_gaps_and_nulls(file):
    """Lines need not have the same names; a line that is no object is told apart."""
    lines = ['{"paper": "a", "score": 5}', "", '{"paper": "b", "score": null, "x": 1}', "[1]", "{", "3"]
    found = read_cells(file("\ufeff" + "\n".join(lines), "s.jsonl"))
    assert found.numbers == [1, 3]
    assert found.bad == {"no JSON object": [4, 5, 6]}
    assert list(found.frame.columns) == ["paper", "score", "x"]


def test_deep_and_long_json_is_no_object(file):
    """Neither a thousand brackets nor a number of ten thousand digits ends the run."""
    deep = '{"paper": ' + "[" * 100_000 + "}"
    long = '{"paper": ' + "9" * (sys.get_int_max_str_digits() + 1) + "}"
    good = json.dumps({"paper": "line\u2028break"}, ensure_ascii=False)
    found = read_cells(file(f"{deep}\n{long}\n{good}", "s.jsonl"))
    assert found.bad == {"no JSON object": [1, 2]}
    assert found.numbers == [3]


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        ("paper,score,score\na,5,6\n", "s.csv", "two columns are called 'score'"),
        (b"paper,score\n\xff\xfe,5\n", "s.csv", "this is not UTF-8 text"),
        ("paper,score\n".encode("utf-16"), "s.csv", "this is not UTF-8 text"),
        ('paper,score\n"a,5\nb,6\n', "s.csv", "the row that begins on line 2"),
        ("x", "s.xlsx", "files of type '.xlsx' are not read"),
        ("x", "scores", "files of type 'unknown' are not read"),
    ],
)
def test_refused_in_one_line(file, content, name, says):
    """What is wrong and where."""
    with pytest.raises(UnusableInput, match=says) as error:
        read_cells(file(content, name))
    assert error.value.where.endswith(name)
    assert "\n" not in str(error.value)


def test_a_long_cell_is_read(file):
    """Longer than csv's own limit, which stays what it was for others."""
    import csv  # noqa: PLC0415  the module whose state is looked at

    before = csv.field_size_limit()
    found = read_cells(file("paper,text\na," + "x" * 300_000 + "\n"))
    assert len(found.frame["text"][0]) == 300_000
    assert csv.field_size_limit() == before


def test_parquet_without_its_package_says_what_to_install(file):
    """Where pyarrow is not installed; where it is, the file is no parquet."""
    with pytest.raises(UnusableInput) as error:
        read_cells(file("PAR1", "s.parquet"))
    assert "rereview[parquet]" in str(error.value) or "cannot be read" in str(error.value)


def test_parquet_is_read_where_its_package_is(tmp_path):
    """Numbers, gaps and names come through."""
    pytest.importorskip("pyarrow", reason="the extra [parquet] is not installed")
    import pandas as pd  # noqa: PLC0415  beside the package that it needs

    path = tmp_path / "s.parquet"
    pd.DataFrame({"paper": [1, 2, None], "score": [5.0, None, 6.0]}).to_parquet(path)
    assert read_cells(path).numbers == [1, 2, 3]
