"""The prompts: how to start a session, end it, and record an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_VALUE_CHARS = 500
"""Maximum characters of an argument of a prompt."""


class _Prompt(NamedTuple):
    """A prompt; `{name}` in its text is an argument, which may be missing."""

    name: str
    description: str
    text: str
    arguments: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


_PROMPTS = (
    _Prompt(
        "start_session",
        "Begin a session: what was done before, and what is next",
        "Begin a session of work{project}.\n"
        "1. Call cortex_brief{project} and mem_context{project}.\n"
        "2. Call cortex_tasks{project} if no task was given.\n"
        "3. Say in five lines: where the work stands, what is open, what you will do first.\n"
        "Save what you learn with mem_save as you work.",
        ("project",),
    ),
    _Prompt(
        "end_session",
        "End a session: save what was learned, and a summary",
        "End this session of work{project}.\n"
        "1. Save each decision, fixed bug and discovery that is not saved yet with mem_save.\n"
        "2. Call mem_session_summary{project} with the sections Goal, Instructions, Discoveries, "
        "Accomplished, Next steps and Relevant files.\n"
        "3. Relate what belongs together with mem_relate.",
        ("project",),
    ),
    _Prompt(
        "record_experiment",
        "Record an experiment with its numbers, and what follows from it",
        "Record this experiment{project}: {title}\n"
        "1. Call cortex_find with its subject; read what is close with cortex_show.\n"
        "2. Call cortex_new with kind=experiment and a body with hypothesis, method, results with "
        "their numbers and the command or file each came from, and conclusion.\n"
        "3. If it contradicts an atom, call cortex_mark on that atom with by=the new ref.\n"
        "4. If it confirms something general, propose a knowledge atom with evidence=the new ref.",
        ("title", "project"),
        ("title",),
    ),
)


def list_prompts() -> dict[str, object]:
    """Return the result of `prompts/list`."""
    return {"prompts": [_to_json(prompt) for prompt in _PROMPTS]}


def get_prompt(name: str, given: Mapping[str, str]) -> dict[str, object]:
    """Return the result of `prompts/get`; raises `Usage`."""
    prompt = next((each for each in _PROMPTS if each.name == name), None)
    if prompt is None:
        known = ", ".join(each.name for each in _PROMPTS)
        raise Usage(f"no prompt named `{clean_line(name)[:60]}`", hint=f"prompts: {known}")
    for key in prompt.required:
        if not given.get(key, "").strip():
            raise Usage(f"{key} is required")
    values = {key: clean_line(given.get(key, ""))[:MAX_VALUE_CHARS] for key in prompt.arguments}
    if project := values.get("project"):
        values["project"] = f" (project {project})"
    content = {"type": "text", "text": prompt.text.format_map(values)}
    messages = [{"role": "user", "content": content}]
    return {"description": prompt.description, "messages": messages}


def _to_json(prompt: _Prompt) -> dict[str, object]:
    arguments = [{"name": key, "required": key in prompt.required} for key in prompt.arguments]
    return {"name": prompt.name, "description": prompt.description, "arguments": arguments}
