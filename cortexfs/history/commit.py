"""Commit paths of a tree, and nothing else, whatever the user has staged or edited."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.desk import branch_of, held
from cortexfs.history.disk import Standing, checked, read, refusing
from cortexfs.history.git import failed
from cortexfs.history.ignored import ignored
from cortexfs.history.objects import FILE, Entry, Object, algorithm_of, named, pack
from cortexfs.history.outcome import Committed, Skipped
from cortexfs.history.places import fsync
from cortexfs.history.signing import with_signature
from cortexfs.history.staged import mend, staged
from cortexfs.history.trees import rewrite, trees_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history import History
    from cortexfs.history.desk import Behind, Desk
    from cortexfs.history.trees import Trees

_TRIES = 8
"""How often a commit is made anew because the branch moved meanwhile."""

_LOOSE = 100
"""More objects than this become one pack: one fsync instead of hundreds."""

_SUBJECT = 200
"""Characters of a message that the reflog gets; the kernel limits the length of an argument."""

_NOBODY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "cortexfs"), ("EMAIL", "cortexfs@localhost"))
}

_NOTHING = Skipped("nothing changed")
_BUSY = Skipped("git's index is locked, and shows as staged what is committed", again=True)


class _Step(NamedTuple):
    """From what HEAD holds to what it shall hold; both sides know the same paths."""

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
    history: History,
    message: str,
    paths: Sequence[str],
    contents: Mapping[str, bytes],
    *,
    signed: bool,
) -> Committed | Skipped:
    """Do what `History.commit` promises, in a repository that is at rest."""
    above = [f"{history.prefix}{checked(path)}" for path in paths]
    message = message.replace("\0", "").strip().encode("utf-8", "replace").decode("utf-8")
    with refusing("nothing was committed"):
        files = {path: read(history.top, path) for path in above}
        for path, body in contents.items():
            files[f"{history.prefix}{checked(path)}"] = Standing(body)
        if other := _elsewhere(history, files):
            return Skipped(f"`{other}` is a repository of its own")
        with held(history.git) as desk:
            return _commit(desk, history.prefix, message, files, signed=signed)


def _commit(
    desk: Desk, prefix: str, message: str, files: Mapping[str, Standing | None], *, signed: bool
) -> Committed | Skipped:
    """Make the commit; make it anew where the branch moved under it.

    The user's index comes before the branch: a commit that they make in between then holds
    our change under their message, while the other way round it would take it back.
    """
    for _ in range(_TRIES):
        behind = desk.behind()
        with trees_of(desk.git) as head:
            step = _step(head, files, behind)
        index = staged(desk.git, step.old, prefix)
        if conflict := sorted(index.unmerged & files.keys()):
            return Skipped(f"`{conflict[0]}` waits for a merge to be decided", again=True)
        if unwanted := ignored(desk.git, _unknown(step, index.entries)):
            files = {path: file for path, file in files.items() if path not in unwanted}
            continue
        made = _record(desk, message, step, signed=signed) if step.made else step.parent
        late = _late(step, index.entries, behind)
        desk.note_behind(late | _ahead(step, index.entries), step.width)
        mended = mend(desk, {path: step.new[path] for path in late}, step.width)
        if step.made and not _moved(desk, message, made, step):
            continue
        if mended:
            desk.note_behind({}, step.width)
        if step.made:
            return Committed(made, () if mended else tuple(late))
        return _NOTHING if mended else _BUSY
    return Skipped("the branch moved at every try", again=True)


def _elsewhere(history: History, paths: Mapping[str, Standing | None]) -> str | None:
    """Find a repository nested between ours and a path: what is in there is not ours."""
    folders = {path[:at] for path in paths for at, step in enumerate(path) if step == "/"}
    above = {history.prefix[:at] for at, step in enumerate(history.prefix) if step == "/"}
    nested = (
        folder for folder in folders - above if os.path.lexists(f"{history.top}/{folder}/.git")
    )
    return next(iter(sorted(nested)), None)


def _step(head: Trees, files: Mapping[str, Standing | None], behind: Behind) -> _Step:
    old = {path: head.entry(path) for path in {*files, *behind}}
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
    """Name the files of which git has not heard: a user who ignores them wants it so."""
    known = index.keys() | {path for path, old in step.old.items() if old}
    return sorted(path for path, new in step.new.items() if new and path not in known)


def _record(desk: Desk, message: str, step: _Step, *, signed: bool) -> str:
    """Write the objects, the commit last; nothing refers to them yet."""
    said = with_signature(message, step.old, step.new) if signed else message
    packed = pack(step.made, algorithm_of(step.root))
    few = len(step.made) <= _LOOSE
    desk.git.ask(*(("unpack-objects", "-q") if few else ("index-pack", "--stdin")), feed=packed)
    parents = ("-p", step.parent) if step.parent else ()
    words = ("commit-tree", *parents, step.root)
    text = f"{said}\n".encode()
    ran = desk.git.run(*words, feed=text)
    if ran.code:  # most likely git knows no name to put on it
        ran = desk.git.run(*words, feed=text, env=_NOBODY)
    if ran.code:
        raise failed("commit-tree", ran.err)
    return ran.out.decode("ascii").strip()


def _late(step: _Step, index: Mapping[str, Entry], behind: Behind) -> Behind:
    """Find which entries of the user's index to bring up to date, and what they may hold till then.

    What the user has staged is neither what HEAD held nor an entry of ours, and stays. An
    announcement (`git add -N`) looks like a new file with nothing in it, and has come true.
    """
    announced = Entry(FILE, named("blob", b"", algorithm_of(step.root)).id)
    late = {}
    for path, new in sorted(step.new.items()):
        present, old = index.get(path), step.old[path]
        ours = behind.get(path, frozenset()) | {old, old or announced}
        if present != new and present in ours:
            late[path] = frozenset({present, new})
    return late


def _ahead(step: _Step, index: Mapping[str, Entry]) -> Behind:
    """Find the entries that an earlier try has brought up to date, for a branch that then moved."""
    return {
        path: frozenset({new})
        for path, new in step.new.items()
        if index.get(path) == new != step.old[path]
    }


def _moved(desk: Desk, message: str, made: str, step: _Step) -> bool:
    """Move HEAD's branch from the parent to the new commit; False if it stands elsewhere."""
    ref = branch_of(desk.git)
    desk.note("moving", f"{ref} {made}".encode("utf-8", "surrogateescape"))
    subject = message.partition("\n")[0][:_SUBJECT]
    words = ("update-ref", "-m", f"cortexfs: {subject}", "HEAD", made)
    ran = desk.git.run(*words, step.parent or "0" * step.width, env=desk.mute)
    if ran.code < 0 or (not ran.code and _is_held(desk, ref)):  # git was killed, and we were not
        desk.unlock()
    else:
        desk.note("moving", b"")
    if ran.code:
        with trees_of(desk.git) as head:
            if head.commit == step.parent:
                raise failed("update-ref", ran.err)
            if head.commit != made:
                return False
    _settle(desk, ref)
    return True


def _is_held(desk: Desk, ref: str) -> bool:
    """Tell whether our git moved the branch and could not take its lock of HEAD away.

    Somebody else's lock is younger than the move.
    """
    with suppress(FileNotFoundError):
        lock = os.stat(f"{desk.git.git_dir}/HEAD.lock")
        return lock.st_mtime_ns <= os.stat(f"{desk.git.common}/{ref}").st_ctime_ns
    return False


def _settle(desk: Desk, ref: str) -> None:
    """Make what git renamed outlive a power cut: it syncs files, but not the folders."""
    git, folder = desk.git, ref.rpartition("/")[0]
    for path in (f"{git.common}/{folder}", f"{git.common}/logs/{folder}", git.git_dir):
        fsync(path)
