"""Read and write other programs' settings files: atomically, with every byte kept."""

from __future__ import annotations

import os
import re
import shlex
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import Refused, SettingsChanged, Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MAX_BYTES = 16 << 20
"""Maximum bytes of a settings file that are read."""
ABANDONED_AFTER_S = 600
"""Seconds; an older draft was left by a dead process, even if another now has its id."""
ANY_TEXT = "\0"
"""Matches any text: the present content may be replaced without a check."""


def read_settings_file(path: str) -> str | None:
    """Return a text with its line ends unchanged; None if there is no file."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        os.close(file)
        raise _not_regular(path)
    with open(file, encoding="utf-8", newline="") as opened:
        if status.st_size > MAX_BYTES:
            raise Unreadable(f"{path} is larger than 16 MiB", hint="fix it by hand first")
        try:
            return opened.read()
        except UnicodeDecodeError:
            raise Unreadable(f"{path} is not UTF-8", hint="fix it by hand first") from None


def list_names_with_prefix(folder: str, beginning: str) -> list[str]:
    """Return the files of a folder with a name prefix; empty if the folder does not exist."""
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith(beginning))
    except FileNotFoundError:
        return []


def write_file(
    path: str,
    text: str | Iterable[str] | None,
    *,
    mode: int = 0o600,
    expected: str | None = ANY_TEXT,
) -> None:
    """Replace a text, or its parts, atomically; None removes the file.

    A symlink is followed to its file and kept; an existing file keeps its mode. Raises `Unreadable`
    for a folder, a device or a pipe, `Refused` for a file with several hard links, which a rename
    would separate, and `SettingsChanged` if the content differs from `expected`.
    """
    path = os.path.realpath(path)
    _refuse_irregular_file(path)
    remove_stale_drafts(path)
    refuse_hard_links(path)
    if text is None:
        _require_expected(path, expected)
        with suppress(FileNotFoundError):
            os.unlink(path)
        return
    _create_private_folders(os.path.dirname(path))
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode & 0o7777
    draft = _make_draft_path(path, f"{os.getpid()}.{os.urandom(4).hex()}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(file, "w", encoding="utf-8", newline="") as opened:
            opened.writelines((text,) if isinstance(text, str) else text)
            opened.flush()
            os.fchmod(file, mode)
            os.fsync(file)
        _require_expected(path, expected)
        os.rename(draft, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise


def remove_compiled_modules(folder: str, modules: Collection[str]) -> None:
    """Remove what Python has compiled of some modules, and the folder if nothing else is in it."""
    for name in list_names_with_prefix(folder, ""):
        if name.endswith(".pyc") and name.partition(".")[0] in modules:
            os.unlink(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(folder)


def _create_private_folders(path: str) -> None:
    """Create a folder and its missing parents, accessible only to the owner.

    (`os.makedirs` applies its mode only to the last one.)
    """
    if os.path.isdir(path):
        return
    if (above := os.path.dirname(path)) != path:
        _create_private_folders(above)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def _refuse_irregular_file(path: str) -> None:
    """Refuse a folder, a device or a pipe: a rename would replace it."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise _not_regular(path)


def _not_regular(path: str) -> Unreadable:
    return Unreadable(f"{path} is not a regular file", hint="replace it with a file first")


def refuse_hard_links(path: str) -> None:
    """Refuse a file with other hard links: after a replacement these would keep the old text."""
    try:
        links = os.stat(path).st_nlink
    except FileNotFoundError:
        return
    if links > 1:
        real = shlex.quote(os.path.realpath(path))
        raise Refused(
            f"{path} has {links} hard links, and replacing it would separate them",
            hint="make the other names symlinks to this file, or give it a file of its own: "
            f"`cp -p {real} {real}.new && mv {real}.new {real}`",
        )


def remove_stale_drafts(path: str) -> None:
    """Remove the drafts that killed runs left beside a settings file: they may contain keys."""
    above, name = os.path.split(os.path.realpath(path))
    drafts = re.compile(
        re.escape(os.path.basename(_make_draft_path(name, ""))) + r"(\d{1,9})\.[0-9a-f]{8}"
    )
    for each in list_names_with_prefix(above, f".{name}"):
        found = drafts.fullmatch(each)
        if found and _is_abandoned(draft := os.path.join(above, each), int(found[1])):
            with suppress(OSError):
                os.unlink(draft)


def _make_draft_path(path: str, unique: str) -> str:
    above, name = os.path.split(path)
    return os.path.join(above, f".{name}.cortexfs-draft.{unique}")


def _is_abandoned(draft: str, owner: int) -> bool:
    with suppress(OSError):
        if time.time() - os.lstat(draft).st_mtime > ABANDONED_AFTER_S or owner == os.getpid():
            return True
    try:
        os.kill(owner, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def _require_expected(path: str, expected: str | None) -> None:
    if expected != ANY_TEXT and read_settings_file(path) != expected:
        raise SettingsChanged(path)
