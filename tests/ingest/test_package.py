"""The manuscript package, written; and what a request makes of it."""

import json
from hashlib import sha256
from itertools import pairwise
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.packages import BLOCKS, FIGURES, IMAGES, PAPER, image, manuscript, manuscripts
from rereview.errors import UnusableInput
from rereview.ingest import package
from rereview.types.manuscript import Block, Figure, Manuscript


def held(paper=PAPER):
    files = package.files(paper, image)
    return files, json.loads(files["text.json"]), json.loads(files["index.json"])


def test_every_field_of_a_manuscript_has_a_place_in_a_package():
    """One that is added later must be given one, or it would be lost in silence."""
    assert {*Manuscript.model_fields} == {*package.Known.model_fields, "blocks", "figures", "sequence"}
    assert {*Block.model_fields} == {*package.TextRecord.model_fields}
    assert {*Figure.model_fields} - {"id", "after"} == {*package.ImageEntry.model_fields} - {"image"}


def test_a_record_has_id_page_kind_and_text():
    """Each of the four is there in every record, a page that is not known as null."""
    _, text, _ = held()
    assert [(each["id"], each["page"], each["kind"], each["text"]) for each in text["records"]] == [
        ("i1", None, "instruction", "Read the images where they stand."),
        *((block.id, block.page, block.kind, block.text) for block in BLOCKS[1:]),
    ]


def test_the_index_interleaves_text_and_images():
    """By ids, in reading order; an image has its path and its SHA-256."""
    _, _, index = held()
    assert [each.get("text") or each["image"] for each in index["sequence"]] == list(PAPER.sequence)
    images = [each for each in index["sequence"] if "image" in each]
    assert [each["sha256"] for each in images] == [figure.sha256 for figure in FIGURES]
    assert images[2]["path"] is None


def test_the_original_images_are_stored_under_their_hash():
    """Byte for byte; the name that the paper gave is no path."""
    files, _, index = held()
    for entry, name in zip((each for each in index["sequence"] if "image" in each), IMAGES, strict=False):
        if entry["path"] is not None:
            assert files[entry["path"]] == IMAGES[name]
            assert PurePosixPath(entry["path"]).stem == sha256(IMAGES[name]).hexdigest()[:32]
    assert {name[-4:] for name in files if name.startswith("figures/")} == {".png", ".jpg"}


@pytest.mark.parametrize("path", ["../../etc/passwd", "a.png/../../x.exe", "/etc/x.sh", "a.b/c d\n.png "])
def test_no_name_of_a_paper_leads_outside(path):
    """Whatever a figure is called: its stored name is hex digits and an ending of the list."""
    paper = manuscript(BLOCKS, [Figure(id="f1", path=path, after="b3")])
    stored = [name for name in package.files(paper, lambda _: b"image") if name.startswith("figures/")]
    assert stored == [f"figures/{sha256(b'image').hexdigest()[:32]}"]


def test_the_index_comes_last():
    """A package that was cut short while it was written has none, and is no package."""
    assert list(package.files(PAPER, image))[-1] == "index.json"


def test_an_image_that_changed_since_it_was_read_is_an_error():
    """Its hash is that of the manuscript, or nothing is written."""
    with pytest.raises(UnusableInput, match="changed"):
        package.files(PAPER, lambda _: b"another")


def test_without_a_sequence_each_figure_follows_its_block():
    """One that stands before all blocks comes first."""
    figures = (Figure(id="f0", path=None), Figure(id="f1", path=None, after="b3"))
    index = json.loads(package.files(manuscript(BLOCKS, figures), image)["index.json"])
    names = [each.get("text") or each["image"] for each in index["sequence"]]
    assert names == ["f0", "i1", "b1", "b2", "b3", "f1", "b4", "b5", "b6"]


def test_leading_instructions_and_page_markers_are_protected():
    """An environment that is called so in the middle of a paper is none."""
    later = Block(id="b7", text="Stir.", kind="paragraph", environment="instruction")
    assert [block.id for block in package.protected(manuscript((*BLOCKS, later)))] == ["i1", "b1", "b5"]
    _, text, _ = held(manuscript((*BLOCKS, later)))
    assert text["records"][-1]["kind"] == "paragraph"


@given(manuscripts(), st.none() | st.integers(0, 60))
def test_merging_keeps_every_record_and_the_order(paper, longest):
    """The ids of the parts are the sequence, their texts those of the records, and images stand alone."""
    parts = package.parts(paper, longest=longest)
    assert tuple(name for part in parts for name in part.ids) == paper.sequence
    for part in parts:
        if part.figure is None:
            assert part.text == "\n\n".join(paper.by_id[name].text for name in part.ids)
            assert longest is None or len(part.ids) == 1 or len(part.text) <= longest
        else:
            assert (part.text, part.ids) == (None, (part.figure.id,))


@given(manuscripts())
def test_neighbouring_text_is_merged(paper):
    """Without a limit no two parts of text stand side by side."""
    texts = [part.text is not None for part in package.parts(paper)]
    assert not any(one and other for one, other in pairwise(texts))


def test_size_counts_page_markers_and_entries_of_images():
    """Code points of all records; a paper without pages has no page count."""
    assert package.size(PAPER) == (2, 3, 7, sum(len(block.text) for block in BLOCKS))
    assert package.size(manuscript([Block(id="b", text="é", kind="paragraph")])) == (None, 0, 1, 1)
