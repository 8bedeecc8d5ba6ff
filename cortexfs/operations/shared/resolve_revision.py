"""Resolve the commit that a person types, and the path of an atom in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.errors import AmbiguousRef, NoSuchAtom, NoSuchProject, Refused
from cortexfs.operations.removed_atoms import prefer_present_projects, ref_from_path
from cortexfs.operations.shared.resolve_names import find_current_project, resolve_ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.session.annotation_types import CommitRecord, History
    from cortexfs.session.view import TreeFilesAndGit, View

CONTENTS_IN_MEMORY = 32
"""Number of old file contents that are read at once: an atom can have 16 MiB and many versions."""


def require_repository(view: TreeFilesAndGit) -> History:
    """Return the repository around the tree; raise `Refused` without one, or without git."""
    if not view.repository.has_git:
        raise Refused(
            "git is not installed, or not on PATH",
            hint="install git: without it there is no history",
        )
    if problem := view.repository.problem:
        raise Refused(f"there is no git repository around the tree: {problem}")
    if view.repository.history is None:
        raise Refused(
            "there is no git repository around the tree", hint="`cortexfs init` creates one"
        )
    return view.repository.history


def require_committable_repository(view: TreeFilesAndGit) -> History:
    """Return the repository; raise `Refused` if cortexfs may not commit in it."""
    history = require_repository(view)
    if not view.repository.can_commit:
        raise Refused(
            f"the root of the repository is higher up, at {history.top}",
            hint="`commit-in:` in ~/.config/cortexfs/config.yaml allows it; see `cortexfs doctor`",
        )
    return history


def iter_contents(history: History, wanted: Sequence[tuple[str, str]]) -> Iterator[bytes | None]:
    """Yield the content of each (commit, path), with few of them in memory at a time."""
    for start in range(0, len(wanted), CONTENTS_IN_MEMORY):
        yield from history.read_contents(wanted[start : start + CONTENTS_IN_MEMORY])


def resolve_commit(view: TreeFilesAndGit, revision: str) -> str:
    """Return the id of the commit that a person types: an id, a branch, or a day."""
    found = require_repository(view).find_commit(revision)
    if found is None:
        raise Refused(
            f"no commit matches `{revision}`",
            hint="`cortexfs log` shows the commits; a day (2026-03-01) means its last commit",
        )
    return found


def resolve_past_ref(view: View, typed: str, cwd: str) -> tuple[Ref, str]:
    """Return ref and path of an atom, including a removed one.

    Raises as `resolve_ref` does.
    """
    history = require_repository(view)
    try:
        return resolve_ref(view, typed, cwd)
    except (NoSuchAtom, NoSuchProject):
        current = find_current_project(view, cwd)
        removed = [
            (ref_from_path(view, path), path) for path, _ in reversed(history.list_removals())
        ]
        paths_by_ref = {ref: path for ref, path in removed if ref}
        wanted = [typed] if "/" in typed or not current else [f"{current}/{typed}", typed]
        found = next((ref for ref in map(Ref, wanted) if ref in paths_by_ref), None)
        same_id = [ref for ref in paths_by_ref if ref.rpartition("/")[2] == typed]
        matching = [found] if found else prefer_present_projects(view, same_id)
        if len(matching) > 1:
            raise AmbiguousRef(typed, sorted(matching)) from None
        if not matching:
            raise
        return matching[0], paths_by_ref[matching[0]]


def read_text_at(view: TreeFilesAndGit, ref: Ref, path: str, commit: str) -> tuple[str, str]:
    """Return the path of an atom in a commit, and its text; raise `Refused` if it is not there."""
    history = require_repository(view)
    steps = history.filter_reachable(commit, history.list_file_commits(path))
    old_path = steps[0].paths[0][1] if steps else path
    found = history.read_contents([(commit, old_path)])[0]
    if found is None:
        raise Refused(
            f"`{ref}` did not exist in {commit[:10]}",
            hint=_describe_first_commit(history.list_file_commits(path)),
        )
    return old_path, found.decode(errors="replace")


def _describe_first_commit(steps: list[CommitRecord]) -> str:
    if not steps:
        return "it was never committed"
    first_commit = steps[-1].commit
    return f"it came with {first_commit.commit[:10]}, {first_commit.when[:10]}"
