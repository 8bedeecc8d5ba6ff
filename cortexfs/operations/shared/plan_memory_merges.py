"""Plan the writes of merges."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.maintain.merge_memories import plan_merge_edits
from cortexfs.core.memory.memory_text import change_memory_text, format_time
from cortexfs.core.memory.relations import RELATIONS_KEY, list_other_items
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
    from cortexfs.core.memory.memory_text import FieldEdits
    from cortexfs.session.view import TreeFilesAndGit


_TOMBSTONE: FieldEdits = {"status": "-", "deleted-at": "-", RELATIONS_KEY: ("updates OBS-1",)}
_GROWTH: FieldEdits = {
    RELATIONS_KEY: ("supersedes OBS-1",), "tags": ("-",), "duplicates": "1", "last-seen": "-",
}  # fmt: skip
"""The fields of a merged memory, and of one that stays, that must be possible to edit."""


def plan_memory_merges(
    view: TreeFilesAndGit, merges: Sequence[MemoryMerge], memories: Iterable[WeighedMemory]
) -> tuple[list[MemoryMerge], list[Write]]:
    """Return the merges of which every file can be edited, and their writes.

    Files with uncommitted changes of the user are left out, and so are files whose frontmatter
    cannot be edited safely. `memories` are those whose relations may name a merged one.
    """
    if not merges:
        return [], []
    possible = _drop_uneditable(view, merges)
    records = (each.record for each in memories)
    edits = plan_merge_edits(possible, records, format_time(view.clock()))
    own = {each.record.path for merge in possible for each in merge.memories}
    others = [edit.path for edit in edits if edit.path not in own]
    user_changes = view.repository.find_user_changes(others)
    wanted = (edit for edit in edits if edit.path not in user_changes.changed)
    return possible, [write for edit in wanted if (write := _edit(view, edit.path, edit.fields))]


def _drop_uneditable(view: TreeFilesAndGit, merges: Sequence[MemoryMerge]) -> list[MemoryMerge]:
    """Return the merges without what cannot be edited."""
    paths = [each.record.path for merge in merges for each in merge.memories]
    user_changes = view.repository.find_user_changes(paths)
    changed = user_changes.changed | user_changes.untracked

    def is_possible(memory: WeighedMemory, fields: FieldEdits) -> bool:
        path = memory.record.path
        return path not in changed and bool(_edit(view, path, fields))

    found = [
        merge._replace(merged=tuple(m for m in merge.merged if is_possible(m, _TOMBSTONE)))
        for merge in merges
        if is_possible(merge.kept, _GROWTH)
    ]
    return [merge for merge in found if merge.merged]


def _edit(view: TreeFilesAndGit, path: str, fields: FieldEdits) -> Write | None:
    """Return the write of an edit; None if the file cannot be edited safely."""
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        return None
    if RELATIONS_KEY in fields:
        written = atom_text.parse_frontmatter(source.text).fields.get(RELATIONS_KEY, "")
        if (others := list_other_items(written)) is None:
            return None
        fields = {**fields, RELATIONS_KEY: (*(fields[RELATIONS_KEY] or ()), *others) or None}
    with suppress(CortexError):
        return Write(path, change_memory_text(source.text, fields), source.text)
    return None
