"""The frontmatter of an imported atom: our own fields first, then those of the note."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.choose_kind import NOTE_TYPE
from cortexfs.core.importing.imported_hash import CHECKSUM_KEY
from cortexfs.core.importing.loose_notes import ORIGIN_KEY
from cortexfs.core.importing.map_status import FAILED_TAG, is_failed, map_status
from cortexfs.core.importing.rename_keys import rename_keys, to_block_style
from cortexfs.core.indexes.atom_with_reads import IMPORTED_KEY
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.importing.foreign_note import ForeignNote
    from cortexfs.core.importing.rewrite_links import ImportTarget

MAX_STATUS_CHARS = 100
"""Maximum characters of a foreign status in the report."""
RESERVED_KEYS = frozenset(
    {
        "id",
        "project",
        "type",
        "status",
        "links",
        "evidence",
        "source-experiments",
        "supersedes",
        "refs",
        "last-ref",
        REVIEWED_KEY,
        "invalidated-date",
        "invalidated-reason",
        ORIGIN_KEY,
        CHECKSUM_KEY,
        IMPORTED_KEY,
    }
)
"""Keys with a meaning in cortexfs: a note's own value is kept as `source-…`."""


class MappedStatus(NamedTuple):
    """The status in a note, and the status of its atom."""

    original: str
    status: str


def map_note_status(note: ForeignNote, kind: Kind) -> MappedStatus:
    """Return the status of a note; the atom's status is empty if no known status matches."""
    original = note.values.get("status")
    status = map_status(original, kind.statuses)
    return MappedStatus(to_one_line(str(original or ""))[:MAX_STATUS_CHARS], status)


def build_atom_fields(
    note: ForeignNote, kind: Kind, target: ImportTarget, origin: str, links: Sequence[str]
) -> dict[str, str | Sequence[str]]:
    """Return the fields that every atom has, and those that its kind requires."""
    fields: dict[str, str | Sequence[str]] = {"id": target.ident, "date": note.day}
    if target.project:
        fields["project"] = target.project
    if "title" not in note.values and note.title != note.summary:
        fields["title"] = note.title
    fields |= {"summary": note.summary, "tags": _list_tags(note)}
    if status := map_note_status(note, kind).status or kind.initial_status:
        fields["status"] = status
    if "type" in kind.required_fields and not isinstance(note.values.get("type"), str):
        fields["type"] = NOTE_TYPE
    if "evidence" in kind.required_fields:
        fields["evidence"] = (*_list_source_urls(note.values), origin)
    if links:
        fields["links"] = tuple(links)
    return fields


def _list_tags(note: ForeignNote) -> tuple[str, ...]:
    own = (FAILED_TAG,) if is_failed(note.values.get("status")) else ()
    return tuple(dict.fromkeys((*note.tags, *own)))


class RenderedFrontmatter(NamedTuple):
    """A frontmatter as text, and its fields."""

    text: str
    fields: Mapping[str, FrontmatterValue]


def render_own_frontmatter(fields: Mapping[str, str | Sequence[str]]) -> RenderedFrontmatter:
    """Return a frontmatter with only our own fields."""
    return RenderedFrontmatter(atom_text.format_frontmatter(fields), _to_field_values(fields))


def render_merged_frontmatter(
    note: ForeignNote, kind: Kind, fields: Mapping[str, str | Sequence[str]]
) -> RenderedFrontmatter | None:
    """Return a frontmatter of `fields`, then those of the note; None if it does not parse back."""
    block = to_block_style(note.parts.yaml_block, note.parts.entries)
    if block is None:
        return None
    keys = _choose_new_keys(note, kind, fields)
    text = f"{atom_text.format_frontmatter(fields)}{rename_keys(block, keys)}"
    wanted = _to_field_values(fields)
    for entry in block.entries:
        if key := keys.get(entry.key, entry.key):
            wanted[key] = entry.value
    return (
        RenderedFrontmatter(text, wanted)
        if atom_text.parse_frontmatter(f"---\n{text}---\n").fields == wanted
        else None
    )


def _to_field_values(fields: Mapping[str, str | Sequence[str]]) -> dict[str, FrontmatterValue]:
    return {key: atom_text.to_field_value(value) for key, value in fields.items()}


def _choose_new_keys(
    note: ForeignNote, kind: Kind, fields: Mapping[str, str | Sequence[str]]
) -> dict[str, str | None]:
    """Return new names for keys of a note that collide; None drops a key with the same value."""
    foreign = {entry.key: entry.value for entry in note.parts.entries}
    keys: dict[str, str | None] = {}
    for key, value in foreign.items():
        if key in fields and (value == fields[key] or _is_tags(key, value)):
            keys[key] = None
        elif key in fields or (key in RESERVED_KEYS and not _keeps_meaning(key, kind)):
            keys[key] = _find_free_key(
                f"source-{key}", {*foreign, *fields, *filter(None, keys.values())}
            )
    return keys


def _is_tags(key: str, value: object) -> bool:
    return key == "tags" and isinstance(value, str | tuple)


def _keeps_meaning(key: str, kind: Kind) -> bool:
    """Return whether a key means the same in the note and in an atom that requires it."""
    return key in kind.required_fields and key not in {
        "id",
        "project",
        "status",
        "evidence",
        "links",
    }


def _find_free_key(key: str, taken: set[str]) -> str:
    free, number = key, 2
    while free in taken:
        free = f"{key}-{number}"
        number += 1
    return free


def _list_source_urls(values: Mapping[str, object]) -> list[str]:
    """Return the web addresses that a note has as its source."""
    sources = (values.get(key) for key in ("source", "url", "source_url", "source-url"))
    return [to_one_line(each) for each in sources if isinstance(each, str) and _is_url(each)]


def _is_url(text: str) -> bool:
    return text.startswith(("https://", "http://")) and " " not in text.strip()
