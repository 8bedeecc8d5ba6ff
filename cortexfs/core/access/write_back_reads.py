"""Update `refs` and `last-ref` in the frontmatter of atoms; other bytes do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.atom_with_reads import parse_frontmatter_reads
from cortexfs.core.settings.settings import WriteBackMode

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads


def is_read_count_outdated(entry: AtomWithReads, mode: WriteBackMode) -> bool:
    """Return whether the read fields of an atom need an update in this mode."""
    fields = entry.atom.fields
    if mode is WriteBackMode.NEVER or not {"refs", "last-ref"} & fields.keys():
        return mode is WriteBackMode.ALWAYS and entry.reads.read_count > 0
    known = parse_frontmatter_reads(entry.atom)
    return ("refs" in fields and known.read_count != entry.reads.read_count) or (
        "last-ref" in fields and known.last_read != entry.reads.last_read
    )


def write_back_reads(entry: AtomWithReads, source: FileText, mode: WriteBackMode) -> Write:
    """Return the write that sets the fields that are present, or both with `ALWAYS`."""
    current = {"refs": str(entry.reads.read_count), "last-ref": entry.reads.last_read}
    known = parse_frontmatter_reads(entry.atom)
    unchanged = {
        "refs": known.read_count == entry.reads.read_count,
        "last-ref": known.last_read == entry.reads.last_read,
    }
    changes = {
        key: value
        for key, value in current.items()
        if not unchanged[key] and (mode is WriteBackMode.ALWAYS or key in entry.atom.fields)
    }
    text = atom_text.edit_frontmatter(source.text, changes)
    return Write(source.path, text, expected_text=source.text, is_derived=True)
