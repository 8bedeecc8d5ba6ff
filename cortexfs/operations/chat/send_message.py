"""Send a message to the cortex; message and answer are stored in a thread."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from cortexfs.core.chat.chat_event import Done, Failed, Thinking, ToolCompleted, ToolStarted
from cortexfs.core.chat.chat_message import (
    MAX_ANSWER_CHARS,
    MAX_QUESTION_CHARS,
    ChatMessage,
    Role,
    ToolCall,
)
from cortexfs.core.chat.parse_question import parse_confirmation
from cortexfs.core.language_model.model_types import ModelFailure
from cortexfs.core.text.sanitize import redact_secrets, strip_unprintable
from cortexfs.errors import CortexError, Refused, Usage
from cortexfs.language_model.ask_model import is_model_configured
from cortexfs.operations.chat.answer_by_grammar import answer_by_grammar
from cortexfs.operations.chat.answer_with_model import Answer, answer_with_model
from cortexfs.operations.chat.chat_tool import ChatContext
from cortexfs.operations.chat.run_tool import describe_refusal, run_confirmed
from cortexfs.operations.chat.threads import MAX_LIMIT, list_threads
from cortexfs.operations.chat.tool_table import TOOLS
from cortexfs.session.chat_threads import lock_thread

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.core.chat.chat_message import PendingChange
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.session import Session

    Answering = Generator[ChatEvent, None, Answer]


class ChatRequest(NamedTuple):
    """A message to send; without a thread a new one begins.

    `channel_context` is the id of a session of an agent that the thread is about, `project` the
    project of what names none. `answers` is the id of the message that a `yes` or `no` was given
    to; it must still be the last one. Without it any last message is answered.
    """

    text: str
    cwd: str
    thread_id: str = ""
    channel_context: str = ""
    project: str = ""
    answers: str = ""


def send_message(
    session: Session,
    request: ChatRequest,
    environ: Mapping[str, str],
    sources: CitedFileSource | None = None,
) -> Generator[ChatEvent]:
    """Yield what happens until the answer is stored: `Thinking` first, `Done` or `Failed` last.

    Before the first event `Usage`, `Refused` and `ThreadBusy` are raised, and nothing is stored.
    Whoever stops to iterate loses the answer, and never the message.
    """
    text = _require_text(request.text)
    request = request._replace(text=text, thread_id=request.thread_id or str(uuid4()))
    with lock_thread(session.tree, request.thread_id) as thread:
        thread.require_room()
        history = thread.read_messages()
        _require_last(history, request.answers)
        thread.append(_make_message(session, request, Role.USER, Answer(text)))
        yield Thinking(request.thread_id)
        last_commit, project = _find_last_commit(history), request.project
        context = ChatContext(session, request.cwd, environ, sources, last_commit, project)
        try:
            answer = yield from _answer(context, history, request)
            message = _make_message(session, request, Role.ASSISTANT, answer)
            thread.append(message)
        except (CortexError, OSError) as error:  # say, a full disk
            yield Failed(request.thread_id, *describe_refusal(error))
        else:
            yield Done(message)


def has_language_model(environ: Mapping[str, str]) -> bool:
    """Return whether a model answers; else only a small grammar is understood."""
    return is_model_configured(environ)


def _require_text(text: str) -> str:
    text = strip_unprintable(text).strip()
    if not text:
        raise Usage("the message is empty", hint='`cortexfs chat "what is stuck?"`')
    if len(text) > MAX_QUESTION_CHARS:
        raise Usage(f"the message has {len(text)} characters; the limit is {MAX_QUESTION_CHARS}")
    return text


def _require_last(history: Sequence[ChatMessage], expected: str) -> None:
    if expected and not (history and history[-1].id == expected):
        raise Refused(
            "the thread has gone on since that question was shown",
            hint="read its last message, and answer that",
        )


def _make_message(
    session: Session, request: ChatRequest, role: Role, answer: Answer
) -> ChatMessage:
    now = session.clock().astimezone(UTC).isoformat(timespec="milliseconds")
    return ChatMessage(
        str(uuid4()),
        request.thread_id,
        role,
        redact_secrets(answer.text)[:MAX_ANSWER_CHARS],
        now.replace("+00:00", "Z"),
        request.channel_context,
        tuple(run.call for run in answer.runs),
        answer.runs[-1].pending if answer.runs else None,
    )


def _find_last_commit(history: Sequence[ChatMessage]) -> str:
    """Return the last commit that the thread has made and not undone; empty without one."""
    for message in reversed(history):
        for call in reversed(message.tool_calls):
            if call.commit:
                return "" if call.tool in {"undo", "redo"} else call.commit
    return ""


def _answer(
    context: ChatContext, history: Sequence[ChatMessage], request: ChatRequest
) -> Answering:
    """Confirm the change that waits, or answer; only the last message of a thread can wait."""
    pending = _find_pending(history)
    confirmation = parse_confirmation(request.text)
    if confirmation is None:
        answer = yield from _answer_question(context, history, request)
        note = f"\n\nnot done: {pending.summary}" if pending else ""
        return answer._replace(text=f"{answer.text}{note}")
    if pending is None:
        return Answer(_format_waiting(context.session, request.thread_id))
    if not confirmation:
        return Answer(f"not done: {pending.summary}")
    return (yield from _make_change(context, pending))


def _format_waiting(session: Session, thread_id: str) -> str:
    """Return that nothing waits in a thread, and which changes wait in others."""
    others = [
        f"- thread `{each.thread_id}`: {each.waits_for}"
        for each in list_threads(session, MAX_LIMIT)
        if each.waits_for and each.thread_id != thread_id
    ]
    if not others:
        return "nothing waits for a confirmation"
    return "\n".join(("nothing waits for a confirmation in this thread, but in others:", *others))


def _find_pending(history: Sequence[ChatMessage]) -> PendingChange | None:
    """Return the change that waits; the file of a thread may come from somebody else."""
    pending = history[-1].pending if history else None
    tool = TOOLS.get(pending.tool) if pending else None
    return pending if tool and tool.is_change else None


def _make_change(context: ChatContext, pending: PendingChange) -> Answering:
    call = ToolCall(pending.tool, str(uuid4()), pending.args)
    yield ToolStarted(call)
    run = run_confirmed(context, call, pending.digest)
    yield ToolCompleted(run.call)
    return Answer(run.text, (run,))


def _answer_question(
    context: ChatContext, history: Sequence[ChatMessage], request: ChatRequest
) -> Answering:
    """Ask the model, if there is one; without an answer of it the grammar answers."""
    if not is_model_configured(context.environ):
        return (yield from answer_by_grammar(context, request.text))
    found = yield from answer_with_model(context, history, request.text, request.channel_context)
    if not isinstance(found, ModelFailure):
        return found
    answer = yield from answer_by_grammar(context, request.text)
    if found.reason.is_off:
        return answer
    return answer._replace(text=f"{answer.text}\n\nthe model did not answer: {found.message}")
