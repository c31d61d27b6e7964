"""Bibliographies: data bases, printed lists, and which entries a paper shows."""

import pytest

from rereview.ingest.bibliography import bibitems, cited, entries, reference
from rereview.ingest.flatten import Sourced
from rereview.ingest.latex import read
from rereview.text.latex import tokens
from rereview.types.manuscript import SourceRun

BIB = """% a comment
@string{jmlr = "J. Mach. Learn. Res."}
@comment{@article{no, title={No}}}
@article{one,
  author = {Ho, Jonathan and Jain, Ajay},
  title  = {{D}enoising
            Models},
  journal = jmlr # { (Extra)},
  volume = 33, number = "4", pages = {1--9},
  year = 2020,
}
@book(two, title = "The {"}Book{"}", publisher={Press}, year={1999})
@article{one, title={A double}}
@misc{three, author={Erd\\H{o}s, P{\\'a}l}, title={Why?}, date={2021-05-01}, howpublished={\\url{x}}}
@online{four, url={only}}
"""


def whole(text, name="a.bib"):
    """A text that is a file."""
    return Sourced(text, (SourceRun(file=name, start=0, end=len(text), text_start=0),))


def exact(text, runs, source):
    """Every run of a text stands in the source."""
    return all(text[r.text_start : r.text_start + r.end - r.start] == source[r.start : r.end] for r in runs)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (
            "one",
            "Ho, Jonathan and Jain, Ajay. 2020. Denoising Models. J. Mach. Learn. Res. (Extra) 33(4): 1--9.",
        ),
        ("two", '1999. The "Book". Press.'),
        ("three", "Erd\\H{o}s, P{\\'a}l. 2021. Why? \\url{x}."),
        ("four", "four"),
    ],
)
def test_an_entry_reads_as_a_reference(key, text):
    """Its values are runs of the file, without braces that only keep letters; the rest is glue."""
    found = reference(entries(whole(BIB))[key])
    assert found.text == text
    assert exact(found.text, found.runs, BIB)


def test_the_values_of_an_entry_are_sourced():
    """Authors, year, title and venue; what stands between them is not."""
    found = reference(entries(whole(BIB))["two"])
    assert [BIB[r.start : r.end] for r in found.runs] == ["1999", "The ", '"', "Book", '"', "Press"]


@pytest.mark.parametrize("damage", ["@article{x, title = {open", "@article{x", "@article{", "@", "@a{b,c=}"])
def test_a_broken_entry_does_not_hide_the_others(damage):
    """What stands before it is read."""
    assert "one" in entries(whole(BIB + damage))


def test_citations_are_found_in_every_form():
    """With options, several keys, starred; not in comments, and each key once."""
    text = (
        "\\cite{a, b} \\citep[see][p.~1]{c} \\Citet*{d} \\parencite{a} % \\cite{no}\n"
        "\\nocite{*} \\textcite{e} \\setcitestyle{x}"
    )
    assert cited(text, tokens(text)) == ["a", "b", "c", "d", "*", "e"]


def test_printed_entries_are_found():
    """With their keys, also with an optional label."""
    source = "\\bibitem[A(1)]{a} Alpha.\n\\newblock More.\n\\bibitem{b}\nBeta."
    found = list(bibitems(whole(source), 0, len(source)))
    assert [(key, source[slice(*span)].strip()) for key, span in found] == [
        ("a", "Alpha.\n\\newblock More."),
        ("b", "Beta."),
    ]


def paper(folder, body, **files):
    """Read a paper with further files."""
    (folder / "main.tex").write_text(f"\\documentclass{{a}}\\begin{{document}}{body}\\end{{document}}")
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)
    return read(folder)


def labels(manuscript):
    """The keys of the references."""
    return [b.labels[0] for b in manuscript.blocks if b.kind == "reference"]


def test_only_cited_entries_are_shown_in_order_of_citation(tmp_path):
    """Each once; a key without an entry makes none."""
    body = "A \\cite{two,gone} \\cite{one} \\cite{two}.\\bibliography{refs}"
    m = paper(tmp_path, body, refs__bib=BIB)
    assert labels(m) == ["two", "one"]
    assert m.gaps == ()
    assert m.blocks[-1].source[0].file == "refs.bib"


def test_nocite_shows_all(tmp_path):
    """What is cited comes first."""
    m = paper(tmp_path, "A \\cite{two}.\\nocite{*}\\printbibliography", refs__bib=BIB)
    assert labels(m) == []
    body = "\\addbibresource{refs.bib}A \\cite{two}.\\nocite{*}\\printbibliography"
    assert labels(paper(tmp_path, body, refs__bib=BIB)) == ["two", "one", "three", "four"]


def test_a_printed_list_beside_the_paper_is_what_readers_see(tmp_path):
    """The .bbl file wins over the data base."""
    printed = "\\begin{thebibliography}{1}\\bibitem{two} %\n Printed.\\end{thebibliography}"
    m = paper(tmp_path, "A \\cite{two}.\\bibliography{refs}", refs__bib=BIB, main__bbl=printed)
    assert m.blocks[-1].text == "Printed."
    assert m.blocks[-1].source[0].file == "main.bbl"


def test_a_data_base_inside_the_paper_is_read(tmp_path):
    """As filecontents write it; its runs lie in the file of the paper."""
    body = "A \\cite{one}.\\bibliography{in}"
    source = f"\\begin{{filecontents*}}{{in.bib}}\n{BIB}\\end{{filecontents*}}{body}"
    m = paper(tmp_path, source)
    assert labels(m) == ["one"]
    assert m.blocks[0].text == "A \\cite{one}."
    assert exact(m.blocks[-1].text, m.blocks[-1].source, (tmp_path / "main.tex").read_text())


def test_a_missing_data_base_is_a_gap(tmp_path):
    """Named as the paper names it."""
    m = paper(tmp_path, "A \\cite{one}.\\bibliography{gone,refs}", refs__bib=BIB)
    assert [(gap.kind, gap.name) for gap in m.gaps] == [("bibliography", "gone")]
    assert labels(m) == ["one"]
