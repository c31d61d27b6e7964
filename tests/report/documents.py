"""Documents made by hand, with one of everything that a report shows."""

from __future__ import annotations

import io

from PIL import Image

from rereview.report.page import page
from rereview.types.document import CostLine, ReviewDocument, RoundScore, ScoreSummary, SentTo, Versions
from rereview.types.estimate import Estimate
from rereview.types.manuscript import Block, Figure, Gap, Hidden, Macro, Manuscript, SourceSpan, Span
from rereview.types.review import Comment, Draft, Review

TABLE = r"""\begin{tabular}{lrr}
\toprule
Method & Error & \textbf{Time} (s) \\
\midrule
Baseline & 0.989 & 12.5 \\
Ours & 0.862 & 25.1 \\
\multicolumn{2}{c}{Mean of both} & 18.8 \\
\bottomrule
\end{tabular}"""

BLOCKS = (
    Block(id="t", kind="title", text=r"On the \emph{Shape} of Things: 12\% Better"),
    Block(
        id="a",
        kind="paragraph",
        environment="abstract",
        text=r"We reduce the error by 12.8\% compared to the baseline, for all $x \in \R^2$---or nearly all.",
    ),
    Block(
        id="h1",
        kind="heading",
        level=1,
        number="1",
        labels=("sec:intro",),
        text=r"\section{Introduction}\label{sec:intro}",
    ),
    Block(
        id="p1",
        kind="paragraph",
        text=r"The error of the baseline is 0.989 and ours is 0.862 (Table~\ref{tab:main}), as \citet{ho} "
        r"and others \citep{ho,nobody} say; see \url{https://example.org/a_b} and Eq.~\eqref{eq:one}. "
        r"A \textbf{bold \emph{claim}} by Erd\H{o}s, ``quoted'', with \ourname\ and \unknowncmd{its words}."
        r"\footnote{A note.}",
    ),
    Block(
        id="e1",
        kind="equation",
        environment="align",
        number="1",
        labels=("eq:one",),
        text=r"\begin{align} a &= b + \frac{1}{2} \label{eq:one}\\ c &= d \end{align}",
    ),
    Block(
        id="l",
        kind="paragraph",
        environment="itemize",
        text="\\begin{itemize}\n\\item First point with $\\alpha$.\n\\item Second point.\n\\end{itemize}",
    ),
    Block(id="tab", kind="table", environment="table", text=TABLE),
    Block(
        id="tc",
        kind="caption",
        environment="table",
        number="1",
        labels=("tab:main",),
        text=r"\caption{Errors and times.}\label{tab:main}",
    ),
    Block(id="fc", kind="caption", environment="figure", number="1", labels=("fig:x",), text="Two squares."),
    Block(id="h2", kind="heading", level=2, number="1.1", text=r"Results"),
    Block(
        id="th",
        kind="theorem",
        environment="Lemma",
        number="2",
        text=r"Let $\mathbf{x}_t \sim p$. Then $\operatorname*{arg\,min}_x f(x)$ exists.",
    ),
    Block(
        id="p2",
        kind="paragraph",
        text=r"Training takes 25.1 seconds, three times as long as the baseline; see Figure~\ref{fig:x}.",
    ),
    Block(
        id="r1",
        kind="reference",
        labels=("ho",),
        text=r"\bibitem[Ho et al.(2020)]{ho} J. Ho, A. Jain. \emph{Denoising}. 2020.",
    ),
)


def at(block_id: str, words: str) -> Span:
    """The first place of the words in a block."""
    text = next(block.text for block in BLOCKS if block.id == block_id)
    start = text.index(words)
    return Span(block_id=block_id, start=start, end=start + len(words))


def manuscript(blocks: tuple[Block, ...] = BLOCKS, **changes: object) -> Manuscript:
    """The manuscript of the document."""
    fields: dict[str, object] = {
        "id": "ab12cd34",
        "paper_id": "shape",
        "title": r"On the \emph{Shape} of Things: 12\% Better",
        "format": "latex",
        "blocks": blocks,
        "figures": (
            Figure(id="f1", path="two.png", after="tc", caption="fc", name="two.png"),
            Figure(id="f2", path=None, after="p2", name="TikZ picture"),
        ),
        "sequence": (
            *(b.id for b in blocks[:8]),
            "f1",
            *(b.id for b in blocks[8:12]),
            "f2",
            *(b.id for b in blocks[12:]),
        ),
        "hidden": (
            Hidden(
                kind="comment", text="% TODO check <b>", source=SourceSpan(file="main.tex", start=9, end=20)
            ),
        ),
        "gaps": (Gap(kind="input", name="appendix.tex"),),
        "macros": (
            Macro(name=r"\R", arguments=0, default=None, body=r"\mathbb{R}"),
            Macro(name=r"\ourname", arguments=0, default=None, body=r"\textsc{ShapeNet}"),
        ),
    }
    return Manuscript(**{**fields, **changes})


def comments() -> tuple[Comment, ...]:
    """Comments of the checks."""
    first, second = at("a", r"12.8\% compared to the baseline"), at("tab", "0.862")
    return (
        Comment(
            id="k1",
            title="The stated reduction does not follow from the table",
            body="The abstract says 12.8%, the two cells of the table give 12.84%, which is written 12.8%.",
            quote=r"12.8\% compared to the baseline",
            against="0.862",
            rule="percent-change",
            arithmetic="(0.989 − 0.862) / 0.989 = 12.84 %",
            severity="moderate",
            places=(first, second),
            spans=(first,),
            match="exact",
            against_spans=(second,),
            against_match="exact",
        ),
        Comment(
            id="k2",
            title="“Three times as long” is twice as long",
            body=r"In LaTeX a percent sign is written \%.",
            quote="three times as long",
            against="25.1",
            rule="ratio",
            arithmetic="25.1 / 12.5 = 2.01, not 3",
            severity="major",
            spans=(at("p2", "three times as long"),),
            match="exact",
            against_spans=(at("tab", "25.1"),),
            against_match="exact",
        ),
    )


def reviews() -> tuple[Review, ...]:
    """The checks and three rounds of a model, of which one failed."""
    model = Comment(
        id="k3",
        title="No ablation",
        body="The effect of $\\alpha$ is not separated.\n\n# Not a heading <b>",
        quote="a sentence that is nowhere",
        severity="minor",
        match="not-found",
        pages=(3,),
    )
    draft = Draft(
        summary="A method.",
        score=6,
        confidence=4,
        strengths=("Clear.",),
        concerns=("No ablation.",),
        rationale="Sound.",
    )
    kept = {"manuscript_id": "ab12cd34", "reviewer": "scorecard", "model": "openai:m-1"}
    return (
        Review(
            id="v0",
            manuscript_id="ab12cd34",
            reviewer="checks",
            model=None,
            round=1,
            status="ok",
            comments=comments(),
        ),
        Review(id="v1", round=1, status="ok", draft=draft, comments=(model,), **kept),
        Review(id="v2", round=2, status="repaired", draft=draft.but(score=8.0), **kept),
        Review(id="v3", round=3, status="failed", error="the endpoint gave <no> answer", **kept),
    )


def document(**changes: object) -> ReviewDocument:
    """The whole document."""
    score = ScoreSummary(
        reviewer="scorecard",
        model="openai:m-1",
        form="iclr-anchored",
        scale=(1, 3, 5, 6, 8, 10),
        anchors=((6, "marginally above the acceptance threshold"), (8, "accept, good paper")),
        rounds=(
            RoundScore(round=1, score=6, status="ok"),
            RoundScore(round=2, score=8, status="repaired"),
            RoundScore(round=3, score=None, status="failed"),
        ),
        mean=Estimate(value=7, low=5.1, high=8.9, level=0.95, n=2, dropped=1),
        agreement=Estimate(value=0, n=2),
        within_sd=Estimate(value=1.41, n=2, marks=("two rounds only",)),
    )
    fields: dict[str, object] = {
        "manuscript": manuscript(),
        "reviews": reviews(),
        "scores": (score,),
        "costs": (
            CostLine(
                reviewer="scorecard",
                model="openai:m-1",
                calls=3,
                input_tokens=12345,
                cached_tokens=None,
                output_tokens=678,
                usd=None,
            ),
        ),
        "sent_to": (SentTo(host="api.example.org", model="m-1", calls=3, characters=54321),),
        "versions": Versions(
            rereview="0.1.0", prompts=(("scorecard", "1 (abcdef123456)"),), options=(("rounds", "3"),)
        ),
    }
    return ReviewDocument(**{**fields, **changes})


def image(figure: Figure) -> bytes | None:
    """A small picture for every figure."""
    out = io.BytesIO()
    Image.new("RGB", (64, 32), "white").save(out, "PNG")
    return out.getvalue()


def report_of(paper: Manuscript, found: tuple[Comment, ...] = ()) -> str:
    """A report of a paper with comments of the checks and no score."""
    review = Review(
        id="r", manuscript_id=paper.id, reviewer="checks", model=None, round=1, status="ok", comments=found
    )
    given = document(manuscript=paper, reviews=(review,), scores=(), costs=(), sent_to=())
    return page(given, lambda _: None)


def comment(*spans: Span, number: int = 0) -> Comment:
    """A comment at these places."""
    return Comment(id=f"k{number}", title="t", body="b", quote="q", spans=spans, match="exact")


def one(text: str, kind: str = "paragraph", **fields: object) -> Manuscript:
    """A paper of one block."""
    block = Block(id="p", kind=kind, text=text, **fields)
    return manuscript((block,), figures=(), sequence=())
