"""The fields of the atom that a foreign note becomes: ours first, then the note's own."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.kinds import NOTE
from cortexfs.core.importing.loose import ORIGIN
from cortexfs.core.importing.rewrite import in_lines, with_keys
from cortexfs.core.importing.statuses import status_of
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Value
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.importing.links import Target
    from cortexfs.core.importing.note import Note

DIGESTS = "imported-hash"
OURS = frozenset(
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
        "invalidated-date",
        "invalidated-reason",
        ORIGIN,
        DIGESTS,
    }
)
"""Keys that mean something of ours: a note's own goes on as `source-…`."""
_COUNTED = ("refs", "last-ref", DIGESTS)
_BYTES = 8


class Status(NamedTuple):
    """What a note said of its status, and the status that its atom gets."""

    said: str
    status: str


def digest(text: str) -> str:
    """Give 16 hexadecimal digits of a text."""
    return blake2b(text.encode(errors="replace"), digest_size=_BYTES).hexdigest()


def atom_digest(text: str) -> str:
    """Give the digest of what an atom says, but for counts of reads and the digest itself."""
    parsed = atom_text.parse(text)
    return digest_of(parsed.fields, parsed.body)


def digest_of(fields: Mapping[str, Value], body: str) -> str:
    """Give the same of an atom that is not written yet."""
    said = {key: value for key, value in fields.items() if key not in _COUNTED}
    return digest(f"{sorted(said.items())!r}\n{body}")


def status_in(note: Note, kind: Kind) -> Status:
    """Read the status of a note: what its atom gets is empty where we have no word for it."""
    said = note.values.get("status")
    found = status_of(said, kind.statuses)
    return Status(one_line(str(said or ""))[:100], found)


def fields_of(
    note: Note, kind: Kind, target: Target, origin: str, links: Sequence[str]
) -> dict[str, str | Sequence[str]]:
    """Give the fields that every atom has, and those that its kind requires."""
    fields: dict[str, str | Sequence[str]] = {"id": target.ident, "date": note.day}
    if target.project:
        fields["project"] = target.project
    if "title" not in note.values and note.title != note.summary:
        fields["title"] = note.title
    fields |= {"summary": note.summary, "tags": note.tags}
    if status := status_in(note, kind).status or kind.initial:
        fields["status"] = status
    if "type" in kind.required and not isinstance(note.values.get("type"), str):
        fields["type"] = NOTE
    if "evidence" in kind.required:
        fields["evidence"] = (*_addresses(note.values), origin)
    if links:
        fields["links"] = tuple(links)
    return fields


class Front(NamedTuple):
    """A frontmatter as text, and what it says."""

    text: str
    fields: Mapping[str, Value]


def plain_front(fields: Mapping[str, str | Sequence[str]]) -> Front:
    """Write a frontmatter of ours alone."""
    return Front(atom_text.dump(fields), _as_read(fields))


def written(note: Note, kind: Kind, fields: Mapping[str, str | Sequence[str]]) -> Front | None:
    """Write the frontmatter: `fields`, then those of the note; None where it cannot be read."""
    ours = atom_text.dump(fields)
    block = in_lines(note.metadata.block, note.metadata.entries)
    if block is None:
        return None
    keys = _keys(note, kind, fields)
    text = f"{ours}{with_keys(block, keys)}"
    wanted = _as_read(fields)
    for entry in block.entries:
        if key := keys.get(entry.key, entry.key):
            wanted[key] = entry.value
    return Front(text, wanted) if atom_text.parse(f"---\n{text}---\n").fields == wanted else None


def _as_read(fields: Mapping[str, str | Sequence[str]]) -> dict[str, Value]:
    return {key: value if isinstance(value, str) else tuple(value) for key, value in fields.items()}


def _keys(
    note: Note, kind: Kind, fields: Mapping[str, str | Sequence[str]]
) -> dict[str, str | None]:
    """Give the new name of each key of a note that cannot stay; None: ours says the same."""
    said = {entry.key: entry.value for entry in note.metadata.entries}
    keys: dict[str, str | None] = {}
    for key, value in said.items():
        if key in fields and (value == fields[key] or _is_tags(key, value)):
            keys[key] = None
        elif key in fields or (key in OURS and not _is_own(key, kind)):
            keys[key] = _free(f"source-{key}", {*said, *fields, *filter(None, keys.values())})
    return keys


def _is_tags(key: str, value: object) -> bool:
    return key == "tags" and isinstance(value, str | tuple)


def _is_own(key: str, kind: Kind) -> bool:
    """Tell whether a kind asks for a key, and means by it what the note says."""
    return key in kind.required and key not in {"id", "project", "status", "evidence", "links"}


def _free(key: str, taken: set[str]) -> str:
    number = 2
    wanted = key
    while wanted in taken:
        wanted = f"{key}-{number}"
        number += 1
    return wanted


def _addresses(values: Mapping[str, object]) -> list[str]:
    """Give the web addresses that a note names as its source."""
    said = (values.get(key) for key in ("source", "url", "source_url", "source-url"))
    return [one_line(each) for each in said if isinstance(each, str) and _is_address(each)]


def _is_address(text: str) -> bool:
    return text.startswith(("https://", "http://")) and " " not in text.strip()
