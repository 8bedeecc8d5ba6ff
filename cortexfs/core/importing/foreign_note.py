"""One parsed foreign note: its title, its date, and the names that links may use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.importing.extract_tags import extract_tags
from cortexfs.core.importing.note_dates import find_note_day
from cortexfs.core.importing.note_frontmatter import NoteParts, split_note
from cortexfs.core.importing.note_title import choose_title, file_stem, make_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.importing.note_folder import NoteFile

_ID_KEYS = ("id", "uid", "zettel-id", "zettel_id", "permalink", "slug")
_ALIAS_KEYS = ("aliases", "alias")
_LEADING_ID = re.compile(r"(?=[a-z]*\d)([a-z0-9]{3,14})(?=[ _-]|$)", re.IGNORECASE)


class ForeignNote(NamedTuple):
    """A foreign note.

    `link_names` are its names in links besides the path, the most certain first.
    """

    path: str
    parts: NoteParts
    title: str
    summary: str
    day: str
    tags: tuple[str, ...]
    link_names: tuple[str, ...]
    checksum: str

    @property
    def values(self) -> Mapping[str, object]:
        """Its frontmatter with YAML types."""
        return self.parts.typed_values


def parse_note(file: NoteFile, checksum: str) -> ForeignNote:
    """Parse one file; `checksum` is the checksum of its text. Never raises."""
    parts = split_note(file.text)
    values, body = parts.typed_values, parts.body
    title = choose_title(values, body, file.path)
    return ForeignNote(
        path=file.path,
        parts=parts,
        title=title,
        summary=make_summary(values, title, body),
        day=find_note_day(values, file.path, file.modified_day),
        tags=extract_tags(values, body),
        link_names=tuple(dict.fromkeys(_list_link_names(values, title, file.path))),
        checksum=checksum,
    )


def is_empty_note(note: ForeignNote) -> bool:
    """Return whether a note has neither frontmatter nor text."""
    return not note.parts.entries and not note.parts.body.strip()


def _list_link_names(values: Mapping[str, object], title: str, path: str) -> Iterator[str]:
    stem = file_stem(path)
    yield from (stem, title)
    for key in (*_ALIAS_KEYS, *_ID_KEYS):
        yield from _list_texts(values.get(key))
    if found := _LEADING_ID.match(stem):
        yield found[1]


def _list_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (part.strip() for part in value.split(",") if part.strip())
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list | tuple):
        yield from (str(item).strip() for item in value if isinstance(item, str | int | float))
