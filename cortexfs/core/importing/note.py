"""One foreign note as it is read: what it is called, when it is from, what its links may say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.importing.dates import day_of
from cortexfs.core.importing.metadata import Metadata, read_metadata
from cortexfs.core.importing.tags import tags_of
from cortexfs.core.importing.titles import stem_of, summary_of, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.importing.source import NoteFile

_IDS = ("id", "uid", "zettel-id", "zettel_id", "permalink", "slug")
_ALIASES = ("aliases", "alias")
_LEADING_ID = re.compile(r"(?=[a-z]*\d)([a-z0-9]{3,14})(?=[ _-]|$)", re.IGNORECASE)


class Note(NamedTuple):
    """A foreign note. `names` are what links may call it beside its path, the surest first."""

    path: str
    metadata: Metadata
    title: str
    summary: str
    day: str
    tags: tuple[str, ...]
    names: tuple[str, ...]
    sum: str

    @property
    def values(self) -> Mapping[str, object]:
        """Its frontmatter, with the types of YAML."""
        return self.metadata.values


def read_note(file: NoteFile, digest: str) -> Note:
    """Read one file; `digest` is that of its text. Never raises."""
    metadata = read_metadata(file.text)
    values, body = metadata.values, metadata.body
    title = title_of(values, body, file.path)
    return Note(
        path=file.path,
        metadata=metadata,
        title=title,
        summary=summary_of(values, title, body),
        day=day_of(values, file.path, file.modified),
        tags=tags_of(values, body),
        names=tuple(dict.fromkeys(_names(values, title, file.path))),
        sum=digest,
    )


def is_empty(note: Note) -> bool:
    """Tell whether a note says nothing beside its name."""
    return not note.metadata.entries and not note.metadata.body.strip()


def _names(values: Mapping[str, object], title: str, path: str) -> Iterator[str]:
    stem = stem_of(path)
    yield from (stem, title)
    for key in _ALIASES:
        yield from _texts(values.get(key))
    for key in _IDS:
        yield from _texts(values.get(key))
    if found := _LEADING_ID.match(stem):
        yield found[1]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (part.strip() for part in value.split(",") if part.strip())
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list | tuple):
        yield from (str(item).strip() for item in value if isinstance(item, str | int | float))
