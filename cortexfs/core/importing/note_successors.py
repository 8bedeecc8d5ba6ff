"""Which note superseded which: the field `superseded_by` of a note links to its successor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.importing.atom_fields import map_note_status
from cortexfs.core.importing.rewrite_links import extract_wiki_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.importing.draft_notes import NoteDraft
    from cortexfs.core.importing.note_lookup import NoteLookup

SUCCESSOR_KEYS = frozenset({"superseded_by", "superseded-by", "superseded by", "replaced_by"})
SUPERSEDED = "superseded"


def find_successors(drafts: Iterable[NoteDraft], targets: NoteLookup) -> Mapping[str, str]:
    """Return the successor of each superseded note, both by path; it has the same kind."""
    by_path = {draft.note.path: draft for draft in drafts}
    found: dict[str, str] = {}
    for path, draft in by_path.items():
        if map_note_status(draft.note, draft.kind).status != SUPERSEDED:
            continue
        for name in _list_successor_names(draft):
            successor = by_path.get(targets.resolve_wiki_link(name, path) or path)
            if successor and successor.note.path != path and successor.kind == draft.kind:
                found.setdefault(path, successor.note.path)
    return found


def _list_successor_names(draft: NoteDraft) -> list[str]:
    values = draft.note.values
    texts = [str(values[key]) for key in values if key.lower() in SUCCESSOR_KEYS]
    return [name for text in (*texts, str(values["status"])) for name in extract_wiki_names(text)]
