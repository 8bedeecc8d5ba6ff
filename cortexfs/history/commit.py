"""Commit paths of a tree and no others, whatever the user has staged or edited."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.commit_trailer import with_change_id
from cortexfs.history.git import failed
from cortexfs.history.git_dir import current_ref
from cortexfs.history.git_index import staged, update_index
from cortexfs.history.git_lock import git_lock, lock_files, pending, wait_for_refs
from cortexfs.history.ignored import ignored
from cortexfs.history.location import fsync
from cortexfs.history.objects import Entry, Object, algorithm_of, pack
from cortexfs.history.outcome import Committed, Skipped
from cortexfs.history.trees import rewrite, trees_of
from cortexfs.history.work_tree import FileContent, checked, read, refusing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.git import TreeInGit
    from cortexfs.history.git_index import Staged
    from cortexfs.history.git_lock import GitLock, Pending
    from cortexfs.history.trees import Trees

    Files = Mapping[str, FileContent | None]

_TRIES = 8
"""How often a commit is made anew because the branch moved meanwhile."""

_LOOSE = 100
"""More objects than this are written as one pack, with one fsync instead of hundreds."""

_SUBJECT = 200
"""Characters of a message that the reflog gets; the kernel limits the length of an argument."""

_NOBODY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "cortexfs"), ("EMAIL", "cortexfs@localhost"))
}

_NOTHING = Skipped("nothing changed")
_INDEX_LOCKED = Skipped(
    ".git/index.lock exists, so the index shows as staged what is committed", again=True
)


class _Step(NamedTuple):
    """What HEAD holds and what the commit is to hold, at the same paths; and the new objects."""

    old: dict[str, Entry | None]
    new: dict[str, Entry | None]
    parent: str
    root: str
    made: tuple[Object, ...]

    @property
    def width(self) -> int:
        """Hex digits of an id."""
        return len(self.root)


def commit(
    history: TreeInGit,
    message: str,
    paths: Sequence[str],
    contents: Mapping[str, bytes],
    *,
    signed: bool,
) -> Committed | Skipped:
    """Do what `History.commit` promises, where no merge or rebase is in progress."""
    above = [f"{history.prefix}{checked(path)}" for path in paths]
    message = message.replace("\0", "").strip().encode("utf-8", "replace").decode("utf-8")
    with refusing("nothing was committed"):
        files = {path: read(history.top, path) for path in above}
        for path, body in contents.items():
            files[f"{history.prefix}{checked(path)}"] = FileContent(body)
        if other := _elsewhere(history, files):
            return Skipped(f"`{other}` is a repository of its own")
        with git_lock(history.git) as lock:
            return _commit(lock, history.prefix, message, files, signed=signed)


def _commit(
    lock: GitLock, prefix: str, message: str, files: Files, *, signed: bool
) -> Committed | Skipped:
    """Make the commit; make it anew where somebody has moved the branch meanwhile.

    The user's index is updated before the branch: a commit that they make in between then
    holds our change under their message. The other way round it would take our change back.
    """
    for _ in range(_TRIES):
        late = pending(lock.git)
        with trees_of(lock.git) as head:
            step = _step(head, files, late)
        index = staged(lock.git, step.old, prefix)
        if conflict := sorted(index.unmerged & files.keys()):
            return Skipped(f"`{conflict[0]}` is in conflict: resolve the merge", again=True)
        if unwanted := ignored(lock.git, _unknown(step, index.entries)):
            files = {path: file for path, file in files.items() if path not in unwanted}
        elif done := _carry_out(
            lock, message, step, _outdated(step, index, late, files), signed=signed
        ):
            return done
    return Skipped("the branch moved at every try", again=True)


def _carry_out(
    lock: GitLock, message: str, step: _Step, outdated: Pending, *, signed: bool
) -> Committed | Skipped | None:
    """Write objects, update the user's index, move the branch; None where that has moved."""
    if step.made and (name := wait_for_refs(lock.git)):
        return _locked(lock, name)
    made = _record(lock, message, step, signed=signed) if step.made else step.parent
    lock.note_pending(outdated, step.width)
    late = {path: step.new[path] for path, may_hold in outdated.items() if len(may_hold) > 1}
    updated = update_index(lock, late, step.width)
    moved = not step.made or _moved(lock, message, made, step)
    if isinstance(moved, Skipped) or not moved:
        return None if moved is False else moved
    if updated:
        lock.note_pending({}, step.width)
    if not step.made:
        return _NOTHING if updated else _INDEX_LOCKED
    return Committed(made, () if updated else tuple(late))


def _elsewhere(history: TreeInGit, paths: Files) -> str | None:
    """Find a repository nested between ours and a path: its files are not ours."""
    folders = {path[:at] for path in paths for at, step in enumerate(path) if step == "/"}
    above = {history.prefix[:at] for at, step in enumerate(history.prefix) if step == "/"}
    nested = (
        folder for folder in folders - above if os.path.lexists(f"{history.top}/{folder}/.git")
    )
    return next(iter(sorted(nested)), None)


def _step(head: Trees, files: Files, late: Pending) -> _Step:
    old = {path: head.entry(path) for path in {*files, *late}}
    blobs = {path: file.blob(head.algorithm) for path, file in files.items() if file}
    new = old | {
        path: file.entry(blobs[path].id, old[path]) if file else None
        for path, file in files.items()
    }
    changes = {path: entry for path, entry in new.items() if entry != old[path]}
    rewritten = rewrite(head, changes)
    fresh = (blobs[path] for path, entry in changes.items() if entry)
    made = (*fresh, *rewritten.made) if changes else ()
    return _Step(old, new, head.commit, rewritten.root, made)


def _unknown(step: _Step, index: Mapping[str, Entry]) -> list[str]:
    """Name the files that git does not know yet: the user may ignore them."""
    known = index.keys() | {path for path, old in step.old.items() if old}
    return sorted(path for path, new in step.new.items() if new and path not in known)


def _record(lock: GitLock, message: str, step: _Step, *, signed: bool) -> str:
    """Write the objects, the commit last; no ref leads to them yet."""
    text = with_change_id(message, step.old, step.new) if signed else message
    packed = pack(step.made, algorithm_of(step.root))
    few = len(step.made) <= _LOOSE
    lock.git.ask(*(("unpack-objects", "-q") if few else ("index-pack", "--stdin")), feed=packed)
    parents = ("-p", step.parent) if step.parent else ()
    words = ("commit-tree", *parents, step.root)
    body = f"{text}\n".encode()
    ran = lock.git.run(*words, feed=body)
    if ran.code:  # most likely no name is configured
        ran = lock.git.run(*words, feed=body, env=_NOBODY)
    if ran.code:
        raise failed("commit-tree", ran.err)
    return ran.out.decode("ascii").strip()


def _outdated(step: _Step, index: Staged, late: Pending, files: Files) -> Pending:
    """Give the entries of the user's index to update, and what they may hold until then.

    Every path of a commit, whatever is staged for it, as `git commit -- PATH` does. Of other
    paths those that an earlier commit of ours could not update, if nobody has staged them since.
    An entry that an earlier try has updated, before the branch moved, may hold nothing else.
    """
    ours = files.keys() if step.made else frozenset()
    found = {}
    for path, new in sorted(step.new.items()):
        present, old = index.entries.get(path), step.old[path]
        if present == new != old or (
            present != new and (path in ours or present in late.get(path, ()))
        ):
            found[path] = frozenset({present, new})
    return found


def _moved(lock: GitLock, message: str, made: str, step: _Step) -> bool | Skipped:
    """Move HEAD's branch from the parent to the new commit; False if it is elsewhere."""
    ref = current_ref(lock.git.git_dir, lock.git.common)
    lock.note_move(made)
    subject = message.partition("\n")[0][:_SUBJECT]
    words = ("update-ref", "-m", f"cortexfs: {subject}", "HEAD", made)
    ran = lock.git.run(*words, step.parent or "0" * step.width)
    if ran.code < 0 or (not ran.code and _left_lock(lock, ref)):  # git was killed, we were not
        lock.remove_own_ref_locks()
    else:
        lock.end_move()
    if ran.code:
        with trees_of(lock.git) as head:
            if head.commit == step.parent and (locks := lock_files(lock.git)):
                return _locked(lock, locks[0])
            if head.commit == step.parent:
                raise failed("update-ref", ran.err)
            if head.commit != made:
                return False
    _settle(lock, ref)
    return True


def _locked(lock: GitLock, name: str) -> Skipped:
    shown = os.path.relpath(name, lock.git.top)
    return Skipped(f"{shown} exists (git is running, or was killed)", again=True)


def _left_lock(lock: GitLock, ref: str) -> bool:
    """Tell whether our git moved the branch and could not take its lock of HEAD away.

    Somebody else's lock is younger than the move.
    """
    with suppress(FileNotFoundError):
        left = os.stat(f"{lock.git.git_dir}/HEAD.lock")
        return left.st_mtime_ns <= os.stat(f"{lock.git.common}/{ref}").st_ctime_ns
    return False


def _settle(lock: GitLock, ref: str) -> None:
    """Make what git renamed outlive a power cut: it syncs files, but not the folders."""
    git, folder = lock.git, ref.rpartition("/")[0]
    for path in (f"{git.common}/{folder}", f"{git.common}/logs/{folder}", git.git_dir):
        fsync(path)
