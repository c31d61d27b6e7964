"""Versions from the ledger against versions that are read again."""

import pytest

import injection_server as made
from injection_study import rereview
from rereview.ingest import versions
from rereview.study import reread
from rereview.study.design import load
from rereview.study.perturbing import kept
from rereview.study.store import Store


@pytest.fixture
def study(tmp_path):
    """A study of one paper with an image that is missing, its errors injected."""
    (tmp_path / "paper").mkdir()
    text = made.paper(1).replace("\\maketitle", "\\maketitle\n% a remark\n\\input{more}")
    (tmp_path / "paper" / "main.tex").write_text(text)
    (tmp_path / "paper" / "more.tex").write_text("Nothing was left out.\n\\includegraphics{lake}\n")
    assert rereview("study", "init", tmp_path / "study", "--papers", tmp_path / "paper") == 0
    assert rereview("perturb", tmp_path / "study") == 0
    return tmp_path / "study"


def source(study):
    """The main file of the paper of a study."""
    return study / load(study).papers[0].source


def read(study):
    """The versions of a study, and how many of them are known by what they were read from."""
    with Store(study) as store:
        found = kept(study, load(study), store)
        return [copy.version.manuscript for copy in found.copies], len(
            store.records(reread.READING, reread.Reading)
        )


def test_what_the_ledger_holds_is_what_reading_again_gives(study):
    """To the last field; and a paper that has changed beside its errors is read again."""
    before, count = read(study)
    assert count == len(before) - 1 > 1
    for version in sorted((study / "papers").glob("*/versions/*")):
        changed = {path.name: path.read_bytes() for path in version.glob("*.tex")}
        again = versions.with_contents(source(study), changed)
        assert again.id in {each.id for each in before}
        (same,) = (each for each in before if each.id == again.id)
        assert again.blocks == same.blocks
        assert again.gaps == same.gaps
    assert read(study) == (before, count)
    more = source(study).with_name("more.tex")
    more.write_text(more.read_text().replace("Nothing", "No line"))
    after, further = read(study)
    assert further == 2 * count
    assert all(any("No line was left out." in block.text for block in each.blocks) for each in after)


def test_another_reading_under_the_same_id_is_not_taken_for_it(study):
    """The id of a version says nothing of places; a remark that grows moves all of them."""
    before, _ = read(study)
    more = source(study).with_name("more.tex")
    more.write_text("% a remark that moves what follows\n" + more.read_text())
    after, _ = read(study)
    assert [each.id for each in after] == [each.id for each in before]
    moved = [
        block.source
        for old, new in zip(before, after, strict=True)
        for here, block in zip(old.blocks, new.blocks, strict=True)
        if here.source != block.source
    ]
    assert len(moved) == len(after)
    assert read(study)[0] == after
