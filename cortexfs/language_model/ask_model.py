"""Ask the user's language model: answers are stored, calls counted and limited, failures values."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.secrets import redact
from cortexfs.core.language_model import call_limits
from cortexfs.core.language_model.model_settings import InvalidModelSettings
from cortexfs.core.language_model.model_types import (
    GUARD_VARIABLE,
    FailedCall,
    FailureReason,
    ModelAnswer,
    ModelFailure,
)
from cortexfs.core.language_model.parse_answer import parse_answer
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.language_model import state_folder
from cortexfs.language_model.limited_calls import (
    SYSTEM_TIMING,
    Call,
    Timing,
    call_with_retries,
    find_obstacle,
)
from cortexfs.tree.user_settings import read_model_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.language_model.model_settings import ModelSettings
    from cortexfs.core.language_model.model_types import ModelRequest

MAX_REPAIRED_CHARS = 4000
"""How much of an invalid answer is shown to the model that is to repair it, in characters."""


def is_model_configured(environ: Mapping[str, str]) -> bool:
    """Return whether the user's settings name a language model, valid or not."""
    return read_model_settings(environ) is not None


def ask_model(
    request: ModelRequest,
    environ: Mapping[str, str],
    *,
    may_call: bool = True,
    timing: Timing = SYSTEM_TIMING,
) -> ModelAnswer | ModelFailure:
    """Return the answer, or why there is none; raises nothing that the model could cause.

    Secrets and private parts are removed from the question. The answer to a question that was
    asked before is read from the disk; with `may_call=False` no other answer is given.
    """
    settings = load_settings(environ)
    if isinstance(settings, ModelFailure):
        return settings
    try:
        with state_folder.open_state_folder(environ) as folder_fd:
            call = make_call(settings, request, environ, timing, folder_fd)
            return _answer_from_disk_or_model(call, may_call=may_call)
    except OSError as error:
        message = f"the state of the calls cannot be kept: {error.strerror}"
        return ModelFailure(FailureReason.STATE_UNUSABLE, message)


def make_call(
    settings: ModelSettings,
    request: ModelRequest,
    environ: Mapping[str, str],
    timing: Timing,
    folder_fd: int,
) -> Call:
    """Return a question on its way, without its secrets and private parts."""
    request = request._replace(text=redact(redact_private(request.text)))
    deadline = timing.monotonic() + settings.timeout_s
    return Call(settings, request, environ, timing, folder_fd, deadline)


def load_settings(environ: Mapping[str, str]) -> ModelSettings | ModelFailure:
    """Return the settings of the model that may be asked, or why there is none."""
    settings = read_model_settings(environ)
    if settings is None:
        return ModelFailure(FailureReason.NOT_CONFIGURED, "no language model is configured")
    if isinstance(settings, InvalidModelSettings):
        return ModelFailure(FailureReason.INVALID_SETTINGS, settings.message)
    if not settings.calls_per_day:
        return ModelFailure(FailureReason.SWITCHED_OFF, "model.calls-per-day is 0")
    return settings


def _answer_from_disk_or_model(call: Call, *, may_call: bool) -> ModelAnswer | ModelFailure:
    if stored := find_stored(call):
        return stored
    if call.environ.get(GUARD_VARIABLE):
        return ModelFailure(
            FailureReason.INSIDE_MODEL, f"this runs inside a model ({GUARD_VARIABLE})"
        )
    if not may_call:
        return ModelFailure(FailureReason.NOT_CACHED, "this question was not asked yet")
    with state_folder.lock_calls(call.folder_fd) as is_ours:
        if not is_ours:
            return ModelFailure(FailureReason.BUSY, "another process asks the model")
        return answer_locked(call)


def answer_locked(call: Call) -> ModelAnswer | ModelFailure:
    """Return the stored answer, or ask; the caller has the lock of the calls."""
    return find_stored(call) or _ask(call, make_key(call.settings, call.request))


def make_key(settings: ModelSettings, request: ModelRequest) -> str:
    """Return the name of a question: of model, instructions, schema and text together."""
    model = [settings.command, settings.endpoint, settings.name, settings.sends_schema]
    asked = [request.purpose, request.prompt_version, request.instructions, request.schema]
    content = json.dumps([*model, *asked, request.text], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def find_stored(call: Call) -> ModelAnswer | ModelFailure | None:
    """Return what the model answered earlier; an invalid answer is not asked for again."""
    key = make_key(call.settings, call.request)
    match state_folder.read_stored_answer(call.folder_fd, key):
        case {"answer": str(text)}:
            parsed = parse_answer(text, call.request.schema)
            return None if parsed.flaw else ModelAnswer(parsed.text, parsed.value, is_cached=True)
        case {"invalid": str(message)}:
            return ModelFailure(FailureReason.INVALID_ANSWER, message)
    return None


def _ask(call: Call, key: str) -> ModelAnswer | ModelFailure:
    """Ask, once more if the answer is not valid, and remember how it ended."""
    if failure := find_obstacle(call):
        return failure
    result = _ask_and_parse(call, call.request.text)
    if isinstance(result, _Invalid):
        result = _ask_and_parse(call, _make_repair_text(call.request.text, result))
    if isinstance(result, ModelAnswer):
        state_folder.store_answer(call.folder_fd, key, {"answer": result.text})
        state_folder.change_call_state(call.folder_fd, call_limits.add_success)
        return result
    if isinstance(result, _Invalid):
        message = f"the model's answer is not valid: {result.flaw}"
        state_folder.store_answer(call.folder_fd, key, {"invalid": message})
        result = FailedCall(ModelFailure(FailureReason.INVALID_ANSWER, message))
    failure, pause_s = result.failure, result.retry_after_s
    state_folder.change_call_state(
        call.folder_fd,
        lambda state: call_limits.add_failure(state, failure.message, call.timing.now(), pause_s),
    )
    return failure


class _Invalid(NamedTuple):
    """An answer that is not of the requested form."""

    text: str
    flaw: str


def _ask_and_parse(call: Call, text: str) -> ModelAnswer | _Invalid | FailedCall:
    raw = call_with_retries(call, text)
    if isinstance(raw, FailedCall):
        return raw
    parsed = parse_answer(raw.text, call.request.schema)
    if parsed.flaw:
        return _Invalid(parsed.text, parsed.flaw)
    return ModelAnswer(parsed.text, parsed.value)


def _make_repair_text(text: str, invalid: _Invalid) -> str:
    return (
        f"{text}\n\nYour last answer was not valid: {invalid.flaw}. Answer again, only in the"
        f" requested form. It was:\n{redact(invalid.text[:MAX_REPAIRED_CHARS])}"
    )
