"""Papers in archives, and archives that attack."""

import gzip
import io
import subprocess
import sys
import tarfile
import time
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest import archive
from rereview.ingest.base import image_of, read
from rereview.ingest.streams import Caps

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "adaptive_dual_scale_denoising"
PNG = b"\x89PNG\r\n\x1a\n not looked into"
MAIN = (
    b"\\documentclass{article}\\begin{document}\\section{One}\\input{sec/two}"
    b"\\includegraphics{figs/a}\\end{document}"
)
TWO = b"The second file, with text."
SMALL = Caps(total=200_000, member=20_000, members=50, ratio=20, small=1_000)


def tar(*members, mode="w", form=tarfile.PAX_FORMAT):
    """An archive of (name, content) pairs, or of TarInfo objects without content."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode, format=form) as made:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                made.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                made.addfile(info, io.BytesIO(member[1]))
    return data.getvalue()


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zipped(*members, compression=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as made:
        for name, content in members:
            made.writestr(name, content)
    return data.getvalue()


def link(name, mode=0o120777):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def members(tmp_path, data, caps=SMALL, name="paper.bin"):
    path = tmp_path / name
    path.write_bytes(data)
    return dict(archive.members(path, caps).contents)


PAPER = (("p/main.tex", MAIN), ("p/sec/two.tex", TWO), ("p/figs/a.png", PNG))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("My paper.zip", zipped(*PAPER)),
        ("My paper.tar", tar(*PAPER)),
        ("My paper.tar.gz", gzip.compress(tar(*PAPER, form=tarfile.GNU_FORMAT))),
        ("My paper.tgz", tar(*PAPER, mode="w:gz", form=tarfile.USTAR_FORMAT)),
        ("My paper", gzip.compress(tar(*PAPER))),
    ],
)
def test_an_archive_gives_the_paper_of_its_folder(tmp_path, name, data):
    """Same blocks, figures and images; called after the archive."""
    for member, content in PAPER:
        path = tmp_path / "folder" / member
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    packed = tmp_path / name
    packed.write_bytes(data)
    paper = read(packed)
    assert paper.but(paper_id="p", title="") == read(tmp_path / "folder" / "p").but(paper_id="p", title="")
    assert paper.paper_id == "my-paper"
    assert paper.figures[0].sha256 == sha256(PNG).hexdigest()
    assert image_of(packed, paper.figures[0]) == PNG
    assert image_of(tmp_path / "folder" / "p", paper.figures[0]) == PNG


FIGURE = b"%PDF-1.4\n% a figure, not compressed once more\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("paper.zip", zipped(("a.pdf", FIGURE), *PAPER, compression=zipfile.ZIP_STORED)),
        ("paper.tar", tar(("a.pdf", FIGURE), *PAPER)),
    ],
)
def test_a_figure_that_comes_first_is_not_the_paper(tmp_path, name, data):
    """Stored as it is, it begins within the first bytes of the archive."""
    (tmp_path / name).write_bytes(data)
    assert FIGURE in data[:1024]
    assert read(tmp_path / name).format == "latex"


def test_an_archive_with_another_paper_says_which(tmp_path):
    """That one is to be taken out."""
    path = tmp_path / "paper.zip"
    path.write_bytes(zipped(("p/My paper.pdf", FIGURE)))
    with pytest.raises(UnusableInput, match=r"here, but what is read by itself: p/My paper\.pdf; expected"):
        read(path)


def test_a_real_paper_in_an_archive_is_the_same_paper(tmp_path):
    """The example that is shipped, as arXiv would give it."""
    packed = tmp_path / "2501.01234v2.tar.gz"
    with tarfile.open(packed, "w:gz") as made:
        made.add(EXAMPLE, arcname=".")
    paper, folder = read(packed), read(EXAMPLE)
    assert paper.id == folder.id
    assert paper.paper_id == "2501.01234v2"
    shown = [figure for figure in paper.figures if figure.path]
    assert shown
    for figure in shown:
        assert sha256(image_of(packed, figure)).hexdigest() == figure.sha256


def test_a_gzipped_file_of_latex_is_a_paper(tmp_path):
    """As arXiv gives papers of one file, with no ending in the name or with `.gz`."""
    source = b"\\documentclass{article}\\begin{document}Only text.\\end{document}"
    for name in ("2501.01234v1", "2501.01234v1.gz", "2501.01234v1.tex.gz"):
        (tmp_path / name).write_bytes(gzip.compress(source))
        paper = read(tmp_path / name)
        assert [block.text for block in paper.blocks] == ["Only text."]
        assert paper.paper_id == "2501.01234v1"


def test_links_lead_to_members_only(tmp_path):
    """A link to a member is that member, whether soft or hard; any other link is not there."""
    data = tar(
        ("a/x.tex", b"words"),
        special("a/soft.tex", tarfile.SYMTYPE, "../a/./x.tex"),
        special("b/hard.tex", tarfile.LNKTYPE, "a/x.tex"),
        special("chain.tex", tarfile.SYMTYPE, "a/soft.tex"),
        special("out.tex", tarfile.SYMTYPE, "../../etc/passwd"),
        special("root.tex", tarfile.SYMTYPE, "/etc/passwd"),
        special("hardout.tex", tarfile.LNKTYPE, "../../etc/passwd"),
        special("c1.tex", tarfile.SYMTYPE, "c2.tex"),
        special("c2.tex", tarfile.SYMTYPE, "c1.tex"),
        special("dev", tarfile.CHRTYPE),
        special("disk", tarfile.BLKTYPE),
        special("pipe", tarfile.FIFOTYPE),
        special("folder", tarfile.DIRTYPE),
    )
    found = members(tmp_path, data)
    assert sorted(found) == ["a/soft.tex", "a/x.tex", "b/hard.tex", "chain.tex"]
    assert set(found.values()) == {b"words"}
    data = zipped(
        ("x.tex", b"words"),
        (link("soft.tex"), "x.tex"),
        (link("out.tex"), "../../etc/passwd"),
        (link("device", 0o020777), ""),
    )
    assert sorted(members(tmp_path, data)) == ["soft.tex", "x.tex"]


@pytest.mark.parametrize(
    "name",
    [
        "../x.tex",
        "a/../../x.tex",
        "..\\x.tex",
        "a/b/../../../x",
        "/etc/x.tex",
        "\\\\host\\share\\x.tex",
        "C:\\x.tex",
        "c:x.tex",
    ],
)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_names_that_lead_outside_refuse_the_archive(tmp_path, pack, name):
    """Relative ones, absolute ones, and those of Windows; nothing is written."""
    with pytest.raises(UnusableInput, match=r"leads outside of the archive|has an absolute name"):
        members(tmp_path, pack((name, b"x")))
    assert [path.name for path in tmp_path.rglob("*")] == ["paper.bin"]


@pytest.mark.parametrize(
    "name", ["a\u202ex.tex", "a\u200bb.tex", "a\nb.tex", "a\x1b[31m.tex", "\U000e0041.tex"]
)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_names_with_invisible_characters_refuse_the_archive(tmp_path, pack, name):
    """The message shows them escaped, on one line."""
    with pytest.raises(UnusableInput, match="invisible characters") as caught:
        members(tmp_path, pack((name, b"x")))
    assert str(caught.value).isprintable()


def test_a_name_ends_at_its_nul(tmp_path):
    """As every other reader of archives has it; in an extended header it refuses the archive."""
    data = bytearray(tar(("a.tex", b"x"), form=tarfile.USTAR_FORMAT))
    data[5:12] = b"\0/../../"[:7]
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert sorted(members(tmp_path, bytes(data))) == ["a.tex"]
    info = tarfile.TarInfo("a.tex")
    info.pax_headers = {"path": "a\0b.tex"}
    with pytest.raises(UnusableInput, match="invisible characters"):
        members(tmp_path, tar(info))


@pytest.mark.parametrize("pack", [tar, zipped])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_different_members_of_one_name_refuse_the_archive(tmp_path, pack):
    """Which of them is the paper cannot be known; the same twice is harmless, and so is another case."""
    same = members(tmp_path, pack(("x.tex", b"1"), ("./x.tex", b"1"), ("X.tex", b"2")))
    assert same == {"x.tex": b"1", "X.tex": b"2"}
    with pytest.raises(UnusableInput, match=r"two different members are called 'x.tex'"):
        members(tmp_path, pack(("x.tex", b"1"), ("a/../x.tex", b"2")))
    with pytest.raises(UnusableInput, match=r"two different members are called 'é"):
        members(tmp_path, pack(("\u00e9.tex", b"1"), ("e\u0301.tex", b"2")))


def test_what_systems_leave_behind_is_not_a_member(tmp_path):
    """The resource forks of a Mac end in `.tex` too."""
    data = zipped(("main.tex", b"x"), ("__MACOSX/._main.tex", b"\0fork"), ("a/._b.tex", b"\0"))
    assert sorted(members(tmp_path, data)) == ["main.tex"]


NOISE = b"".join(sha256(bytes([i % 256, i // 256])).digest() for i in range(1500))
BOMBS = {
    "a zip member": (zipped(("a.tex", b"\0" * 60_000)), "bomb"),
    "many zip members": (
        zipped(*((f"{i}", bytes(range(256)) * 60) for i in range(30)), compression=zipfile.ZIP_STORED),
        "more than 0 MiB|MiB, more than",
    ),
    "a gzipped file": (gzip.compress(b"\\" + b"a" * 300_000), "bomb"),
    "a tar.gz": (gzip.compress(tar(("a.tex", b"\0" * 60_000))), "bomb"),
    "a tar": (tar(*((f"{i}", b"x" * 9000) for i in range(30))), "more than"),
    "members of a tar": (tar(*((f"{i}", b"") for i in range(51))), "more than 50 members"),
    "members of a zip": (zipped(*((f"{i}", b"") for i in range(51))), "more than 50 members"),
    "nested gzip": (gzip.compress(gzip.compress(b"\\documentclass")), "gzip inside gzip"),
    "zip in gzip": (gzip.compress(zipped(("a", b"b"))), "a ZIP archive inside gzip"),
    "pdf in gzip": (gzip.compress(b"%PDF-1.5"), "a PDF inside gzip"),
    "a tar.gz that unfolds five times": (
        gzip.compress(tar(*((f"{i}", NOISE[i * 1600 :][:1600] + b"\0" * 8000) for i in range(25)))),
        "MiB when unpacked",
    ),
    "a zip with a directory elsewhere": (
        zipped(("a.tex", b"x"))[:-22] + b"PK\x06\x07" + b"\0" * 16 + zipped(("a.tex", b"x"))[-22:],
        "more than 50 members",
    ),
    "many gzip streams": (gzip.compress(b"") * 70 + gzip.compress(b"x"), "more than 64 gzip streams"),
    "no LaTeX in gzip": (gzip.compress(b"<html>"), "no LaTeX"),
    "half a gzip": (gzip.compress(tar(*PAPER))[:-40], "damaged"),
    "a gzip with a wrong sum": (gzip.compress(MAIN)[:-8] + b"\0" * 8, "damaged"),
    "half a tar": (tar(*PAPER)[:700], "damaged"),
    "half a zip": (zipped(*PAPER)[:-30], "no directory"),
    "a wrong sum in tar": (b"q" + tar(*PAPER)[1:], "wrong checksum"),
    "nothing in tar": (b"\0" * 1024, "no member"),
    "nothing of the kind": (b"just words" * 100, "no tar"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_and_damage_are_refused_in_one_line(tmp_path, name):
    """With what is wrong and what would be right."""
    data, message = BOMBS[name]
    with pytest.raises(UnusableInput, match=message) as caught:
        members(tmp_path, data)
    assert str(caught.value).isprintable()
    assert "; expected LaTeX source" in str(caught.value)


def test_an_encrypted_zip_is_refused(tmp_path):
    """It says so."""
    data = bytearray(zipped(("main.tex", b"x" * 50)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(UnusableInput, match="encrypted"):
        members(tmp_path, bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_in_a_zip_are_refused(tmp_path, method):
    """They need memory that no cap here counts."""
    with pytest.raises(UnusableInput, match="compressed by method"):
        members(tmp_path, zipped(("main.tex", b"x" * 500), compression=method))


def test_a_directory_that_lies_about_sizes_gives_no_more_than_it_says(tmp_path):
    """The sum of the member is then wrong, and the archive damaged."""
    data = bytearray(zipped(("main.tex", bytes(range(256)) * 20)))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    with pytest.raises(UnusableInput, match="damaged"):
        members(tmp_path, bytes(data))


def test_a_member_over_the_cap_is_left_out(tmp_path):
    """A paper with one huge picture is still a paper."""
    huge = b"".join(sha256(bytes([i, j])).digest() for i in range(9) for j in range(100))
    for pack in (tar, zipped):
        found = members(tmp_path, pack(("main.tex", b"x"), ("huge.png", huge), ("z.tex", b"y")))
        assert found == {"main.tex": b"x", "z.tex": b"y"}


def test_headers_of_a_tar_are_capped(tmp_path):
    """A long name of megabytes is refused before it is read."""
    info = tarfile.TarInfo("n" * 100_000)
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        with pytest.raises(UnusableInput, match="a header of 100"):
            members(tmp_path, tar(info, form=form))


def test_long_names_are_whole(tmp_path):
    """In each of the three ways in which a tar writes them."""
    name = "/".join(["folder-with-a-long-name"] * 6) + "/é.tex"
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
        assert sorted(members(tmp_path, tar((name, b"x"), ("b.tex", b"y"), form=form))) == ["b.tex", name]


def test_no_number_of_members_costs_much(tmp_path):
    """A million members, a negative size and a gzip that never ends: refused in seconds and little memory."""
    million = tmp_path / "million.zip"
    entry = b"PK\x01\x02" + b"\0" * 24 + (1).to_bytes(2, "little") + b"\0" * 16 + b"x"
    end = b"PK\x05\x06" + b"\0" * 4 + b"\xff\xff" * 2 + (47 * 10**6).to_bytes(4, "little") + b"\0" * 6
    million.write_bytes(entry * 10**6 + end)
    tars = tmp_path / "million.tar.gz"
    header = tar(("x", b""), form=tarfile.USTAR_FORMAT)[:512]
    tars.write_bytes(gzip.compress(header * 20_000, 1))
    endless = tmp_path / "endless.gz"
    endless.write_bytes(gzip.compress(b"\\" + b"\0" * 30_000_000, 1) * 20)
    negative = tmp_path / "negative.tar"
    size = bytearray(header)
    size[124:136] = b"\xff" * 12
    size[148:156] = b" " * 8
    size[148:156] = b"%06o\0 " % sum(size)
    negative.write_bytes(bytes(size) * 3)
    for path, message in (
        (million, "members"),
        (tars, "members"),
        (endless, "bomb"),
        (negative, "head|damag"),
    ):
        start = time.process_time()
        with pytest.raises(UnusableInput, match=message):
            read(path)
        assert time.process_time() - start < 3


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_full_archive_stays_within_memory(tmp_path):
    """Under the caps for everybody: at most 300 MiB for what unfolds as far as it may."""
    packed = tmp_path / "full.zip"
    noise = bytes((i * 7919 >> 3) & 255 for i in range(1 << 16))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for number in range(30):
            made.writestr(f"{number}.dat", noise * 150)
    code = (
        "import sys; from pathlib import Path; from rereview.ingest.archive import members\n"
        "try: members(Path(sys.argv[1]))\n"
        "except Exception as error: print(error)\n"
        # Not ru_maxrss: that of a child begins at what its parent had.
        "status = Path('/proc/self/status').read_text()\n"
        "print(status.split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(packed)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    said, memory = done.stdout.strip().rsplit("\n", 1)
    assert "more than 200 MiB when unpacked" in said or "bomb" in said
    assert int(memory) <= 300 * 1024


ORIGINALS = [zipped(*PAPER), tar(*PAPER), gzip.compress(tar(*PAPER)), gzip.compress(MAIN)]


@settings(deadline=None, max_examples=150)
@given(
    which=st.integers(0, 3),
    changes=st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), min_size=1, max_size=6),
    cut=st.integers(0, 40),
)
def test_any_damage_gives_files_or_one_line(tmp_path, which, changes, cut):
    """Never another exception."""
    data = bytearray(ORIGINALS[which])
    for place, value in changes:
        data[place % len(data)] = value
    try:
        members(tmp_path, bytes(data[: len(data) - cut]))
    except UnusableInput as error:
        said = str(error)
    else:
        said = ""
    assert "\n" not in said
