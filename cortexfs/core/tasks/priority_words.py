"""Priority of tasks and projects, in the words of several languages."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_and_board import HIGH, LOW, MEDIUM

if TYPE_CHECKING:
    from collections.abc import Mapping

PRIORITY_RANKS: Mapping[str, int] = MappingProxyType(
    {HIGH: 3, "主线": 3, "高": 3, MEDIUM: 2, "中": 2, LOW: 1, "低": 1}
)
DEFAULT_RANK = PRIORITY_RANKS[MEDIUM]
"""The rank of a project without a known priority in OVERVIEW.md."""

_PRIORITY_HEADINGS = ("priority", "优先级")
_DEFAULT_COLUMN = 2
"""Column of the priority in a table without a heading for it, from 0."""


def parse_project_ranks(overview: str) -> dict[str, int]:
    """Return the rank of each project in the tables of OVERVIEW.md; the first row counts."""
    ranks: dict[str, int] = {}
    column = _DEFAULT_COLUMN
    for line in overview.splitlines():
        cells = _split_cells(line)
        heads = [cell.lower() for cell in cells]
        if found := [heads.index(head) for head in _PRIORITY_HEADINGS if head in heads]:
            column = found[0]
        elif len(cells) > column:
            ranks.setdefault(cells[0], _parse_rank(cells[column]))
    return ranks


def _parse_rank(cell: str) -> int:
    """Return the rank of a cell; `High (until June)` is `high`."""
    word = re.split(r"[^\w-]", cell.lower(), maxsplit=1)[0]
    return PRIORITY_RANKS.get(word, DEFAULT_RANK)


def _split_cells(line: str) -> list[str]:
    """Return the cells of a row without their markup; empty if the line is no row."""
    row = line.strip()
    if not row.startswith("|"):
        return []
    cells = re.split(r"(?<!\\)\|", row.strip("|"))
    return [re.sub(r"^\[([^\]]*)\].*$", r"\1", cell.strip().strip("*_`")) for cell in cells]
