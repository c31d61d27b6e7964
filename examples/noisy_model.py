"""A stand-in for a model: it throws dice and reads nothing. To try a command without a key or a cost.

rereview review PAPER --model scripted:examples/noisy_model.py:answer

Every process throws the same: where a second one goes on with the rounds of a first, answers repeat.
"""

import json
from itertools import count
from random import Random

from rereview.types.call import Request

DICE = Random(7)  # noqa: S311  dice, not secrets
TURN = count(1)


def answer(_: Request) -> str:
    """A filled form: mostly a 6, sometimes its neighbours; no two in the same words."""
    turn, (score,) = next(TURN), DICE.choices([5, 6, 7, 8], [2, 6, 2, 1])
    return json.dumps(
        {
            "summary": f"Throw {turn} of the dice. Nobody has read this paper, so nothing is said of it.",
            "strengths": [],
            "concerns": [],
            "rationale": f"Throw {turn} gave {score}.",
            "score": score,
            "confidence": 1,
        }
    )
