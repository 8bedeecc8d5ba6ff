"""The field `imported-hash`: what an import remembers of a note and of the atom that it wrote.

Commands of cortexfs rename ids, tags and projects, and change statuses and links. None of this is
an edit of the text: a changed note still updates the atom, and what the commands wrote stays.
"""

from __future__ import annotations

import re
import string
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.atom_with_reads import IMPORTED_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue

CHECKSUM_KEY = "imported-hash"
MERGED_KEYS = ("status", "tags", "links")
"""Fields that both sides may change: each has its own digest, and a change in the tree stays."""
_KEPT_KEYS = (REVIEWED_KEY, "supersedes", "refs", "last-ref")
"""Fields that only the tree writes."""
_UNCHECKED_KEYS = frozenset(
    {"id", "project", CHECKSUM_KEY, IMPORTED_KEY, *MERGED_KEYS, *_KEPT_KEYS}
)
_TEXT_BYTES, _FIELD_BYTES = 8, 4
_REF = re.compile(r"\b[A-Z]{1,8}-[0-9]{3,}[a-z]?(?![\w-])", re.ASCII)
_PATH_CHARS = f"{string.ascii_letters}{string.digits}._-/"
_MAX_PATH_CHARS = 300


class ImportedHash(NamedTuple):
    """Digests of the note, of the atom's text, and of each of the fields `MERGED_KEYS`."""

    note: str
    text: str
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the value of the field."""
        return "-".join((self.note, self.text, *self.fields))


def parse_imported_hash(value: object) -> ImportedHash:
    """Return the digests in a value of the field; missing ones are empty."""
    note, text, *fields = [*str(value or "").split("-"), ""][: 2 + len(MERGED_KEYS)]
    return ImportedHash(note, text, tuple(filter(None, fields)))


def compute_text_checksum(text: str, size: int = _TEXT_BYTES) -> str:
    """Return a BLAKE2b checksum of a text, as 16 hexadecimal digits unless `size` is given."""
    return blake2b(text.encode(errors="replace"), digest_size=size).hexdigest()


def compute_atom_hash(
    note_checksum: str, fields: Mapping[str, FrontmatterValue], body: str
) -> ImportedHash:
    """Return the digests of an atom with these fields and this body."""
    checked = {key: value for key, value in fields.items() if key not in _UNCHECKED_KEYS}
    text = compute_text_checksum(blank_refs(f"{sorted(checked.items())!r}\n{body}"))
    return ImportedHash(note_checksum, text, tuple(_iter_field_digests(fields)))


def has_edited_text(remembered: ImportedHash, atom: str) -> bool:
    """Return whether somebody edited the text of an atom, or a field that no command rewrites."""
    now = atom_text.parse_frontmatter(atom)
    return remembered.text != compute_atom_hash("", now.fields, now.body).text


def merge_tree_fields(
    fields: Mapping[str, str | Sequence[str]], atom: str
) -> dict[str, str | Sequence[str]]:
    """Return the fields of an updated atom: those of its note, and those changed in the tree."""
    now = atom_text.parse_frontmatter(atom).fields
    known = parse_imported_hash(now.get(CHECKSUM_KEY)).fields
    merged = dict(fields)
    for key, old, new in zip(MERGED_KEYS, known, _iter_field_digests(now), strict=False):
        if old == new:
            continue
        merged.pop(key, None)
        if value := _to_plain_value(now.get(key, "")):
            merged[key] = value
    for key in _KEPT_KEYS:
        if value := _to_plain_value(now.get(key, "")):
            merged[key] = value
    if "links" in fields and "links" in merged:
        merged["links"] = tuple(dict.fromkeys((*merged["links"], *fields["links"])))
    return {"tags": (), **merged} if "tags" not in merged else merged


def blank_refs(text: str) -> str:
    """Return a text with each ref replaced by `REF`, along with the path or project before it."""
    parts, at = list[str](), 0
    for found in _REF.finditer(text):
        before = text[at : found.start()]
        tail = before[-_MAX_PATH_CHARS:]
        path = tail[len(tail.rstrip(_PATH_CHARS)) :] if tail.endswith("/") else ""
        parts += [before.removesuffix(path), "REF"]
        at = found.end()
    return "".join((*parts, text[at:]))


def _iter_field_digests(fields: Mapping[str, FrontmatterValue]) -> Iterator[str]:
    for key in MERGED_KEYS:
        items = split_string_list(fields.get(key, ()))
        yield compute_text_checksum(blank_refs("\n".join(items)), _FIELD_BYTES)


def _to_plain_value(value: FrontmatterValue) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else split_string_list(value)
