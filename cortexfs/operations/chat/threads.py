"""List threads and their messages, and delete a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import Usage
from cortexfs.session.chat_threads import delete_thread_file, list_thread_files, read_thread

if TYPE_CHECKING:
    from cortexfs.core.chat.chat_message import ChatMessage
    from cortexfs.session.view import TreeFilesAndGit

DEFAULT_LIMIT, MAX_LIMIT = 50, 200
"""Usual and maximum number of messages, and of threads."""
PREVIEW_CHARS = 80


class ChatThread(NamedTuple):
    """One thread; times are in UTC, and the preview is the beginning of its first message."""

    thread_id: str
    preview: str
    message_count: int
    first_message_at: str
    last_message_at: str
    waits_for: str
    """The change that its last message asks to confirm; empty if it asks for none."""


def list_threads(view: TreeFilesAndGit, limit: int = DEFAULT_LIMIT) -> list[ChatThread]:
    """Return the threads, the one that was used last first; raises `Usage` for a wrong limit."""
    return [
        ChatThread(
            each.thread_id,
            truncate_line(each.first.content, PREVIEW_CHARS),
            each.message_count,
            each.first.created_at,
            each.last.created_at,
            each.last.pending.summary if each.last.pending else "",
        )
        for each in list_thread_files(view.tree, _require_limit(limit))
    ]


def list_messages(
    view: TreeFilesAndGit, thread_id: str, limit: int = DEFAULT_LIMIT
) -> list[ChatMessage]:
    """Return the last messages of a thread, oldest first; raises `NoSuchThread` and `Usage`."""
    return read_thread(view.tree, thread_id)[-_require_limit(limit) :]


def delete_thread(view: TreeFilesAndGit, thread_id: str) -> None:
    """Delete a thread; raises `NoSuchThread`, and `ThreadBusy` while a message is answered."""
    delete_thread_file(view.tree, thread_id)


def _require_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise Usage(f"the limit must be between 1 and {MAX_LIMIT}")
    return limit
