"""Read what one commit changed in an atom: its text before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import NoSuchAtom
from cortexfs.operations.diff import AtomDiff
from cortexfs.operations.shared.follow_renames import list_commits_of_file
from cortexfs.operations.shared.resolve_revision import (
    require_repository,
    resolve_commit,
    resolve_past_ref,
)

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def read_atom_change(session: Session, typed: str, commit: str) -> AtomDiff:
    """Return the text of an atom before and after a commit; None where it did not exist.

    Raises `NoSuchAtom` if the commit has no such file, and as `resolve_commit` does.
    """
    history = require_repository(session)
    found = resolve_commit(session, commit)
    with session.read() as view:
        ref, path = resolve_past_ref(view, typed, view.tree.root)
        before_path, after_path = _find_paths(session, path, found)
        old, new = history.read_contents([(f"{found}^", before_path), (found, after_path)])
        if old is None and new is None:
            raise NoSuchAtom(typed)
        before, after = (
            None if side is None else side.decode(errors="replace") for side in (old, new)
        )
        by = history.describe_commit(found)
        return AtomDiff(ref, before_path, before, after_path, after, by=by)


def _find_paths(session: Session, path: str, commit: str) -> tuple[str, str]:
    """Return the paths of an atom before and after a commit: it may have been renamed."""
    records = list_commits_of_file(session, session.list_commits(), path)
    pairs = (each.paths[0] for each in records if each.commit.commit == commit and each.paths)
    return next(pairs, (path, path))
