"""An id as it was typed, without zeros, hyphen or capitals, as it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.atoms.kinds import Kinds

_SHORT_ID = re.compile(r"(.*/)?([A-Za-z]+)-?([0-9]{1,15})([a-z]?)", re.ASCII)


def complete_id(typed: str, kinds: Kinds) -> str:
    """Return `K-001` for `k1`, `K1` and `k-1`, with the project before it if there is one.

    What already has the form of an id, or is of no kind, is returned as it is.
    """
    found = _SHORT_ID.fullmatch(typed)
    if not found:
        return typed
    project, prefix, number, letter = found.groups("")
    for kind in kinds:
        if kind.prefix.lower() == prefix.lower():
            completed = kind.format_id(int(number)) + letter
            is_written = kind.id_pattern.fullmatch(f"{kind.prefix}-{number}{letter}")
            has_hyphen = typed.startswith(f"{project}{prefix}-")
            return typed if is_written and has_hyphen else f"{project}{completed}"
    return typed
