"""Commit the given paths of a tree and no others, whatever the user has staged or edited."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.commit_lock_folder import (
    hold_git_lock,
    read_pending_entries,
    wait_for_ref_locks,
)
from cortexfs.history.commit_object import make_commit
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.commit_trailer import add_change_trailer
from cortexfs.history.git import git_error
from cortexfs.history.git_index import update_index
from cortexfs.history.identity import FALLBACK_VARIABLES, read_identity
from cortexfs.history.ignored_paths import find_ignored_paths
from cortexfs.history.move_branch import move_branch, skip_locked
from cortexfs.history.object_formats import GitObject, TreeEntry, detect_algorithm, make_pack
from cortexfs.history.read_work_tree import FileContent, check_path, read_content, wrap_os_errors
from cortexfs.history.staged_entries import read_staged_entries
from cortexfs.history.trees import open_commit_tree, rewrite_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.commit_lock_folder import GitLock, Pending
    from cortexfs.history.git import GitTreeLocation
    from cortexfs.history.staged_entries import StagedEntries
    from cortexfs.history.trees import CommitTree

    Files = Mapping[str, FileContent | None]

_MAX_TRIES = 8
"""Maximum number of attempts to commit while the branch keeps moving."""

_MAX_LOOSE_OBJECTS = 100
"""More objects than this are written as one pack, with one fsync instead of hundreds."""

_NOTHING_CHANGED = CommitSkipped("nothing changed")
_INDEX_LOCKED = CommitSkipped(
    "the commit still shows as staged, because .git/index.lock exists", can_retry=True
)


class _CommitDraft(NamedTuple):
    """The entries of HEAD and of the new commit at the same paths, and the new objects."""

    old: dict[str, TreeEntry | None]
    new: dict[str, TreeEntry | None]
    parent: str
    root: str
    new_objects: tuple[GitObject, ...]

    @property
    def width(self) -> int:
        """Number of hex digits of an object id."""
        return len(self.root)

    def list_created(self) -> frozenset[str]:
        """Return the files that HEAD does not have: the user may ignore them."""
        return frozenset(path for path, new in self.new.items() if new and not self.old[path])


def create_commit(
    history: GitTreeLocation,
    message: str,
    paths: Sequence[str],
    contents: Mapping[str, bytes],
    *,
    signed: bool,
) -> CommitMade | CommitSkipped:
    """Commit as `History.commit` describes, when no merge or rebase is in progress."""
    full_paths = [f"{history.prefix}{check_path(path)}" for path in paths]
    message = message.replace("\0", "").strip().encode("utf-8", "replace").decode("utf-8")
    with wrap_os_errors("nothing was committed"):
        files = {path: read_content(history.top, path) for path in full_paths}
        for path, body in contents.items():
            files[f"{history.prefix}{check_path(path)}"] = FileContent(body)
        if nested := _find_nested_repository(history, files):
            return CommitSkipped(f"`{nested}` is a repository of its own")
        with hold_git_lock(history.git) as lock:
            return _commit_with_retries(lock, history.prefix, message, files, signed=signed)


def _commit_with_retries(
    lock: GitLock, prefix: str, message: str, files: Files, *, signed: bool
) -> CommitMade | CommitSkipped:
    """Make the commit; repeat it if another process moved the branch meanwhile.

    The user's index is updated before the branch. A commit that the user makes in between then
    contains our change under the user's message. In the other order it would revert our change.
    """
    for _ in range(_MAX_TRIES):
        pending = read_pending_entries(lock.git)
        with open_commit_tree(lock.git) as head:
            draft = _draft_commit(head, files, pending)
        index = read_staged_entries(lock.git, draft.old, prefix, draft.list_created())
        if conflict := sorted(index.unmerged & files.keys()):
            return CommitSkipped(
                f"`{conflict[0]}` is in conflict: resolve the merge", can_retry=True
            )
        unknown = [*draft.list_created() - index.entries.keys() - index.addable]
        if unwanted := find_ignored_paths(lock.git, sorted(unknown)):
            files = {path: file for path, file in files.items() if path not in unwanted}
            continue
        outdated = _find_outdated_entries(draft, index, pending, files)
        if done := _try_commit(lock, message, draft, outdated, signed=signed):
            return done
    return CommitSkipped("the branch kept moving", can_retry=True)


def _try_commit(
    lock: GitLock, message: str, draft: _CommitDraft, outdated: Pending, *, signed: bool
) -> CommitMade | CommitSkipped | None:
    """Write objects, update the user's index and move the branch; None if the branch has moved."""
    if draft.new_objects and (name := wait_for_ref_locks(lock.git)):
        return skip_locked(lock, name)
    made = (
        _write_objects(lock, message, draft, signed=signed) if draft.new_objects else draft.parent
    )
    lock.note_pending_entries(outdated, draft.width)
    stale = {path: draft.new[path] for path, values in outdated.items() if len(values) > 1}
    updated = update_index(lock, stale, draft.width)
    moved = not draft.new_objects or move_branch(lock, message, made, draft.parent)
    if isinstance(moved, CommitSkipped) or not moved:
        return None if moved is False else moved
    if updated:
        lock.note_pending_entries({}, draft.width)
    if not draft.new_objects:
        return _NOTHING_CHANGED if updated else _INDEX_LOCKED
    return CommitMade(made, () if updated else tuple(stale))


def _find_nested_repository(history: GitTreeLocation, paths: Files) -> str | None:
    """Return the nested repository that contains one of the paths; None if there is none.

    Files of a nested repository cannot be committed.
    """
    folders = {path[:at] for path in paths for at, step in enumerate(path) if step == "/"}
    above = {history.prefix[:at] for at, step in enumerate(history.prefix) if step == "/"}
    nested = (
        folder for folder in folders - above if os.path.lexists(f"{history.top}/{folder}/.git")
    )
    return next(iter(sorted(nested)), None)


def _draft_commit(head: CommitTree, files: Files, pending: Pending) -> _CommitDraft:
    old = {path: head.find_entry(path) for path in {*files, *pending}}
    blobs = {path: file.make_blob(head.algorithm) for path, file in files.items() if file}
    new = old | {
        path: file.make_entry(blobs[path].id, old[path]) if file else None
        for path, file in files.items()
    }
    changes = {path: entry for path, entry in new.items() if entry != old[path]}
    rewritten = rewrite_tree(head, changes)
    new_blobs = (blobs[path] for path, entry in changes.items() if entry)
    made = (*new_blobs, *rewritten.new_objects) if changes else ()
    return _CommitDraft(old, new, head.commit, rewritten.root_id, made)


def _write_objects(lock: GitLock, message: str, draft: _CommitDraft, *, signed: bool) -> str:
    """Write the objects, the commit last, and return its id; no ref points to it yet."""
    text = add_change_trailer(message, draft.old, draft.new) if signed else message
    identity = read_identity(lock.git)
    made = make_commit(draft.root, draft.parent, identity, f"{text}\n") if identity else None
    objects = (*draft.new_objects, made) if made else draft.new_objects
    few = len(objects) <= _MAX_LOOSE_OBJECTS
    lock.git.check_output(
        *(("unpack-objects", "-q") if few else ("index-pack", "--stdin")),
        feed=make_pack(objects, detect_algorithm(draft.root)),
    )
    return made.id if made else _run_commit_tree(lock, draft, f"{text}\n".encode())


def _run_commit_tree(lock: GitLock, draft: _CommitDraft, message: bytes) -> str:
    """Let git write the commit: only it can say what names or which message it stores."""
    parents = ("-p", draft.parent) if draft.parent else ()
    words = ("commit-tree", *parents, draft.root)
    ran = lock.git.run_unchecked(*words, feed=message)
    if ran.exit_code:  # most likely a name or an address is missing
        ran = lock.git.run_unchecked(*words, feed=message, env=FALLBACK_VARIABLES)
    if ran.exit_code:
        raise git_error("commit-tree", ran.stderr)
    return ran.stdout.decode("ascii").strip()


def _find_outdated_entries(
    draft: _CommitDraft, index: StagedEntries, pending: Pending, files: Files
) -> Pending:
    """Return the entries of the user's index to update, and the values they may hold until then.

    Every path of the commit is included, whatever is staged for it, as with `git commit -- PATH`.
    Other paths are included if an earlier commit by cortexfs could not update them and nobody has
    staged them since. An entry that an earlier attempt updated, before the branch moved, may hold
    only the value of that attempt.
    """
    committed = files.keys() if draft.new_objects else frozenset()
    found = {}
    for path, new in sorted(draft.new.items()):
        present, old = index.entries.get(path), draft.old[path]
        if present == new != old or (
            present != new and (path in committed or present in pending.get(path, ()))
        ):
            found[path] = frozenset({present, new})
    return found
