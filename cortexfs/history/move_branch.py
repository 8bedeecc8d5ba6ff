"""Move the branch of HEAD to a new commit, and recover from a killed git."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.history.check_git_dir import find_current_ref
from cortexfs.history.commit_lock_folder import list_lock_files
from cortexfs.history.commit_outcome import CommitSkipped
from cortexfs.history.git import git_error
from cortexfs.history.location import fsync_path
from cortexfs.history.trees import open_commit_tree

if TYPE_CHECKING:
    from cortexfs.history.commit_lock_folder import GitLock

_MAX_SUBJECT = 200
"""Maximum characters of a message in the reflog; the kernel limits the length of an argument."""


def move_branch(lock: GitLock, message: str, made: str, parent: str) -> bool | CommitSkipped:
    """Move HEAD's branch from its parent (empty: none yet) to a commit; False if it has moved."""
    ref = find_current_ref(lock.git.git_dir, lock.git.common_dir)
    lock.note_ref_move(made)
    subject = message.partition("\n")[0][:_MAX_SUBJECT]
    words = ("update-ref", "-m", f"cortexfs: {subject}", "HEAD", made)
    ran = lock.git.run_unchecked(*words, parent or "0" * len(made))
    is_git_killed = ran.exit_code < 0 or (not ran.exit_code and _has_left_lock(lock, ref))
    if is_git_killed:
        lock.remove_own_ref_locks()
    else:
        lock.clear_ref_move()
    if ran.exit_code:
        with open_commit_tree(lock.git) as head:
            if head.commit == parent and (locks := list_lock_files(lock.git)):
                return skip_locked(lock, locks[0])
            if head.commit == parent:
                raise git_error("update-ref", ran.stderr)
            if head.commit != made:
                return False
    _sync_ref_folders(lock, ref)
    return True


def skip_locked(lock: GitLock, name: str) -> CommitSkipped:
    """Return the result for a lock of git that prevents a commit."""
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
