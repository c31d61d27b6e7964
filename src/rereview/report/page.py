"""The report: one HTML file that needs no other, made from one document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from rereview.report.context import kind_of
from rereview.report.figures import MANY, Picture, picture, strip_plot
from rereview.report.findings import SEVERITIES, SHAPES, Finding, Place, findings, is_checks, marks_of
from rereview.report.marks import VOID, Mark, words_html
from rereview.report.pieces import printable
from rereview.report.promises import comparison, promise
from rereview.report.prose import paragraphs, prose
from rereview.report.render import Paper
from rereview.report.shell import environment, sealed, template
from rereview.types.document import ReviewDocument, ScoreSummary
from rereview.types.manuscript import Block, Figure, Span

FIRST = 10
"""Findings shown before "show all"."""


@dataclass(frozen=True)
class PlaceView:
    """One quoted place: its words, where it stands, and the link there (None: not found)."""

    words: Markup
    where: str
    href: str | None
    note: str


@dataclass(frozen=True)
class FindingView:
    """A finding as the page shows it."""

    number: int
    severity: str
    shape: str
    title: Markup
    body: Markup
    rule: str | None
    by: str
    arithmetic: Markup | None
    places: tuple[PlaceView, ...]
    again: tuple[tuple[int, Markup], ...]
    """What other rounds say of the same place: round and text, where it is not the same text."""


@dataclass(frozen=True)
class ScoreView:
    """A score with its plot; `anchors` are (value, words, how many rounds gave it).

    `ended`: how adaptive rounds ended, a sentence a paragraph; empty where their number was fixed.
    """

    summary: ScoreSummary
    plot: Markup
    anchors: tuple[tuple[str, str, int], ...]
    ended: tuple[str, ...] = ()


def page(document: ReviewDocument, images: Callable[[Figure], bytes | None]) -> str:
    """The report. `images` gives the content of an image file, None where there is none.

    The same document and images give the same text: no clock, no host name, no path is read.
    """
    return _Page(document, images).html()


class _Page:
    """The parts of one report."""

    def __init__(self, document: ReviewDocument, images: Callable[[Figure], bytes | None]) -> None:
        self.document = document
        self.found = findings(document)
        self.by_number = {finding.number: finding for finding in self.found}
        self.paper = Paper(
            document.manuscript,
            marks_of(self.found, document.manuscript),
            lambda figure: _picture(figure, images),
            self.notes,
        )
        self.sections = _sections(self.paper)

    def html(self) -> str:
        """The page with its style and script inside, each under its hash."""
        paper = self.paper.html()
        located = [self.finding(finding) for finding in self.found if finding.located]
        unlocated = [self.finding(finding) for finding in self.found if not finding.located]
        text = (
            environment()
            .get_template("page.html.j2")
            .render(
                document=self.document,
                manuscript=self.document.manuscript,
                first=located[:FIRST],
                rest=located[FIRST:],
                unlocated=unlocated,
                counts=[(s, SHAPES[s], sum(f.severity == s for f in self.found)) for s in SEVERITIES],
                scores=[self.score(summary) for summary in self.document.scores],
                rounds=[review for review in self.document.informative if review.model is not None],
                checked=any(map(is_checks, self.document.reviews)),
                paper=paper,
                unknown=sorted(self.paper.unknown.items(), key=lambda item: (-item[1], item[0])),
                many=MANY,
                refused=self.paper.mathematics.refused,
                title=self.title(),
                prose=partial(prose, mathematics=self.paper.mathematics),
                paragraphs=partial(paragraphs, mathematics=self.paper.mathematics),
            )
        )
        # The styles of formulas are complete only now, after all text has been set.
        style = template("style.css") + self.paper.mathematics.styles.css()
        return sealed(printable(text), style, template("script.js"))

    def title(self) -> str:
        """The words of the title, or what the paper is called."""
        manuscript = self.document.manuscript
        block = next((block for block in manuscript.blocks if block.kind == "title"), None)
        return self.paper.words(block.text if block else manuscript.title) or manuscript.paper_id

    def finding(self, finding: Finding) -> FindingView:
        """One finding with its quotes set as the paper sets them."""
        comment, mathematics = finding.comment, self.paper.mathematics
        arithmetic = None if comment.arithmetic is None else prose(comment.arithmetic, mathematics)
        return FindingView(
            number=finding.number,
            severity=finding.severity,
            shape=SHAPES[finding.severity],
            title=prose(comment.title, mathematics),
            body=paragraphs(comment.body, mathematics),
            rule=comment.rule,
            by=finding.by,
            arithmetic=arithmetic,
            places=tuple(self.place(place, comment.difference) for place in finding.places),
            again=tuple(
                (review.round, paragraphs(f"{other.title}. {other.body}", mathematics))
                for other, review in finding.again
                if (other.title, other.body) != (comment.title, comment.body)
            ),
        )

    def place(self, place: Place, difference: str | None) -> PlaceView:
        """One place. What stands in the paper is set as in the paper, else shown as the reviewer wrote it."""
        known = [span for span in place.spans if span.block_id in self.paper.manuscript.by_id]
        if not known:
            return PlaceView(prose(place.quote or "", self.paper.mathematics), "", None, _match(place.match))
        words = place.quote or "".join(self.paper.manuscript.text_of(span) for span in known)
        if place.match in {"exact", "normalised", None}:
            html = self.set_quote(words, known)
        else:
            html = prose(words, self.paper.mathematics)
        note = _match(place.match)
        if place.match == "differs" and difference:
            note = f"the paper says: {difference}"
        return PlaceView(html, self.where(known[0]), f"#{place.anchor}", note)

    def set_quote(self, words: str, spans: Sequence[Span]) -> Markup:
        """Words of the paper as the paper sets them; of a table the cells, one after the other."""
        parts = [words]
        if len(spans) == 1 and self.paper.manuscript.by_id[spans[0].block_id].kind == "table":
            parts = self.paper.cells_in(spans[0]) or parts
        set_parts = (words_html(self.paper.read(part).pieces, self.paper.mathematics) for part in parts)
        return Markup(" · ").join(set_parts)

    def where(self, span: Span) -> str:
        """Where a place stands, in words: "Table 2", "3.1 Results"."""
        return self.sections.get(span.block_id, "")

    def notes(self, marks: Sequence[Mark]) -> Markup:
        """What stands in the margin beside a block."""
        numbers = dict.fromkeys(mark.number for mark in marks)
        note = Markup(
            '<a class="note {0}" href="#c{1}"><span class="sign" aria-hidden="true">{2}</span> '
            '<b>{1}</b> {3}<span class="word"> ({0})</span></a>'
        )
        parts = [
            note.format(
                f.severity,
                f.number,
                SHAPES[f.severity],
                prose(_short(f.comment.title), self.paper.mathematics),
            )
            for f in (self.by_number[number] for number in numbers)
        ]
        return Markup('<div class="notes" role="note" aria-label="comments on this passage">{}</div>').format(
            VOID.join(parts)
        )

    def score(self, summary: ScoreSummary) -> ScoreView:
        """One score with the words of its scale."""
        given = [entry.score for entry in summary.rounds]
        anchors = tuple((f"{value:g}", words, given.count(value)) for value, words in summary.anchors)
        precise = summary.precision
        ended = () if precise is None else (promise(precise), comparison(precise))
        return ScoreView(summary, strip_plot(summary), anchors, ended)


def _picture(figure: Figure, images: Callable[[Figure], bytes | None]) -> Picture:
    return picture(images(figure) if figure.path is not None else None)


def _match(match: str | None) -> str:
    return {
        "normalised": "",
        "fuzzy": "found by similar words",
        "differs": "the paper says it differently",
        "not-found": "these words were not found in the paper",
        "no-quote": "no words were quoted",
    }.get(match or "", "")


def _short(text: str, longest: int = 90) -> str:
    return text if len(text) <= longest else f"{text[:longest].rsplit(' ', 1)[0]} …"


def _sections(paper: Paper) -> dict[str, str]:
    """Of each block the words for where it stands: its own number, or the heading above it."""
    heading, found = "", {}
    blocks = paper.manuscript.blocks
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            printed = block.number if paper.manuscript.format == "latex" else None
            heading = " ".join(filter(None, (printed, paper.words(block.text))))
        found[block.id] = _own(block, blocks[max(0, at - 1) : at + 2]) or heading
    return found


def _own(block: Block, around: Sequence[Block]) -> str:
    """What a block is called by itself: "Abstract", "Table 2"; "" if it is known by its section."""
    if block.kind == "title" or block.environment == "abstract":
        return "Title" if block.kind == "title" else "Abstract"
    named = block
    if block.kind == "table" and not block.number:
        named = next((near for near in around if near.kind == "caption" and near.number), block)
    if block.kind in {"caption", "equation", "theorem", "table"} and named.number:
        return f"{kind_of(named).capitalize()} {named.number}"
    return ""
