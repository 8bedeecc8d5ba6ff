"""Plan an undo: restore the bytes before a change, unless the files have changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD, parse_atom_path
from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.cortex_md_contents import CONTENTS_BEGIN, CONTENTS_END, replace_contents
from cortexfs.core.indexes.parse_index import is_generated_index
from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds

_COUNT_FIELDS = ("refs", "last-ref")
"""Fields that an undo does not reset."""
_OPPOSITE_PREFIX = {"undo: ": "redo: ", "redo: ": "undo: "}

UndoSteps = tuple[Write | Remove, ...]


class CommittedFile(NamedTuple):
    """One file of a change: its text before and after the change; None: no file."""

    path: str
    before: str | None
    after: str | None


def plan_undo(
    message: str, changes: Sequence[CommittedFile], present: Mapping[str, str | None]
) -> Plan:
    """Return a plan that restores the texts before a change.

    `present` has the current texts, without files that cannot be read. An index is derived: it is
    restored if it still has the text after the change, and is otherwise left to be rendered.
    Raises `Refused` with the paths of files that have changed since.
    """
    restores = {change.path: _plan_restore(change, present) for change in changes}
    if changed := [path for path, steps in restores.items() if steps is None]:
        raise Refused(
            f"changed since: {', '.join(changed)}",
            hint="nothing was undone; `cortexfs log` and `cortexfs diff REF` show what changed",
        )
    steps = [step for each in restores.values() for step in each or ()]
    removes = tuple(step for step in steps if isinstance(step, Remove))
    if any(remove.path == CORTEX_MD for remove in removes):
        raise Refused("undoing `init` would remove the tree", hint="delete its folder instead")
    writes = tuple(step for step in steps if isinstance(step, Write))
    return Plan(message, writes, removes=removes, is_from_git=True)


def is_empty_undo(plan: Plan) -> bool:
    """Return whether the tree already has everything that a plan would restore."""
    return not plan.writes and all(remove.expected_text is None for remove in plan.removes)


def is_incomplete_undo(changes: Iterable[str], undone: Iterable[str]) -> bool:
    """Return whether an undo was interrupted: files of the change are missing in it."""
    every = {path for path in changes if not _is_index(path)}
    return not every <= set(undone)


def format_undo_message(subject: str) -> str:
    """Return the subject for undoing a commit; undoing an undo is a redo."""
    prefix = subject[: len("undo: ")]
    if prefix in _OPPOSITE_PREFIX:
        return _OPPOSITE_PREFIX[prefix] + subject[len(prefix) :]
    return f"undo: {subject}"


def find_dangling_citations(
    plan: Plan, atoms: Iterable[Atom], kinds: Kinds
) -> list[tuple[Atom, str]]:
    """Return each remaining atom that cites a removed one, with the ref as cited."""
    removed = {
        (where.project, where.claimed_id)
        for each in plan.removes
        if (where := parse_atom_path(each.path, kinds)) and where.claimed_id
    }
    changed = set(plan.commit_paths)
    return [
        (atom, cited)
        for atom in atoms
        if atom.path not in changed
        for cited, _ in atom.cited_refs
        if (cited.rpartition("/")[0] or atom.project, cited.rpartition("/")[2]) in removed
    ]


def _plan_restore(change: CommittedFile, present: Mapping[str, str | None]) -> UndoSteps | None:
    """Return the steps that restore one file; None if it has changed since."""
    path, before, after = change
    if path not in present:
        return None
    now = present[path]
    if now == before:  # restored by an undo that was killed
        return (Remove(path, None),) if now is None else ()
    if _is_index(path):
        return _plan_index_restore(change, now)
    if now == after:
        return (Remove(path, now),) if before is None else (Write(path, before, now),)
    return _plan_merged_restore(change, now)


def _plan_merged_restore(change: CommittedFile, now: str | None) -> UndoSteps | None:
    """Return the steps for a file in which only generated parts may have changed since."""
    path, before, after = change
    if _has_only_contents_change(before, after):
        return _plan_contents_restore(change, now)
    if not _has_only_count_changes(after, now):
        return None
    return (Remove(path, now) if before is None else Write(path, _copy_counts(before, now), now),)


def _plan_index_restore(change: CommittedFile, now: str | None) -> UndoSteps | None:
    if change.before is None:
        return (Remove(change.path, now),) if now and is_generated_index(now) else None
    if now == change.after:
        return (Write(change.path, change.before, now, is_derived=True),)
    return ()


def _has_only_contents_change(before: str | None, after: str | None) -> bool:
    """Return whether the change only updated the generated part of a CORTEX.md."""
    if before is None or after is None or CONTENTS_BEGIN not in before:
        return False
    return replace_contents(before, "") == replace_contents(after, "")


def _plan_contents_restore(change: CommittedFile, now: str | None) -> UndoSteps | None:
    """Return the steps that restore a contents list, unless it was updated since."""
    if now is None:
        return None
    if _get_contents(now) != _get_contents(change.after or ""):
        return ()
    text = replace_contents(now, _get_contents(change.before or ""))
    return (Write(change.path, text, now, is_derived=True),)


def _get_contents(text: str) -> str:
    """Return the generated part of a CORTEX.md."""
    begun = text.replace("\r\n", "\n").partition(f"{CONTENTS_BEGIN}\n")[2]
    return begun.partition(CONTENTS_END)[0]


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2] == INDEX_MD


def _has_only_count_changes(after: str | None, now: str | None) -> bool:
    """Return whether only `refs` and `last-ref` have changed since."""
    if after is None or now is None:
        return False
    try:
        return atom_text.edit_frontmatter(after, _get_counts(now)) == now
    except CortexError:
        return False


def _copy_counts(before: str, now: str | None) -> str:
    """Return the text before a change with the present `refs` and `last-ref`."""
    fields, counts = atom_text.parse_frontmatter(before).fields, _get_counts(now or "")
    return atom_text.edit_frontmatter(
        before, {key: count for key, count in counts.items() if key in fields}
    )


def _get_counts(text: str) -> dict[str, str]:
    fields = atom_text.parse_frontmatter(text).fields
    return {key: count for key in _COUNT_FIELDS if isinstance(count := fields.get(key), str)}
