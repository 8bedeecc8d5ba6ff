"""Call the model within its limits: counted before each call, retried, logged without texts."""

from __future__ import annotations

import hashlib
import random
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.language_model import call_limits
from cortexfs.core.language_model.model_types import (
    FailedCall,
    FailureReason,
    ModelFailure,
    RawAnswer,
)
from cortexfs.language_model import state_folder
from cortexfs.language_model.send_prompt import send_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cortexfs.core.language_model.call_limits import CallState
    from cortexfs.core.language_model.model_settings import ModelSettings
    from cortexfs.core.language_model.model_types import ModelRequest

_USED = ModelFailure(FailureReason.BUDGET_USED, "all calls of the day are used")


class Timing(NamedTuple):
    """The clocks of a call; `jitter` returns a random number from 0 to 1."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


SYSTEM_TIMING = Timing()


class Call(NamedTuple):
    """One question on its way: what every step of it needs."""

    settings: ModelSettings
    request: ModelRequest
    environ: Mapping[str, str]
    timing: Timing
    folder_fd: int
    deadline: float

    def seconds_left(self) -> float:
        """Return the seconds until the deadline of all calls for the question together."""
        return self.deadline - self.timing.monotonic()


def find_obstacle(call: Call) -> ModelFailure | None:
    """Return why no call may be made now."""
    state, now = state_folder.read_call_state(call.folder_fd), call.timing.now()
    variable = call.settings.key_variable
    key = call.environ.get(variable, "").strip() if variable else "none"
    if not (key and key.isascii() and key.isprintable() and " " not in key):
        message = f"the environment variable {variable} holds no key"
        return ModelFailure(FailureReason.INVALID_SETTINGS, message)
    if call_limits.is_paused(state, now):
        until = datetime.fromtimestamp(state.paused_until, UTC).strftime("%H:%M UTC")
        return ModelFailure(FailureReason.PAUSED, f"no calls until {until}, after failures")
    return None if call_limits.count_calls_left(state, call.settings.calls_per_day, now) else _USED


def call_with_retries(call: Call, text: str) -> RawAnswer | FailedCall:
    """Call the model, again where that may help and the deadline allows it."""
    result: RawAnswer | FailedCall = FailedCall(_USED)
    for retry in range(call_limits.MAX_RETRIES + 1):
        if not _count_call(call):
            return result
        result = _call_once(call, text)
        if isinstance(result, RawAnswer) or not result.can_retry:
            return result
        delay = call_limits.choose_delay(retry, result.retry_after_s, call.timing.jitter())
        if retry == call_limits.MAX_RETRIES or delay >= call.seconds_left():
            return result
        call.timing.sleep(delay)
    return result


def _count_call(call: Call) -> bool:
    """Count a call on the disk before it is made; return False if no call is left."""
    now = call.timing.now()

    def add(state: CallState) -> CallState | None:
        left = call_limits.count_calls_left(state, call.settings.calls_per_day, now)
        return call_limits.add_call(state, now) if left else None

    return state_folder.change_call_state(call.folder_fd, add) is not None


def _call_once(call: Call, text: str) -> RawAnswer | FailedCall:
    """Make one call and log it, without its texts."""
    started_at, start = call.timing.now(), call.timing.monotonic()
    if (timeout_s := call.seconds_left()) <= 0:
        message = "no time is left for another call"
        return FailedCall(ModelFailure(FailureReason.TIMEOUT, message))
    result = send_prompt(call.settings, call.request._replace(text=text), call.environ, timeout_s)
    record: dict[str, object] = {
        "at": started_at.astimezone(UTC).isoformat(timespec="seconds"),
        "purpose": call.request.purpose,
        "model": call.settings.label,
        "input_sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16],
        "input_bytes": len(text.encode("utf-8", "replace")),
        "seconds": round(call.timing.monotonic() - start, 3),
    }
    if isinstance(result, RawAnswer):
        record |= {
            "outcome": "answered",
            "answer_bytes": len(result.text.encode("utf-8", "replace")),
        }
        record |= {"prompt_tokens": result.tokens.prompt, "answer_tokens": result.tokens.answer}
    else:
        record |= {"outcome": result.failure.reason.value, "message": result.failure.message}
    state_folder.append_to_log(call.folder_fd, record)
    return result
