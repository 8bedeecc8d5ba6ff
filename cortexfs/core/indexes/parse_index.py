"""Parse a present `index.md`: when and how it was rendered, and the reads that it shows."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cortexfs.core.indexes.atom_with_reads import NO_READS, merge_read_stats, parse_read_stats
from cortexfs.core.markdown.tables import split_cells

if TYPE_CHECKING:
    from cortexfs.core.access.access_log import ReadStats

UPDATED_PREFIX = "> Last updated: "
_TIME_LINE = re.compile(rf"^{UPDATED_PREFIX}(.*)$", re.MULTILINE)


def remove_update_time(text: str) -> str:
    """Return an index without its time, for comparison."""
    return _TIME_LINE.sub(UPDATED_PREFIX, text, count=1)


def is_generated_index(text: str) -> bool:
    """Return whether an index was rendered, by cortexfs or another program, not by hand."""
    return "\n> Auto-generated" in text


def parse_update_time(text: str) -> datetime | None:
    """Return the time in an index's time line (UTC); None if it has none."""
    found = _TIME_LINE.search(text)
    try:
        return datetime.fromisoformat(found[1].strip()).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def parse_shown_reads(text: str) -> dict[str, ReadStats]:
    """Return the reads in a present index, by cortexfs or another program.

    The key is the file name if the row has a link, else the id: two files may have the same id,
    each with its own reads. Columns are found by their headings; "Refs" and "Last ref" are counted
    from the right, because other tools leave a `|` in a summary unescaped.
    """
    shown: dict[str, ReadStats] = {}
    heads: list[str] = []
    for row in text.split("\n"):
        if not row.startswith("|"):
            heads = []
            continue
        cells = split_cells(row)
        if not heads:
            heads = [head.lower() for head in cells]
        elif heads[0] in {"id", "file"} and "refs" in heads and len(cells) >= len(heads):
            name = _parse_row_key(cells[0])
            refs = _read_cell_from_right(cells, heads, "refs")
            total = parse_read_stats(refs, _read_cell_from_right(cells, heads, "last ref"))
            shown[name] = merge_read_stats(shown.get(name, NO_READS), total)
    return shown


def _parse_row_key(text: str) -> str:
    """Return the file name in `[EXP-001](EXP-001.md)`, or the id if there is no link."""
    _, link, target = text.rpartition("](")
    if not (link and target.endswith(")")):
        return text.strip("[]")
    name = target[:-1].removeprefix("<").removesuffix(">").rpartition("/")[2]
    return unquote(name) if "%" in name else name


def _read_cell_from_right(cells: list[str], heads: list[str], head: str) -> str:
    return cells[heads.index(head) - len(heads)] if head in heads else ""
