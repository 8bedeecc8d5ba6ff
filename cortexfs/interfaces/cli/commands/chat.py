"""`cortexfs chat`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.minute import format_minute
from cortexfs.errors import Refused, Usage
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import Project, StringList

if TYPE_CHECKING:
    from cortexfs.core.chat.chat_message import ChatMessage
    from cortexfs.operations.chat.send_message import ChatRequest
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)

DEFAULT_LIMIT = 50
"""Number of threads or messages without --limit."""


MessageArgument = Annotated[
    StringList, typer.Argument(help="The message (default: a dialogue on the terminal).")
]
ThreadOption = Annotated[
    str, typer.Option("--thread", metavar="ID", help="Thread to continue (default: a new one).")
]
ChannelOption = Annotated[
    str, typer.Option("--channel", metavar="ID", help="Session of an agent that it is about.")
]
ListOption = Annotated[bool, typer.Option("--list", help="List the threads.")]
ShowOption = Annotated[bool, typer.Option("--show", help="Show the messages of --thread.")]
DeleteOption = Annotated[bool, typer.Option("--delete", help="Delete --thread.")]
LimitOption = Annotated[
    int, typer.Option("--limit", "-n", help="Maximum number of threads or messages.")
]


@app.command()
@read_command
def chat(
    run: CommandContext,
    message: MessageArgument = None,
    thread: ThreadOption = "",
    channel: ChannelOption = "",
    project: Project = None,
    list_threads: ListOption = False,
    show: ShowOption = False,
    delete: DeleteOption = False,
    limit: LimitOption = DEFAULT_LIMIT,
) -> None:
    """Ask the cortex, or let it make a change that you confirm.

    It answers what happens, what is stuck, what was forgotten and why, what is known about
    something. A change is shown first, and made after a `yes` in the same thread.

    Example: cortexfs chat "what is stuck?"
    """
    _require_one_action([bool(message), list_threads, show, delete], thread)
    session = run.open_session()
    if list_threads:
        _print_threads(run, session, limit)
    elif show:
        _print_messages(run, session, thread, limit)
    elif delete:
        _delete(run, session, thread)
    else:
        _send_or_talk(run, session, _make_request(run, session, thread, channel, project), message)


def _require_one_action(actions: list[bool], thread: str) -> None:
    """Raise `Usage` for several of a message, --list, --show and --delete, or without a thread."""
    if sum(actions) > 1:
        raise Usage("--list, --show, --delete and a message exclude one another")
    if any(actions[2:]) and not thread:
        raise Usage("no thread is named", hint="add `--thread ID`; `cortexfs chat --list` has ids")


def _make_request(
    run: CommandContext, session: Session, thread: str, channel: str, project: str | None
) -> ChatRequest:
    """Return a request without its text; raises `NoSuchProject`."""
    from cortexfs.operations.chat.send_message import ChatRequest
    from cortexfs.operations.shared.resolve_names import require_project

    named = require_project(session, project) if project else ""
    return ChatRequest("", run.cwd, thread, channel, named)


def _send_or_talk(
    run: CommandContext, session: Session, request: ChatRequest, message: StringList
) -> None:
    """Send the message that was given as arguments, or talk on the terminal."""
    if message:
        _send(run, session, request._replace(text=" ".join(message)))
    else:
        _talk(run, session, request)


def _send(run: CommandContext, session: Session, request: ChatRequest) -> None:
    """Send one message, and print the answer."""
    from cortexfs.interfaces.cli.chat_dialogue import print_pending_hint, send_and_report
    from cortexfs.interfaces.json.chat import to_message_json

    answer = send_and_report(run, session, request)
    run.output.print_document(message=to_message_json(answer))
    run.output.print_text(answer.content)
    print_pending_hint(run.output, answer)


def _talk(run: CommandContext, session: Session, request: ChatRequest) -> None:
    """Answer messages typed on the terminal, until the end of the input."""
    from cortexfs.interfaces.cli.chat_dialogue import talk

    if run.output.as_json or not console.is_interactive():
        hint = 'give it as an argument: `cortexfs chat "what is stuck?"`'
        raise Refused("no terminal: a message cannot be asked for", hint=hint)
    talk(run, session, request)


def _print_threads(run: CommandContext, session: Session, limit: int) -> None:
    from cortexfs.interfaces.json.chat import to_thread_json
    from cortexfs.operations.chat.threads import list_threads

    found = list_threads(session, limit)
    run.output.print_document(threads=[to_thread_json(each) for each in found])
    rows = (
        (each.thread_id, each.last_message_at[:16], str(each.message_count), each.preview)
        for each in found
    )
    run.output.print_table(("Thread", "Last message", "Messages", "First message"), rows)
    if not found:
        run.output.exit_empty("no threads")


def _print_messages(run: CommandContext, session: Session, thread: str, limit: int) -> None:
    from cortexfs.interfaces.json.chat import to_message_json
    from cortexfs.operations.chat.threads import list_messages

    found = list_messages(session, thread, limit)
    run.output.print_document(messages=[to_message_json(each) for each in found])
    run.output.print_text("\n\n".join(map(_format_message, found)))


def _format_message(message: ChatMessage) -> str:
    return f"{message.role} {format_minute(message.created_at)}\n{message.content}"


def _delete(run: CommandContext, session: Session, thread: str) -> None:
    from cortexfs.operations.chat.threads import delete_thread

    delete_thread(session, thread)
    run.output.print_document(deleted={"thread_id": thread})
    run.output.print_message(f"deleted thread {thread}")
