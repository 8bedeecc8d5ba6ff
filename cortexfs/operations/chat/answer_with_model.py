"""Let the language model answer a message: it calls tools, one after another, up to a limit."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from cortexfs.core.chat import model_dialogue
from cortexfs.core.chat.chat_event import ToolCompleted, ToolStarted
from cortexfs.core.chat.chat_message import ToolCall
from cortexfs.core.language_model.model_types import FailureReason, ModelFailure, ModelRequest
from cortexfs.language_model.ask_model import ask_model
from cortexfs.operations.chat.run_tool import run_tool
from cortexfs.operations.chat.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.core.chat.chat_message import ChatMessage
    from cortexfs.operations.chat.chat_tool import ChatContext
    from cortexfs.operations.chat.run_tool import ToolRun

PURPOSE = "chat"
MAX_SECONDS = 300
"""Seconds after which no further tool is called."""


class Answer(NamedTuple):
    """An answer: its text, and the calls that were made; the last one may wait."""

    text: str
    runs: tuple[ToolRun, ...] = ()


def answer_with_model(
    context: ChatContext, history: Sequence[ChatMessage], question: str, channel: str
) -> Generator[ChatEvent, None, Answer | ModelFailure]:
    """Yield the calls of tools; return the answer of the model, or why there is none.

    A tool that changes something ends the dialogue with its plan. The model begins with the last
    events of the session `channel`, if one is named.
    """
    head = f"time: {context.session.clock():%Y-%m-%d %H:%M} UTC"
    runs: list[ToolRun] = []
    seen = [_inspect_channel(context, channel)] if channel else []
    end = time.monotonic() + MAX_SECONDS
    while True:
        text = model_dialogue.make_dialogue(head, history, question, seen)
        step = _ask(context, text, can_call=_may_go_on(seen, end))
        if isinstance(step, ModelFailure):
            return step
        if step.tool == model_dialogue.ANSWER:
            return Answer(model_dialogue.add_sources(step.answer, seen), tuple(runs))
        call = ToolCall(step.tool, str(uuid4()), step.args)
        yield ToolStarted(call)
        run = run_tool(context, call)
        yield ToolCompleted(run.call)
        runs.append(run)
        if run.pending:
            return Answer("\n\n".join(filter(None, (step.answer, run.text))), tuple(runs))
        seen.append(_describe_run(run))


def _inspect_channel(context: ChatContext, channel: str) -> model_dialogue.SeenResult:
    """Return the last events of a session."""
    call = ToolCall("worker_inspect", str(uuid4()), {"id": channel})
    return _describe_run(run_tool(context, call))


def _describe_run(run: ToolRun) -> model_dialogue.SeenResult:
    """Return a result as a model reads it."""
    call = run.call
    shown = f"{call.tool} {json.dumps(call.args, ensure_ascii=False)}"
    return model_dialogue.SeenResult(shown, call.result, run.refs, run.is_refused)


def _may_go_on(seen: Sequence[object], end: float) -> bool:
    return len(seen) < model_dialogue.MAX_STEPS and time.monotonic() < end


def _ask(
    context: ChatContext, text: str, *, can_call: bool
) -> model_dialogue.ModelStep | ModelFailure:
    lines = [
        model_dialogue.format_tool(
            tool.name, tool.description, tool.parameters, is_change=tool.is_change
        )
        for tool in TOOLS.values()
    ]
    request = ModelRequest(
        PURPOSE,
        model_dialogue.PROMPT_VERSION,
        model_dialogue.make_instructions(lines),
        text,
        model_dialogue.make_step_schema(TOOLS if can_call else ()),
    )
    found = ask_model(request, context.environ)
    if isinstance(found, ModelFailure):
        return found
    step = model_dialogue.parse_step(found.value)
    if step.tool == model_dialogue.ANSWER and not step.answer:
        return ModelFailure(FailureReason.INVALID_ANSWER, "the model's answer is empty")
    return step
