"""What an agent is about to write, or has written: an event of its client, read."""

from __future__ import annotations

import json
from typing import NamedTuple

BEFORE, AFTER = "PreToolUse", "PostToolUse"


LARGEST = 16 * 1024 * 1024
"""Characters that a file may have between two edits: a longer one is read by nobody."""
MOST_READ = 256 * 1024 * 1024
"""Characters that may be searched for all edits of one call."""


class EditsTooLarge(Exception):
    """The edits of one call make more text, or more work, than any real edit does."""


class Edit(NamedTuple):
    """One piece of a file that is to read otherwise; `everywhere` where it stands often."""

    old: str
    new: str
    everywhere: bool = False


class Asked(NamedTuple):
    """One file that a tool writes: the whole of it (`content`), or some edits."""

    when: str
    path: str
    cwd: str
    content: str | None
    edits: tuple[Edit, ...]


def read_asked(event: bytes) -> Asked | None:
    """Read an event. Never raises: what writes no file, or cannot be read, is None."""
    try:
        said = json.loads(event)
    except (ValueError, RecursionError):
        return None
    match said:
        case {
            "hook_event_name": "PreToolUse" | "PostToolUse" as when,
            "tool_input": {"file_path": str(path)} as asked,
        }:
            cwd, content = said.get("cwd"), asked.get("content")
            return Asked(
                when=when,
                path=path,
                cwd=cwd if isinstance(cwd, str) else "",
                content=_as_written(content) if isinstance(content, str) else None,
                edits=_edits(asked),
            )
    return None


def becomes(asked: Asked, before: str | None) -> str | None:
    """Give what the file will say; None where the client itself will refuse the edit.

    As clients do, edits are made with the line ends taken for LF, and these put back.
    Raises `EditsTooLarge`; nothing larger than `LARGEST` is built before that.
    """
    if asked.content is not None or not asked.edits:
        return asked.content
    text: str | None = _lf(before) if before is not None else None
    searched = 0
    for edit in asked.edits:
        searched += len(text or "") + len(edit.old)
        if searched > MOST_READ:
            raise EditsTooLarge
        text = _edited(text, edit)
        if text is None:
            return None
    crlf = before is not None and "\r\n" in before
    return text.replace("\n", "\r\n") if crlf and text else text


def _edits(asked: dict[str, object]) -> tuple[Edit, ...]:
    """Give the edits of a call: a list of them, or the one that it is itself."""
    listed = asked.get("edits", [asked])
    found = [_edit(each) for each in listed] if isinstance(listed, list) else []
    every = tuple(edit for edit in found if edit)
    return every if len(every) == len(found) else ()


def _edit(said: object) -> Edit | None:
    match said:
        case {"old_string": str(old), "new_string": str(new), **more}:
            return Edit(_lf(old), _lf(_as_written(new)), more.get("replace_all") is True)
    return None


def _edited(text: str | None, edit: Edit) -> str | None:
    """Make one edit; an empty `old` begins a file."""
    if not edit.old:
        return None if text else edit.new
    often = text.count(edit.old) if text else 0
    if not text or not often or (often > 1 and not edit.everywhere):
        return None
    if len(text) + often * (len(edit.new) - len(edit.old)) > LARGEST:
        raise EditsTooLarge
    return text.replace(edit.old, edit.new)


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _as_written(text: str) -> str:
    """Give a text as it comes to a file: half of a character becomes the sign for none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
