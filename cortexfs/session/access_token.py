"""The secret token with which programs reach a server of this tree."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.errors import Refused
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.tree.tree import Tree

MCP_TOKEN_FILE, SERVER_TOKEN_FILE = "mcp-token", "server-token"
TOKEN_BYTES = 32
MAX_FILE_BYTES = 200
"""Maximum bytes of the file; a longer one is not ours."""
_REMOVE_HINT = "remove it; a new one is made"


def read_or_create_token(tree: Tree, name: str) -> tuple[str, str]:
    """Return a token of a tree and the path of its file, which only its owner can read.

    Raises `Refused` if others can read the file, or if it is a link or holds no token.
    """
    path = os.path.join(tree.root, LOCAL_FOLDER, name)
    with open_private_folder(tree.root) as at:
        if not _exists(at, name):
            with suppress(FileExistsError):  # another server is faster
                atomic_files.create_file(
                    at, name, f"{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode()
                )
        token = _read_token(path, lambda: os.open(name, atomic_files.READ_FLAGS, dir_fd=at))
    if not token:
        raise Refused(f"{path} holds no token", hint=_REMOVE_HINT)
    return token, path


def read_token_file(path: str) -> str:
    """Return the token in a file of the user; raises `Refused` if others can read it.

    A token has 32 letters, digits, `-` and `_` or more.
    """
    flags = atomic_files.READ_FLAGS & ~os.O_NOFOLLOW
    if not (token := _read_token(path, lambda: os.open(path, flags))):
        raise Refused(f"{path} holds no token", hint="write one of 32 letters and digits or more")
    return token


def _exists(folder_fd: int, name: str) -> bool:
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
        return True
    return False


def _read_token(path: str, open_file: Callable[[], int]) -> str:
    """Return the token in a file, which only its owner can read; empty without one."""
    try:
        file = open_file()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(
                f"{path} is a symlink, which is not followed", hint=_REMOVE_HINT
            ) from None
        what = (error.strerror or str(error)).lower()
        raise Refused(f"{path}: {what}", hint="name a file that holds a token") from None
    try:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(
                f"{path} is not a regular file", hint="a file with the token belongs there"
            )
        if mode & 0o077:
            raise Refused(f"others can read {path}", hint=f"chmod 600 {path}, or remove the file")
        content = os.read(file, MAX_FILE_BYTES + 1)
    finally:
        os.close(file)
    token = content.decode("ascii", "replace").strip()
    is_token = len(content) <= MAX_FILE_BYTES and re.fullmatch(r"[\w-]{32,}", token, re.ASCII)
    return token if is_token else ""
