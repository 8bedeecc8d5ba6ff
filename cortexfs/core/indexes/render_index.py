"""Render the `index.md` of a folder of atoms, and parse the reads in a present one."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexMdSection
from cortexfs.core.changes.plan import SectionCounts
from cortexfs.core.indexes.atom_with_reads import (
    COLD_DAYS,
    HOT_READ_COUNT,
    NO_READS,
    is_past_cold_days,
    merge_read_stats,
    parse_read_stats,
)
from cortexfs.core.indexes.index_row import SECTION_COLUMNS, format_row, row_sort_key
from cortexfs.core.markdown.tables import split_cells
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.access.access_log import ReadStats
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.indexes.index_row import IndexRowWithReads

MAX_LISTED_IDS = 10

UPDATED_PREFIX = "> Last updated: "
_TIME_LINE = re.compile(rf"^{UPDATED_PREFIX}(.*)$", re.MULTILINE)
_WARNING = "> Shown to be wrong. Do not rely on these; they are kept so that nobody repeats them."


class RenderedIndex(NamedTuple):
    """An index as text, and its counts."""

    text: str
    counts: SectionCounts


def render_index(  # noqa: PLR0917 - what an index is made of
    kind: Kind,
    project: str,
    rows: Iterable[IndexRowWithReads],
    unreadable: Sequence[Finding],
    now: datetime,
    unreadable_reads: Mapping[str, ReadStats] = MappingProxyType({}),
) -> RenderedIndex:
    """Return one folder's index; the same atoms give the same bytes in any order.

    `now` (aware) is written in the time line, and its day determines which atoms are cold.
    `unreadable_reads` has the reads of files that could not be parsed, so that they are not lost.
    """
    utc = now.astimezone(UTC)
    sections = defaultdict(list)
    for listed in sorted(rows, key=row_sort_key):
        sections[listed.row.section].append(listed)
    active, superseded, invalidated = (sections[section] for section in IndexMdSection)
    counts = SectionCounts(len(active), len(superseded), len(invalidated), len(unreadable))
    blocks = (
        _render_head(kind, project, utc),
        _render_active(kind, active) if any(counts[:3]) else "_No entries._\n",
        _render_superseded(superseded) if superseded else "",
        _render_invalidated(invalidated) if invalidated else "",
        _render_unreadable(unreadable, unreadable_reads) if unreadable else "",
        _render_stats(active, counts, utc.date()),
    )
    return RenderedIndex("\n".join(filter(None, blocks)), counts)


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


def _render_head(kind: Kind, project: str, utc: datetime) -> str:
    use_when = f"{kind.use_when}\n\n" if kind.use_when else ""
    return (
        f"# {kind.title} Index — {format_cell(project)}\n\n{use_when}"
        "> Auto-generated by cortexfs from YAML frontmatter. Do not edit manually.\n"
        f"{UPDATED_PREFIX}{utc:%Y-%m-%dT%H:%M:%S}\n"
    )


def _render_active(kind: Kind, rows: Sequence[IndexRowWithReads]) -> str:
    before, after = (
        [head for head, _ in columns]
        for columns in (kind.columns_before_reads, kind.columns_after_reads)
    )
    heads = [*SECTION_COLUMNS[IndexMdSection.ACTIVE], *before, "Refs", "Last ref", *after]
    return _render_rows(f"{IndexMdSection.ACTIVE} ({len(rows)} entries)", heads, rows)


def _render_superseded(rows: Sequence[IndexRowWithReads]) -> str:
    title = f"{IndexMdSection.SUPERSEDED} ({len(rows)} entries)"
    return _render_rows(title, [*SECTION_COLUMNS[IndexMdSection.SUPERSEDED], "Refs"], rows)


def _render_invalidated(rows: Sequence[IndexRowWithReads]) -> str:
    title = f"{IndexMdSection.INVALIDATED} ({len(rows)} entries)\n\n{_WARNING}"
    return _render_rows(title, [*SECTION_COLUMNS[IndexMdSection.INVALIDATED], "Refs"], rows)


def _render_unreadable(findings: Sequence[Finding], refs: Mapping[str, ReadStats]) -> str:
    lines = [
        f"| {format_cell(name)} | {found.line} | {format_cell(found.message)}"
        f" | {refs.get(name, NO_READS).read_count} |"
        for found in sorted(findings, key=lambda found: (found.path, found.line))
        for name in (found.path.rpartition("/")[2],)
    ]
    title = f"Unreadable ({len(findings)} files)"
    return _render_table(title, ["File", "Line", "Reason", "Refs"], lines)


def _render_stats(active: Sequence[IndexRowWithReads], counts: SectionCounts, today: date) -> str:
    active_count, superseded, invalidated, _ = counts
    total = active_count + superseded + invalidated
    parts = f"{active_count} active, {superseded} superseded/deprecated, {invalidated} invalidated"
    marked = [(word, [e for e in active if e.row.mark == word]) for word in CAUTION_STATUSES]
    cold = [e for e in active if not e.read_count and is_past_cold_days(e.row.arrived, today)]
    lines = [
        "## Stats\n",
        f"- Total: {total} ({parts})",
        *(f"- {word.capitalize()}: {_format_ids(rows)}" for word, rows in marked if rows),
        f"- Hot (refs >= {HOT_READ_COUNT}): "
        + _format_ids([e for e in active if e.read_count >= HOT_READ_COUNT]),
        f"- Cold (refs = 0, age > {COLD_DAYS} days): {_format_ids(cold)}",
    ]
    return "\n".join(lines) + "\n"


def _format_ids(rows: Sequence[IndexRowWithReads]) -> str:
    more = f" (+{len(rows) - MAX_LISTED_IDS} more)" if len(rows) > MAX_LISTED_IDS else ""
    return (
        ", ".join(format_cell(listed.row.shown_id) for listed in rows[:MAX_LISTED_IDS]) + more
        or "none"
    )


def _render_table(title: str, heads: Sequence[str], lines: Iterable[str]) -> str:
    head = [f"## {title}\n", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    return "\n".join([*head, *lines]) + "\n"


def _render_rows(title: str, heads: Sequence[str], rows: Iterable[IndexRowWithReads]) -> str:
    return _render_table(title, heads, map(format_row, rows))
