"""Read a file of another program, outside of the tree: a regular file of bounded size."""

from __future__ import annotations

import os

from cortexfs.errors import Refused
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder

MAX_STORE_BYTES = 200 * 1024 * 1024
"""Maximum bytes of a store; a larger one is refused."""


def read_store_file(path: str, max_bytes: int = MAX_STORE_BYTES) -> str:
    """Return the text of a file, without a byte order mark.

    Raises `Refused` if it is no regular file, a symlink, too large, or not UTF-8.
    """
    folder, name = os.path.split(os.path.abspath(path))
    try:
        with open_folder(folder, "") as at:
            content = atomic_files.read_file_bytes(at, name, max_bytes)
    except atomic_files.FileTooLarge:
        raise Refused(
            f"{path} is larger than {max_bytes >> 20} MiB", hint="split it, or export less"
        ) from None
    except atomic_files.NotRegularFile:
        raise Refused(f"{path} is not a regular file", hint="name a file") from None
    except OSError as error:
        reason = "a symlink, which is not followed" if os.path.islink(path) else error.strerror
        raise Refused(f"{path} cannot be read: {reason}", hint="name a file") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8", hint="save it as UTF-8") from None
