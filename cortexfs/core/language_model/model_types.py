"""What is asked of a language model, and what comes back."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    JsonSchema = Mapping[str, Any]

GUARD_VARIABLE = "CORTEXFS_SIDECAR"
"""Set in the environment of a program that is asked: nothing below it asks a model, and our hooks
do nothing."""


class ModelRequest(NamedTuple):
    """One question; `text` is untrusted, `instructions` are ours.

    `purpose` names the caller in the log. `prompt_version` changes with the instructions. With a
    schema the answer is one JSON value of that form.
    """

    purpose: str
    prompt_version: str
    instructions: str
    text: str
    schema: JsonSchema | None = None


class ModelAnswer(NamedTuple):
    """A valid answer: its text, and with a schema the value in it."""

    text: str
    value: Any = None
    is_cached: bool = False


class FailureReason(StrEnum):
    """Why there is no answer."""

    NOT_CONFIGURED = "not-configured"
    INVALID_SETTINGS = "invalid-settings"
    SWITCHED_OFF = "switched-off"
    INSIDE_MODEL = "inside-model"
    NOT_CACHED = "not-cached"
    BUSY = "busy"
    PAUSED = "paused"
    BUDGET_USED = "budget-used"
    STATE_UNUSABLE = "state-unusable"
    TIMEOUT = "timeout"
    BROKEN_CONNECTION = "broken-connection"
    BAD_STATUS = "bad-status"
    TOO_LARGE = "too-large"
    COMMAND_FAILED = "command-failed"
    INVALID_ANSWER = "invalid-answer"

    @property
    def is_off(self) -> bool:
        """Whether the user has chosen that no model is asked."""
        return self in {FailureReason.NOT_CONFIGURED, FailureReason.SWITCHED_OFF}


class ModelFailure(NamedTuple):
    """There is no answer; `message` is lower case and has no text of the question and no key."""

    reason: FailureReason
    message: str


class TokenCounts(NamedTuple):
    """The tokens of a call, where the model reports them."""

    prompt: int = 0
    answer: int = 0


class RawAnswer(NamedTuple):
    """What a model wrote, unchecked."""

    text: str
    tokens: TokenCounts = TokenCounts()


class FailedCall(NamedTuple):
    """A call without an answer; `retry_after_s` is what the server asks for, in seconds."""

    failure: ModelFailure
    can_retry: bool = False
    retry_after_s: float = 0
