"""Write crash reports."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError
from cortexfs.tree import atomic_files
from cortexfs.tree.recognize_tree import is_tree
from cortexfs.tree.safe_open import open_private_folder

if TYPE_CHECKING:
    from datetime import datetime


def write_crash_report(root: str, report: str, now: datetime) -> str:
    """Write a report under `.cortexfs/crash/`, or among temporary files; return its path."""
    name = f"{now:%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    try:
        if is_tree(root):
            with open_private_folder(root, "crash") as at:
                atomic_files.create_file(at, name, report.encode(errors="replace"))
            return os.path.join(root, ".cortexfs", "crash", name)
    except (OSError, CortexError):
        pass  # the report of a crash must not fail: try the temporary files
    try:
        file, path = tempfile.mkstemp(prefix="cortexfs-crash-", suffix=".txt")
        with open(file, "w", encoding="utf-8", errors="replace") as opened:
            opened.write(report)
    except OSError:
        return "not saved: no folder can be written"
    return path
