"""Load the current memories of projects, with their importance now."""

from __future__ import annotations

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
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.view import View


def iter_weighed_memories(
    view: View, projects: Sequence[str] | None, only_numbers: Collection[int] | None = None
) -> Iterator[WeighedMemory]:
    """Yield the current memories of some projects or of all, without personal ones.

    Files that cannot be read are left out, and those whose number another memory has too: a
    relation may mean either. With `only_numbers` no other memory is read.
    """
    repeated = view.memories.list_repeated_numbers(OBSERVATION_KIND)
    for entry in view.queries.iter_all_entries(OBSERVATION_KIND):
        atom, number = entry.atom, parse_number(entry.atom)
        is_wanted = atom.project if projects is None else atom.project in projects
        if (
            is_wanted
            and number not in repeated
            and (only_numbers is None or number in only_numbers)
            and _is_current_memory(entry)
        ):
            record = _load(view, entry)
            if record and record.scope != PERSONAL_SCOPE:
                importance = _compute_importance(view, entry, record)
                yield WeighedMemory(record, importance, atom.list_field(REVIEWED_KEY))


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
