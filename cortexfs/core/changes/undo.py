"""Decide how a change is taken back: the bytes before it, where nobody has come after it."""

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
"""Entries that go on counting, whatever else is taken back."""
_OTHER = {"undo: ": "redo: ", "redo: ": "undo: "}

UndoSteps = tuple[Write | Remove, ...]


class CommittedFile(NamedTuple):
    """One file of a change: what it said before, and what the change left; None: nothing."""

    path: str
    before: str | None
    after: str | None


def plan_undo(
    message: str, changes: Sequence[CommittedFile], present: Mapping[str, str | None]
) -> Plan:
    """Put back what each file said before a change.

    `present` is what they say now; one that cannot be read is not in it. An index is derived:
    it is put back where it still says what the change left, and is rendered anew elsewhere.
    Raises `Refused` with the names where a file has changed since.
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
    """Tell whether all that a plan would put back stands so already."""
    return not plan.writes and all(gone.expected_text is None for gone in plan.removes)


def is_incomplete_undo(changes: Iterable[str], undone: Iterable[str]) -> bool:
    """Tell whether an undo has left out files of the change that it undoes: it was killed."""
    every = {path for path in changes if not _is_index(path)}
    return not every <= set(undone)


def format_undo_message(subject: str) -> str:
    """Name the undoing of a change; that of an undoing is a redo."""
    word = subject[: len("undo: ")]
    return _OTHER[word] + subject[len(word) :] if word in _OTHER else f"undo: {subject}"


def find_left_citations(plan: Plan, atoms: Iterable[Atom], kinds: Kinds) -> list[tuple[Atom, str]]:
    """Give each atom that stays and names one that is taken away, and how it names it."""
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
    """Give what takes one file back; None where somebody has come after the change."""
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
    """Take a file back in which something else has been kept true since."""
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
    """Tell whether the change has done nothing to a CORTEX.md but list its folder anew."""
    if before is None or left is None or CONTENTS_BEGIN not in before:
        return False
    return replace_contents(before, "") == replace_contents(left, "")


def _listing_back(change: CommittedFile, now: str | None) -> UndoSteps | None:
    """Put back a list around which somebody has written; one listed anew since is left."""
    if now is None:
        return None
    if _listed(now) != _listed(change.after or ""):
        return ()
    text = replace_contents(now, _listed(change.before or ""))
    return (Write(change.path, text, now, is_derived=True),)


def _listed(text: str) -> str:
    """Give the generated part of a CORTEX.md."""
    part = text.replace("\r\n", "\n").partition(f"{CONTENTS_BEGIN}\n")[2]
    return part.partition(CONTENTS_END)[0]


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2] == INDEX_MD


def _counted_on(left: str | None, now: str | None) -> bool:
    """Tell whether only refs were counted since."""
    if left is None or now is None:
        return False
    try:
        return atom_text.edit_frontmatter(left, _counts(now)) == now
    except CortexError:
        return False


def _with_counts(before: str, now: str | None) -> str:
    """Put back a text, but for the refs that were counted since."""
    carried, counts = atom_text.parse_text(before).fields, _counts(now or "")
    return atom_text.edit_frontmatter(
        before, {key: said for key, said in counts.items() if key in carried}
    )


def _counts(text: str) -> dict[str, str]:
    fields = atom_text.parse_text(text).fields
    return {key: said for key in _COUNTED if isinstance(said := fields.get(key), str)}
