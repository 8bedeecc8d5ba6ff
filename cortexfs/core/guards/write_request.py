"""Parse an event of a client into the files that an agent writes or has written."""

from __future__ import annotations

import json
from typing import NamedTuple

from cortexfs.core.guards.codex_patch import BEGIN, parse_patch

BEFORE, AFTER = "PreToolUse", "PostToolUse"
"""The events of Claude Code and Codex before and after a tool runs."""
GEMINI_BEFORE, GEMINI_AFTER = "BeforeTool", "AfterTool"


MAX_FILE_CHARACTERS = 16 * 1024 * 1024
"""Maximum number of characters of the text after each edit."""
MAX_SEARCHED_CHARACTERS = 256 * 1024 * 1024
"""Maximum number of characters that are searched for all edits of one call."""


class EditsTooLarge(Exception):
    """The edits of one call exceed `MAX_FILE_CHARACTERS` or `MAX_SEARCHED_CHARACTERS`."""


class TextReplacement(NamedTuple):
    """One replacement of text in a file; `replace_all` replaces all occurrences."""

    old: str
    new: str
    replace_all: bool = False


class WriteRequest(NamedTuple):
    """One file that a tool writes: its whole `content`, or some edits.

    `event_name` is the client's name of the event.
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
        """All text that the request adds, at any position."""
        new = "\n".join(edit.new for edit in self.edits)
        return self.content if self.content is not None else new


def parse_write_requests(event: bytes) -> tuple[WriteRequest, ...]:
    """Parse an event; returns nothing if it is unreadable or writes no file, and never raises."""
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
            text = _replace_surrogates(content) if isinstance(content, str) else None
            return (WriteRequest(name, path, _parse_cwd(fields), text, _parse_edits(asked)),)
        case {"hook_event_name": "PreToolUse", "tool_input": {"command": str(command)}}:
            return _parse_codex_requests(command, _parse_cwd(fields))
    return ()


def compute_text_after(request: WriteRequest, before: str | None) -> str | None:
    """Return the text of the file after the edits; None if the client itself will refuse them.

    As in the clients, CRLF is read as LF for the edits, and restored afterwards. Raises
    `EditsTooLarge` before anything larger than `MAX_FILE_CHARACTERS` is built.
    """
    if request.content is not None or not request.edits:
        return request.content
    text: str | None = _to_lf(before) if before is not None else None
    searched = 0
    for edit in request.edits:
        searched += len(text or "") + len(edit.old)
        if searched > MAX_SEARCHED_CHARACTERS:
            raise EditsTooLarge
        text = _apply_edit(text, edit)
        if text is None:
            return None
    crlf = before is not None and "\r\n" in before
    return text.replace("\n", "\r\n") if crlf and text else text


def _parse_codex_requests(command: str, cwd: str) -> tuple[WriteRequest, ...]:
    """Return the files that a patch in a shell command writes, as Codex sends it."""
    files = parse_patch(_replace_surrogates(command)) if BEGIN in command else ()
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


def _parse_cwd(fields: dict[str, object]) -> str:
    cwd = fields.get("cwd")
    return cwd if isinstance(cwd, str) else ""


def _parse_edits(asked: dict[str, object]) -> tuple[TextReplacement, ...]:
    """Return the edits of a call: its list of edits, or the call itself as one edit."""
    listed = asked.get("edits", [asked])
    found = [_parse_edit(each) for each in listed] if isinstance(listed, list) else []
    every = tuple(edit for edit in found if edit)
    return every if len(every) == len(found) else ()


def _parse_edit(fields: object) -> TextReplacement | None:
    match fields:
        case {"old_string": str(old), "new_string": str(new), **more}:
            return TextReplacement(
                _to_lf(old), _to_lf(_replace_surrogates(new)), more.get("replace_all") is True
            )
    return None


def _apply_edit(text: str | None, edit: TextReplacement) -> str | None:
    """Return the text after one edit, None if it does not apply; an empty `old` creates a file."""
    if not edit.old:
        return None if text else edit.new
    count = text.count(edit.old) if text else 0
    if not text or not count or (count > 1 and not edit.replace_all):
        return None
    if len(text) + count * (len(edit.new) - len(edit.old)) > MAX_FILE_CHARACTERS:
        raise EditsTooLarge
    return text.replace(edit.old, edit.new)


def _to_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _replace_surrogates(text: str) -> str:
    """Return a text as it is written to a file: half of a surrogate pair becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
