"""The report as a page."""

from __future__ import annotations

import base64
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from report import documents, htmlcheck
from rereview.ingest.base import read as read_paper
from rereview.report.page import page, template
from rereview.types.manuscript import Block, Figure, Gap, Hidden, Span
from rereview.types.review import Comment, Draft, Review

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "adaptive_dual_scale_denoising"
DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"


@pytest.fixture(scope="module")
def html():
    """The report of the document made by hand."""
    return page(documents.document(), documents.image)


@pytest.fixture(scope="module")
def seen(html):
    """The same, read."""
    return htmlcheck.read(html)


@pytest.fixture(scope="module")
def bundled():
    """The bundled paper."""
    return read_paper(EXAMPLE)


def report_of(paper, comments=()):
    """A report of a paper with comments of the checks, and what a reader sees of it."""
    review = Review(
        id="r", manuscript_id=paper.id, reviewer="checks", model=None, round=1, status="ok", comments=comments
    )
    document = documents.document(manuscript=paper, reviews=(review,), scores=(), costs=(), sent_to=())
    return page(document, lambda figure: None)


def comment(*spans, number=0, against=()):
    """A comment at these places."""
    return Comment(
        id=f"k{number}",
        title="t",
        body="b",
        quote="q",
        spans=spans,
        match="exact",
        against="r" if against else None,
        against_spans=against,
        against_match="exact" if against else None,
    )


# -- the whole ----------------------------------------------------------------------------


def test_it_is_well_formed(seen):
    """Every element closes where it should, and no id is given twice."""
    assert seen.wrong == []
    assert [name for name, count in Counter(seen.ids).items() if count > 1] == []


def test_every_link_inside_leads_somewhere(seen):
    """A link to a place of the page has its place."""
    inside = [link[1:] for link in seen.links if link.startswith("#")]
    assert inside
    assert set(inside) <= set(seen.ids)


def test_every_comment_has_a_way_there_and_back(seen):
    """From a finding to its places, and from each place to the finding."""
    for number in (1, 2):
        assert f"#m{number}a" in seen.links
        assert f"#m{number}b" in seen.links
        assert seen.links.count(f"#c{number}") >= 2
        assert f"c{number}" in seen.ids


def test_the_same_document_gives_the_same_bytes(html):
    """No clock, no host name and no order of a set goes in."""
    assert page(documents.document(), documents.image) == html


def test_nothing_can_be_loaded_or_run_but_what_is_inside(html):
    """The policy names the hashes of the one style and the one script."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert len(inside) == 1
        digest = base64.b64encode(sha256(inside[0].encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_no_attribute_is_style_or_script(seen):
    """The policy would block them, and the browser would complain."""
    assert [a for a in seen.attributes if a[1] == "style" or a[1].startswith("on")] == []


def test_links_outside_say_their_host_and_send_no_referrer(html):
    """An address of the paper keeps to http and https."""
    assert 'href="https://example.org/a_b" rel="noreferrer" title="example.org"' in html


def test_a_javascript_address_is_never_a_link():
    """It is shown as words."""
    block = Block(id="p", kind="paragraph", text=r"\href{javascript:alert(1)}{x} \url{javascript:alert(2)} \url{data:text/html,x}")
    seen = htmlcheck.read(report_of(documents.manuscript((block,), figures=(), sequence=())))
    assert [link for link in seen.links if ":" in link] == []


def test_the_worst_finding_comes_first(html):
    """Major before moderate; what has no place in the paper stands in a group of its own."""
    major, moderate = html.index("is twice as long"), html.index("does not follow from the table")
    assert major < moderate < html.index("Without a place in the paper") < html.index("No ablation")


def test_at_most_ten_findings_are_unfolded():
    """The others stand behind "show all"."""
    paper = documents.manuscript()
    many = tuple(comment(Span(block_id="p2", start=i, end=i + 1), number=i) for i in range(13))
    html = report_of(paper, many)
    before, after = html.split('<details class="more">')
    assert before.count('class="finding ') == 10
    assert after.count('class="finding ') == 3
    assert "Show all: 3 more" in after


def test_what_is_not_known_is_said_so(html):
    """A cost that is not known is not 0, and a round that failed is not left out."""
    assert "not known" in html
    assert "Round 3: <b>failed</b>" in html
    assert "the endpoint gave &lt;no&gt; answer" in html


def test_without_a_score_the_page_says_what_would_give_one():
    """The command line stands there."""
    html = report_of(documents.manuscript())
    assert "rereview review PAPER --model PROVIDER:ID --rounds 5" in html
    assert "Nothing: no model was asked." in html


def test_an_empty_paper_has_a_report():
    """No block, no comment, no round."""
    paper = documents.manuscript((), figures=(), sequence=(), hidden=(), gaps=(), macros=(), title="")
    seen = htmlcheck.read(page(documents.document(manuscript=paper, reviews=(), scores=(), costs=(), sent_to=()), documents.image))
    assert seen.wrong == []
    assert "Nothing was found" in "".join(seen.words)


def test_no_backslash_in_running_text(seen):
    """Commands are set, dropped, or shown as code."""
    assert [words for words in seen.words if "\\" in words] == []


# -- escaping -----------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</code></pre><iframe src=javascript:alert(1)>",
    "<!-- policy --><!-- style --><!-- script -->",
    "]]><x>",
    "</annotation></semantics></math><script>alert(1)</script>",
    "{{ 7*7 }}{% raw %}",
    "\x00\x1b[31m\u202e\ud800<b>",
]
FRAMES = [
    "{}",
    "${}$",
    r"$\text{{{}}}$",
    r"\href{{{}}}{{{}}}",
    r"\url{{{}}}",
    r"\ref{{{}}}",
    r"\cite[{}]{{{}}}",
    r"\{}",
    r"\begin{{{}}}x\end{{{}}}",
    r"\begin{{itemize}}\item[{}] {}\end{{itemize}}",
    r"\begin{{tabular}}{{l}}{} & {}\end{{tabular}}",
    r"\begin{{equation}}{}\end{{equation}}",
    r"\textbf{{{}",
    r"\begin{{verbatim}}{}\end{{verbatim}}",
    r"\verb|{}|",
    "`{}`",
    "[{}](https://example.org/{})",
    "[x]({})",
    "![{}]({})",
    "<https://{}>",
    "**{}",
    "${}",
    r"\ourname{} {}",
    "{}&amp;&lt;",
    r"\footnote{{{}}}",
]
STRINGS = [frame.replace("{}", hostile).replace("{{", "{").replace("}}", "}") for frame in FRAMES for hostile in HOSTILE]


def test_there_are_three_hundred_hostile_strings():
    """As many as were promised."""
    assert len(set(STRINGS)) >= 290


@pytest.mark.parametrize("form", ["latex", "markdown", "pdf"])
def test_no_text_comes_to_life(form):
    """In every field of paper, reviews and versions: only elements and attributes that a plain report has."""
    known = {*htmlcheck.read(page(documents.document(), documents.image)).tags, *MATHML, "pre", "ul", "i", "u", "s"}
    for part in range(0, len(STRINGS), 12):
        html = page(hostile(form, STRINGS[part : part + 12]), documents.image)
        seen = htmlcheck.read(html)
        assert seen.wrong == []
        assert seen.tags - known == set()
        assert not [a for a in seen.attributes if a[1].startswith("on") or a[1] in {"style", "srcdoc", "action"}]
        assert not [a for a in seen.attributes if a[1] in {"href", "src"} and not re.match(r"#|https?://|data:", a[2])]
        assert html.count("<script>") == 1
        html.encode()


MATHML = frozenset(
    ["math", "semantics", "annotation", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "mtable", "mtr", "mtd", "mover", "munder", "munderover", "msqrt", "mroot", "mpadded", "mphantom", "merror", "mstyle"]
)


def hostile(form, strings):
    """A document in whose every field one of the strings stands."""
    kinds = ("title", "heading", "paragraph", "equation", "theorem", "proof", "table", "caption", "reference", "page-marker")
    blocks = tuple(
        Block(id=f"{kind}{n}{text}", kind=kind, text=text, environment=text, labels=(text,), number=text, level=1)
        for n, text in enumerate(strings)
        for kind in kinds
    )
    figures = tuple(Figure(id=f"f{n}", path=None, name=text, caption=blocks[n * 10 + 7].id) for n, text in enumerate(strings))
    paper = documents.manuscript(
        blocks,
        format=form,
        title=strings[0],
        figures=figures,
        sequence=(),
        hidden=tuple(Hidden(kind="comment", text=text) for text in strings),
        gaps=tuple(Gap(kind="input", name=text) for text in strings),
    )
    comments = tuple(
        Comment(
            id=text, title=text, body=text, quote=text, against=text, rule=text, arithmetic=text, match=match,
            difference=text, spans=(Span(block_id=blocks[n].id, start=0, end=len(blocks[n].text)),) if match != "not-found" else (),
        )
        for n, text in enumerate(strings)
        for match in ("exact", "differs", "not-found")
    )  # fmt: skip
    drafts = [
        Draft(summary=s, strengths=(s,), concerns=(s,), rationale=s, fields={s: s}, score=1.0) for s in strings
    ]
    reviews = tuple(
        Review(id=s, manuscript_id=s, reviewer=s, model=s, round=1, status="failed", error=s, draft=d, comments=comments if i == 0 else ())
        for i, (s, d) in enumerate(zip(strings, drafts, strict=True))
    )
    base = documents.document()
    pairs = tuple((s, s) for s in strings)
    return base.but(
        manuscript=paper,
        reviews=reviews,
        scores=tuple(base.scores[0].but(reviewer=s, model=s, form=s, anchors=((1, s),)) for s in strings),
        costs=tuple(base.costs[0].but(reviewer=s, model=s) for s in strings),
        sent_to=tuple(base.sent_to[0].but(host=s, model=s) for s in strings),
        versions=base.versions.but(rereview=strings[0], prompts=pairs, forms=pairs, options=pairs),
    )


# -- marks --------------------------------------------------------------------------------

OFTEN = settings(max_examples=60, deadline=None)


@OFTEN
@given(data=st.data())
def test_a_mark_lies_on_the_text_of_its_span(data):
    """In plain words the marked text is the text of the span, wherever it begins and ends."""
    words = "The error of the baseline is 0.989 and ours is 0.862 in all four sets — né à Zürich 𝒳."
    block = Block(id="p", kind="paragraph", text=words)
    paper = documents.manuscript((block,), figures=(), sequence=())
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    seen = htmlcheck.read(report_of(paper, (comment(Span(block_id="p", start=start, end=end)),)))
    assert "".join(seen.marked["1"]) == words[start:end]


@OFTEN
@given(data=st.data())
def test_marks_in_a_real_paper_cover_their_span_and_nothing_else(data, bundled):
    """Over any block: every run that lies in the span is marked, and only runs that touch it are."""
    blocks = [block for block in bundled.blocks if block.kind != "table" and len(block.text) > 3]
    block = data.draw(st.sampled_from(blocks))
    spans = []
    for _ in range(2):
        start = data.draw(st.integers(0, len(block.text) - 1))
        end = data.draw(st.integers(start + 1, len(block.text)))
        spans.append(Span(block_id=block.id, start=start, end=end))
    paper = bundled.but(blocks=(block,), figures=(), sequence=())
    seen = htmlcheck.read(report_of(paper, tuple(comment(span, number=n) for n, span in enumerate(spans))))
    assert seen.wrong == []
    assert {"c1", "c2", "m1a", "m2a"} <= set(seen.ids)
    exact = [run for run in seen.runs if run[2] and block.text.startswith(run[2], run[1])]
    shown = {offset + i for _, offset, text in exact for i in range(len(text))}
    ordered = sorted(spans, key=lambda span: span.start)
    for number, span in enumerate(ordered, start=1):
        inside = "".join(block.text[i] for i in sorted(shown) if span.start <= i < span.end)
        marked = "".join(seen.marked.get(str(number), ()))
        # What cannot be cut may be marked beyond the span; what can be cut is marked to the letter.
        position = 0
        for character in inside:
            position = marked.find(character, position) + 1
            assert position > 0


def test_every_run_carries_the_offset_of_its_text(bundled):
    """The text of a run stands in its block at its offset, unless it was written as a command."""
    seen = htmlcheck.read(report_of(bundled))
    by_id = {block.id: block.text for block in bundled.blocks}
    long = [run for run in seen.runs if len(run[2].strip()) > 12]
    assert len(long) > 300
    wrong = [run for run in long if not by_id[run[0]].startswith(run[2], run[1])]
    assert [run for run in wrong if not re.search(r"\bet al\.|\(\d{4}\)|, \d{4}", run[2])] == []


def test_a_mark_that_cuts_a_formula_marks_it_whole():
    """Half a formula cannot be marked."""
    block = Block(id="p", kind="paragraph", text="If $x + y > 0$ then all is well.")
    paper = documents.manuscript((block,), figures=(), sequence=())
    html = report_of(paper, (comment(Span(block_id="p", start=7, end=20)),))
    assert re.search(r'<mark [^>]*id="m1a"><span class="inline" data-o="3"><math>', html)
    assert "".join(htmlcheck.read(html).marked["1"]).endswith(" then ")


def test_marks_may_overlap_and_cross_markup():
    """Two comments on one word, one of which begins inside bold text."""
    block = Block(id="p", kind="paragraph", text=r"One \textbf{two three} four five.")
    text = block.text
    first = Span(block_id="p", start=text.index("two"), end=text.index("five"))
    second = Span(block_id="p", start=text.index("three"), end=len(text))
    paper = documents.manuscript((block,), figures=(), sequence=())
    seen = htmlcheck.read(report_of(paper, (comment(first), comment(second, number=1))))
    assert seen.wrong == []
    assert "".join(seen.marked["1"]) == "two three four "
    assert "".join(seen.marked["2"]) == "three four five."


def test_a_mark_in_a_table_marks_its_cell(html):
    """The digits of a cell are marked, and nothing of its neighbours."""
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(documents.at("tab", "86")),)))
    assert "".join(seen.marked["1"]) == "0.862"


def test_a_span_without_text_can_still_be_reached():
    """An empty span, and one that covers only what is not printed."""
    block = Block(id="p", kind="paragraph", text=r"Words.\label{here}")
    paper = documents.manuscript((block,), figures=(), sequence=())
    spans = (Span(block_id="p", start=18, end=18), Span(block_id="p", start=7, end=12))
    seen = htmlcheck.read(report_of(paper, tuple(comment(span, number=n) for n, span in enumerate(spans))))
    assert {"m1a", "m2a"} <= set(seen.ids)
    assert seen.wrong == []


def test_a_quote_that_crosses_blocks_is_marked_in_each():
    """The first part has the id that the finding leads to."""
    spans = (documents.at("p1", "A note"), documents.at("p2", "Training"))
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(*spans),)))
    assert {"m1a", "m1a2"} <= set(seen.ids)
    assert "".join(seen.marked["1"]) == "A noteTraining"


def test_a_span_of_another_version_is_no_error():
    """Its block is not there: the comment stands without a link."""
    seen = htmlcheck.read(report_of(documents.manuscript(), (comment(Span(block_id="gone", start=0, end=3)),)))
    assert "#m1a" not in seen.links


# -- the bundled paper --------------------------------------------------------------------


def test_the_bundled_paper_is_set_without_a_rest(bundled):
    """No backslash in running text, no formula refused, no command unknown, every label found."""
    html = report_of(bundled)
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert [words for words in seen.words if "\\" in words] == []
    assert 'class="tex"' not in html
    assert "not understood" not in html
    assert "no such label" not in html
    assert html.count("<math") > 40
    assert "<table" in html


@pytest.mark.parametrize("name", ["emcee", "wdmerger", "point_transects", "pfr_blueprint", "erdos_szekeres"])
def test_papers_of_many_fields_are_well_formed(name):
    """Mathematics, astronomy, ecology: nesting right, ids once, links inside lead somewhere, no backslash."""
    folder = DATA / "latex" / name
    if not folder.exists():
        pytest.skip("the collection of papers is not here")
    html = report_of(read_paper(folder))
    seen = htmlcheck.read(html)
    assert seen.wrong == []
    assert len(seen.ids) == len(set(seen.ids))
    assert {link[1:] for link in seen.links if link.startswith("#")} <= set(seen.ids)
    assert [words for words in seen.words if "\\" in words] == []
    assert html.count('class="tex"') <= 0.02 * html.count("<math") + 1


# -- style --------------------------------------------------------------------------------


def test_every_pair_of_colours_can_be_read():
    """Text on each ground it stands on: a contrast of at least 4.5 in light, dark and print."""
    schemes = [dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6})", part)) for part in _schemes()]
    assert [set(scheme) >= {"ground", "ink", "quiet", "accent"} for scheme in schemes] == [True] * 3
    for scheme in schemes:
        for ground in ("ground", "tint", "tint-strong", "wash"):
            for ink in ("ink", "quiet", "accent"):
                assert contrast(scheme[ink], scheme[ground]) >= 4.5, (ink, ground, scheme)


def test_colours_stand_in_one_place():
    """All colours are variables, so that the test above sees them all; white under images is no ground of text."""
    style = template("style.css")
    inside = re.sub(r":root \{.*?\}", "", style, flags=re.DOTALL)
    assert re.findall(r":[^;{}]*(#[0-9a-fA-F]{3,8})\b", inside) == ["#ffffff"]
    assert not re.search(r"rgba?\(|hsla?\(|url\(|@import|opacity", style)


def _schemes():
    return re.findall(r":root \{(.*?)\}", template("style.css"), re.DOTALL)


def contrast(one, other):
    """The ratio of WCAG 2.2, 1.4.3."""
    light = sorted((_luminance(one), _luminance(other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
