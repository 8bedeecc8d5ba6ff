"""A temporary folder that replaces the repository's shared git directory, with safe settings.

Git reads `config`, `hooks` and `info` from the folder that `GIT_COMMON_DIR` names. Ours holds a
configuration that cortexfs wrote and links to the repository's refs and logs, so git reads none of
the repository's own settings.
"""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.history.git_config import format_git_settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ABANDONED_AFTER_S = 86_400.0
"""Age in seconds from which a folder belongs to a command that was killed: none runs a day."""
_PREFIX = "cortexfs-git-"
_NAME = re.compile(rf"{_PREFIX}[0-9a-f]{{24}}")
_MAX_NAMES = 10_000
"""Maximum number of temporary files of all programs among which leftovers are looked for."""
_LINKED_NAMES = ("refs", "logs", "packed-refs", "shallow")


@contextmanager
def make_git_common_dir(common: str, top: str) -> Iterator[str]:
    """Create the folder, private and with an unpredictable name; remove it at the end.

    Raises `HistoryFailed` for a configuration that cannot be used, `OSError` if no temporary file
    can be made.
    """
    config = format_git_settings(read_settings(common), top)
    folder = f"{_find_temporary_folder()}/{_PREFIX}{os.urandom(12).hex()}"
    os.mkdir(folder, 0o700)
    try:
        _fill_folder(folder, config, common)
        yield folder
    finally:
        _remove_folder(folder)


def remove_abandoned_folders() -> None:
    """Remove the folders that killed commands of this user left, after a day."""
    oldest = time.time() - ABANDONED_AFTER_S
    with suppress(OSError), os.scandir(_find_temporary_folder()) as entries:
        for entry in islice(entries, _MAX_NAMES):
            if _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                if status.st_uid == os.geteuid() and status.st_mtime < oldest:
                    _remove_folder(entry.path)


def _fill_folder(folder: str, config: bytes, common: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open(os.open(f"{folder}/config", flags, 0o600), "wb") as file:
        file.write(config)
    for name in _LINKED_NAMES:
        os.symlink(f"{common}/{name}", f"{folder}/{name}")
    exclude = f"{common}/info/exclude"
    with suppress(OSError):
        if stat.S_ISREG(os.stat(exclude).st_mode):  # git would wait at a pipe
            os.mkdir(f"{folder}/info")
            os.symlink(exclude, f"{folder}/info/exclude")


def _find_temporary_folder() -> str:
    wanted = os.environ.get("TMPDIR", "")
    return wanted if os.path.isabs(wanted) and os.path.isdir(wanted) else "/tmp"  # noqa: S108 - the name in it is random


def _remove_folder(folder: str) -> None:
    with suppress(OSError):
        for inner, folders, names in os.walk(folder, topdown=False):
            for name in names:
                os.unlink(f"{inner}/{name}")
            for name in folders:
                path = f"{inner}/{name}"
                (os.unlink if os.path.islink(path) else os.rmdir)(path)
        os.rmdir(folder)
