"""What says who wrote a paper: found, listed, and left out of what a model is given.

The blocks keep it: a reader sees the paper whole. References are left alone, and so are citations
of the authors' own work, which without the names say nothing of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256

from rereview.text.latex import named
from rereview.types.manuscript import Block, Manuscript, Removed, RemovedKind, Span

_ANONYMOUS = re.compile(
    r"\banonym|\b(?:double|single)[- ]blind|paper under.{0,20}review"
    r"|authors? (?:names? )?(?:withheld|omitted)",
    re.IGNORECASE,
)
_EMAIL = re.compile(
    r"(?:\{[\w.,;\s+-]{2,200}\}|\b[\w.+-]{1,64})\s?@\s?(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b"
)
_URL = re.compile(r"(?:https?://|www\.)[^\s{}<>\"')\]]+|\b(?:github|gitlab)\.(?:com|io)/[^\s{}<>\"')\]]+")
_PERSONAL = re.compile(
    r"orcid\.org/|/~|sites\.google\.com|linkedin\.com/in/|scholar\.google|researchgate\.net/profile"
    r"|\w+\.github\.io",
    re.IGNORECASE,
)
_HOSTED = re.compile(
    r"(?:github|gitlab|bitbucket|huggingface|hf|codeberg|gitee)\.(?:com|org|co|io)/|//gitlab\.", re.IGNORECASE
)
_OWN = re.compile(
    r"\b(?:our|ours|we)\b|\b(?:code|data(?:sets?)?|implementation|software|scripts?|repository|materials?|"
    r"replication|project page|package)\b.{0,80}\b(?:available|released?|found|at|public)\b"
    r"|\bavailable\b.{0,30}\bat\b",
    re.IGNORECASE | re.DOTALL,
)
_THANKS = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+|[A-Z]\.\s+|[IVX]+\.\s+)?(?:acknowledge?ments?\b.{0,40}|funding(?: \w+){0,2}"
    r"|authors?['’]? contributions?|contributions of authors|about the authors?|author biograph\w+)[.:]?\s*$",
    re.IGNORECASE,
)
_RUN_IN = re.compile(
    r"\s*(?:\\(?:paragraph|textbf|emph|textit|noindent|medskip)\*?\s*\{?\s*|[*_#]++\s*)*+"
    r"(?:acknowledge?ments?\b[^.:\n]{0,40}|funding)\s*[.:}*]",
    re.IGNORECASE,
)
_THANKING = named("ack acks acknowledgement acknowledgements acknowledgment acknowledgments")
_FOOT = re.compile(
    r"(?:\W|\d)*(?:corresponding author|correspondence|e-?mails?:|equal(?:ly)? contribut|these authors|"
    r"manuscript received|the authors? (?:is|are) with|\w[\w. ]{2,40} (?:is|are|was|were) with the\b|"
    r".{0,80}\b(?:was|were|is|are) (?:partially |partly |in part )?(?:supported|funded) by\b|"
    r"(?:we|the authors?|i) (?:thank|are grateful|acknowledge)|thanks? to\b)",
    re.IGNORECASE | re.DOTALL,
)
_AFFILIATION = re.compile(
    r"\b(?:universit\w*|institut\w*|department|dept|laborator\w*|school of|college|faculty|research cent\w*|"
    r"academy|hospital|inc\.|corp\w*|gmbh|google|microsoft|deepmind|openai)\b|大学|研究",
    re.IGNORECASE,
)
_STAMP = re.compile(r"arXiv:\s?(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})")
_ABSTRACT = re.compile(r"\s*(?:abstract|summary)\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][\w.'’-]*")
_PARTICLES = named("and de der den van von di da la le el bin al y und et of")
_NOT_OF_NAMES = named("from for in on the a an with via to is are by under towards toward using how do does")
_ENTRY = re.compile(r"\s*(?:\[\d{1,3}\]|1\.\s)")
_LONGEST_AUTHORS = 1500
_LONGEST_NAMES = 300
_CAPITAL = 0.7
_LONGEST_FOOT = 900
_LONGEST_THANKS = 4000
_BEFORE, _AFTER = 220, 60
_UNTOUCHED = frozenset({"reference", "title", "page-marker"})


def anonymous(paper: Manuscript) -> Manuscript:
    """The paper with what is to be left out in `removed`; another version of it if there is anything."""
    found = tuple(_removed(paper))
    if not found:
        return paper
    spans = "\n".join(each.at.model_dump_json() for each in found if each.at)
    name = sha256(f"rereview-anonymous/1\n{paper.id}\n{spans}".encode()).hexdigest()[:16]
    return paper.but(id=name if spans else paper.id, removed=(*paper.removed, *found))


def _removed(paper: Manuscript) -> Iterator[Removed]:
    whole: dict[str, RemovedKind] = {}
    whole |= dict.fromkeys(_authors(paper.blocks), "authors")
    whole |= dict.fromkeys((block.id for block in paper.blocks if _is_address(block)), "authors")
    whole |= dict.fromkeys(_thanks(paper.blocks), "acknowledgements")
    for block in paper.blocks:
        if block.id in whole:
            yield _cut(block, 0, len(block.text), whole[block.id])
        elif block.kind not in _UNTOUCHED:
            yield from _passages(block)


def _cut(block: Block, start: int, end: int, kind: RemovedKind) -> Removed:
    at = Span(block_id=block.id, start=start, end=end)
    return Removed(kind=kind, text=block.text[start:end], at=at, page=block.page, bbox=block.bbox)


# -- the lines below the title


def _authors(blocks: Sequence[Block]) -> Iterator[str]:
    """Ids of the blocks between the title and the abstract, or what comes in its place."""
    title = next((at for at, block in enumerate(blocks) if block.kind == "title"), None)
    if title is None:
        return
    opening = _opening(blocks, title + 1)
    told = any(
        _ABSTRACT.match(block.text) or block.environment == "abstract" for block in blocks[opening:][:1]
    )
    for block in blocks[title + 1 : opening]:
        if block.kind not in {"paragraph", "heading", "equation"} or _ANONYMOUS.search(block.text):
            continue
        if _is_authors(block.text, told=told):
            yield block.id


def _opening(blocks: Sequence[Block], start: int) -> int:
    """Where the paper itself begins: at its abstract, else at its first heading, else on its second page."""
    end = next((at for at, b in enumerate(blocks) if at > start and b.kind == "page-marker"), len(blocks))
    for at in range(start, end):
        if blocks[at].environment == "abstract" or _ABSTRACT.match(blocks[at].text):
            return at
    numbered = (at for at in range(start, end) if blocks[at].kind == "heading" and blocks[at].number)
    return next(numbered, min(end, start + 8))


def _is_authors(text: str, *, told: bool) -> bool:
    if len(text) > _LONGEST_AUTHORS:
        return False
    if _EMAIL.search(text) or (_AFFILIATION.search(text) and len(text) < _LONGEST_AUTHORS / 2):
        return told or _mostly_names(text)
    return len(text) <= _LONGEST_NAMES and _mostly_names(text)


def _mostly_names(text: str) -> bool:
    found = _NAME.findall(text)
    words = [word for word in found if word.lower() not in _PARTICLES and len(word) > 1]
    if len(words) < 2 or any(word.lower() in _NOT_OF_NAMES for word in found):  # noqa: PLR2004  a name has two
        return False
    capital = sum(word[0].isupper() or not word[0].isascii() for word in words)
    return bool(capital >= _CAPITAL * len(words))


def _is_address(block: Block) -> bool:
    """A footnote of the first page with an affiliation and an address."""
    foot = block.page == 1 and block.kind == "paragraph" and len(block.text) <= _LONGEST_FOOT
    named = bool(_EMAIL.search(block.text) and _AFFILIATION.search(block.text))
    return foot and named and block.environment != "abstract" and not _ANONYMOUS.search(block.text)


# -- acknowledgements


def _thanks(blocks: Sequence[Block]) -> Iterator[str]:
    length, inside = 0, False
    for block in blocks:
        if block.kind == "heading":
            inside = bool(_THANKS.match(_bare(block.text)))
            length = 0
            if inside:
                yield block.id
            continue
        if block.kind in {"reference", "title"} or _ENTRY.match(block.text):
            inside = False
        if block.kind not in {"paragraph", "equation"}:
            continue
        length += len(block.text)
        inside = inside and length <= _LONGEST_THANKS
        if inside or _is_thanks(block):
            yield block.id


def _bare(text: str) -> str:
    return re.sub(r"\\[A-Za-z]+\*?|[{}*#]", " ", text).strip()


def _is_thanks(block: Block) -> bool:
    if (block.environment or "").lower() in _THANKING or _RUN_IN.match(block.text):
        return True
    foot = block.page == 1 and len(block.text) <= _LONGEST_FOOT
    return foot and bool(_FOOT.match(block.text)) and not _ANONYMOUS.search(block.text)


# -- within the text


def _passages(block: Block) -> Iterator[Removed]:
    text = block.text
    for match in _EMAIL.finditer(text):
        if not _ANONYMOUS.search(match.group()):
            yield _cut(block, *match.span(), "email")
    for match in _URL.finditer(text):
        end = match.start() + len(match.group().rstrip(".,;:"))
        if _says_who(text, match.start(), end):
            yield _cut(block, match.start(), end, "url")
    if _STAMP.match(text.strip()) and len(text) < _LONGEST_NAMES:
        yield _cut(block, 0, len(text), "stamp")


def _says_who(text: str, start: int, end: int) -> bool:
    """A personal page, or a repository that a sentence speaks of as the paper's own."""
    url = text[start:end]
    if _ANONYMOUS.search(url):
        return False
    around = text[max(0, start - _BEFORE) : end + _AFTER]
    return bool(_PERSONAL.search(url)) or bool(_HOSTED.search(url) and _OWN.search(around))
