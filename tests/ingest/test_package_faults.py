"""The manuscript package, read and checked."""

import json
import os
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.packages import BLOCKS, FIGURES, PAPER, change, image, manuscript, manuscripts, put
from rereview.errors import UnusableInput
from rereview.ingest import base, package, package_faults
from rereview.ingest.shelf import Shelf, unsafe


def faults(folder):
    return [str(fault) for fault in package_faults.checked(folder).faults]


def only(folder):
    """The one fault of a package."""
    found = faults(folder)
    assert len(found) == 1, found
    return found[0]


def test_a_package_that_was_written_has_no_fault(tmp_path):
    """And reads as the manuscript that it was made from, but for the paths of its images."""
    folder = put(tmp_path / "p")
    assert faults(folder) == []
    read = base.read(folder)
    assert read.blocks == PAPER.blocks
    assert read.but(figures=()) == PAPER.but(figures=())
    assert [each.but(path=None) for each in read.figures] == [each.but(path=None) for each in FIGURES]
    assert [base.image_of(folder, each) for each in read.figures] == [image(each) for each in FIGURES]


@settings(max_examples=50, deadline=None)
@given(manuscripts())
def test_nothing_is_lost_on_the_way_there_and_back(tmp_path_factory, paper):
    """Any manuscript is what its package reads as, and that package written again is the same bytes."""
    folder = put(tmp_path_factory.mktemp("p"), paper)
    read = package_faults.read(folder)
    assert read.but(figures=(), paper_id="") == paper.but(figures=(), paper_id="")
    assert [each.but(path=None) for each in read.figures] == [each.but(path=None) for each in paper.figures]
    again = package.files(read, lambda each: base.image_of(folder, each))
    assert again == package.files(paper, image)


def test_a_package_of_four_keys_and_a_sequence_is_read(tmp_path):
    """What others write beside the paper's own description is not needed."""
    folder = tmp_path / "Lakes 1"
    (folder / "figures").mkdir(parents=True)
    records = [
        {"id": "t1", "page": 1, "kind": "title", "text": "On lakes"},
        {"id": "t2", "page": None, "kind": "paragraph", "text": "Two."},
    ]
    (folder / "text.json").write_text(json.dumps({"format": "rereview-package/1", "records": records}))
    sequence = [{"text": "t1"}, {"text": "t2"}]
    (folder / "index.json").write_text(json.dumps({"format": "rereview-package/1", "sequence": sequence}))
    paper = base.read(folder)
    assert (paper.paper_id, paper.title, paper.sequence) == ("lakes-1", "On lakes", ("t1", "t2"))
    assert faults(folder) == []


def test_a_folder_with_latex_is_no_package(tmp_path):
    """Though a file in it may be called index.json."""
    (tmp_path / "index.json").write_text("{}")
    assert package.is_package(tmp_path)
    (tmp_path / "main.tex").write_text("")
    assert not package.is_package(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("text.json", None, "files: text.json: no such file: 'text.json'"),
        ("text.json", b"", "files: text.json: Invalid JSON: EOF while parsing a value"),
        ("text.json", b'{"records": []}', "files: text.json: format: Field required"),
        ("text.json", b"[" * 100_000, "files: text.json: Invalid JSON: recursion limit exceeded"),
        (
            "text.json",
            b'{"format": "rereview-package/1", "records": "\xff"}',
            "files: text.json: Invalid JSON",
        ),
        (
            "text.json",
            b'{"format": "rereview-package/2", "records": []}',
            "files: text.json: format: Input should",
        ),
        (
            "index.json",
            b'{"format": "rereview-package/1", "sequence": 3}',
            "files: index.json: sequence: Input",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_said(tmp_path, name, content, what):
    """Which one, and where in it; nothing else is then checked."""
    folder = put(tmp_path / "p")
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    assert only(folder).startswith(what)
    with pytest.raises(UnusableInput, match="rereview verify"):
        package_faults.read(folder)


def repeat(held):
    held["records"].append(dict(held["records"][-1]))


def rename(held):
    held["records"][3]["id"] = "b99"


def misorder_pages(held):
    held["records"][1]["page"] = 2


def late_instruction(held):
    held["records"][-1]["kind"] = "instruction"


def page_zero(held):
    held["records"][3]["page"] = 0


def hide_outside(held):
    held["manuscript"]["hidden"][0]["at"]["end"] = 99


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (repeat, "records: text.json, record b6: this id stands more than once"),
        (rename, "sequence: index.json, text b3: no record has this id"),
        (rename, "sequence: text.json, record b99: not in the sequence"),
        (misorder_pages, "records: text.json, record b5: the marker of page 2 after that of page 2"),
        (late_instruction, "records: text.json, record b6: an instruction after the paper has begun"),
        (page_zero, "records: text.json, record b3: page 0; pages count from 1"),
        (hide_outside, "records: text.json, record b3: a tiny passage outside of the text"),
    ],
)
def test_a_record_that_is_not_right_is_named(tmp_path, edit, what):
    """Ids are unique and known, pages ascend, instructions lead."""
    folder = put(tmp_path / "p")
    change(folder, "text.json", edit)
    assert what in faults(folder)
    with pytest.raises(UnusableInput):
        package_faults.read(folder)


def swap(held):
    held["sequence"][2], held["sequence"][3] = held["sequence"][3], held["sequence"][2]


def twice(held):
    held["sequence"].append({"text": "b3"})


def image_twice(held):
    held["sequence"].append(dict(held["sequence"][4]))


def image_as_text(held):
    held["sequence"][4]["image"] = "b2"


def lost_caption(held):
    held["sequence"][4]["caption"] = "b77"


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (swap, "sequence: index.json, text b3: stands where text.json has b2: another order"),
        (twice, "sequence: index.json, text b3: stands more than once"),
        (image_twice, "sequence: index.json, image f1: this id stands more than once"),
        (image_as_text, "sequence: index.json, image b2: the id of a text record"),
        (lost_caption, "sequence: index.json, image f1: its caption b77 is no record"),
    ],
)
def test_a_sequence_that_is_not_right_is_named(tmp_path, edit, what):
    """Each record once and in the order of text.json, each image under an id of its own."""
    folder = put(tmp_path / "p")
    change(folder, "index.json", edit)
    assert only(folder) == what


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("../secret.png", "leads out of the package: '../secret.png'"),
        ("figures/../../secret.png", "leads out of the package"),
        ("figures/..", "leads out of the package"),
        ("/etc/passwd", "an absolute path"),
        ("C:/secret.png", "an absolute path"),
        ("figures\\a.png", "a backslash in the path"),
        ("figures/./a.png", "not a plain path"),
        ("figures//a.png", "not a plain path"),
        ("figures/a.png.", "not a plain path"),
        ("figures/a.png:stream", "not a plain path"),
        ("figures/a\x00.png", "no path"),
        ("figures/a\n.png", "no path"),
        ("", "no path"),
        ("text.json", "not in figures/"),
        ("figures", "not in figures/"),
        ("figures/gone.png", "no such file: 'figures/gone.png'"),
        ("figures/a.png/b", "no folder: 'a.png'"),
        ("figures/" + "a/" * 9, "not a plain path"),
        ("figures/" + "a" * 300, "not a plain path"),
    ],
)
def test_a_path_that_does_not_stay_inside_is_named(tmp_path, path, what):
    """It is neither opened nor guessed at."""
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = put(tmp_path / "p")
    (folder / "figures" / "a.png").write_bytes(b"x")
    change(folder, "index.json", lambda held: held["sequence"][4].update(path=path))
    named = [fault for fault in faults(folder) if fault.startswith("paths:")]
    assert len(named) == 1
    assert named[0].startswith(f"paths: index.json, image f1: {what}")


def test_the_case_of_a_path_is_that_of_the_file(tmp_path):
    """A package that can be read on one system can be read on all."""
    folder = put(tmp_path / "p")
    change(
        folder,
        "index.json",
        lambda held: held["sequence"][4].update(path=held["sequence"][4]["path"].replace(".png", ".PNG")),
    )
    assert "paths: index.json, image f1: the folder has" in faults(folder)[0]


@pytest.mark.parametrize(
    ("one", "other"), [("x.png", "X.png"), ("é.png", unicodedata.normalize("NFD", "é.png"))]
)
def test_two_paths_that_are_one_file_elsewhere_are_named(tmp_path, one, other):
    """Where case or the form of an accent does not count, one of them would be lost."""
    folder = put(tmp_path / "p")
    for at, name in ((4, one), (8, other)):
        entry = json.loads((folder / "index.json").read_text())["sequence"][at]
        (folder / entry["path"]).rename(folder / "figures" / name)
        change(
            folder,
            "index.json",
            lambda held, at=at, name=name: held["sequence"][at].update(path=f"figures/{name}"),
        )
    if len(list((folder / "figures").iterdir())) < 2:
        pytest.skip("this file system takes both for one file")
    assert only(folder).endswith("are one file on some systems")


@pytest.mark.parametrize("what", ["image", "folder", "text"])
def test_a_link_is_not_followed(tmp_path, what):
    """Not even one that leads to the right bytes."""
    folder = put(tmp_path / "p")
    path = json.loads((folder / "index.json").read_text())["sequence"][4]["path"]
    target = {"image": folder / path, "folder": folder / "figures", "text": folder / "text.json"}[what]
    target.rename(tmp_path / "elsewhere")
    target.symlink_to(tmp_path / "elsewhere")
    assert any("a link" in fault for fault in faults(folder))


def test_a_pipe_is_not_waited_for(tmp_path):
    """Only regular files are read."""
    folder = put(tmp_path / "p")
    path = folder / json.loads((folder / "index.json").read_text())["sequence"][4]["path"]
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in only(folder)


def test_another_image_has_another_hash(tmp_path):
    """One byte is enough."""
    folder = put(tmp_path / "p")
    path = json.loads((folder / "index.json").read_text())["sequence"][4]["path"]
    (folder / path).write_bytes(b"image A")
    assert only(folder).startswith("hashes: index.json, image f1: the index gives SHA-256")
    with pytest.raises(UnusableInput, match="hashes"):
        base.read(folder)


def test_an_image_that_is_another_by_now_is_not_given(tmp_path):
    """The hash is checked again when it is loaded; so is the path."""
    folder = put(tmp_path / "p")
    figure = base.read(folder).figures[0]
    (folder / figure.path).write_bytes(b"image A")
    with pytest.raises(UnusableInput, match="not the one that the index speaks of"):
        base.image_of(folder, figure)
    with pytest.raises(UnusableInput, match="leads out"):
        base.image_of(folder, figure.but(path="../text.json"))


def test_an_image_without_a_hash_is_named(tmp_path):
    """There is nothing to check it against."""
    folder = put(tmp_path / "p")
    change(folder, "index.json", lambda held: held["sequence"][4].update(sha256=None))
    assert any("no SHA-256 is given" in fault for fault in faults(folder))


def test_an_image_that_no_entry_names_is_said_but_does_no_harm(tmp_path):
    """The package can still be read; what a system leaves behind is not looked at."""
    folder = put(tmp_path / "p")
    (folder / "figures" / ".DS_Store").write_bytes(b"")
    (folder / "figures" / "more").mkdir()
    (folder / "figures" / "more" / "extra.png").write_bytes(b"")
    assert only(folder) == "unlisted: figures/more/extra.png: no entry of index.json names it"
    assert base.read(folder).id == PAPER.id


def test_edited_text_does_not_keep_the_old_id(tmp_path):
    """An edited paper can never be taken for the one that it was."""
    folder = put(tmp_path / "p")
    change(folder, "text.json", lambda held: held["records"][3].update(text="We saw three lakes."))
    assert only(folder).startswith(f"identity: text.json: the manuscript's id is given as {PAPER.id}")
    assert package_faults.checked(folder).paper.id != PAPER.id


@pytest.mark.parametrize("name", ["../../x", "..", "", "a/b", "A", ".hidden", "a" * 256, "x\n"])
def test_the_name_of_a_paper_is_no_path(tmp_path, name):
    """Folders of studies are called so."""
    folder = put(tmp_path / "p")
    change(folder, "text.json", lambda held: held["manuscript"].update(paper_id=name))
    assert only(folder).startswith("identity: text.json: paper_id is ")
    with pytest.raises(UnusableInput):
        base.read(folder)


@pytest.mark.parametrize("name", ["", "b 1", '"><b>', "x" * 101, "b\n"])
def test_an_id_is_letters_and_digits(tmp_path, name):
    """It goes into addresses and pages; of records and of images."""
    folder = put(tmp_path / "p")
    change(folder, "index.json", lambda held: held["sequence"][4].update(image=name))
    assert "its id is not 1 to 100 letters" in only(folder)
    folder = put(tmp_path / "q")
    change(folder, "text.json", lambda held: held["records"][6].update(id=name))
    change(folder, "index.json", lambda held: held["sequence"][7].update(text=name))
    assert "its id is not 1 to 100 letters" in only(folder)


def edited(name, **fields):
    return manuscript(
        [block.but(**fields) if block.id == name else block for block in BLOCKS], FIGURES, PAPER.sequence
    )


def against(paper):
    compared = package_faults.against(paper, PAPER)
    return compared.edited, [str(fault) for fault in compared.faults]


def test_a_revision_that_edits_text_passes():
    """The edited records are counted."""
    assert against(PAPER) == ((), [])
    assert against(edited("b3", text="We saw three lakes.")) == (("b3",), [])


@pytest.mark.parametrize(
    ("paper", "what"),
    [
        (edited("i1", text="Be kind."), "protected: record i1: its text was changed, and it is protected"),
        (edited("b5", text="Page 3"), "protected: record b5: its text was changed, and it is protected"),
        (edited("b3", page=2), "fields: record b3: page is 2, and in the original 1"),
        (edited("b3", kind="table"), "fields: record b3: kind is 'table', and in the original 'paragraph'"),
        (manuscript(BLOCKS[:-1], FIGURES), "order: text.json: 6 records, and the original has 7"),
        (
            manuscript((*BLOCKS[:3], BLOCKS[6], *BLOCKS[4:6], BLOCKS[3]), FIGURES),
            "order: text.json: record 4 is b6, and in the original b3",
        ),
        (manuscript(BLOCKS, FIGURES[:1]), "images: index.json: 1 image, and the original has 3"),
        (manuscript(BLOCKS[:1], FIGURES), "order: text.json: 1 record, and the original has 7"),
        (manuscript(BLOCKS, FIGURES[:2]), "images: index.json: 2 images, and the original has 3"),
        (
            manuscript(BLOCKS, (FIGURES[0].but(sha256="0"), *FIGURES[1:])),
            f"images: image f1: sha256 is '0', and in the original {FIGURES[0].sha256!r}",
        ),
        (
            manuscript(BLOCKS, (FIGURES[0].but(after="b2"), *FIGURES[1:])),
            "images: image f1: after is 'b2', and in the original 'b3'",
        ),
    ],
)
def test_a_revision_that_changes_more_than_text_is_named(paper, what):
    """Order, fields beside text, protected records, images: each in a line."""
    assert against(paper)[1] == [what]


@given(st.text(st.sampled_from("ab./\\:~ \x00\n…é%"), max_size=12))
def test_a_safe_path_stays_inside(name):
    """Whatever is not called unsafe leads, by the rules of any system, to somewhere below the folder."""
    if unsafe(name) is None:
        assert os.path.normpath(name) == name
        assert not name.startswith("/")
        assert "\\" not in name
        assert not name.startswith("..")


def test_a_file_is_read_up_to_a_size(tmp_path):
    """A package from elsewhere may be of any size."""
    folder = put(tmp_path / "p")
    assert len(Shelf(folder).content("text.json", 10_000)) > 100
    with pytest.raises(Exception, match="more than 100"):
        Shelf(folder).content("text.json", 100)
