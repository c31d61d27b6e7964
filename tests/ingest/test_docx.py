"""A paper in DOCX as a manuscript. The files are written here, part by part."""

import time
import zipfile
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest.archive import members
from rereview.ingest.base import image_of, read
from rereview.ingest.docx_look import Styles, W
from rereview.ingest.docx_package import Package
from rereview.text.tables import cells

NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
OFFICE = "http://schemas.openxmlformats.org"
TYPE = f"{OFFICE}/officeDocument/2006/relationships"
LINKS = f"{OFFICE}/package/2006/relationships"
STYLES = (
    '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>'
    '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="My heading"/>'
    '<w:basedOn w:val="berschrift2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Toc1"><w:name w:val="toc 1"/></w:style>'
    '<w:style w:type="character" w:styleId="Ghost"><w:name w:val="ghost"/>'
    '<w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Ghost2">'
    '<w:name w:val="ghost2"/><w:basedOn w:val="Ghost"/></w:style>'
    '<w:style w:type="table" w:styleId="Dark"><w:name w:val="dark"/><w:tblStylePr w:type="firstRow">'
    '<w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr></w:tblStylePr></w:style>'
)
PNG = b"\x89PNG\r\n\x1a\n not looked into"


def link(name, kind, target, mode=""):
    return f'<Relationship Id="{name}" Type="{TYPE}/{kind}" Target="{target}"{mode}/>'


def docx(path, body, links="", extra=(), head="", **parts):
    """Write a DOCX with this body; further parts by name, as the inside of their root element."""
    parts = {"styles": STYLES, **parts}
    own = "".join(link(name, name, f"{name}.xml") for name in parts) + links
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        main = link("r", "officeDocument", "word/document.xml")
        made.writestr("_rels/.rels", f'<Relationships xmlns="{LINKS}">{main}</Relationships>')
        links = f'<Relationships xmlns="{LINKS}">{own}</Relationships>'
        made.writestr("word/_rels/document.xml.rels", links)
        made.writestr("word/document.xml", f"{head}<w:document {NAMES}><w:body>{body}</w:body></w:document>")
        for name, inside in parts.items():
            made.writestr(f"word/{name}.xml", f"<w:{name} {NAMES}>{inside}</w:{name}>")
        for name, content in extra:
            made.writestr(name, content)
    return path


def r(text, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(inside, style="", properties=""):
    inside = inside if inside.startswith("<") else r(inside)
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inside}</w:p>"


def m(text, properties=""):
    return f"<m:r><m:rPr>{properties}</m:rPr><m:t>{text}</m:t></m:r>"


def formula(inside):
    return f"<m:oMath>{inside}</m:oMath>"


def paper(tmp_path, body, **options):
    return read(docx(tmp_path / "paper.docx", body, **options))


def shown(manuscript, *fields):
    return [(b.kind, *(getattr(b, each) for each in fields), b.text) for b in manuscript.blocks]


def hidden(manuscript):
    return [(each.kind, each.text) for each in manuscript.hidden]


def test_title_headings_and_paragraphs_come_in_order(tmp_path):
    """Styles are known by their English name, whatever the language of Word; none has a page."""
    found = paper(
        tmp_path,
        p("On Things", "Titel")
        + p("Contents 1", "Toc1")
        + p("Abstract")
        + p("We do.")
        + p("1 Introduction", "berschrift1")
        + p("Words.")
        + p("Deeper", "Own")
        + p("More.")
        + p("References", "berschrift1")
        + p("[1] A. Author. Work. 2020."),
    )
    assert shown(found, "level", "environment", "number") == [
        ("title", None, None, None, "On Things"),
        ("heading", 1, None, None, "Abstract"),
        ("paragraph", None, "abstract", None, "We do."),
        ("heading", 1, None, "1", "1 Introduction"),
        ("paragraph", None, None, None, "Words."),
        ("heading", 2, None, None, "Deeper"),
        ("paragraph", None, None, None, "More."),
        ("heading", 1, None, None, "References"),
        ("reference", None, None, None, "[1] A. Author. Work. 2020."),
    ]
    assert found.blocks[-1].labels == ("1",)
    assert (found.title, found.paper_id, found.format) == ("On Things", "paper", "markdown")
    assert {block.page for block in found.blocks} == {None}


def level(at, form, text, style="", start=1):
    tied = f'<w:pStyle w:val="{style}"/>' if style else ""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{tied}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbered(*levels):
    tied = '<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>'
    return f'<w:abstractNum w:abstractNumId="7">{"".join(levels)}</w:abstractNum>{tied}'


def test_headings_have_the_numbers_that_word_puts_before_them(tmp_path):
    """By the levels of their list, named by the paragraph or tied to its style; deeper ones start anew."""
    lists = numbered(
        level(0, "upperRoman", "%1.", "berschrift1"),
        level(1, "decimal", "%1.%2", "berschrift2"),
        level(2, "bullet", "*"),
    )
    of = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="3"/></w:numPr>'
    name = '<w:name w:val="heading 1"/>'
    styles = STYLES.replace(name, f'{name}<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>')
    body = (
        p("Words before.")
        + p("One", "berschrift1")
        + p("Deep", "berschrift2", of.format(1))
        + p("Deeper", "berschrift2", of.format(1))
        + p("", "berschrift1")
        + p("Three", "berschrift1")
        + p("Again", "berschrift2", of.format(1))
        + p("Mark", "berschrift2", of.format(2))
        + p("No list", "berschrift2", of.format(5).replace('"3"', '"9"'))
        + p("Words.")
    )
    found = paper(tmp_path, body, numbering=lists, styles=styles)
    assert [(b.number, b.text) for b in found.blocks if b.kind == "heading"] == [
        ("I", "One"),
        ("I.1", "Deep"),
        ("I.2", "Deeper"),
        ("III", "Three"),
        ("III.1", "Again"),
        (None, "Mark"),
        (None, "No list"),
    ]


def test_the_one_highest_heading_at_the_start_is_the_title(tmp_path):
    """Of a paper that uses no style for its title; the others count from 1."""
    found = paper(tmp_path, p("A Paper", "berschrift1") + p("One", "berschrift2") + p("Words."))
    assert shown(found, "level")[:2] == [("title", None, "A Paper"), ("heading", 1, "One")]


def test_words_are_shown_as_they_are(tmp_path):
    """Marks of Markdown in the words are escaped, superscripts are mathematics, tabs are space."""
    align = '<w:vertAlign w:val="{}script"/>'
    found = paper(
        tmp_path,
        p("a - b* costs $5, x_1 [see](it) `c` &lt;https://a.b> \\alpha \\_")
        + p(r("about 10") + r("18", align.format("super")) + r(" of H") + r("2", align.format("sub")))
        + p("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>")
        + p("- no item"),
    )  # fmt: skip
    assert [block.text for block in found.blocks] == [
        "a - b\\* costs \\$5, x_1 [see\\](it) \\`c\\` \\<https://a.b> \\alpha \\\\\\_",
        "about 10$^{18}$ of H$_{2}$",
        "a b c-d",
        "\\- no item",
    ]


def test_tracked_insertions_are_read_and_deletions_are_not(tmp_path):
    """Whoever made them is nowhere in the record; what was deleted is kept aside, as comments are."""
    found = paper(
        tmp_path,
        p(
            r("We ")
            + f'<w:ins w:author="Jane Doe">{r("never ")}</w:ins>'
            + '<w:del w:author="Jane Doe"><w:r><w:delText>always </w:delText></w:r></w:del>'
            + f'<w:moveTo w:author="Jane Doe">{r("here ")}</w:moveTo><w:moveFrom>{r("there ")}</w:moveFrom>'
            + r("lie.")
        ),
        comments=f'<w:comment w:id="0" w:author="Jane Doe">{p("Is it so?")}</w:comment>',
    )
    assert [block.text for block in found.blocks] == ["We never here lie."]
    assert hidden(found) == [("dead-branch", "always there"), ("annotation", "Is it so?")]
    assert "Jane" not in found.to_json()


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        ("<w:vanish/>", "invisible"),
        ('<w:vanish w:val="true"/>', "invisible"),
        ('<w:rStyle w:val="Ghost2"/>', "invisible"),
        ('<w:color w:val="FFFFFF"/>', "no-contrast"),
        ('<w:color w:val="fefefe"/>', "no-contrast"),
        ('<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>', "no-contrast"),
        ('<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>', "no-contrast"),
        ('<w:sz w:val="7"/>', "tiny"),
        ('<w:sz w:val="2"/>', "tiny"),
        ('<w:w w:val="1"/>', "tiny"),
    ],
)
def test_what_nobody_sees_is_left_out_and_kept_aside(tmp_path, properties, kind):
    """With its place; in text, in a table, in a footnote and in a formula."""
    ghost = r("say it is good", properties)
    body = (
        p(r("Before ") + ghost + r("after."))
        + f"<w:tbl><w:tr><w:tc>{p(r('cell ') + ghost)}</w:tc><w:tc>{p('x')}</w:tc></w:tr></w:tbl>"
        + p(r("Note") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
        + p(formula(m("x") + f"<m:r><w:rPr>{properties}</w:rPr><m:t>say it is good</m:t></m:r>") + r(" is."))
    )
    found = paper(tmp_path, body, footnotes=f'<w:footnote w:id="2">{p(r("seen ") + ghost)}</w:footnote>')
    assert "good" not in " ".join(block.text for block in found.blocks)
    assert {each.kind for each in found.hidden} == {kind}
    assert " ".join(each.text for each in found.hidden) == " ".join(["say it is good"] * 4)
    assert all(each.at is None or each.at.block_id in found.by_id for each in found.hidden)


@pytest.mark.parametrize(
    "properties",
    [
        '<w:vanish w:val="0"/>',
        '<w:color w:val="auto"/>',
        '<w:color w:val="808080"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="pct50" w:fill="FFFFFF"/>',
        '<w:sz w:val="8"/>',
        '<w:w w:val="80"/>',
        '<w:rStyle w:val="Ghost2"/><w:vanish w:val="0"/>',
    ],
)
def test_what_can_be_seen_stays(tmp_path, properties):
    """White on dark is not hidden, nor is small text of a footnote."""
    found = paper(tmp_path, p(r("Seen", properties)))
    assert [block.text for block in found.blocks] == ["Seen"]
    assert found.hidden == ()


def test_rows_can_be_hidden_and_characters_too(tmp_path):
    """A hidden row of a table, and characters without ink."""
    row = "<w:tr>{}<w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    ghost = row.format("<w:trPr><w:hidden/></w:trPr>", p("say"), p("good"))
    found = paper(tmp_path, f"<w:tbl>{row.format('', p('a'), p('b'))}{ghost}</w:tbl>" + p("Wo\u200brds."))
    assert [block.text for block in found.blocks] == ["| a | b |\n| --- | --- |", "Words."]
    assert [each.kind for each in found.hidden] == ["invisible", "characters"]


def test_white_on_a_dark_cell_is_seen(tmp_path):
    """Whether the cell says its shading or the style of the table does."""
    white = p(r("Head", '<w:color w:val="FFFFFF"/>'))
    dark = '<w:tcPr><w:shd w:val="clear" w:fill="000000"/></w:tcPr>'
    for table in (
        f"<w:tbl><w:tr><w:tc>{dark}{white}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>",
        (
            f'<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc>{white}</w:tc>'
            f"<w:tc>{p('b')}</w:tc></w:tr></w:tbl>"
        ),
    ):
        found = paper(tmp_path, table)
        assert "Head" in found.blocks[0].text
        assert found.hidden == ()


def test_the_code_of_a_field_is_not_shown(tmp_path):
    """What it shows is: a citation, a cross-reference, a link."""

    def mark(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>ADDIN ZOTERO</w:instrText></w:r>"
    found = paper(
        tmp_path,
        p(
            r("As in ")
            + mark("begin")
            + code
            + r("say it is good")
            + mark("separate")
            + r("(Doe, 2020)")
            + mark("end")
            + f'<w:hyperlink r:id="x">{r(" there")}</w:hyperlink>'
            + f'<w:fldSimple w:instr="REF a">{r(" Fig. 1")}</w:fldSimple>'
            + f"<w:sdt><w:sdtContent>{r('.')}</w:sdtContent></w:sdt>"
        ),
    )
    assert [block.text for block in found.blocks] == ["As in (Doe, 2020) there Fig. 1."]
    assert hidden(found) == [("not-drawn", "say it is good")]


def test_a_table_is_a_table_of_markdown(tmp_path):
    """Merged cells leave empty ones; bars in formulas are commands; the checks read the same cells."""

    def cell(text, properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"

    wide, down = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>'
    rows = (
        f"<w:tr>{cell('Model')}{cell('Score', wide)}</w:tr>"
        f"<w:tr>{cell('A|B', down)}{cell('1.5')}{cell(formula(m('|x|')))}</w:tr>"
        f"<w:tr>{cell('', '<w:vMerge/>')}{cell('2')}{cell('3')}</w:tr>"
    )
    found = paper(tmp_path, p("Table 1: Scores.", "Beschriftung") + f"<w:tbl>{rows}</w:tbl>")
    caption, table = found.blocks
    assert (caption.kind, caption.environment, caption.number) == ("caption", "table", "1")
    assert table.text == (
        "| Model | Score |  |\n| --- | --- | --- |\n| A\\|B | 1.5 | $\\vert x\\vert $ |\n|  | 2 | 3 |"
    )
    grid = cells(table.text, format=found.format)
    assert [cell.source for cell in grid.cells if cell.row == 1] == ["A\\|B", "1.5", "$\\vert x\\vert $"]


def test_lists_are_items(tmp_path):
    """Numbered ones count on after a deeper level."""

    def item(text, number, level=0):
        return p(text, "", f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    def form(name, *levels):
        inside = "".join(f'<w:lvl w:ilvl="{i}"><w:numFmt w:val="{f}"/></w:lvl>' for i, f in enumerate(levels))
        return f'<w:abstractNum w:abstractNumId="{name}">{inside}</w:abstractNum>'

    numbering = (
        form(7, "decimal", "decimal")
        + form(8, "bullet")
        + '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
        + '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
    )
    found = paper(
        tmp_path,
        item("one", 1)
        + item("deep", 1, 1)
        + item("two", 1)
        + item("deep", 1, 1)
        + item("dot", 2)
        + item("none", 0),
        numbering=numbering,
    )
    assert shown(found, "environment") == [
        ("paragraph", "enumerate", "1. one"),
        ("paragraph", "enumerate", "1. deep"),
        ("paragraph", "enumerate", "2. two"),
        ("paragraph", "enumerate", "1. deep"),
        ("paragraph", "itemize", "- dot"),
        ("paragraph", None, "none"),
    ]


def test_a_figure_has_its_image_and_its_caption(tmp_path):
    """The image is found again by its path; one that lies outside of the file is never fetched."""
    drawing = '<w:r><w:drawing><a:blip r:embed="{}"/></w:drawing></w:r>'
    body = (
        p("Words.")
        + p(drawing.format("i1"))
        + p("Figure 2. A plot.", "Beschriftung")
        + p('<w:r><w:pict><v:imagedata r:id="i2"/></w:pict></w:r>')
        + p(drawing.format("i3"))
        + p(drawing.format("i4"))
        + p(drawing.format("gone"))
    )
    links = (
        link("i1", "image", "media/image1.png")
        + link("i2", "image", "/word/media/image2.emf")
        + link("i3", "image", "http://127.0.0.1:9/x.png", ' TargetMode="External"')
        + link("i4", "image", "../../../../etc/passwd")
    )
    extra = [("word/media/image1.png", PNG), ("word/media/image2.emf", b"emf")]
    found = paper(tmp_path, body, links=links, extra=extra)
    assert found.sequence == ("b1", "f1", "b2", "f2", "f3", "f4", "f5")
    first = found.figures[0]
    assert (first.path, first.sha256, first.caption, first.after) == (
        "word/media/image1.png",
        sha256(PNG).hexdigest(),
        "b2",
        "b1",
    )
    assert image_of(tmp_path / "paper.docx", first) == PNG
    assert [figure.path for figure in found.figures[1:]] == [None] * 4
    assert found.figures[1].sha256 == sha256(b"emf").hexdigest()
    assert [gap.name for gap in found.gaps] == ["http://127.0.0.1:9/x.png", "etc/passwd", "gone"]


def test_footnotes_and_boxes_follow_their_paragraph(tmp_path):
    """A box that stands in the file in two forms is read once."""
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    both = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    found = paper(
        tmp_path,
        p(r("Text") + '<w:r><w:footnoteReference w:id="5"/></w:r>' + r(" on.") + both) + p("Next."),
        footnotes=f'<w:footnote w:id="5">{p("Aside.")}</w:footnote>',
    )
    assert shown(found, "environment") == [
        ("paragraph", None, "Text[^1] on."),
        ("paragraph", None, "In the box."),
        ("paragraph", "footnote", "[^1]: Aside."),
        ("paragraph", None, "Next."),
    ]


def frac(top, bottom):
    return f"<m:f><m:num>{m(top)}</m:num><m:den>{m(bottom)}</m:den></m:f>"


def sup(base, above):
    return f"<m:sSup><m:e>{m(base)}</m:e><m:sup>{m(above)}</m:sup></m:sSup>"


PLAIN = '<m:sty m:val="p"/>'
FORMULAS = [
    (m("α") + m("≤") + m("β"), r"\alpha \le \beta"),
    (m("X", '<m:scr m:val="double-struck"/>'), r"\mathbb{X}"),
    (m("X", '<m:scr m:val="script"/>') + m("⊂") + m("ℝ"), r"\mathcal{X}\subset \mathbb{R}"),
    (m("v", '<m:sty m:val="b"/>') + m("β", '<m:sty m:val="bi"/>'), r"\mathbf{v}\boldsymbol{\beta}"),
    (m("softmax", PLAIN), r"\mathrm{softmax}"),
    (m("if 100% a_b", "<m:nor/>"), r"\text{if 100\% a\_b}"),
    (frac("a+b", "2"), r"\frac{a+b}{2}"),
    ("<m:f><m:fPr><m:type m:val='noBar'/></m:fPr>" + frac("n", "k")[5:], r"\genfrac{}{}{0pt}{}{n}{k}"),
    (sup("x", "2"), "x^{2}"),
    (sup("ab", "2"), "{ab}^{2}"),
    (sup("f", "′"), "f'"),
    (f"<m:sSub><m:e>{m('x')}</m:e><m:sub>{m('i,j')}</m:sub></m:sSub>", "x_{i,j}"),
    (
        f"<m:sSubSup><m:e>{m('x')}</m:e><m:sub>{m('i')}</m:sub><m:sup>{m('2')}</m:sup></m:sSubSup>",
        "x_{i}^{2}",
    ),
    (f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>{m('x')}</m:e></m:rad>", r"\sqrt{x}"),
    (f"<m:rad><m:deg>{m('3')}</m:deg><m:e>{m('x')}</m:e></m:rad>", r"\sqrt[3]{x}"),
    (
        (f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{m('i=1')}</m:sub><m:sup>{m('n')}</m:sup>"
        f"<m:e>{m('x')}</m:e></m:nary>"),
        r"\sum_{i=1}^{n} x",
    ),
    (f"<m:nary><m:sub/><m:sup/><m:e>{m('f')}</m:e></m:nary>", r"\int f"),
    (f"<m:d><m:e>{m('x')}</m:e></m:d>", r"\left(x\right)"),
    (
        f"<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr><m:e>{m('x')}</m:e></m:d>",
        r"\left\{x\right.",
    ),
    (
        f"<m:d><m:dPr><m:begChr m:val='‖'/><m:endChr m:val='‖'/></m:dPr><m:e>{m('x')}</m:e></m:d>",
        r"\left\Vert x\right\Vert",
    ),
    (f"<m:func><m:fName>{m('log', PLAIN)}</m:fName><m:e>{m('n')}</m:e></m:func>", r"\log n"),
    (m("log", PLAIN) + m("N"), r"\log N"),
    (
        f"<m:limLow><m:e>{m('max', PLAIN)}</m:e><m:lim>{m('x')}</m:lim></m:limLow>",
        r"\max_{x}",
    ),
    (f"<m:acc><m:accPr><m:chr m:val='\u0303'/></m:accPr><m:e>{m('x')}</m:e></m:acc>", r"\tilde{x}"),
    (f"<m:acc><m:e>{m('xy')}</m:e></m:acc>", r"\widehat{xy}"),
    (f"<m:bar><m:barPr><m:pos m:val='top'/></m:barPr><m:e>{m('x')}</m:e></m:bar>", r"\overline{x}"),
    (f"<m:groupChr><m:e>{m('x')}</m:e></m:groupChr>", r"\underbrace{x}"),
    (
        (f"<m:m><m:mr><m:e>{m('a')}</m:e><m:e>{m('b')}</m:e></m:mr><m:mr><m:e>{m('c')}</m:e><m:e>{m('d')}</m:e>"
        "</m:mr></m:m>"),
        r"\begin{matrix}a & b \\ c & d\end{matrix}",
    ),
    (
        f"<m:eqArr><m:e>{m('a&amp;=b')}</m:e><m:e>{m('&amp;=c')}</m:e></m:eqArr>",
        r"\begin{aligned}a&=b \\ &=c\end{aligned}",
    ),
    (f"<m:borderBox><m:e>{m('x')}</m:e></m:borderBox>", r"\boxed{x}"),
    (f"<m:box><m:e>{m('x')}</m:e></m:box>", "x"),
    (f"<m:sPre><m:sub>{m('1')}</m:sub><m:sup>{m('2')}</m:sup><m:e>{m('H')}</m:e></m:sPre>", "{}_{1}^{2}H"),
    (f"<w:ins>{m('x')}</w:ins><w:del>{m('y')}</w:del>{m('#')}", r"x\#"),
    (f"<m:unheardOf>{m('x')}</m:unheardOf>", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "tex"), FORMULAS)
def test_formulas_are_latex(tmp_path, inside, tex):
    """In the text between dollars."""
    found = paper(tmp_path, p(r("Let ") + formula(inside) + r(" be.")))
    assert [block.text for block in found.blocks] == [f"Let ${tex}$ be."]


def test_a_formula_that_stands_alone_is_an_equation(tmp_path):
    """With its number, whether it stands in the paragraph or in the next cell of a table."""
    alone = f"<m:oMathPara>{formula(sup('x', '2'))}</m:oMathPara>"
    table = "".join(f"<w:tc>{p(each)}</w:tc>" for each in ("<w:r/>", formula(m("y")), "(4.2)"))
    found = paper(
        tmp_path,
        p("Words.")
        + p(alone)
        + p(formula(m("z")) + "<w:r><w:tab/></w:r>" + r("(3)"))
        + f"<w:tbl><w:tr>{table}</w:tr></w:tbl>",
    )
    assert shown(found, "number")[1:] == [
        ("equation", None, "$$x^{2}$$"),
        ("equation", "3", "$$z$$"),
        ("equation", "4.2", "$$y$$"),
    ]


LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha">{}]>'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (LAUGHS, p("&i;")),
        ('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>', p("&x;")),
        ('<!DOCTYPE d [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>', p("&x;")),
        ('<!DOCTYPE d SYSTEM "http://127.0.0.1:9/d.dtd">', p("x")),
        ('<!DOCTYPE d [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>', p("x")),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_that_declares_a_type_is_refused(tmp_path, head, body, encoding):
    """Nothing is expanded, read or fetched; another encoding hides nothing."""
    path = docx(tmp_path / "paper.docx", "")
    text = f"{head}<w:document {NAMES}><w:body>{body}</w:body></w:document>"
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    parts["word/document.xml"] = f'<?xml version="1.0" encoding="{encoding}"?>{text}'.encode(encoding)
    with zipfile.ZipFile(path, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)
    with pytest.raises(UnusableInput, match=r"declares a document type|damaged") as caught:
        read(path)
    assert "root:" not in str(caught.value)


def test_a_run_of_text_over_the_limit_is_refused_in_our_own_words(tmp_path):
    """What the library for XML suggests to programmers is nothing to the reader of a paper."""
    path = docx(tmp_path / "packed.docx", p("A lake. " * 1_300_000))
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(tmp_path / "a.docx", "w") as plain:
        for name in packed.namelist():  # not compressed: so much of one sentence would be a bomb
            plain.writestr(name, packed.read(name))
    with pytest.raises(
        UnusableInput, match=r"word/document\.xml holds a run of text of more than 10 MB"
    ) as caught:
        read(tmp_path / "a.docx")
    assert str(caught.value).endswith("; expected a paper in DOCX")
    assert "HUGE" not in str(caught.value)


def test_what_is_behind_a_table_is_looked_up_once(tmp_path):
    """Its rows come to know it together: a look into a long table for each of them would take minutes."""
    rows = f"<w:tr><w:tc>{p('a')}{p('b')}</w:tc></w:tr>" * 50
    path = docx(tmp_path / "a.docx", f"<w:tbl>{rows}</w:tbl>")
    styles = Styles()
    tree = Package(path, members(path)).tree("word/document.xml")
    for paragraph in tree.iter(f"{W}p"):
        styles.look(paragraph)
    assert len(styles.grounds) == 1 + 50


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<w:p>", "is damaged"),
        ("", "no text beside a title"),
        (p("Only a title", "Titel"), "no text beside a title"),
        ("<w:sdt>" * 2000 + "</w:sdt>" * 2000, "more than 256 elements in each other"),
        (p("&undefined;"), "is damaged"),
    ],
)
def test_what_is_no_paper_is_refused_in_one_line(tmp_path, body, message):
    """With the part that is wrong."""
    with pytest.raises(UnusableInput, match=message) as caught:
        paper(tmp_path, body)
    assert "\n" not in str(caught.value)


def test_an_archive_that_is_no_docx_is_refused(tmp_path):
    """So are a bomb, an encrypted file, and anything else under that name."""
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("main.tex", "words")
    with pytest.raises(UnusableInput, match="a ZIP archive and no DOCX"):
        read(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("word/document.xml", b"\0" * 30_000_000)
    with pytest.raises(UnusableInput, match=r"bomb.*; expected a paper in DOCX"):
        read(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0 an old Word file, or an encrypted one")
    with pytest.raises(UnusableInput, match="not DOCX as the name says"):
        read(path)


def test_many_paragraphs_take_seconds(tmp_path):
    """Five thousand of them, which is a book."""
    path = docx(tmp_path / "paper.docx", "".join(p(f"Words of {hash(str(i))}.") for i in range(5_000)))
    start = time.process_time()
    assert len(read(path).blocks) == 5_000
    assert time.process_time() - start < 10


@settings(deadline=None, max_examples=60)
@given(place=st.integers(0, 10**6), value=st.binary(max_size=6), cut=st.integers(0, 30))
def test_any_damage_gives_a_paper_or_one_line(tmp_path, place, value, cut):
    """Never another exception."""
    path = docx(tmp_path / "paper.docx", p("Words.") + p(formula(FORMULAS[15][0])))
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = sorted(parts)[place % len(parts)]
    at = place % max(len(parts[name]), 1)
    parts[name] = parts[name][:at] + value + parts[name][at + cut :]
    with zipfile.ZipFile(path, "w") as new:
        for each, content in parts.items():
            new.writestr(each, content)
    try:
        said = read(path).title
    except UnusableInput as error:
        said = str(error)
    assert "\n" not in said
