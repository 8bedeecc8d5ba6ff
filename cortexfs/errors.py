"""What cortexfs refuses, and what you can do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class CortexError(Exception):
    """An operation was refused; nothing was changed.

    `exit_code` is what the command line ends with, `kind` the stable name in JSON.
    """

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def kind(self) -> str:
        """The class's name in kebab-case: `NoSuchAtom` is `no-such-atom`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()


class Refused(CortexError):
    """The request makes no sense here, for the reason that the message gives."""


class Usage(CortexError):
    """The command line says what no command understands."""

    exit_code = 2


class NoSuchAtom(CortexError):
    """The ref names nothing in the tree."""

    def __init__(self, ref: str, *, close: Sequence[str] = ()) -> None:
        nearest = f"the nearest is `{close[0]}`" if close else "`cortexfs list` shows what there is"
        super().__init__(f"no atom named `{ref}`", hint=nearest)


class AmbiguousRef(CortexError):
    """The ref names atoms of several projects."""

    def __init__(self, ref: str, candidates: Sequence[str]) -> None:
        among = ", ".join(f"`{candidate}`" for candidate in candidates)
        super().__init__(f"`{ref}` is ambiguous", hint=f"say which: {among}")


class NoSuchProject(CortexError):
    """The tree has no project of that name."""

    def __init__(self, name: str, *, close: Sequence[str] = ()) -> None:
        nearest = (
            f"the nearest is `{close[0]}`"
            if close
            else f"`cortexfs project new {name} --goal TEXT` makes it"
        )
        super().__init__(f"no project named `{name}`", hint=nearest)


class NoSuchKind(CortexError):
    """The kinds table has no row of that name."""

    def __init__(self, name: str, known: Sequence[str], *, close: Sequence[str] = ()) -> None:
        hint = f"the nearest is `{close[0]}`" if close else f"kinds are {', '.join(known)}"
        super().__init__(f"no kind named `{name}`", hint=hint)


class OverCap(CortexError):
    """A governance file would hold more than it may."""

    def __init__(self, name: str, has: str, cap: str, spare: Sequence[str]) -> None:
        could = f"what could go: {'; '.join(spare)}" if spare else "say it shorter"
        super().__init__(f"{name} would have {has}; its cap is {cap}", hint=could)


class NoSuchTask(CortexError):
    """No TASKS.yaml has a task with that id."""

    def __init__(self, ident: str, *, close: Sequence[str] = ()) -> None:
        nearest = f"the nearest is `{close[0]}`" if close else "`cortexfs task list` shows them"
        super().__init__(f"no task `{ident}`", hint=nearest)


class NoTree(CortexError):
    """There is no tree where one was looked for."""

    def __init__(self, root: str) -> None:
        super().__init__(
            f"no tree at {root}", hint="`cortexfs init` makes one; --root names another"
        )


class OutsideTree(CortexError):
    """A path or name would leave the tree."""


class Unreadable(CortexError):
    """The file is not text, or its frontmatter not YAML: mend it by hand first."""


class CatalogFailed(CortexError):
    """SQLite would not do what was asked of it: the disk is full, or refuses."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the catalog cannot be used: {reason}",
            hint="it is derived: free some disk, or delete .cortexfs/catalog-*",
        )


class HistoryFailed(CortexError):
    """Git would not do what was asked of it; the files are written all the same."""


class Conflict(CortexError):
    """Somebody else was here first; trying again may work."""

    exit_code = 4


class CatalogBusy(Conflict):
    """Another process has been filling the catalog for longer than anybody waits."""

    def __init__(self) -> None:
        super().__init__("another cortexfs is filling the catalog", hint="try again in a minute")


class CatalogDamaged(Conflict):
    """The catalog turned out damaged while it was read; the next command builds it anew."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the catalog was damaged: {reason}", hint="repeat the command")


class TreeLocked(Conflict):
    """Another program has been writing to the tree for longer than anybody waits."""

    def __init__(self, holder: str) -> None:
        super().__init__(
            f"the tree is locked by {holder}",
            hint="try again later; if that program hangs, end it",
        )


class AtomChanged(Conflict):
    """The file is no longer the one that was read."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{path}` changed on disk since it was read",
            hint="nothing was written; repeat the command",
        )


class TaskTaken(Conflict):
    """Somebody has claimed the task already."""

    def __init__(self, ident: str, why: str) -> None:
        super().__init__(f"task `{ident}` {why}", hint="`cortexfs task next` names another")


class TasksLocked(Conflict):
    """Somebody holds the lock of the TASKS.yaml."""

    def __init__(self, path: str, owner: str, until: str) -> None:
        super().__init__(
            f"{path} is locked by {owner} until {until}",
            hint="wait; `cortexfs task unlock --force` takes the lock away",
        )
