"""Put the files of a plan where they belong, or say that the disk does not let us."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.errors import AtomChanged, OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.journal import digest
from cortexfs.tree.safe_open import OWN, folder, own, steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.changes.plan import Append, Plan, Remove, Write

_REFUSING = {errno.EACCES, errno.EPERM, errno.EROFS}
"""What is said of one file or folder; a disk that is full or broken says other things."""


def write_all(
    root: str,
    text: Callable[[str], str | None],
    writes: Sequence[Write],
    removes: Sequence[Remove],
) -> dict[str, Finding]:
    """Do what `Tree.write` promises; `text` reads what stands at a path now."""
    steps: list[Write | Remove] = [*writes, *removes]
    for step in steps:
        if text(step.path) != step.replacing:
            raise AtomChanged(step.path)
    put_each = [(write.path, put(root, write)) for write in writes]
    for gone in removes:
        remove(root, gone.path)
    return {path: finding for path, finding in put_each if finding}


def put(root: str, write: Write) -> Finding | None:
    """Write one file; raises `AtomChanged` where something new has taken its name.

    Bookkeeping that the disk refuses is a finding, about the folder where that refuses all;
    any other write raises its `OSError`.
    """
    above, name = _parted(write.path)
    place = atomic_files.create if write.replacing is None else atomic_files.replace
    try:
        with folder(root, above, make=True) as at:
            place(at, name, write.text.encode())
    except FileExistsError:
        raise AtomChanged(write.path) from None
    except OSError as error:
        if not write.bookkeeping or error.errno not in _REFUSING:
            raise
        refusing = above if above and not is_open(root, above) else write.path
        return Finding(refusing, "not-writable", f"not written: {error.strerror}".lower())
    return None


def remove(root: str, path: str) -> None:
    """Take a file away for good, and the folders that are left empty, but for one at the root.

    That it is gone already (a killed run was at it) stops nothing.
    """
    *above, name = steps_of(path)
    with suppress(FileNotFoundError), folder(root, "/".join(above)) as at:
        atomic_files.remove(at, name)
    while len(above) > 1:
        *above, name = above
        with suppress(FileNotFoundError), folder(root, "/".join(above)) as at:
            try:
                os.rmdir(name, dir_fd=at)
            except FileNotFoundError:
                continue
            except OSError:  # it holds something
                return
            os.fsync(at)


def is_open(root: str, path: str) -> bool:
    """Tell whether files of a folder may be made and replaced."""
    try:
        with folder(root, path) as at:
            return os.access(".", os.W_OK, dir_fd=at)
    except (OSError, OutsideTree):
        return False


def append(root: str, added: Append) -> None:
    """Add whole lines to a log, making it and its folder where they are missing."""
    above, name = _parted(added.path)
    with folder(root, above, make=True) as at:
        atomic_files.append(at, name, "".join(added.lines).encode())


def foresee(root: str, plan: Plan) -> None:
    """Raise what the disk would raise for a plan, as far as modes tell it.

    Bookkeeping is left out: its refusal is no error.
    """
    changed: tuple[Write | Remove, ...]
    changed = (*(w for w in plan.writes if not w.bookkeeping), *plan.removes)
    for path in dict.fromkeys(each.path for each in changed):
        above = _parted(path)[0]
        while above and not _exists(root, above):
            above = above.rpartition("/")[0]
        if not is_open(root, above):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), above or root)


def _exists(root: str, path: str) -> bool:
    try:
        with folder(root, path):
            return True
    except FileNotFoundError:
        return False


def keep(root: str, path: str, content: bytes) -> str:
    """Keep a copy of a file that is about to be replaced, once; give the path of the copy."""
    name = f"{path.replace('/', '.')}.{digest(content)[:32]}"
    with own(root, "replaced") as at, suppress(FileExistsError):
        atomic_files.create(at, name, content)
    return f"{OWN}/replaced/{name}"


def _parted(path: str) -> tuple[str, str]:
    """Part a path that is to be written into folder and name, each step of it looked at."""
    *above, name = steps_of(path)
    return "/".join(above), name
