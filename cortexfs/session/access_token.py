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

TOKEN_FILE = "mcp-token"  # noqa: S105 - the name of a file
TOKEN_BYTES = 32
MAX_FILE_BYTES = 200
"""Maximum bytes of the file; a longer one is not ours."""


def read_or_create_token(tree: Tree) -> tuple[str, str]:
    """Return the token of a tree and the path of its file, which only its owner can read.

    Raises `Refused` if others can read the file, or if it holds no token.
    """
    path = os.path.join(tree.root, LOCAL_FOLDER, TOKEN_FILE)
    with open_private_folder(tree.root) as at:
        with suppress(FileExistsError):  # made earlier
            content = f"{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode()
            atomic_files.create_file_in_place(at, TOKEN_FILE, content, 0o600)
        content = _read_private(at, path)
    if not re.fullmatch(r"[\w-]{32,}", token := content.decode("ascii", "replace").strip()):
        raise Refused(f"{path} holds no token", hint="remove the file; a new one is made")
    return token, path


def _read_private(at: int, path: str) -> bytes:
    """Return the content of the token file; raises `Refused` if others can read it."""
    file = atomic_files.open_private_file(at, TOKEN_FILE, os.O_RDONLY)
    try:
        if stat.S_IMODE(os.fstat(file).st_mode) & 0o077:
            raise Refused(f"others can read {path}", hint=f"chmod 600 {path}, or remove the file")
        return os.read(file, MAX_FILE_BYTES)
    finally:
        os.close(file)
