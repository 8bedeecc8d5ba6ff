"""Understand which commit, and which file of it, a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.errors import AmbiguousRef, NoSuchAtom, Refused
from cortexfs.operations.removed import ref_of
from cortexfs.operations.shared.resolve_names import project_here, resolve

if TYPE_CHECKING:
    from cortexfs.session.types import History, Step
    from cortexfs.session.view import FileView, View


def history_of(view: FileView) -> History:
    """Give the repository around the tree; raises `Refused` without one, or without git."""
    if not view.repository.has_git:
        raise Refused("git is not installed, or not on PATH", hint="without it there is no past")
    if problem := view.repository.problem:
        raise Refused(f"there is no git repository around the tree: {problem}")
    if view.repository.history is None:
        raise Refused("there is no git repository around the tree", hint="`cortexfs init`")
    return view.repository.history


def commit_named(view: FileView, said: str) -> str:
    """Give the id of the commit that a person means: an id, a branch, or a day."""
    found = history_of(view).commit_at(said)
    if found is None:
        raise Refused(
            f"`{said}` names no commit",
            hint="`cortexfs log` shows them; a day, 2026-03-01, means the last one until its end",
        )
    return found


def resolve_past(view: View, typed: str, cwd: str) -> tuple[Ref, str]:
    """Give ref and path of an atom, also of one that is no longer there.

    Raises as `resolve` does.
    """
    history = history_of(view)
    try:
        return resolve(view, typed, cwd)
    except NoSuchAtom:
        here = project_here(view, cwd)
        removed = [(ref_of(view, path), path) for path in reversed(history.removed())]
        gone = {ref: path for ref, path in removed if ref}
        wanted = [typed] if "/" in typed or not here else [f"{here}/{typed}", typed]
        found = next((ref for ref in map(Ref, wanted) if ref in gone), None)
        within = [found] if found else [r for r in gone if r.rpartition("/")[2] == typed]
        if len(within) > 1:
            raise AmbiguousRef(typed, sorted(within)) from None
        if not within:
            raise
        return within[0], gone[within[0]]


def text_at(view: FileView, ref: Ref, path: str, commit: str) -> tuple[str, str]:
    """Give where an atom stood in a commit, and what it said; raises `Refused` if nowhere."""
    history = history_of(view)
    steps = history.within(commit, history.past(path))
    then = steps[0].paths[0][1] if steps else path
    found = history.contents([(commit, then)])[0]
    if found is None:
        raise Refused(f"there was no `{ref}` in {commit[:10]}", hint=_since(history.past(path)))
    return then, found.decode(errors="replace")


def _since(steps: list[Step]) -> str:
    if not steps:
        return "it was never committed"
    made = steps[-1].made
    return f"it came with {made.commit[:10]}, {made.when[:10]}"
