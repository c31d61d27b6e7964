"""The report as a page."""

from __future__ import annotations

import base64
import re
from collections import Counter
from hashlib import sha256

import pytest

from report import documents, hostile, htmlcheck
from report.documents import comment, one, report_of
from rereview.report.export import review_markdown
from rereview.report.page import page, template
from rereview.types.document import Goal, Precision, RoundScore
from rereview.types.manuscript import Hidden, Span


@pytest.fixture(scope="module")
def html():
    """The report of the document made by hand."""
    return page(documents.document(), documents.image)


@pytest.fixture(scope="module")
def seen(html):
    """The same, read."""
    return htmlcheck.read(html)


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
    text = r"\href{javascript:alert(1)}{x} \url{javascript:alert(2)} \url{data:text/html,x}"
    seen = htmlcheck.read(report_of(one(text)))
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


def adaptive(**changes):
    """A document of thirty adaptive rounds."""
    whole = documents.document()
    template_of = whole.reviews[1]
    ended = Precision(
        goal=Goal(tolerance=0.5, most_rounds=598),
        stopped="precise",
        scores=30,
        low=5.6,
        high=6.4,
        fixed_rounds=598,
        usd=3.0,
        fixed_usd=59.8,
    ).but(**changes)
    reviews = [template_of.but(id=f"v{number}", round=number, comments=()) for number in range(1, 31)]
    rounds = tuple(RoundScore(round=review.round, score=6, status="ok") for review in reviews)
    score = whole.scores[0].but(precision=ended, rounds=rounds)
    return whole.but(reviews=(whole.reviews[0], *reviews), scores=(score,))


def test_many_rounds_are_folded_and_their_promise_is_not():
    """The page stays well-formed; what was promised and what it cost stand open."""
    html = page(adaptive(), documents.image)
    assert htmlcheck.read(html).wrong == []
    panel = html[html.index('id="scores"') : html.index('id="paper"')]
    unfolded = re.sub(r"<details.*?</details>", "", panel, flags=re.DOTALL)
    assert "within 0.5 of the model&#39;s expected score" in unfolded
    assert "598 scores, $59.80" in unfolded
    assert "Round 30" not in unfolded
    assert "All 30 rounds in order" in panel


def test_what_is_not_independent_has_its_reason_and_no_promise():
    """In the page and in the Markdown, escaped like all words from outside."""
    document = adaptive(stopped="not-independent", low=None, high=None, doubts=("<b>equal</b> answers",))
    for text in (page(document, documents.image), review_markdown(document)):
        assert "Nothing is certified" in text
        assert "<b>equal" not in text
        assert "confidence, at" not in text


def test_an_empty_paper_has_a_report():
    """No block, no comment, no round."""
    paper = documents.manuscript((), figures=(), sequence=(), hidden=(), gaps=(), macros=(), title="")
    empty = documents.document(manuscript=paper, reviews=(), scores=(), costs=(), sent_to=())
    seen = htmlcheck.read(page(empty, documents.image))
    assert seen.wrong == []
    assert "Nothing was found" in "".join(seen.words)


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (
            ("no-contrast", "comment", "metadata"),
            "1 passage that no reader sees was left out (listed in Record)",
        ),
        (
            ("tiny", "off-page", "annotation"),
            "3 passages that no reader sees were left out (listed in Record)",
        ),
        (("comment", "dead-branch", "after-end", "metadata", "ocr-layer"), None),
        ((), None),
    ],
)
def test_the_head_says_how_much_no_reader_sees(kinds, said):
    """What is usual in a file, comments and metadata, is not counted there."""
    paper = documents.manuscript(hidden=tuple(Hidden(kind=kind, text="a word") for kind in kinds))
    text = page(documents.document(manuscript=paper), documents.image)
    words = "".join(htmlcheck.read(text).words)
    if said is None:
        assert "no reader sees" not in words
    else:
        assert said in words
        assert words.index(said) < words.index("Scores", words.index(said))
        assert text.index("that no reader sees") < text.index('<section id="scores"')


def test_no_backslash_in_running_text(seen):
    """Commands are set, dropped, or shown as code."""
    assert [words for words in seen.words if "\\" in words] == []


# -- escaping -----------------------------------------------------------------------------

MATHML = frozenset(
    (
        *("math", "semantics", "annotation", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub"),
        *("msubsup", "mfrac", "mtable", "mtr", "mtd", "mover", "munder", "munderover", "msqrt", "mroot"),
        *("mpadded", "mphantom", "merror", "mstyle"),
    )
)


def test_there_are_three_hundred_hostile_strings():
    """As many as were promised, each different."""
    assert len(set(hostile.STRINGS)) >= 290


@pytest.mark.parametrize(("form", "step"), [("latex", 1), ("markdown", 5), ("pdf", 5)])
def test_no_text_comes_to_life(form, step, seen):
    """In every field of paper, reviews and versions: only elements that a plain report has."""
    known = seen.tags | MATHML | {"pre", "ul", "i", "u", "s"}
    strings = hostile.STRINGS[::step]
    for part in range(0, len(strings), 30):
        html = page(hostile.document(form, strings[part : part + 30]), documents.image)
        found = htmlcheck.read(html)
        assert found.wrong == []
        assert found.tags - known == set()
        assert [a for a in found.attributes if a[1].startswith("on") or a[1] in {"style", "srcdoc"}] == []
        addresses = [value for _, name, value in found.attributes if name in {"href", "src"}]
        assert [a for a in addresses if not re.match(r"#|https?://|data:(image/|,$)", a)] == []
        assert html.count("<script>") == 1
        assert html.encode()


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
    """All colours are variables, so that the test above sees them all; white lies under images only."""
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
