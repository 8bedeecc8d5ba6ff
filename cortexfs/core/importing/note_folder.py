"""What was found in a folder of notes: the texts, and the skipped files with reasons."""

from __future__ import annotations

from typing import NamedTuple


class NoteFile(NamedTuple):
    """One Markdown file: its path below the source, its text (LF), and the date of its mtime."""

    path: str
    text: str
    modified_day: str


class SkippedNote(NamedTuple):
    """A file that becomes no atom: a stable code, a message, and the line, or 0."""

    path: str
    code: str
    message: str
    line: int = 0


REMOVED_CODE = "removed-here"
"""The code of a note whose atom was removed from the tree with `rm`."""


class NoteFolder(NamedTuple):
    """A folder of notes as it was read.

    `name` is the first part of the origin of each note (`vault/Daily/2026-05-06.md`).
    `attachment_count` counts the files that are not Markdown, `hidden_count` the hidden files and
    folders. `is_single_file` means that one note was named, and not a folder.
    """

    name: str
    files: tuple[NoteFile, ...] = ()
    skipped: tuple[SkippedNote, ...] = ()
    attachment_count: int = 0
    hidden_count: int = 0
    is_single_file: bool = False
