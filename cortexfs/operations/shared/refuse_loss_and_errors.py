"""Check, before a change is made, that it loses no text and introduces no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.checks.check_atoms import check_atoms
from cortexfs.core.checks.finding_codes import is_error
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Finding
    from cortexfs.core.changes.plan import Write
    from cortexfs.session.annotation_types import History
    from cortexfs.session.view import TreeFilesAndGit, View


def refuse_loss(view: TreeFilesAndGit, path: str, text: str, *, commit: bool) -> None:
    """Refuse to replace a text that is not in git, because only git could restore it.

    With `commit` the text is committed before it is replaced, if git is not busy.
    """
    history = view.repository.history
    if history is None:
        hint = "`cortexfs init` makes a repository" if view.repository.has_git else "install git"
        raise Refused(f"without git the text of {path} would be lost", hint=hint)
    busy = history.busy_reason()
    if (commit and view.repository.can_commit and not busy) or _is_committed(history, path, text):
        return
    reason = busy or "the last commit has another text"
    raise Refused(f"the text of {path} would be lost: {reason}", hint=f"`cortexfs commit {path}`")


def _is_committed(history: History, path: str, text: str) -> bool:
    return history.read_file_at("HEAD", path) == text.encode()


def refuse_new_errors(view: View, writes: Sequence[Write], hint: str) -> None:
    """Refuse a change after which `check` would find an error that it does not find now."""
    for found in find_new_errors(view, writes):
        message = f"{found.path}:{found.line} would be wrong: {found.code}: {found.message}"
        raise Refused(message, hint=hint)


def find_new_errors(view: View, writes: Sequence[Write]) -> Iterator[Finding]:
    """Yield the errors that `check` would find in some files after a change, and not before."""
    after = {write.path: _parse_write(view, write) for write in writes}
    changed = [atom for atom in after.values() if atom]
    present = view.stored_atoms.list_by_paths(after)
    wanted = set(_iter_refs([*present, *changed]))
    named = view.stored_atoms.list_by_refs(wanted)
    neighbours = [atom for atom in named if atom.path not in after]
    before = _find_errors([*neighbours, *present], view, after)
    for key, found in _find_errors([*neighbours, *changed], view, after).items():
        if key not in before:
            yield found


def _iter_refs(atoms: Sequence[Atom]) -> Iterator[str]:
    """Yield the refs of some atoms and of their citations, in every form."""
    for atom in atoms:
        yield atom.ref
        for cited, _ in atom.cited_refs:
            yield from list_candidate_refs(cited, atom.project)


def _parse_write(view: TreeFilesAndGit, write: Write) -> Atom | None:
    where = parse_atom_path(write.path, view.kinds)
    return parse_atom(write.path, where, write.text) if where else None


def _find_errors(
    atoms: Sequence[Atom], view: View, paths: Mapping[str, Atom | None]
) -> dict[tuple[str, str, str], Finding]:
    return {
        (found.path, found.code, found.message): found
        for found in check_atoms(atoms, view.kinds)
        if found.path in paths and is_error(found.code)
    }
