"""What was found in a folder of notes: the texts, and what was left out and why."""

from __future__ import annotations

from typing import NamedTuple


class NoteFile(NamedTuple):
    """One Markdown file: its path below the source, its text (LF), and the day of its mtime."""

    path: str
    text: str
    modified_day: str


class SkippedNote(NamedTuple):
    """A file that becomes no atom: a stable code, a sentence, and the line where there is one."""

    path: str
    code: str
    message: str
    line: int = 0


class NoteFolder(NamedTuple):
    """A folder of notes as it was read.

    `name` begins the origin of each note (`vault/Daily/2026-05-06.md`); `attachments` counts
    the files that are no Markdown, `hidden` the hidden files and folders.
    """

    name: str
    files: tuple[NoteFile, ...] = ()
    skipped: tuple[SkippedNote, ...] = ()
    attachment_count: int = 0
    hidden_count: int = 0
