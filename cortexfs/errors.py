"""The exceptions for refused operations; each may have a hint that states what to do."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

_DISK_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Error numbers that end a command in the middle of its work."""
_DENIED_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
_DENIED_HINT = "change the permissions of the file or its folder; `cortexfs doctor` checks the tree"


def format_extra_hint(extra: str) -> str:
    """Return how to install an extra, in words that agree with the README."""
    return f"install the extra `{extra}`: pip install '.[{extra}]' in the clone, see README.md"


class CortexError(Exception):
    """An operation was refused; nothing was changed.

    `exit_code` is the exit code of the command line, `kind` the stable name in JSON.
    """

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def kind(self) -> str:
        """The class name in kebab-case: `NoSuchAtom` gives `no-such-atom`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()


class Refused(CortexError):
    """The operation is not possible; the message gives the reason."""


class Usage(CortexError):
    """The command line is invalid."""

    exit_code = 2


class NoSuchAtom(CortexError):
    """No atom has that ref."""

    def __init__(self, ref: str, *, close: Sequence[str] = (), known: str = "") -> None:
        hint = f"did you mean `{close[0]}`?" if close else known
        super().__init__(f"no atom named `{ref}`", hint=hint or "`cortexfs list` shows all atoms")


class AtomRemoved(NoSuchAtom):
    """The ref names an atom that was removed or renamed."""

    def __init__(self, ref: str, commit: str, successor: str = "") -> None:
        what = f"was renamed to {successor} in" if successor else "was removed in"
        hint = f"`cortexfs show {successor}`" if successor else f"`cortexfs restore {ref}`"
        CortexError.__init__(self, f"`{ref}` {what} {commit[:7]}", hint=hint)
        self.ref = ref


class AmbiguousRef(CortexError):
    """Atoms in several projects match the ref."""

    def __init__(self, ref: str, candidates: Sequence[str]) -> None:
        choices = ", ".join(f"`{candidate}`" for candidate in candidates)
        super().__init__(f"`{ref}` is ambiguous", hint=f"write one of: {choices}")


class NoSuchProject(CortexError):
    """No project has that name."""

    def __init__(self, name: str, *, close: Sequence[str] = ()) -> None:
        hint = (
            f"did you mean `{close[0]}`?" if close else "`cortexfs project list` shows all projects"
        )
        super().__init__(f"no project named `{name}`", hint=hint)


class NoSuchKind(CortexError):
    """No kind has that name."""

    def __init__(self, name: str, known: Sequence[str], *, close: Sequence[str] = ()) -> None:
        hint = f"did you mean `{close[0]}`?" if close else f"kinds are {', '.join(known)}"
        super().__init__(f"no kind named `{name}`", hint=hint)


class NoSuchStatus(CortexError):
    """Neither a kind nor an atom has that status."""

    def __init__(self, name: str, known: Sequence[str], *, close: Sequence[str] = ()) -> None:
        hint = f"did you mean `{close[0]}`?" if close else f"statuses are {', '.join(known)}"
        super().__init__(f"no status named `{name}`", hint=hint)


class NoSuchTag(CortexError):
    """No atom has that tag."""

    def __init__(self, name: str, *, close: Sequence[str] = ()) -> None:
        hint = f"did you mean `{close[0]}`?" if close else "`cortexfs tag list` shows all tags"
        super().__init__(f"no atom has the tag `{name}`", hint=hint)


class NoSuchSession(CortexError):
    """No session has that id."""

    def __init__(self, ident: str) -> None:
        super().__init__(f"no session `{ident}`", hint="start it first")


class NoSuchRelation(CortexError):
    """No relation between memories has that id."""

    def __init__(self, edge_id: int) -> None:
        super().__init__(f"no relation {edge_id}", hint="the relations of a memory are in its file")


class OverCap(CortexError):
    """A governance file would exceed its size limit."""

    def __init__(self, name: str, size: str, cap: str, spare: Sequence[str]) -> None:
        hint = f"you could remove: {'; '.join(spare)}" if spare else "shorten the text"
        super().__init__(f"{name} would have {size}; its cap is {cap}", hint=hint)


class NoSuchTask(CortexError):
    """No task has that id."""

    def __init__(self, ident: str, *, close: Sequence[str] = ()) -> None:
        hint = f"did you mean `{close[0]}`?" if close else "`cortexfs task list` shows all tasks"
        super().__init__(f"no task `{ident}`", hint=hint)


class NoSuchThread(CortexError):
    """No chat has that id."""

    def __init__(self, ident: str) -> None:
        super().__init__(f"no thread `{ident}`", hint="`cortexfs chat --list` shows all threads")


class NoSuchStory(CortexError):
    """No story of a project has that name."""

    def __init__(
        self, project: str, name: str, known: Sequence[str] = (), *, close: Sequence[str] = ()
    ) -> None:
        more = f" and {len(known) - 8} more" if len(known) > 8 else ""  # noqa: PLR2004 - on a line
        names = f"stories: {', '.join(known[:8]) or 'none yet'}{more}"
        hint = f"did you mean `{close[0]}`?" if close else names
        super().__init__(f"project `{project}` has no story `{name}`", hint=hint)


class NoTree(CortexError):
    """There is no tree at that path."""

    def __init__(self, root: str) -> None:
        super().__init__(
            f"no tree at {root}",
            hint="create one with `cortexfs init`, or name another with --root",
        )


class TreeMoved(CortexError):
    """The root is not the folder any more that was opened."""

    def __init__(self, root: str) -> None:
        super().__init__(
            f"the tree at {root} was moved or replaced", hint="start the server or command again"
        )


class OutsideTree(CortexError):
    """A path or name points outside the tree."""


class SettingsChanged(CortexError):
    """A settings file was changed after the change to it was planned."""

    exit_code = 4

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} has changed since it was read", hint="repeat the command")


class Unreadable(CortexError):
    """The file is not text, or its frontmatter is not YAML; fix it by hand first."""


class CatalogFailed(CortexError):
    """SQLite failed, for example because the disk is full or not writable."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the catalog cannot be used: {reason}",
            hint="free some disk space, or delete .cortexfs/catalog-*: it is rebuilt",
        )


class HistoryFailed(CortexError):
    """Git, or the catalog after a write, failed; the message states what was written."""


class Conflict(CortexError):
    """Another process interfered; the same command may succeed when repeated."""

    exit_code = 4


class CatalogBusy(Conflict):
    """Another process has been writing the catalog for too long."""

    def __init__(self) -> None:
        super().__init__(
            "another cortexfs process is writing the catalog", hint="repeat the command in a minute"
        )


class CatalogDamaged(Conflict):
    """The catalog was found damaged while it was read; the next command rebuilds it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the catalog was damaged: {reason}", hint="repeat the command")


class TreeLocked(Conflict):
    """Another program has held the write lock of the tree for longer than the timeout."""

    def __init__(self, holder: str) -> None:
        super().__init__(
            f"the tree is locked by {holder}",
            hint="try again later; if that program hangs, end it",
        )


class ServerBusy(Conflict):
    """The server does as much at the same time as it may."""

    def __init__(self, what: str) -> None:
        super().__init__(what, hint="try again in a minute")


class ThreadBusy(Conflict):
    """Another message of the thread is being answered."""

    def __init__(self, ident: str) -> None:
        super().__init__(
            f"thread `{ident}` is busy: another message is being answered",
            hint="wait for that answer, or begin another thread",
        )


class PlanChanged(Conflict):
    """The change that was confirmed would not be the one that was shown."""

    def __init__(self) -> None:
        super().__init__(
            "what would be changed is not what was shown any more",
            hint="nothing was changed; ask again, and the new plan is shown",
        )


class AtomChanged(Conflict):
    """The file has changed since it was read."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{path}` changed on disk since it was read",
            hint="nothing was written; repeat the command",
        )


class TaskTaken(Conflict):
    """The task is already claimed."""

    def __init__(self, ident: str, why: str) -> None:
        super().__init__(f"task `{ident}` {why}", hint="`cortexfs task next` shows the next task")


class TasksLocked(Conflict):
    """Another owner holds the lock of the TASKS.yaml."""

    def __init__(self, path: str, owner: str, until: str) -> None:
        project = path.split("/")[-2]
        super().__init__(
            f"{path} is locked by {owner} until {until}",
            hint=f"wait, or remove the lock: `cortexfs task unlock -p {project} --force`",
        )


def describe_os_error(error: OSError) -> tuple[str, str | None]:
    """Return the message and the hint for what the system refuses, such as a full disk."""
    where = f": {error.filename!a}" if error.filename else ""
    message = f"{(error.strerror or str(error)).lower()}{where}"
    if error.errno in _DISK_ERRNOS:
        return message, "the next command completes the change"
    is_denied = error.errno in _DENIED_ERRNOS
    return message, _DENIED_HINT if is_denied else None
