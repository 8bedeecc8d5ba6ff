"""Write the files of a plan, or report what the disk refuses."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.errors import AtomChanged, OutsideTree
from cortexfs.tree import atomic_files, compare_and_swap
from cortexfs.tree.commit_journal import compute_checksum
from cortexfs.tree.compare_and_swap import ContentDiffers
from cortexfs.tree.safe_open import create_folders, open_folder, open_private_folder, split_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.changes.plan import Append, Plan

_REFUSAL_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
"""Error numbers about one file or folder; a full or broken disk has other ones."""

_TAKEN_ERRNOS = {errno.ELOOP, errno.EISDIR, errno.ENXIO}
"""Error numbers for a link, a folder and a socket in the place of a file."""


def create_root(root: str) -> None:
    """Create the root folder; below the home directory new folders get mode 0700."""
    home = os.path.realpath(os.path.expanduser("~"))
    private = os.path.realpath(root).startswith(f"{home}{os.sep}")
    create_folders(root, 0o700 if private else 0o777)


def remove_drafts(root: str, folders: Iterable[str]) -> None:
    """Delete the drafts of these folders; call it while holding the tree's lock."""
    for path in folders:
        with suppress(OSError, OutsideTree), open_folder(root, path) as at:
            atomic_files.remove_drafts(at, os.listdir(at), min_age_s=float("-inf"))


def write_files(
    root: str, writes: Sequence[Write], removes: Sequence[Remove] = ()
) -> dict[str, Finding]:
    """Write and remove all files, or raise `AtomChanged` and leave all of them unchanged.

    Returns a finding for each derived file that the disk refuses to write, by path. For any other
    file that raises `OSError`. All files are compared before the first is written, and each again
    when it is replaced. If one has changed in between, those written before are restored.
    """
    steps: list[Write | Remove] = [*writes, *removes]
    before = [_read_expected(root, step) for step in steps]
    done: list[tuple[Write | Remove, bytes | None]] = []
    refused: dict[str, Finding] = {}
    for step, content in zip(steps, before, strict=True):
        try:
            if isinstance(step, Remove):
                remove_file(root, step.path, content)
            elif finding := write_file(root, step, content):
                refused[step.path] = finding
                continue
        except AtomChanged:
            for earlier in reversed(done):
                _revert_step(root, *earlier)
            raise
        done.append((step, content))
    return refused


def _read_expected(root: str, step: Write | Remove) -> bytes | None:
    """Return the content of a path; raises `AtomChanged` if it is not the one to replace."""
    above, name = _split_parent(step.path)
    try:
        with open_folder(root, above) as at:
            content = atomic_files.read_file_bytes(at, name)
    except (FileNotFoundError, NotADirectoryError):
        content = None
    except OSError as error:
        if isinstance(error, atomic_files.NotRegularFile) or error.errno in _TAKEN_ERRNOS:
            raise AtomChanged(step.path) from None
        raise
    text = None if content is None else content.decode(errors="replace")
    if text != step.expected_text:
        raise AtomChanged(step.path)
    return content


def write_file(root: str, write: Write, before: bytes | None) -> Finding | None:
    """Write one file; raises `AtomChanged` if its content differs from `before`.

    If the disk refuses a derived file, a finding is returned, about the folder if that refuses all
    writes. Any other write raises its `OSError`.
    """
    above, name = _split_parent(write.path)
    try:
        with open_folder(root, above, create=True) as at:
            _write_content(at, name, before, write.text.encode())
    except (FileExistsError, FileNotFoundError, ContentDiffers):
        raise AtomChanged(write.path) from None
    except OSError as error:
        if not write.is_derived or error.errno not in _REFUSAL_ERRNOS:
            raise
        refusing = above if above and not is_folder_writable(root, above) else write.path
        return Finding(refusing, "not-writable", f"not written: {error.strerror}".lower())
    return None


def _write_content(at: int, name: str, before: bytes | None, content: bytes) -> None:
    if before is None:
        atomic_files.create_file(at, name, content)
    else:
        compare_and_swap.replace_if_unchanged(at, name, before, content)


def _revert_step(root: str, step: Write | Remove, before: bytes | None) -> None:
    """Undo one step of a plan, unless the file has changed since."""
    above, name = _split_parent(step.path)
    with suppress(OSError, OutsideTree, ContentDiffers, AtomChanged):
        if isinstance(step, Write) and before is None:
            remove_file(root, step.path, step.text.encode())
        elif before is not None:
            now = step.text.encode() if isinstance(step, Write) else None
            with open_folder(root, above, create=True) as at:
                _write_content(at, name, now, before)


def remove_file(root: str, path: str, before: bytes | None) -> None:
    """Remove a file, and then its empty parent folders, except one at the root.

    A file that is already gone (after a killed run) is not an error. Raises `AtomChanged` if its
    content differs from `before`.
    """
    *above, name = split_path(path)
    try:
        if before is not None:
            with suppress(FileNotFoundError), open_folder(root, "/".join(above)) as at:
                compare_and_swap.remove_if_unchanged(at, name, before)
    except ContentDiffers:
        raise AtomChanged(path) from None
    while len(above) > 1:
        *above, name = above
        with suppress(FileNotFoundError), open_folder(root, "/".join(above)) as at:
            try:
                os.rmdir(name, dir_fd=at)
            except FileNotFoundError:
                continue
            except OSError:  # it holds something
                return
            os.fsync(at)


def is_folder_writable(root: str, path: str) -> bool:
    """Return whether files of a folder can be created and replaced."""
    try:
        with open_folder(root, path) as at:
            return os.access(".", os.W_OK, dir_fd=at)
    except (OSError, OutsideTree):
        return False


def append_lines(root: str, added: Append) -> None:
    """Append whole lines to a log, and create it and its folder if they are missing."""
    above, name = _split_parent(added.path)
    with open_folder(root, above, create=True) as at:
        atomic_files.append_lines(at, name, "".join(added.lines).encode())


def require_writable(root: str, plan: Plan) -> None:
    """Raise the error that the disk would raise for a plan, as far as file modes show it.

    Derived files are left out: their refusal is no error.
    """
    changed: tuple[Write | Remove, ...]
    changed = (*(w for w in plan.writes if not w.is_derived), *plan.removes)
    for path in dict.fromkeys(each.path for each in changed):
        above = _split_parent(path)[0]
        while above and not _folder_exists(root, above):
            above = above.rpartition("/")[0]
        if not is_folder_writable(root, above):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), above or root)


def _folder_exists(root: str, path: str) -> bool:
    try:
        with open_folder(root, path):
            return True
    except FileNotFoundError:
        return False


def back_up_file(root: str, path: str) -> str:
    """Keep one copy of a file that is about to be replaced; return the path of the copy."""
    above, file_name = _split_parent(path)
    with open_folder(root, above) as at:
        content = atomic_files.read_file_bytes(at, file_name)
    name = f"{path.replace('/', '.')}.{compute_checksum(content)[:32]}"
    with open_private_folder(root, "replaced") as at, suppress(FileExistsError):
        atomic_files.create_file(at, name, content)
    return f"{LOCAL_FOLDER}/replaced/{name}"


def _split_parent(path: str) -> tuple[str, str]:
    """Split a path into folder and name, after checking each step of it."""
    *above, name = split_path(path)
    return "/".join(above), name
