"""Plan an undo: restore the bytes before a change, unless the files have changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD, parse_atom_path
from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.cortex_md import CONTENTS_BEGIN, CONTENTS_END, replace_contents
from cortexfs.core.indexes.render_index import is_generated_index
from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds

_COUNTED = ("refs", "last-ref")
"""Fields that an undo does not reset."""
_OTHER = {"undo: ": "redo: ", "redo: ": "undo: "}

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
    backs = {change.path: _back(change, present) for change in changes}
    if stuck := [path for path, back in backs.items() if back is None]:
        raise Refused(
            f"changed since: {', '.join(stuck)}",
            hint="nothing was undone; `cortexfs log` and `cortexfs diff REF` show what came after",
        )
    steps = [step for back in backs.values() for step in back or ()]
    removes = tuple(step for step in steps if isinstance(step, Remove))
    if any(gone.path == CORTEX_MD for gone in removes):
        raise Refused("without what `init` made this would be no tree", hint="remove the folder")
    writes = tuple(step for step in steps if isinstance(step, Write))
    return Plan(message, writes, removes=removes, is_from_git=True)


def is_empty_undo(plan: Plan) -> bool:
    """Return whether the tree already has everything that a plan would restore."""
    return not plan.writes and all(gone.expected_text is None for gone in plan.removes)


def is_incomplete_undo(changes: Iterable[str], undone: Iterable[str]) -> bool:
    """Return whether an undo was interrupted: it lacks files of the change that it undoes."""
    every = {path for path in changes if not _is_index(path)}
    return not every <= set(undone)


def format_undo_message(subject: str) -> str:
    """Return the subject for undoing a commit; undoing an undo is a redo."""
    word = subject[: len("undo: ")]
    return _OTHER[word] + subject[len(word) :] if word in _OTHER else f"undo: {subject}"


def find_left_citations(plan: Plan, atoms: Iterable[Atom], kinds: Kinds) -> list[tuple[Atom, str]]:
    """Return each remaining atom that cites a removed one, with the ref as cited."""
    gone = {
        (where.project, where.claimed_id)
        for each in plan.removes
        if (where := parse_atom_path(each.path, kinds)) and where.claimed_id
    }
    touched = set(plan.commit_paths)
    return [
        (atom, cited)
        for atom in atoms
        if atom.path not in touched
        for cited, _ in atom.cited_refs
        if (cited.rpartition("/")[0] or atom.project, cited.rpartition("/")[2]) in gone
    ]


def _back(change: CommittedFile, present: Mapping[str, str | None]) -> UndoSteps | None:
    """Return the steps that restore one file; None if it has changed since."""
    path, before, left = change
    if path not in present:
        return None
    now = present[path]
    if now == before:  # a killed undo was here
        return (Remove(path, None),) if now is None else ()
    if _is_index(path):
        return _index_back(change, now)
    if now == left:
        return (Remove(path, now),) if before is None else (Write(path, before, now),)
    return _merged(change, now)


def _merged(change: CommittedFile, now: str | None) -> UndoSteps | None:
    """Return the steps for a file in which only generated parts may have changed since."""
    path, before, left = change
    if _only_listed(before, left):
        return _listing_back(change, now)
    if not _counted_on(left, now):
        return None
    return (Remove(path, now) if before is None else Write(path, _with_counts(before, now), now),)


def _index_back(change: CommittedFile, now: str | None) -> UndoSteps | None:
    if change.before is None:
        return (Remove(change.path, now),) if now and is_generated_index(now) else None
    if now == change.after:
        return (Write(change.path, change.before, now, is_derived=True),)
    return ()


def _only_listed(before: str | None, left: str | None) -> bool:
    """Return whether the change only updated the generated part of a CORTEX.md."""
    if before is None or left is None or CONTENTS_BEGIN not in before:
        return False
    return replace_contents(before, "") == replace_contents(left, "")


def _listing_back(change: CommittedFile, now: str | None) -> UndoSteps | None:
    """Return the steps that restore a contents list, unless it was updated since."""
    if now is None:
        return None
    if _listed(now) != _listed(change.after or ""):
        return ()
    text = replace_contents(now, _listed(change.before or ""))
    return (Write(change.path, text, now, is_derived=True),)


def _listed(text: str) -> str:
    """Return the generated part of a CORTEX.md."""
    part = text.replace("\r\n", "\n").partition(f"{CONTENTS_BEGIN}\n")[2]
    return part.partition(CONTENTS_END)[0]


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2] == INDEX_MD


def _counted_on(left: str | None, now: str | None) -> bool:
    """Return whether only `refs` and `last-ref` have changed since."""
    if left is None or now is None:
        return False
    try:
        return atom_text.edit_frontmatter(left, _counts(now)) == now
    except CortexError:
        return False


def _with_counts(before: str, now: str | None) -> str:
    """Return the text before a change with the present `refs` and `last-ref`."""
    carried, counts = atom_text.parse_frontmatter(before).fields, _counts(now or "")
    return atom_text.edit_frontmatter(
        before, {key: said for key, said in counts.items() if key in carried}
    )


def _counts(text: str) -> dict[str, str]:
    fields = atom_text.parse_frontmatter(text).fields
    return {key: said for key in _COUNTED if isinstance(said := fields.get(key), str)}
