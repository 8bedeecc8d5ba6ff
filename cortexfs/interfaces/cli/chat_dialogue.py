"""The dialogue of `cortexfs chat` on a terminal, and what is shown while a message is answered."""

from __future__ import annotations

import os
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from cortexfs.core.chat.chat_event import Done, Failed, Thinking, ToolStarted
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import CortexError, Refused
from cortexfs.interfaces.cli import console, process_context
from cortexfs.operations.chat.send_message import send_message
from cortexfs.session.chat_threads import require_thread_id

if TYPE_CHECKING:
    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.core.chat.chat_message import ChatMessage
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.chat.send_message import ChatRequest
    from cortexfs.session.session import Session

PROMPT = "> "
CALL_CHARS = 76
"""Maximum characters of the line that names a call of a tool."""
THINKING, CLEAR_LINE = "· thinking", "\r          \r"
LEAVE_WORDS = frozenset(("exit", "quit", "bye", "/quit", "/exit"))
GREETING = 'Ask, for example, "what is stuck?"; "help" lists more, Ctrl-D leaves.'


def send_and_report(run: CommandContext, session: Session, request: ChatRequest) -> ChatMessage:
    """Send a message, show which tools are called, and return the answer.

    Raises `Refused` if there is none, or it cannot be stored.
    """
    sources = process_context.find_sources(session)
    with closing(send_message(session, request, os.environ, sources)) as events:
        for event in events:
            _report(run.output, event)
            if isinstance(event, Done):
                return event.message
            if isinstance(event, Failed):
                raise Refused(event.message, hint=event.hint)
    raise AssertionError("the last event is Done or Failed")


def _report(output: OutputPrinter, event: ChatEvent) -> None:
    """Show on a terminal what is done; the line that says so is cleared by what follows."""
    if output.is_quiet or not sys.stderr.isatty():
        return
    sys.stderr.write(THINKING if isinstance(event, Thinking) else CLEAR_LINE)
    sys.stderr.flush()
    if isinstance(event, ToolStarted):
        words = " ".join(f"{name}={value}" for name, value in event.call.args.items())
        output.print_message(truncate_line(f"· {event.call.tool} {words}", CALL_CHARS))
        sys.stderr.write(THINKING)
        sys.stderr.flush()


def print_pending_hint(output: OutputPrinter, answer: ChatMessage) -> None:
    """Print the command that confirms the change that waits, if any."""
    if answer.pending:
        output.print_message(f"to confirm: cortexfs chat --thread {answer.thread_id} yes")


def talk(run: CommandContext, session: Session, request: ChatRequest) -> None:
    """Answer typed messages until the end of the input; the id of the thread is printed last."""
    with suppress(ImportError):
        import readline  # noqa: F401 - edits the line that is typed
    thread = request.thread_id or str(uuid4())
    require_thread_id(thread)
    run.output.print_message(GREETING)
    is_begun = False
    while (text := _read_line()) is not None:
        if text.lower() in LEAVE_WORDS:
            break
        if text:
            _answer(run, session, request._replace(text=text, thread_id=thread))
            is_begun = True
    if is_begun:
        run.output.print_message(f"to go on: cortexfs chat --thread {thread}")


def _read_line() -> str | None:
    """Return a typed line; None at the end of the input."""
    try:
        return input(PROMPT).strip()
    except EOFError:
        sys.stdout.write("\n")
        return None


def _answer(run: CommandContext, session: Session, request: ChatRequest) -> None:
    """Print the answer to a message, or why there is none; Ctrl-C only ends the answer."""
    try:
        answer = send_and_report(run, session, request)
    except CortexError as error:
        console.print_error(error)
    except KeyboardInterrupt:
        sys.stderr.write("\n")  # after `^C`
        run.output.print_message("interrupted; the answer is not kept")
    else:
        run.output.print_text(f"{answer.content}\n")
