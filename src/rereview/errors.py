"""Every error that a user can meet.

    RereviewError
    ├── UsageError            2   a wrong option, an unknown name
    │   └── UnusableInput     2   a paper that cannot be read
    ├── ConsentError          3   something must be agreed to first
    ├── ProviderError         4   the model's endpoint
    │   ├── Refused               nothing listens there
    │   ├── TimedOut              it listens and does not answer
    │   ├── KeyRejected           401, 403
    │   ├── OutOfCredit           402
    │   ├── RateLimited           429, after all retries
    │   ├── ServerFailed          5xx, after all retries
    │   │   └── AnswerLost        it answered, and no whole answer came back
    │   ├── BadRequest            any other 4xx
    │   ├── Waiting               it was submitted in a batch that is not done
    │   ├── Dropped               it answered without something that was asked for
    │   └── Unreadable            it answered, and the answer could not be read
    ├── BudgetError           4   the cap would be passed
    │   └── UnknownPrice          nobody says what a call costs
    ├── Unfinished            4   not every round was answered; resumable
    └── StorageError          5   the study cannot be written or read

An error says what happened, where, and what would be right. The number is the exit code.
"""

from __future__ import annotations

from typing import ClassVar, Literal

UnreadStatus = Literal["invalid", "refused", "truncated"]


class RereviewError(Exception):
    """What, where, what would be right, and the command that goes on from here."""

    exit_code: ClassVar[int] = 2

    def __init__(self, what: str, *, where: str = "", expected: str = "", resume: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.expected = expected
        self.resume = resume

    @property
    def code(self) -> str:
        """The class name in lower case with hyphens: the `code` of the JSON form."""
        name = type(self).__name__
        return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")

    def __str__(self) -> str:
        """One line: `where: what; expected`; a sentence that goes on loses its full stop."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        if not self.expected:
            return text
        return f"{text if text.endswith('..') else text.removesuffix('.')}; {self.expected}"


class UsageError(RereviewError):
    """A wrong option or an unknown name."""


class UnusableInput(UsageError):
    """A paper that cannot be read."""


class ConsentError(RereviewError):
    """Something must be agreed to first."""

    exit_code = 3


class ProviderError(RereviewError):
    """The model's endpoint did not give an answer."""

    exit_code = 4


class Refused(ProviderError):
    """Nothing listens at the address."""


class TimedOut(ProviderError):
    """The endpoint accepted the connection and did not answer in time."""


class KeyRejected(ProviderError):
    """401 or 403."""


class OutOfCredit(ProviderError):
    """402."""


class RateLimited(ProviderError):
    """429 after all retries."""


class ServerFailed(ProviderError):
    """5xx after all retries."""


class AnswerLost(ServerFailed):
    """The request was taken and no whole chat completion came back: it may have been billed."""


class BadRequest(ProviderError):
    """Any other 4xx."""


class Waiting(ProviderError):
    """It was submitted in a batch that is not done; the same command, later, finds the answer."""


class Dropped(ProviderError):
    """It answered, and left out or cannot do what was asked for: log-probabilities, a seed, no reasoning."""


class Unreadable(ProviderError):
    """The last of the tries gave no valid answer; `raw` is its text, `calls` the ids of all tries."""

    def __init__(
        self, what: str, *, where: str = "", status: UnreadStatus, raw: str, calls: tuple[str, ...] = ()
    ) -> None:
        super().__init__(what, where=where, expected="the raw answers are kept with their calls")
        self.status = status
        self.raw = raw
        self.calls = calls


class BudgetError(RereviewError):
    """The cap would be passed, or a price is unknown."""

    exit_code = 4


class UnknownPrice(BudgetError):
    """Nobody says what a call costs, so that nothing can bound it."""


class Unfinished(RereviewError):
    """Not every round was answered; what was answered is kept."""

    exit_code = 4


class StorageError(RereviewError):
    """The study cannot be written or read."""

    exit_code = 5
