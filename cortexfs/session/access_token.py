"""The secret token with which programs reach a server of this tree."""

from __future__ import annotations

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
    from cortexfs.tree.tree import Tree

MCP_TOKEN_FILE, SERVER_TOKEN_FILE = "mcp-token", "server-token"
TOKEN_BYTES = 32
MAX_FILE_BYTES = 200
"""Maximum bytes of the file; a longer one is not ours."""


def read_or_create_token(tree: Tree, name: str) -> tuple[str, str]:
    """Return a token of a tree and the path of its file, which only its owner can read.

    Raises `Refused` if others can read the file, or if it holds no token.
    """
    path = os.path.join(tree.root, LOCAL_FOLDER, name)
    with open_private_folder(tree.root) as at:
        with suppress(FileExistsError):  # made earlier
            content = f"{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode()
            atomic_files.create_file_in_place(at, name, content, 0o600)
        file = atomic_files.open_private_file(at, name, os.O_RDONLY)
        token = _read_token(file, path)
    if not token:
        raise Refused(f"{path} holds no token", hint="remove the file; a new one is made")
    return token, path


def read_token_file(path: str) -> str:
    """Return the token in a file of the user; raises `Refused` if others can read it.

    A token has 32 letters, digits, `-` and `_` or more.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise Refused(f"{path}: {(error.strerror or str(error)).lower()}") from None
    if not (token := _read_token(file, path)):
        raise Refused(f"{path} holds no token", hint="write one of 32 letters and digits or more")
    return token


def _read_token(file: int, path: str) -> str:
    """Return the token in an open file, which is closed; empty without one."""
    try:
        if stat.S_IMODE(os.fstat(file).st_mode) & 0o077:
            raise Refused(f"others can read {path}", hint=f"chmod 600 {path}, or remove the file")
        content = os.read(file, MAX_FILE_BYTES)
    finally:
        os.close(file)
    token = content.decode("ascii", "replace").strip()
    return token if re.fullmatch(r"[\w-]{32,}", token, re.ASCII) else ""
