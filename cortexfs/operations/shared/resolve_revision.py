"""Resolve the commit that a person types, and the path of an atom in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.errors import AmbiguousRef, NoSuchAtom, Refused
from cortexfs.operations.removed_atoms import claimed_ref
from cortexfs.operations.shared.resolve_names import find_current_project, resolve_ref

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitRecord, History
    from cortexfs.session.view import TreeContext, View


def require_repository(view: TreeContext) -> History:
    """Return the repository around the tree; raise `Refused` without one, or without git."""
    if not view.repository.has_git:
        raise Refused("git is not installed, or not on PATH", hint="without it there is no past")
    if problem := view.repository.problem:
        raise Refused(f"there is no git repository around the tree: {problem}")
    if view.repository.history is None:
        raise Refused("there is no git repository around the tree", hint="`cortexfs init`")
    return view.repository.history


def resolve_commit(view: TreeContext, revision: str) -> str:
    """Return the id of the commit that a person types: an id, a branch, or a day."""
    found = require_repository(view).find_commit(revision)
    if found is None:
        raise Refused(
            f"`{revision}` names no commit",
            hint="`cortexfs log` shows them; a day, 2026-03-01, means the last one until its end",
        )
    return found


def resolve_past_ref(view: View, typed: str, cwd: str) -> tuple[Ref, str]:
    """Return ref and path of an atom, including a removed one.

    Raises as `resolve_ref` does.
    """
    history = require_repository(view)
    try:
        return resolve_ref(view, typed, cwd)
    except NoSuchAtom:
        here = find_current_project(view, cwd)
        removed = [(claimed_ref(view, path), path) for path, _ in reversed(history.list_removals())]
        gone = {ref: path for ref, path in removed if ref}
        wanted = [typed] if "/" in typed or not here else [f"{here}/{typed}", typed]
        found = next((ref for ref in map(Ref, wanted) if ref in gone), None)
        within = [found] if found else [r for r in gone if r.rpartition("/")[2] == typed]
        if len(within) > 1:
            raise AmbiguousRef(typed, sorted(within)) from None
        if not within:
            raise
        return within[0], gone[within[0]]


def read_text_at(view: TreeContext, ref: Ref, path: str, commit: str) -> tuple[str, str]:
    """Return the path of an atom in a commit, and its text; raise `Refused` if it is not there."""
    history = require_repository(view)
    steps = history.filter_reachable(commit, history.list_file_commits(path))
    then = steps[0].paths[0][1] if steps else path
    found = history.read_contents([(commit, then)])[0]
    if found is None:
        raise Refused(
            f"there was no `{ref}` in {commit[:10]}", hint=_since(history.list_file_commits(path))
        )
    return then, found.decode(errors="replace")


def _since(steps: list[CommitRecord]) -> str:
    if not steps:
        return "it was never committed"
    made = steps[-1].commit
    return f"it came with {made.commit[:10]}, {made.when[:10]}"
