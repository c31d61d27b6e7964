"""The part of a paper that a model of few tokens is given."""

import pytest

from rereview.ingest.plain import read
from rereview.reviewers.base import as_text
from rereview.reviewers.excerpt import INSTRUCTIONS, excerpt

PAPER = """# Rivers of the north

Abstract. Rivers freeze.

## 1 Introduction

{introduction}

## 2 Methods

{methods}

## 3 Conclusion

{conclusion}
"""


@pytest.fixture
def paper(tmp_path):
    """A paper whose sections speak in words of their own."""
    path = tmp_path / "p.md"
    words = {name: " ".join([name] * 400) for name in ("introduction", "methods", "conclusion")}
    path.write_text(PAPER.format(**words))
    return read(path)


def test_without_a_limit_it_is_the_whole_paper(paper):
    """And nothing has to be said."""
    assert excerpt(paper, None) == (as_text(paper), None)
    assert excerpt(paper, 1_000_000).note is None


def test_introduction_and_conclusion_go_before_the_rest(paper):
    """The methods are left out, in words, and no word is cut."""
    given = excerpt(paper, INSTRUCTIONS + 1_000)
    assert "introduction introduction" in given.text
    assert "conclusion conclusion" in given.text
    assert "methods methods" not in given.text
    assert set(given.text.split()) <= set(as_text(paper).split())
    assert f"at most {INSTRUCTIONS + 1_000:,} tokens" in given.note
    assert len(given.text) <= 3_000 + 3 * len("\n\n")


@pytest.mark.parametrize("tokens", [0, 10, INSTRUCTIONS, INSTRUCTIONS + 1])
def test_a_model_that_reads_almost_nothing_gets_almost_nothing(paper, tokens):
    """It is said, and nothing breaks."""
    given = excerpt(paper, tokens)
    assert len(given.text) < 20
    assert given.note is not None


@pytest.mark.parametrize("before", ["", "short "])
def test_no_word_is_cut_however_long(tmp_path, before):
    """What does not fit as a whole word is left out, and what is left out is said."""
    path = tmp_path / "p.md"
    path.write_text(f"{before}{'pneumono' * 4_000}\n\nWe looked.\n")
    given = excerpt(read(path), INSTRUCTIONS + 100)
    assert given.text == before.strip()
    assert "the beginning" in given.note


def test_a_paper_without_spaces_is_cut_between_its_characters(tmp_path):
    """In such a script every character may end a word; nothing would be left otherwise."""
    path = tmp_path / "p.md"
    path.write_text(f"# 肺\n\n## Introduction\n\n{'語' * 20_000}\n")
    assert excerpt(read(path), INSTRUCTIONS + 100).text.count("語") > 200
