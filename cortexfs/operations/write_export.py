"""Write an export to a file outside of the tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.clients import settings_files
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_export(path: str, lines: Iterable[str], *, overwrite: bool) -> None:
    """Write the lines of an export to a file that the user alone can read.

    Raises `Refused` if the file exists and `overwrite` is not set, if it is no regular file, or if
    it cannot be written.
    """
    if not overwrite and os.path.lexists(path):
        raise Refused(f"{path} exists", hint="add --force to overwrite it")
    try:
        settings_files.write_file(path, (f"{line}\n" for line in lines))
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
