"""Write an export to a file outside of the tree."""

from __future__ import annotations

import os

from cortexfs.clients import settings_files
from cortexfs.errors import Refused


def write_export(path: str, text: str, *, overwrite: bool) -> None:
    """Write an export to a file that the user alone can read.

    Raises `Refused` if the file exists and `overwrite` is not set, if it is no regular file, or if
    it cannot be written.
    """
    if not overwrite and os.path.lexists(path):
        raise Refused(f"{path} exists", hint="add --force to overwrite it")
    try:
        settings_files.write_file(path, text)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
