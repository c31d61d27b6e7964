"""Manuscripts and packages for tests."""

import json
from hashlib import sha256

from hypothesis import strategies as st

from rereview.ingest import package
from rereview.ingest.identity import manuscript_id
from rereview.types.manuscript import Block, Figure, Hidden, Manuscript, Span

IMAGES = {"a.png": b"image a", "b.JPG": b"image b", "c": b"image c"}


def image(figure):
    """The image of a figure by the name that its paper gives it."""
    return None if figure.path is None else IMAGES[figure.path]


def figure(figure_id, path, after, **fields):
    digest = sha256(IMAGES[path]).hexdigest() if path else None
    return Figure(id=figure_id, path=path, sha256=digest, after=after, **fields)


def manuscript(blocks, figures=(), sequence=(), **fields):
    return Manuscript(
        **{
            "id": manuscript_id("pdf", blocks, figures),
            "paper_id": "paper",
            "title": "On lakes",
            "format": "pdf",
            "blocks": tuple(blocks),
            "figures": tuple(figures),
            "sequence": tuple(sequence),
            **fields,
        }
    )


BLOCKS = (
    Block(id="i1", text="Read the images where they stand.", kind="paragraph", environment="instruction"),
    Block(id="b1", text="Page 1", kind="page-marker", page=1),
    Block(id="b2", text="On lakes", kind="title", page=1, bbox=(0.1, 0.1, 0.9, 0.2)),
    Block(id="b3", text="We saw two lakes.", kind="paragraph", page=1),
    Block(
        id="b4", text="A lake.", kind="caption", page=1, environment="figure", number="1", labels=("fig:l",)
    ),
    Block(id="b5", text="Page 2", kind="page-marker", page=2),
    Block(id="b6", text="Both are deep.", kind="paragraph", page=2),
)
FIGURES = (
    figure("f1", "a.png", "b3", page=1, caption="b4", name="a.png", bbox=(0.0, 0.0, 0.5, 0.5)),
    figure("f2", "b.JPG", "b6", page=2),
    figure("f3", None, "b6", name="TikZ picture"),
)
PAPER = manuscript(
    BLOCKS,
    FIGURES,
    ("i1", "b1", "b2", "b3", "f1", "b4", "b5", "b6", "f2", "f3"),
    hidden=(Hidden(kind="tiny", text="unseen", at=Span(block_id="b3", start=6, end=6), page=1),),
)


def put(folder, paper=PAPER):
    """Write a package, and give its folder."""
    for name, content in package.files(paper, image).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def change(folder, name, edit):
    """Change a JSON file of a package by a function that edits what it holds."""
    held = json.loads((folder / name).read_text())
    edit(held)
    (folder / name).write_text(json.dumps(held))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
BOXES = st.none() | st.tuples(*[st.floats(-2, 2)] * 4)


@st.composite
def manuscripts(draw):
    """Any manuscript: leading instructions, page markers, blocks and figures in any order."""
    blocks, figures, sequence = [], [], []
    leading = draw(st.integers(0, 2))
    page = 0
    for at in range(draw(st.integers(1, 8))):
        name = f"b{at}"
        kind = draw(
            st.sampled_from(["paragraph", "table", "equation", "reference", "page-marker", "heading"])
        )
        page += kind == "page-marker"
        if at < leading:
            kind, environment = "paragraph", "instruction"
        else:
            environment = draw(st.sampled_from([None, "abstract", "instruction"]))
        blocks.append(
            Block(
                id=name,
                text=draw(TEXTS),
                kind=kind,
                environment=environment,
                page=page or (1 if kind == "page-marker" else None),
                level=draw(st.none() | st.integers(1, 3)),
                labels=draw(st.lists(TEXTS, max_size=2)),
                bbox=draw(BOXES),
            )
        )
        page = max(page, blocks[-1].page or 0)
        sequence.append(name)
        if draw(st.booleans()):
            path = draw(st.sampled_from([*IMAGES, None]))
            figures.append(figure(f"f{at}", path, name, name=draw(TEXTS), bbox=draw(BOXES)))
            sequence.append(f"f{at}")
    return manuscript(blocks, figures, sequence)
