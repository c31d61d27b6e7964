"""Three hundred strings that want to come to life, and documents that hold them in every field."""

from __future__ import annotations

from report import documents
from rereview.types.document import ReviewDocument
from rereview.types.manuscript import Block, Figure, Gap, Hidden, Manuscript, Span
from rereview.types.review import Comment, Draft, Review

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
STRINGS = [
    frame.replace("{}", inner).replace("{{", "{").replace("}}", "}") for frame in FRAMES for inner in HOSTILE
]
KINDS = ("title", "heading", "paragraph", "equation", "theorem", "proof", "table", "caption", "reference")


def document(form: str, strings: list[str]) -> ReviewDocument:
    """A document in whose every field one of the strings stands."""
    paper = _paper(form, strings)
    base = documents.document()
    pairs = tuple((text, text) for text in strings)
    named = [{"reviewer": text, "model": text} for text in strings]
    return base.but(
        manuscript=paper,
        reviews=_reviews(paper, strings),
        scores=tuple(
            base.scores[0].but(form=names["model"], anchors=((1, names["model"]),), **names)
            for names in named
        ),
        costs=tuple(base.costs[0].but(**names) for names in named),
        sent_to=tuple(base.sent_to[0].but(host=text, model=text) for text in strings),
        versions=base.versions.but(rereview=strings[0], prompts=pairs, forms=pairs, options=pairs),
    )


def _paper(form: str, strings: list[str]) -> Manuscript:
    blocks = tuple(
        Block(
            id=f"{kind} {text}", kind=kind, text=text, environment=text, labels=(text,), number=text, level=1
        )
        for text in strings
        for kind in KINDS
    )
    figures = tuple(
        Figure(id=f"f {text}", path=None, name=text, caption=f"caption {text}") for text in strings
    )
    return documents.manuscript(
        blocks,
        format=form,
        title=strings[0],
        figures=figures,
        sequence=(),
        hidden=tuple(Hidden(kind="comment", text=text) for text in strings),
        gaps=tuple(Gap(kind="input", name=text) for text in strings),
    )


def _reviews(paper: Manuscript, strings: list[str]) -> tuple[Review, ...]:
    fields = ("title", "body", "quote", "against", "rule", "arithmetic", "difference")
    comments = tuple(
        Comment(
            id=text,
            match=match,
            spans=(Span(block_id=block.id, start=0, end=len(block.text)),) if match != "not-found" else (),
            **dict.fromkeys(fields, text),
        )
        for text, block in zip(strings, paper.blocks, strict=False)
        for match in ("exact", "differs", "not-found")
    )
    return tuple(
        Review(
            id=text,
            manuscript_id=text,
            reviewer=text,
            model=text,
            round=1,
            status="failed",
            error=text,
            draft=Draft(
                summary=text,
                strengths=(text,),
                concerns=(text,),
                rationale=text,
                fields={text: text},
                score=1,
            ),
            comments=comments if text == strings[0] else (),
        )
        for text in strings
    )
