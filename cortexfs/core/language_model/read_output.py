"""Read what a model's program printed, or a server's document: the answer and its tokens."""

from __future__ import annotations

import json
from typing import Any

from cortexfs.core.language_model.model_types import (
    FailedCall,
    FailureReason,
    ModelFailure,
    RawAnswer,
    TokenCounts,
)


def read_chat_completion(body: bytes) -> RawAnswer | FailedCall:
    """Return the first choice of a chat completion."""
    document = _load(body)
    try:
        text = document["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        text = None
    if not isinstance(text, str):
        return _fail(FailureReason.INVALID_ANSWER, "the server sent no chat completion")
    return RawAnswer(text, _read_tokens(document, "prompt_tokens", "completion_tokens"))


def read_program_output(output: bytes) -> RawAnswer | FailedCall:
    """Return what a program printed; of the result of `claude --output-format json` its text."""
    text = output.decode("utf-8", "replace")
    document = _load(output) if text.lstrip().startswith("{") else None
    if not isinstance(document, dict) or document.get("type") != "result":
        return RawAnswer(text)
    if document.get("is_error") is True:
        return _fail(FailureReason.COMMAND_FAILED, "the program reports an error as its result")
    tokens = _read_tokens(document, "input_tokens", "output_tokens")
    if document.get("structured_output") is not None:
        return RawAnswer(json.dumps(document["structured_output"]), tokens)
    if not isinstance(document.get("result"), str):
        return _fail(FailureReason.INVALID_ANSWER, "the program's result has no text")
    return RawAnswer(document["result"], tokens)


def _load(content: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _read_tokens(document: dict[str, Any], prompt: str, answer: str) -> TokenCounts:
    usage = document.get("usage")
    counts = (usage.get(prompt), usage.get(answer)) if isinstance(usage, dict) else (0, 0)
    return TokenCounts(*(count if type(count) is int and count >= 0 else 0 for count in counts))


def _fail(reason: FailureReason, message: str) -> FailedCall:
    return FailedCall(ModelFailure(reason, message))
