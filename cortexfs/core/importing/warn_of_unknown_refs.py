"""Find words in imported notes that look like refs but match no atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.importing.note_folder import SkippedNote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.importing.import_report import ImportedNote


def find_unknown_refs(
    notes: Iterable[ImportedNote], refs: Collection[str], kinds: Kinds
) -> Iterator[SkippedNote]:
    """Yield a warning for each such word in each written note; `refs` are the existing refs."""
    all_notes = list(notes)
    known = {*refs, *(note.ref for note in all_notes)}
    for note in all_notes:
        project = note.ref.rpartition("/")[0]
        cited_refs = find_cited_refs(note.write.text) if note.write else ()
        for cited in dict.fromkeys(ref for ref, _ in cited_refs):
            is_known = cited in known or f"{project}/{cited}" in known
            if not is_known and kinds.find_by_id(cited.rpartition("/")[2]):
                message = f"`{cited}` looks like a ref, but there is no such atom"
                yield SkippedNote(note.path, "dangling-ref", message)
