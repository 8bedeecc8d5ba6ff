"""A file that an agent is about to write, or has written: an event of its client, parsed."""

from __future__ import annotations

import json
from typing import NamedTuple

from cortexfs.core.guards.codex_patch import BEGIN, parse_patch

BEFORE, AFTER = "PreToolUse", "PostToolUse"
"""The events of Claude Code and Codex before and after a tool runs."""
GEMINI_BEFORE, GEMINI_AFTER = "BeforeTool", "AfterTool"


MAX_FILE_CHARACTERS = 16 * 1024 * 1024
"""Characters that a file may have between two edits: a longer one is read by nobody."""
MAX_SEARCHED_CHARACTERS = 256 * 1024 * 1024
"""Characters that may be searched for all edits of one call."""


class EditsTooLarge(Exception):
    """The edits of one call make more text, or more work, than any real edit does."""


class TextReplacement(NamedTuple):
    """One replacement of text in a file; `everywhere` where it may occur several times."""

    old: str
    new: str
    replace_all: bool = False


class WriteRequest(NamedTuple):
    """One file that a tool writes: the whole of it (`content`), or some edits.

    `event` is the client's name of the event.
    """

    event_name: str
    path: str
    cwd: str
    content: str | None
    edits: tuple[TextReplacement, ...]

    @property
    def is_before(self) -> bool:
        """Whether the write can still be denied."""
        return self.event_name in {BEFORE, GEMINI_BEFORE}

    @property
    def added_text(self) -> str:
        """All text that the request brings in, wherever it goes."""
        new = "\n".join(edit.new for edit in self.edits)
        return self.content if self.content is not None else new


def parse_write_requests(event: bytes) -> tuple[WriteRequest, ...]:
    """Parse an event. Never raises: one that writes no file, or is not readable, gives none."""
    try:
        fields = json.loads(event)
    except (ValueError, RecursionError):
        return ()
    match fields:
        case {
            "hook_event_name": "PreToolUse" | "PostToolUse" | "BeforeTool" | "AfterTool" as name,
            "tool_input": {"file_path": str(path)} as asked,
        }:
            content = asked.get("content")
            text = _as_written(content) if isinstance(content, str) else None
            return (WriteRequest(name, path, _cwd(fields), text, _edits(asked)),)
        case {"hook_event_name": "PreToolUse", "tool_input": {"command": str(command)}}:
            return _patched(command, _cwd(fields))
    return ()


def compute_text_after(request: WriteRequest, before: str | None) -> str | None:
    """Give the text that a file will have; None where the client itself will refuse the edit.

    As clients do, edits are made with the line ends taken for LF, and these put back.
    Raises `EditsTooLarge`; nothing larger than `LARGEST` is built before that.
    """
    if request.content is not None or not request.edits:
        return request.content
    text: str | None = _lf(before) if before is not None else None
    searched = 0
    for edit in request.edits:
        searched += len(text or "") + len(edit.old)
        if searched > MAX_SEARCHED_CHARACTERS:
            raise EditsTooLarge
        text = _edited(text, edit)
        if text is None:
            return None
    crlf = before is not None and "\r\n" in before
    return text.replace("\n", "\r\n") if crlf and text else text


def _patched(command: str, cwd: str) -> tuple[WriteRequest, ...]:
    """Give the files that a patch in a shell command writes, as Codex sends it."""
    files = parse_patch(_as_written(command)) if BEGIN in command else ()
    return tuple(
        WriteRequest(
            BEFORE,
            file.path,
            cwd,
            file.content,
            tuple(TextReplacement(old, new) for old, new in file.hunks),
        )
        for file in files
    )


def _cwd(fields: dict[str, object]) -> str:
    cwd = fields.get("cwd")
    return cwd if isinstance(cwd, str) else ""


def _edits(asked: dict[str, object]) -> tuple[TextReplacement, ...]:
    """Give the edits of a call: a list of them, or the one that it is itself."""
    listed = asked.get("edits", [asked])
    found = [_edit(each) for each in listed] if isinstance(listed, list) else []
    every = tuple(edit for edit in found if edit)
    return every if len(every) == len(found) else ()


def _edit(fields: object) -> TextReplacement | None:
    match fields:
        case {"old_string": str(old), "new_string": str(new), **more}:
            return TextReplacement(_lf(old), _lf(_as_written(new)), more.get("replace_all") is True)
    return None


def _edited(text: str | None, edit: TextReplacement) -> str | None:
    """Make one edit; an empty `old` begins a file."""
    if not edit.old:
        return None if text else edit.new
    count = text.count(edit.old) if text else 0
    if not text or not count or (count > 1 and not edit.replace_all):
        return None
    if len(text) + count * (len(edit.new) - len(edit.old)) > MAX_FILE_CHARACTERS:
        raise EditsTooLarge
    return text.replace(edit.old, edit.new)


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _as_written(text: str) -> str:
    """Give a text as it comes to a file: half of a character becomes the replacement sign."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
