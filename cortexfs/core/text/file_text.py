"""A file as read: a value, so that `core` can say what is in it."""

from __future__ import annotations

from typing import NamedTuple


class FileText(NamedTuple):
    """A file's path below the root, and its text as read."""

    path: str
    text: str
