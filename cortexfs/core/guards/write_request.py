"""Parse an event of a client into the files that an agent writes or has written."""

from __future__ import annotations

import json
from typing import NamedTuple

from cortexfs.core.guards.codex_patch import BEGIN, parse_entered_folder, parse_patch

BEFORE, AFTER = "PreToolUse", "PostToolUse"
"""The events of Claude Code and Codex before and after a tool runs."""
GEMINI_BEFORE, GEMINI_AFTER = "BeforeTool", "AfterTool"
OPENCODE_BEFORE, OPENCODE_AFTER = "tool.execute.before", "tool.execute.after"

MAX_FILE_CHARACTERS = 16 * 1024 * 1024
"""Maximum number of characters of the text after each edit."""
MAX_SEARCHED_CHARACTERS = 256 * 1024 * 1024
"""Maximum number of characters that are searched for all edits of one call."""

_REPLACE_ALL_KEYS = ("replace_all", "allow_multiple")
"""Of Claude Code and of Gemini CLI."""
_OPENCODE_KEYS = {"oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
_WRITE_TOOLS = ("write", "edit", "multiedit")
_PATCH_TOOLS = ("apply_patch", "patch")


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
        return self.event_name in {BEFORE, GEMINI_BEFORE, OPENCODE_BEFORE}

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
            path = _to_literal_path(path) if name in {GEMINI_BEFORE, GEMINI_AFTER} else path
            return (_make_request(name, path, _text(fields, "cwd"), asked),)
        case {
            "hook_event_name": "PreToolUse" | "PostToolUse" as name,
            "tool_input": {"command": str(command)},
        }:
            return _parse_patch_requests(name, command, _text(fields, "cwd"))
        case {
            "hook_event_name": "tool.execute.before" | "tool.execute.after" as name,
            "tool": str(tool),
            "args": dict(args),
        }:
            return _parse_opencode_requests(name, tool, args, _text(fields, "directory"))
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


def _make_request(name: str, path: str, cwd: str, asked: dict[str, object]) -> WriteRequest:
    content = asked.get("content")
    text = _replace_surrogates(content) if isinstance(content, str) else None
    return WriteRequest(name, path, cwd, text, _parse_edits(asked))


def _parse_patch_requests(name: str, command: str, cwd: str) -> tuple[WriteRequest, ...]:
    """Return the files that a patch in a shell command writes, as Codex sends it."""
    files = parse_patch(_replace_surrogates(command)) if BEGIN in command else ()
    folder = parse_entered_folder(command) if files else ""
    cwd = folder if folder.startswith(("/", "~")) else f"{cwd}/{folder}" if folder else cwd
    return tuple(
        WriteRequest(
            name,
            _to_literal_path(path),
            cwd,
            file.content,
            tuple(TextReplacement(old, new) for old, new in file.hunks),
        )
        for file in files
        for path in (file.path, file.new_path)
        if path
    )


def _parse_opencode_requests(
    name: str, tool: str, args: dict[str, object], cwd: str
) -> tuple[WriteRequest, ...]:
    """Return the files that a tool of OpenCode writes, as its plugin sends them."""
    if tool in _PATCH_TOOLS:
        return _parse_patch_requests(name, _text(args, "patchText"), cwd)
    path = _text(args, "filePath")
    if tool not in _WRITE_TOOLS or not path:
        return ()
    asked = _rename_keys(args)
    edits = args.get("edits")
    if isinstance(edits, list):
        asked["edits"] = [_rename_keys(edit) if isinstance(edit, dict) else edit for edit in edits]
    return (_make_request(name, _to_literal_path(path), cwd, asked),)


def _rename_keys(fields: dict[str, object]) -> dict[str, object]:
    """Return the fields of a call of OpenCode with the names that Claude Code has for them."""
    return {_OPENCODE_KEYS.get(key, key): value for key, value in fields.items()}


def _to_literal_path(path: str) -> str:
    """Return a path in which `~` is the name of a file: only Claude Code expands it."""
    return f"./{path}" if path.startswith("~") else path


def _text(fields: dict[str, object], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _parse_edits(asked: dict[str, object]) -> tuple[TextReplacement, ...]:
    """Return the edits of a call: its list of edits, or the call itself as one edit."""
    listed = asked.get("edits", [asked])
    found = [_parse_edit(each) for each in listed] if isinstance(listed, list) else []
    every = tuple(edit for edit in found if edit)
    return every if len(every) == len(found) else ()


def _parse_edit(fields: object) -> TextReplacement | None:
    match fields:
        case {"old_string": str(old), "new_string": str(new), **more}:
            replace_all = any(more.get(key) is True for key in _REPLACE_ALL_KEYS)
            return TextReplacement(_to_lf(old), _to_lf(_replace_surrogates(new)), replace_all)
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
