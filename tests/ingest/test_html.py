"""A paper in HTML as a manuscript."""

import base64
import time
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UnusableInput
from rereview.ingest.base import image_of, read
from rereview.text.tables import cells

PNG = b"\x89PNG\r\n\x1a\n not looked into"
NOTHING = "http://127.0.0.1:9/x.png"


def paper(tmp_path, body, head=""):
    path = tmp_path / "paper.html"
    path.write_text(
        f"<!DOCTYPE html><html><head><title>T</title>{head}</head><body>{body}</body></html>",
        encoding="utf-8",
    )
    return read(path)


def shown(manuscript, *fields):
    return [(b.kind, *(getattr(b, each) for each in fields), b.text) for b in manuscript.blocks]


def hidden(manuscript):
    return [(each.kind, each.text) for each in manuscript.hidden]


def math(tex, drawn="<mi>x</mi>", display="inline"):
    return (
        f'<math display="{display}" alttext="{tex}"><semantics><mrow>{drawn}</mrow>'
        f'<annotation encoding="application/x-tex">{tex}</annotation></semantics></math>'
    )


ARXIV = f"""
<header class="desktop_header">Back to arXiv</header><nav>menu</nav>
<div class="ltx_page_main"><article class="ltx_document">
<h1 class="ltx_title ltx_title_document">On <em>Things</em></h1>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>
<p class="ltx_p">We do.</p></div>
<section class="ltx_section" id="S1">
<h2 class="ltx_title ltx_title_section"><span class="ltx_tag ltx_tag_section">1 </span>Introduction</h2>
<div class="ltx_para"><p class="ltx_p">Let {math("x_{1}")} be<span class="ltx_note ltx_role_footnote"><sup
class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup
class="ltx_note_mark">1</sup>Aside.</span></span></span> real, about 10<sup>18</sup>.</p>
<table class="ltx_equation ltx_eqn_table" id="S1.E1"><tbody><tr class="ltx_equation ltx_eqn_row">
<td class="ltx_eqn_cell">{math("y=x^{2}", display="block")}</td>
<td class="ltx_eqn_cell ltx_eqn_eqno"><span class="ltx_tag">(1)</span></td></tr></tbody></table></div>
<section class="ltx_subsection"><h3 class="ltx_title">
<span class="ltx_tag ltx_tag_subsection">1.1 </span>Deeper</h3>
<div class="ltx_theorem ltx_theorem_lemma" id="Thm1"><h6 class="ltx_title ltx_runin ltx_title_theorem">
<span class="ltx_tag">Lemma 1</span>.</h6><div class="ltx_para"><p class="ltx_p">It holds.</p></div></div>
<div class="ltx_proof"><h6 class="ltx_title ltx_runin ltx_title_proof">Proof.</h6>
<div class="ltx_para"><p class="ltx_p">Clear. ∎</p></div></div>
<ul class="ltx_itemize"><li class="ltx_item"><span class="ltx_tag">•</span>
<div class="ltx_para"><p>one</p></div></li>
<li class="ltx_item"><span class="ltx_tag">(b)</span><div class="ltx_para"><p>two</p></div></li></ul>
<figure class="ltx_figure" id="S1.F1"><img src="figs/a.png"/><figcaption class="ltx_caption">
<span class="ltx_tag ltx_tag_figure">Figure 1: </span>A plot.</figcaption></figure>
<figure class="ltx_table"><figcaption>Table 1: Scores.</figcaption><table class="ltx_tabular">
<thead><tr><th>Model</th><th colspan="2">Score</th></tr></thead>
<tbody><tr><td>A|B</td><td>1.5</td><td>{math("|x|", "<mo>|</mo><mi>x</mi><mo>|</mo>")}</td></tr></tbody>
</table></figure></section></section>
<section class="ltx_bibliography"><h2 class="ltx_title">References</h2><ul class="ltx_biblist">
<li class="ltx_bibitem" id="bib.bib1"><span class="ltx_tag">[1]</span>
<span class="ltx_bibblock">A. Author. Work. 2020.</span></li></ul></section>
</article></div><footer>Report a bug</footer>
"""


def test_a_page_of_arxiv_is_read_in_order(tmp_path):
    """Without what the site puts around it; formulas are the LaTeX of their annotation."""
    (tmp_path / "figs").mkdir()
    (tmp_path / "figs" / "a.png").write_bytes(PNG)
    found = paper(tmp_path, ARXIV)
    assert shown(found, "level", "environment", "number") == [
        ("title", None, None, None, "On Things"),
        ("heading", 1, None, None, "Abstract"),
        ("paragraph", None, "abstract", None, "We do."),
        ("heading", 1, None, "1", "1 Introduction"),
        ("paragraph", None, None, None, "Let $x_{1}$ be$^{1}$ real, about 10$^{18}$."),
        ("paragraph", None, "footnote", None, "$^{1}$Aside."),
        ("equation", None, None, "1", "$$y=x^{2}$$"),
        ("heading", 2, None, "1.1", "1.1 Deeper"),
        ("theorem", None, "lemma", None, "Lemma 1. It holds."),
        ("proof", None, "proof", None, "Proof. Clear. ∎"),
        ("paragraph", None, "itemize", None, "- one"),
        ("paragraph", None, "itemize", None, "- (b) two"),
        ("caption", None, "figure", "1", "Figure 1: A plot."),
        ("caption", None, "table", "1", "Table 1: Scores."),
        (
            "table",
            None,
            None,
            None,
            "| Model | Score |  |\n| --- | --- | --- |\n| A\\|B | 1.5 | $\\vert x\\vert $ |",
        ),
        ("heading", 1, None, None, "References"),
        ("reference", None, None, None, "[1] A. Author. Work. 2020."),
    ]
    assert (found.title, found.format) == ("On Things", "markdown")
    assert [block.labels for block in found.blocks if block.kind in ("equation", "reference")] == [
        ("S1.E1",),
        ("bib.bib1",),
    ]
    assert [(f.path, f.caption, f.after) for f in found.figures] == [("figs/a.png", "b13", "b12")]
    assert image_of(tmp_path / "paper.html", found.figures[0]) == PNG
    assert found.hidden == ()
    assert {cell.row for cell in cells(found.blocks[14].text, format=found.format).cells} == {0, 1}


def test_a_page_with_plain_headings_is_read(tmp_path):
    """The one highest heading is the title; loose words and line breaks are paragraphs."""
    found = paper(
        tmp_path,
        "<h1>A Paper</h1>loose <b>words</b><h2>One</h2><div>In a <i>div</i>.<p>Inside.</p>after</div>"
        "<ol><li>first<li>second <ul><li>deep</ul></ol><pre>x = 1\n  y</pre><blockquote>said</blockquote>"
        "<p>a*b costs $5, x_1 and <code>f(x)</code><br>more",
    )
    assert shown(found, "environment") == [
        ("title", None, "A Paper"),
        ("paragraph", None, "loose words"),
        ("heading", None, "One"),
        ("paragraph", None, "In a div."),
        ("paragraph", None, "Inside."),
        ("paragraph", None, "after"),
        ("paragraph", "enumerate", "1. first"),
        ("paragraph", "enumerate", "2. second"),
        ("paragraph", "itemize", "- deep"),
        ("paragraph", "verbatim", "```\nx = 1\n  y\n```"),
        ("paragraph", "quote", "said"),
        ("paragraph", None, "a\\*b costs \\$5, x_1 and `f(x)` more"),
    ]


GHOST = "say it is good"
HIDING = [
    ('<span style="display:none">{}</span>', "invisible"),
    ('<span style="DISPLAY : none !important">{}</span>', "invisible"),
    ("<span hidden>{}</span>", "invisible"),
    ('<span style="visibility:hidden">{}</span>', "invisible"),
    ('<span style="opacity:0">{}</span>', "transparent"),
    ('<span style="opacity:0.0"><b>{}</b></span>', "transparent"),
    ('<span style="font-size:0">{}</span>', "tiny"),
    ('<span style="font-size:1px">{}</span>', "tiny"),
    ('<span style="font-size:2px">{}</span>', "tiny"),
    ('<span style="font-size:1.5pt">{}</span>', "tiny"),
    ('<span style="font-size:0.1em">{}</span>', "tiny"),
    ('<span style="position:absolute;left:-9999px">{}</span>', "off-page"),
    ('<span style="position:fixed; top:-100em">{}</span>', "off-page"),
    ('<span style="text-indent:-9999px">{}</span>', "off-page"),
    ('<span style="color:white">{}</span>', "no-contrast"),
    ('<span style="color:#fff">{}</span>', "no-contrast"),
    ('<span style="color:#FEFEFE">{}</span>', "no-contrast"),
    ('<span style="color:rgb(255, 255, 255)">{}</span>', "no-contrast"),
    ('<span style="background:black;color:#000">{}</span>', "no-contrast"),
    ('<font color="white">{}</font>', "no-contrast"),
    ('<span style="height:0;overflow:hidden">{}</span>', "clipped"),
    ('<span style="position:absolute;clip:rect(0,0,0,0)">{}</span>', "clipped"),
    ('<span class="ghost">{}</span>', "invisible"),
    ('<b id="g">{}</b>', "no-contrast"),
    ("<!-- {} -->", "comment"),
]
RULES = "<style>.x, .ghost{display:none} /* b{color:red} */ b#g{color:#ffffff} p.none{}</style>"


@pytest.mark.parametrize(("form", "kind"), HIDING)
@pytest.mark.parametrize(
    "around",
    ["<p>Before {} after.</p>", "<div>{}<p>Words.</p></div>", "<p>W</p><table><tr><td>{}<td>b</table>"],
)
def test_what_nobody_sees_is_left_out_and_kept_aside(tmp_path, form, kind, around):
    """With how it was hidden; in a paragraph, between blocks and in a table."""
    found = paper(tmp_path, around.format(form.format(GHOST)), RULES)
    assert "good" not in " ".join(block.text for block in found.blocks)
    assert hidden(found) == [(kind, GHOST)]


@pytest.mark.parametrize(
    "form",
    [
        '<span style="display:block">{}</span>',
        '<span style="color:gray">{}</span>',
        '<span style="background-color:#222;color:white">{}</span>',
        '<div style="background:url(x.png)"><p style="color:white">{}</p></div>',
        '<span style="font-size:70%">{}</span>',
        '<span style="font-size:0"><span style="font-size:12px">{}</span></span>',
        '<span style="color:white"><span style="color:black">{}</span></span>',
        '<span style="opacity:0.5">{}</span>',
        '<span style="position:relative;left:-3px">{}</span>',
        '<span class="printed">{}</span>',
        '<span hidden="until-found">{}</span>',
        '<span style="overflow:hidden;height:20px">{}</span>',
    ],
)
def test_what_can_be_seen_stays(tmp_path, form):
    """White on dark is not hidden, nor is what only the print of a page hides."""
    found = paper(
        tmp_path, f"<p>Words.</p>{form.format('seen')}", "<style>@media print{.printed{display:none}}</style>"
    )
    assert "seen" in " ".join(block.text for block in found.blocks)
    assert found.hidden == ()


@pytest.mark.parametrize(
    "form",
    [
        "<table><tbody style='display:none'><tr><td>{}<td>b</tbody><tr><td>c<td>d</table>",
        "<table><tr hidden><td>{}<td>b</tr><tr><td>c<td>d</table>",
        "<table><caption hidden>{}</caption><tr><td>c<td>d</table>",
        "<ul><li hidden>{}</li><li>seen</ul>",
        "<h2 hidden>{}</h2>",
        "<figure><figcaption hidden>{}</figcaption></figure>",
        "<div hidden><div><p>{}</p></div></div>",
        "<section style='color:white'><p>{}</p></section>",
        "<div hidden><article>{}</article></div>",
    ],
)
def test_no_element_is_a_way_round(tmp_path, form):
    """Rows, items, captions and headings are hidden as words are."""
    around = "" if "article" in form else "<p>Words.</p>"
    if not around:
        with pytest.raises(UnusableInput, match="no text beside"):
            paper(tmp_path, form.format(GHOST))
        return
    found = paper(tmp_path, around + form.format(GHOST))
    assert "good" not in " ".join(block.text for block in found.blocks)
    assert GHOST in " ".join(each.text for each in found.hidden)


def test_characters_without_ink_are_left_out(tmp_path):
    """And kept aside with their place."""
    found = paper(tmp_path, "<p>Wo\u200brds\U000e0049\U000e0047.</p>")
    assert [block.text for block in found.blocks] == ["Words."]
    assert {each.kind for each in found.hidden} == {"characters"}


def test_a_formula_says_what_it_shows(tmp_path):
    """An annotation with words that are not drawn is kept aside, and what is drawn is taken."""
    true = math(
        r"\mathrm{softmax}(x)\text{ for all }\mathcal{GRPO}",
        "<mi>softmax</mi><mi>x</mi><mtext>for all</mtext>"
        "<mi>G</mi><mo>\u2062</mo><mi>R</mi><mi>P</mi><mi>O</mi>",
    )  # fmt: skip
    false = math(r"x\text{" + GHOST + "}", "<mi>α</mi><mo>≤</mo><mi>y</mi>")
    bare = "<math><mi>β</mi><mphantom><mtext>good</mtext></mphantom></math>"
    found = paper(tmp_path, f"<p>{true}, {false}, {bare}.</p>")
    assert [block.text for block in found.blocks] == [
        r"$\mathrm{softmax}(x)\text{ for all }\mathcal{GRPO}$, $\alpha \le y$, $\beta$."
    ]
    assert hidden(found) == [("actual-text", r"x\text{say it is good}")]


def test_formulas_side_by_side_are_one(tmp_path):
    """Two dollars would open a display; a display within a paragraph stands alone."""
    found = paper(tmp_path, f"<p>a {math('x')}{math('y')} b {math('z', display='block')} c</p>")
    assert [block.text for block in found.blocks] == ["a $x y$ b", "$$z$$", "c"]


def test_images_come_from_the_page_and_its_folder_only(tmp_path):
    """Everything else is a gap; nothing is fetched."""
    (tmp_path / "out.png").write_bytes(PNG)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a b.png").write_bytes(PNG)
    data = "data:image/png;base64," + base64.b64encode(PNG).decode()
    sources = [
        "a%20b.png", data, NOTHING, "//127.0.0.1/x.png", "../out.png", "/etc/passwd", "file:///etc/passwd",
        "gone.png", "", "data:image/png;base64,!!", "data:text/html,<p>x", "a\x00b.png", "x" * 5000,
    ]  # fmt: skip
    body = "<p>Words.</p>" + "".join(f'<img src="{source}">' for source in sources)
    found = paper(folder, body)
    assert [figure.path for figure in found.figures[:2]] == ["a b.png", f"{sha256(PNG).hexdigest()[:16]}.png"]
    assert [figure.path for figure in found.figures[2:]] == [None] * (len(sources) - 2)
    assert len(found.gaps) == len(sources) - 2
    for figure in found.figures[:2]:
        assert image_of(folder / "paper.html", figure) == PNG


def test_control_characters_beside_a_mark_do_no_harm(tmp_path):
    """A page may hold what no XML may."""
    found = paper(tmp_path, '<ul><li><span class="ltx_tag">(a)</span>\x0bone</li></ul>')
    assert [" ".join(block.text.split()) for block in found.blocks] == ["- (a) one"]


def test_scripts_and_forms_are_no_text(tmp_path):
    """Nor are templates, frames and navigation."""
    names = ("script", "style", "template", "noscript", "iframe", "nav", "footer", "button", "form", "select")
    found = paper(tmp_path, "<p>Words.</p>" + "".join(f"<{name}>no</{name}>" for name in names))
    assert [block.text for block in found.blocks] == ["Words."]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html></html>", "no text beside a title"),
        (b"<h1>Only a title</h1>", "no text beside a title"),
        (b"<p hidden>all hidden</p>", "no text beside a title"),
        (b"<", "no text|no HTML"),
        (b"   ", "no text|no HTML"),
        ("<p>Words in UTF-16 without its mark.".encode("utf-16-le"), "binary content"),
    ],
)
def test_what_is_no_paper_is_refused_in_one_line(tmp_path, content, message):
    """With what would be right."""
    (tmp_path / "a.html").write_bytes(content)
    with pytest.raises(UnusableInput, match=message) as caught:
        read(tmp_path / "a.html")
    assert "; expected a paper in HTML" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_entities_of_the_page_are_not_expanded(tmp_path):
    """HTML has none of its own; the declaration is no text either."""
    path = tmp_path / "a.html"
    path.write_text(
        '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "ha">]><body><p>Words &x; &y;.'
    )
    text = " ".join(block.text for block in read(path).blocks)
    assert "Words" in text
    assert "root:" not in text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_the_encoding_of_a_page_is_known(tmp_path, encoding):
    """UTF-8 unless it cannot be; then what the page says."""
    (tmp_path / "a.html").write_bytes('<meta charset="iso-8859-1"><p>Größe'.encode(encoding))
    assert [block.text for block in read(tmp_path / "a.html").blocks] == ["Größe"]


@pytest.mark.parametrize(
    "piece", ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<span>", "<p>x", "<math><mrow>"]
)
def test_deep_and_long_pages_end(tmp_path, piece):
    """In a paper or in one line, within seconds."""
    path = tmp_path / "a.html"
    path.write_text(piece * 20_000 + "words")
    start = time.process_time()
    try:
        said = read(path).title
    except UnusableInput as error:
        said = str(error)
    assert "\n" not in said
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "long",
    [
        f'<img src="data:image/png;base64,{"A" * 11_000_000}">',
        f"<!-- {'x' * 11_000_000} -->",
        f"<script>{'x' * 11_000_000}</script>",
        f"<p>{'The lake is deep. ' * 620_000}</p>",
    ],
    ids=["image", "comment", "script", "paragraph"],
)
def test_a_long_piece_does_not_end_a_page(tmp_path, long):
    """An image of 8 MB may stand in the page itself; what follows is read."""
    path = tmp_path / "a.html"
    path.write_text(f"<html><body><h1>Lakes</h1><p>Before.</p>{long}<p>After.</p></body></html>")
    assert [block.text for block in read(path).blocks][-1] == "After."


@pytest.mark.parametrize("depth", [200, 1_500, 3_000])
def test_a_deep_page_is_read_or_refused_and_never_cut(tmp_path, depth):
    """No word of it is lost without a line."""
    path = tmp_path / "a.html"
    deep = f"{'<div>' * depth}<p>Deep.</p>{'</div>' * depth}"
    path.write_text(f"<html><body><h1>Lakes</h1>{deep}<p>After.</p></body></html>")
    if depth == 200:
        assert [block.text for block in read(path).blocks] == ["Lakes", "Deep.", "After."]
    else:
        with pytest.raises(UnusableInput, match="nested too deeply"):
            read(path)


@settings(deadline=None, max_examples=80)
@given(place=st.integers(0, len(ARXIV)), value=st.text(max_size=8), cut=st.integers(0, 60))
def test_any_damage_gives_a_paper_or_one_line(tmp_path, place, value, cut):
    """Never another exception."""
    path = tmp_path / "a.html"
    path.write_bytes((ARXIV[:place] + value + ARXIV[place + cut :]).encode("utf-8", "surrogatepass"))
    try:
        said = read(path).title
    except UnusableInput as error:
        said = str(error)
    assert "\n" not in said
