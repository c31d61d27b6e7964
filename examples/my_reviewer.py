"""A reviewer in one file: `rereview review PAPER --model ... --reviewer examples/my_reviewer.py:TwoPass`."""

from dataclasses import dataclass

from rereview.models.base import Model, ask, ask_for
from rereview.reviewers.base import as_text
from rereview.types.call import Message
from rereview.types.manuscript import Manuscript
from rereview.types.record import Record
from rereview.types.review import Draft, Remark


class Doubts(Record):
    """Sentences of the paper that need support: each copied exactly, with the reason."""

    sentences: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class TwoPass:
    """First the claims, then which of them the paper does not support."""

    most: int = 5

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Ask for the claims, then for the doubtful ones among them."""
        text = as_text(paper)
        claims = await ask(model, "List the claims of this paper, one a line.", text)
        task = f"Which claims does the paper not support? At most {self.most}.\n{claims.completion.text}"
        messages = (Message(role="system", text=task), Message(role="user", text=text))
        doubts = (await ask_for(model, messages=messages, shape=Doubts)).value
        pairs = zip(doubts.sentences, doubts.reasons, strict=False)
        return Draft(remarks=tuple(Remark(title="Unsupported", body=why, quote=said) for said, why in pairs))
