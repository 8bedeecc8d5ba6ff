"""Keep `refs` and `last-ref` true in atoms that carry them: two entries, and no other byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.index_entry import carried
from cortexfs.core.settings.settings import WriteBack

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Source
    from cortexfs.core.indexes.index_entry import Entry


def is_behind(entry: Entry, mode: WriteBack) -> bool:
    """Tell whether an atom's own count is not the one that its index shows."""
    fields = entry.atom.fields
    if mode is WriteBack.NEVER or not {"refs", "last-ref"} & fields.keys():
        return mode is WriteBack.ALWAYS and entry.total.refs > 0
    known = carried(entry.atom)
    return ("refs" in fields and known.refs != entry.total.refs) or (
        "last-ref" in fields and known.last != entry.total.last
    )


def write_back(entry: Entry, source: Source, mode: WriteBack) -> Write:
    """Set the entries that are there; with `always`, both."""
    truth = {"refs": str(entry.total.refs), "last-ref": entry.total.last}
    known = carried(entry.atom)
    same = {"refs": known.refs == entry.total.refs, "last-ref": known.last == entry.total.last}
    changes = {
        key: value
        for key, value in truth.items()
        if not same[key] and (mode is WriteBack.ALWAYS or key in entry.atom.fields)
    }
    text = atom_text.edit(source.text, changes)
    return Write(source.path, text, replacing=source.text, bookkeeping=True)
