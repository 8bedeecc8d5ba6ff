"""The state of the tantivy index, as the catalog records it."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from tantivy.tantivy import __version__

from cortexfs.catalog.tantivy_files import IndexProgress

ENGINE_VERSION = __version__
_FOLDER_NAME = re.compile(r"[0-9]{1,20}")
"""The name of an index's folder: nothing else is opened, moved or deleted."""


class TantivyState(NamedTuple):
    """The index that the catalog agrees with: engine version, folder name, and state."""

    version: str
    folder_name: str
    progress: IndexProgress

    @classmethod
    def parse(cls, text: str) -> TantivyState | None:
        """Parse the value in the catalog, which is untrusted; None if it is not of this engine."""
        try:
            version, folder_name, progress = json.loads(text)
            if version != ENGINE_VERSION or not _FOLDER_NAME.fullmatch(folder_name):
                return None
            return cls(version, folder_name, IndexProgress(*map(int, progress)))
        except (ValueError, TypeError, OverflowError, RecursionError):
            return None

    def __str__(self) -> str:
        return json.dumps(self)
