"""Commit the given paths of a tree and no others, whatever the user has staged or edited."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.check_git_dir import find_current_ref
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.commit_trailer import add_change_trailer
from cortexfs.history.git import git_error
from cortexfs.history.git_index import read_staged_entries, update_index
from cortexfs.history.ignored_paths import find_ignored_paths
from cortexfs.history.location import fsync_path
from cortexfs.history.object_formats import GitObject, TreeEntry, detect_algorithm, make_pack
from cortexfs.history.own_git_lock import (
    hold_git_lock,
    list_lock_files,
    read_pending_entries,
    wait_for_ref_locks,
)
from cortexfs.history.read_work_tree import FileContent, check_path, read_content, wrap_os_errors
from cortexfs.history.trees import open_commit_tree, rewrite_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.git import TreeInGit
    from cortexfs.history.git_index import StagedEntries
    from cortexfs.history.own_git_lock import GitLock, Pending
    from cortexfs.history.trees import CommitTree

    Files = Mapping[str, FileContent | None]

_MAX_TRIES = 8
"""Maximum number of attempts to commit while the branch keeps moving."""

_MAX_LOOSE_OBJECTS = 100
"""More objects than this are written as one pack, with one fsync instead of hundreds."""

_MAX_SUBJECT = 200
"""Maximum characters of a message in the reflog; the kernel limits the length of an argument."""

_FALLBACK_IDENTITY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "cortexfs"), ("EMAIL", "cortexfs@localhost"))
}

_NOTHING_CHANGED = CommitSkipped("nothing changed")
_INDEX_LOCKED = CommitSkipped(
    ".git/index.lock exists, so the index shows as staged what is committed", can_retry=True
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


def create_commit(
    history: TreeInGit,
    message: str,
    paths: Sequence[str],
    contents: Mapping[str, bytes],
    *,
    signed: bool,
) -> CommitMade | CommitSkipped:
    """Commit as `History.commit` describes, when no merge or rebase is in progress."""
    above = [f"{history.prefix}{check_path(path)}" for path in paths]
    message = message.replace("\0", "").strip().encode("utf-8", "replace").decode("utf-8")
    with wrap_os_errors("nothing was committed"):
        files = {path: read_content(history.top, path) for path in above}
        for path, body in contents.items():
            files[f"{history.prefix}{check_path(path)}"] = FileContent(body)
        if other := _find_nested_repository(history, files):
            return CommitSkipped(f"`{other}` is a repository of its own")
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
        late = read_pending_entries(lock.git)
        with open_commit_tree(lock.git) as head:
            step = _draft_commit(head, files, late)
        index = read_staged_entries(lock.git, step.old, prefix)
        if conflict := sorted(index.unmerged & files.keys()):
            return CommitSkipped(
                f"`{conflict[0]}` is in conflict: resolve the merge", can_retry=True
            )
        if unwanted := find_ignored_paths(lock.git, _list_untracked(step, index.entries)):
            files = {path: file for path, file in files.items() if path not in unwanted}
        elif done := _try_commit(
            lock, message, step, _find_outdated_entries(step, index, late, files), signed=signed
        ):
            return done
    return CommitSkipped("the branch moved at every try", can_retry=True)


def _try_commit(
    lock: GitLock, message: str, step: _CommitDraft, outdated: Pending, *, signed: bool
) -> CommitMade | CommitSkipped | None:
    """Write objects, update the user's index and move the branch; None if the branch has moved."""
    if step.new_objects and (name := wait_for_ref_locks(lock.git)):
        return _skip_locked(lock, name)
    made = _write_objects(lock, message, step, signed=signed) if step.new_objects else step.parent
    lock.note_pending_entries(outdated, step.width)
    late = {path: step.new[path] for path, may_hold in outdated.items() if len(may_hold) > 1}
    updated = update_index(lock, late, step.width)
    moved = not step.new_objects or _move_branch(lock, message, made, step)
    if isinstance(moved, CommitSkipped) or not moved:
        return None if moved is False else moved
    if updated:
        lock.note_pending_entries({}, step.width)
    if not step.new_objects:
        return _NOTHING_CHANGED if updated else _INDEX_LOCKED
    return CommitMade(made, () if updated else tuple(late))


def _find_nested_repository(history: TreeInGit, paths: Files) -> str | None:
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
    fresh = (blobs[path] for path, entry in changes.items() if entry)
    made = (*fresh, *rewritten.new_objects) if changes else ()
    return _CommitDraft(old, new, head.commit, rewritten.root_id, made)


def _list_untracked(step: _CommitDraft, index: Mapping[str, TreeEntry]) -> list[str]:
    """Return the files that git does not track yet: the user may ignore them."""
    known = index.keys() | {path for path, old in step.old.items() if old}
    return sorted(path for path, new in step.new.items() if new and path not in known)


def _write_objects(lock: GitLock, message: str, step: _CommitDraft, *, signed: bool) -> str:
    """Write the objects, the commit last, and return its id; no ref points to it yet."""
    text = add_change_trailer(message, step.old, step.new) if signed else message
    packed = make_pack(step.new_objects, detect_algorithm(step.root))
    few = len(step.new_objects) <= _MAX_LOOSE_OBJECTS
    lock.git.check_output(
        *(("unpack-objects", "-q") if few else ("index-pack", "--stdin")), feed=packed
    )
    parents = ("-p", step.parent) if step.parent else ()
    words = ("commit-tree", *parents, step.root)
    body = f"{text}\n".encode()
    ran = lock.git.run(*words, feed=body)
    if ran.exit_code:  # most likely no name is configured
        ran = lock.git.run(*words, feed=body, env=_FALLBACK_IDENTITY)
    if ran.exit_code:
        raise git_error("commit-tree", ran.stderr)
    return ran.stdout.decode("ascii").strip()


def _find_outdated_entries(
    step: _CommitDraft, index: StagedEntries, pending: Pending, files: Files
) -> Pending:
    """Return the entries of the user's index to update, and the values they may hold until then.

    Every path of the commit is included, whatever is staged for it, as with `git commit -- PATH`.
    Other paths are included if an earlier commit by cortexfs could not update them and nobody has
    staged them since. An entry that an earlier attempt updated, before the branch moved, may hold
    only the value of that attempt.
    """
    ours = files.keys() if step.new_objects else frozenset()
    found = {}
    for path, new in sorted(step.new.items()):
        present, old = index.entries.get(path), step.old[path]
        if present == new != old or (
            present != new and (path in ours or present in pending.get(path, ()))
        ):
            found[path] = frozenset({present, new})
    return found


def _move_branch(
    lock: GitLock, message: str, made: str, step: _CommitDraft
) -> bool | CommitSkipped:
    """Move HEAD's branch from the parent to the new commit; False if the branch has moved."""
    ref = find_current_ref(lock.git.git_dir, lock.git.common_dir)
    lock.note_ref_move(made)
    subject = message.partition("\n")[0][:_MAX_SUBJECT]
    words = ("update-ref", "-m", f"cortexfs: {subject}", "HEAD", made)
    ran = lock.git.run(*words, step.parent or "0" * step.width)
    if ran.exit_code < 0 or (
        not ran.exit_code and _has_left_lock(lock, ref)
    ):  # git was killed, we were not
        lock.remove_own_ref_locks()
    else:
        lock.clear_ref_move()
    if ran.exit_code:
        with open_commit_tree(lock.git) as head:
            if head.commit == step.parent and (locks := list_lock_files(lock.git)):
                return _skip_locked(lock, locks[0])
            if head.commit == step.parent:
                raise git_error("update-ref", ran.stderr)
            if head.commit != made:
                return False
    _sync_ref_folders(lock, ref)
    return True


def _skip_locked(lock: GitLock, name: str) -> CommitSkipped:
    shown = os.path.relpath(name, lock.git.top)
    return CommitSkipped(f"{shown} exists (git is running, or was killed)", can_retry=True)


def _has_left_lock(lock: GitLock, ref: str) -> bool:
    """Return whether our git moved the branch and failed to remove its lock of HEAD.

    A lock of another process is younger than the move.
    """
    with suppress(FileNotFoundError):
        left = os.stat(f"{lock.git.git_dir}/HEAD.lock")
        return left.st_mtime_ns <= os.stat(f"{lock.git.common_dir}/{ref}").st_ctime_ns
    return False


def _sync_ref_folders(lock: GitLock, ref: str) -> None:
    """Sync the folders of the renamed ref files: git syncs the files, but not the folders."""
    git, folder = lock.git, ref.rpartition("/")[0]
    for path in (f"{git.common_dir}/{folder}", f"{git.common_dir}/logs/{folder}", git.git_dir):
        fsync_path(path)
