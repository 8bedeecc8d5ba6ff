"""How urgent a task and its project are, in the words of several languages."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from cortexfs.core.tasks.task import HIGH, LOW, MEDIUM

if TYPE_CHECKING:
    from collections.abc import Mapping

PRIORITY_RANKS: Mapping[str, int] = MappingProxyType(
    {HIGH: 3, "主线": 3, "高": 3, MEDIUM: 2, "中": 2, LOW: 1, "低": 1}
)
DEFAULT_RANK = PRIORITY_RANKS[MEDIUM]
"""The rank of a project that OVERVIEW.md does not list, or not with such a word."""

_HEADS = ("priority", "优先级")
_COLUMN = 2
"""Where the priority stands in a table whose head does not say."""


def parse_project_ranks(overview: str) -> dict[str, int]:
    """Read from the tables of OVERVIEW.md how urgent each project is; the first row counts."""
    ranks: dict[str, int] = {}
    column = _COLUMN
    for line in overview.splitlines():
        cells = _cells(line)
        heads = [cell.lower() for cell in cells]
        if found := [heads.index(head) for head in _HEADS if head in heads]:
            column = found[0]
        elif len(cells) > column:
            ranks.setdefault(cells[0], _rank(cells[column]))
    return ranks


def _rank(cell: str) -> int:
    """Read `High (until June)` as `high`."""
    word = re.split(r"[^\w-]", cell.lower(), maxsplit=1)[0]
    return PRIORITY_RANKS.get(word, DEFAULT_RANK)


def _cells(line: str) -> list[str]:
    """Give a row's cells without their markup; nothing of a line that is no row."""
    row = line.strip()
    if not row.startswith("|"):
        return []
    cells = re.split(r"(?<!\\)\|", row.strip("|"))
    return [re.sub(r"^\[([^\]]*)\].*$", r"\1", cell.strip().strip("*_`")) for cell in cells]
