"""Ask the language model about many short texts: of each the answer is stored by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.language_model.model_types import FailureReason, ModelFailure
from cortexfs.core.text.plural import format_count
from cortexfs.language_model import state_folder
from cortexfs.language_model.ask_model import ask_model, load_settings, make_key
from cortexfs.language_model.limited_calls import SYSTEM_TIMING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.language_model.model_types import JsonSchema, ModelAnswer, ModelRequest
    from cortexfs.language_model.limited_calls import Timing

MAX_TEXTS = 40
"""Maximum number of texts in one call."""
MAX_ANSWER_CHARS = 2000
"""Maximum length of the answer about one text."""
ANSWERS_SCHEMA: JsonSchema = {
    "type": "object",
    "properties": {
        "answers": {
            "type": "array",
            "items": {"type": "string", "maxLength": MAX_ANSWER_CHARS},
            "maxItems": MAX_TEXTS,
        }
    },
    "required": ["answers"],
    "additionalProperties": False,
}


class Answers(NamedTuple):
    """The answer about each text that has one; `failure` says why others have none."""

    by_text: Mapping[str, str]
    failure: ModelFailure | None = None


def ask_for_each(
    request: ModelRequest,
    texts: Sequence[str],
    environ: Mapping[str, str],
    *,
    may_call: bool = True,
    timing: Timing = SYSTEM_TIMING,
) -> Answers:
    """Return an answer about each text; only texts that were not asked about before make a call.

    The texts and schema of `request` are replaced: the model gets a JSON array of texts.
    """
    settings = load_settings(environ)
    if isinstance(settings, ModelFailure):
        return Answers({}, settings)
    request = request._replace(text="", schema=ANSWERS_SCHEMA)
    keys = {text: make_key(settings, request._replace(text=text)) for text in texts}
    known = _read_known(environ, keys)
    missing = [text for text in keys if text not in known]
    for start in range(0, len(missing), MAX_TEXTS):
        batch = missing[start : start + MAX_TEXTS]
        asked = request._replace(text=json.dumps({"texts": batch}, ensure_ascii=False, indent=0))
        new = _match_answers(batch, ask_model(asked, environ, may_call=may_call, timing=timing))
        if isinstance(new, ModelFailure):
            return Answers(known, new)
        known |= new
        _store(environ, {keys[text]: answer for text, answer in new.items()})
    return Answers(known)


def _match_answers(
    texts: Sequence[str], answer: ModelAnswer | ModelFailure
) -> dict[str, str] | ModelFailure:
    """Return the answer about each text; a failure if there are more or fewer answers."""
    if isinstance(answer, ModelFailure):
        return answer
    answers: list[str] = answer.value["answers"]
    if len(answers) == len(texts):
        return dict(zip(texts, answers, strict=True))
    counts = format_count(len(answers), "answer"), format_count(len(texts), "text")
    message = f"the model gave {counts[0]} about {counts[1]}"
    return ModelFailure(FailureReason.INVALID_ANSWER, message)


def _read_known(environ: Mapping[str, str], keys: Mapping[str, str]) -> dict[str, str]:
    try:
        with state_folder.open_state_folder(environ, create=False) as folder_fd:
            items = state_folder.read_items(folder_fd)
    except OSError:
        return {}
    return {text: items[key] for text, key in keys.items() if key in items}


def _store(environ: Mapping[str, str], items: Mapping[str, str]) -> None:
    """Store answers; where that fails, or another process stores, `ask_model` has them too."""
    try:
        with (
            state_folder.open_state_folder(environ) as folder_fd,
            state_folder.lock_calls(folder_fd) as is_ours,
        ):
            if is_ours:
                state_folder.add_items(folder_fd, items)
    except OSError:
        return
