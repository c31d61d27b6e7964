"""Whether an answer shows that what was asked for was done: no provider leaves it out in silence."""

from __future__ import annotations

from rereview.text.plurals import many
from rereview.types.call import Completion, Request


def dropped(request: Request, completion: Completion) -> str | None:
    """What the request asked for and the answer shows not to have happened; None: nothing is seen.

    A temperature or a seed leaves no trace in an answer: an endpoint that is known not to honour them
    refuses the request before it is sent, or says in the completion what it left out.
    """
    if completion.dropped:
        return f"it was not sent on: {', '.join(completion.dropped)}"
    if completion.finish == "refused":
        return None
    if request.top_logprobs is not None and not completion.tokens:
        return "log-probabilities were asked for and none came back"
    if request.top_logprobs and not any(token.top for token in completion.tokens):
        return "log-probabilities came back without the likeliest tokens"
    if request.reasoning_effort == "none" and completion.usage.reasoning_tokens:
        spent = many(completion.usage.reasoning_tokens, "token")
        return f"no reasoning was asked for and {spent} of it came back"
    return None
