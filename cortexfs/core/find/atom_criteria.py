"""What a list of atoms shows, and in which order."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter

NO_FILTER = AtomFilter()
"""No filter."""


class SortKey(StrEnum):
    """The sort key of a list."""

    READS = "reads"
    DATE = "date"
    ID = "id"
    STATUS = "status"
    TITLE = "title"


class AtomCriteria(NamedTuple):
    """Conditions on an atom; an empty one matches every atom."""

    only: AtomFilter = NO_FILTER
    hot: bool = False
    cold: bool = False


EVERY_ATOM = AtomCriteria()
"""No condition."""
