"""Load the current memories of projects, with their importance now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY
from cortexfs.core.maintain.equal_memories import WeighedMemory
from cortexfs.core.maintain.project_atoms import is_active
from cortexfs.core.memory.decay import compute_decayed_importance
from cortexfs.core.memory.memory_record import (
    PERSONAL_SCOPE,
    MemoryRecord,
    parse_memory_record,
    parse_number,
)
from cortexfs.core.memory.memory_text import get_memory_content

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.view import View


def load_weighed_memories(
    view: View, projects: Sequence[str] | None, excluded_paths: Collection[str] = ()
) -> list[WeighedMemory]:
    """Return the current memories of some projects or of all, without personal ones.

    Files that cannot be read are left out, and those whose number another memory has too: a
    relation may mean either.
    """
    found = []
    entries = [each for each in view.queries.iter_all_entries() if _is_memory(each)]
    counts = Counter(parse_number(each.atom) for each in entries)
    for entry in entries:
        atom = entry.atom
        is_wanted = atom.project if projects is None else atom.project in projects
        if (
            is_wanted
            and counts[parse_number(atom)] == 1
            and atom.path not in excluded_paths
            and _is_current_memory(entry)
        ):
            record = _load(view, entry)
            if record and record.scope != PERSONAL_SCOPE:
                importance = _compute_importance(view, entry, record)
                found.append(WeighedMemory(record, importance, atom.list_field(REVIEWED_KEY)))
    return found


def _is_memory(entry: AtomWithReads) -> bool:
    """Return whether an atom is a memory, current or not."""
    return entry.atom.kind == OBSERVATION_KIND


def _is_current_memory(entry: AtomWithReads) -> bool:
    return is_active(entry) and not entry.atom.text_field("deleted-at")


def _load(view: View, entry: AtomWithReads) -> MemoryRecord | None:
    file = view.tree.read_text_or_flaw(entry.atom.path)
    if isinstance(file, Flaw):
        return None
    return parse_memory_record(entry.atom, get_memory_content(file.text))


def _compute_importance(view: View, entry: AtomWithReads, record: MemoryRecord) -> float:
    return compute_decayed_importance(
        record.type,
        record.scope,
        record.updated,
        entry.reads.last_read,
        view.clock(),
        view.settings.maintenance.prune.decay_per_day,
    )
