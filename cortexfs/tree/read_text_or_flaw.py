"""Read a file as text; an error becomes a flaw with a message of our own."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import FileText, Flaw
from cortexfs.core.atoms.tree_paths import INDEX_MD, is_access_log_name
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files

if TYPE_CHECKING:
    from collections.abc import Callable


def read_text_or_flaw(path: str, read_bytes: Callable[[str], bytes]) -> FileText | Flaw:
    """Return the text of a path, read by `read_bytes`; its errors are returned as a flaw."""
    try:
        return FileText(path, read_bytes(path).decode(errors=_choose_error_mode(path)))
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        return Flaw("not-utf8", f"byte {error.start} is not UTF-8", before.count(b"\n") + 1)
    except OutsideTree as error:
        if "\\" in path:
            return Flaw("bad-name", str(error))
        return Flaw("symlink", str(error))
    except OSError as error:
        return _to_flaw(error)


def _choose_error_mode(path: str) -> str:
    """Return the handling of invalid UTF-8: in logs and indexes it affects only its own line."""
    name = path.rpartition("/")[2]
    if is_access_log_name(name):
        return "surrogateescape"
    return "replace" if name == INDEX_MD else "strict"


def _to_flaw(error: OSError) -> Flaw:
    match error:
        case atomic_files.FileTooLarge():
            return Flaw("file-too-large", "over 16 MiB")
        case atomic_files.NotRegularFile() | IsADirectoryError():
            return Flaw("not-a-file", "it is not a regular file")
        case PermissionError():
            return Flaw("no-permission", "the file may not be read")
        case OSError(errno=errno.ELOOP):
            return Flaw("symlink", "it is a symlink")
    return Flaw("read-failed", error.strerror or "the file could not be read")
