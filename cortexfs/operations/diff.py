"""Show the changes of an atom: since a commit, a day, or by the last change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.errors import Unreadable
from cortexfs.operations.shared.resolve_revision import (
    read_text_at,
    require_repository,
    resolve_commit,
    resolve_past_ref,
)

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


class AtomDiff(NamedTuple):
    """The path and text of an atom then and now; a text is None if it did not exist.

    `since` is the commit of the old text, or `by` the commit that made the difference. Both are
    None if the atom was never committed.
    """

    ref: Ref
    old_path: str
    old_text: str | None
    path: str
    new_text: str | None
    since: CommitSummary | None = None
    by: CommitSummary | None = None


def diff(session: Session, typed: str, cwd: str, at: str | None = None) -> AtomDiff:
    """Compare an atom with its text in a commit, or on a day.

    By default with its text before its last change, which may be uncommitted.
    """
    history = require_repository(session)
    commit = resolve_commit(session, at) if at else None
    with session.read() as view:
        ref, path = resolve_past_ref(view, typed, cwd)
        new_text = _read_present_text(view, path)
        if commit:
            path_then, old_text = read_text_at(view, ref, path, commit)
            return AtomDiff(
                ref, path_then, old_text, path, new_text, history.describe_commit(commit)
            )
        return _compare_with_last_change(view, ref, path, new_text)


def _compare_with_last_change(
    view: TreeFilesAndGit, ref: Ref, path: str, new_text: str | None
) -> AtomDiff:
    """Compare an atom with its last commit, or if that is equal, with the one before."""
    history = require_repository(view)
    committed = _decode_content(history.read_contents([("HEAD", path)])[0])
    steps = history.list_file_commits(path, 1, HOUSEKEEPING_MESSAGES)
    last_commit = steps[0].commit if steps else None
    if committed != new_text or last_commit is None:
        return AtomDiff(ref, path, committed, path, new_text, since=last_commit)
    old_path = steps[0].paths[0][0]
    old_text = _decode_content(history.read_contents([(f"{last_commit.commit}^", old_path)])[0])
    return AtomDiff(ref, old_path, old_text, path, new_text, by=last_commit)


def _decode_content(content: bytes | None) -> str | None:
    return None if content is None else content.decode(errors="replace")


def _read_present_text(view: TreeFilesAndGit, path: str) -> str | None:
    if not view.tree.is_file(path):
        return None
    read = view.tree.read_text_or_flaw(path)
    if isinstance(read, Flaw):
        raise Unreadable(f"{path}: {read.message}")
    return read.text
