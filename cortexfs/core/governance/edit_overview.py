"""OVERVIEW.md: a row and a day of last activity for each project, and the day of the last scan."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.markdown.edit_text import append_block, replace_spans
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.markdown.sections import normalize_title
from cortexfs.core.markdown.tables import find_tables
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

STATUS, PRIORITY, ACTIVITY = "status", "priority", "last activity"
DEFAULT_CELLS = {STATUS: "**Phase 1**", PRIORITY: "medium"}
"""Initial cells of a project's row."""
ARCHIVED_MARKER = "**Archived.**"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SCAN = re.compile(r"^((?:[^\w\n]|_)*last scan\b[^\w\n]*)(.*)$", re.IGNORECASE | re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


class ProjectRow(NamedTuple):
    """One row of the table: its project, its offsets, and the offsets of each cell by column."""

    project: str
    start: int
    end: int
    cell_spans: Mapping[str, tuple[int, int]]


class ProjectTable(NamedTuple):
    """The table of projects: its columns in lower case, its rows, and the offset after it."""

    columns: tuple[str, ...]
    rows: tuple[ProjectRow, ...]
    end: int


@lru_cache(maxsize=1)
def find_project_table(text: str) -> ProjectTable | None:
    """Return the table whose first column is `Project`, or None."""
    found = next(
        (each for each in find_tables(text) if normalize_title(each.headers[0]) == "project"), None
    )
    if found is None:
        return None
    columns = tuple(map(normalize_title, found.headers))
    rows = (
        ProjectRow(
            _parse_project_name(row.cells[0]),
            row.start,
            row.end,
            dict(zip(columns, row.cell_spans, strict=False)),
        )
        for row in found.rows
    )
    return ProjectTable(columns, tuple(rows), found.end)


def read_cell(text: str, project: str, column: str) -> str:
    """Return the text of a cell in a project's row; empty if there is no such cell."""
    found = _find_row(text, project)
    start, stop = found.cell_spans.get(column, (0, 0)) if found else (0, 0)
    return text[start:stop].strip()


def update_activity_days(text: str, days: Mapping[str, str]) -> str:
    """Return the text with a row and the day of last activity for each project.

    A later day in the text is kept. A text without a table of projects is returned unchanged.
    """
    found = find_project_table(text)
    if found is None:
        return text
    rows = _map_first_rows(found)
    changes = [(found.end, found.end, _format_new_rows(text, found, days))]
    for project, day in days.items():
        if project in rows and ACTIVITY in rows[project].cell_spans:
            start, stop = rows[project].cell_spans[ACTIVITY]
            if _is_later(day, text[start:stop].strip()):
                changes.append((start, stop, day))
    return replace_spans(text, changes)


def remove_missing_projects(text: str, present: Collection[str]) -> str:
    """Return the text without the rows of projects that no longer exist.

    Only rows with a day of last activity are removed: a row without one may be a plan.
    """
    found = find_project_table(text)
    if found is None:
        return text
    rows, removed = _map_first_rows(found), []
    for row in found.rows:
        start, stop = rows[row.project].cell_spans.get(ACTIVITY, (0, 0))
        is_gone = row.project not in present and is_project_name(row.project)
        if is_gone and _DAY.match(text[start:stop].strip()):
            removed.append((row.start, row.end, ""))
    return replace_spans(text, removed)


def set_last_scan_day(text: str, day: str) -> str:
    """Return the text with the day of the last scan; a later day in the text is kept."""
    found = _SCAN.search(text)
    if not day or (found and _DAY.match(found[2]) and found[2][:10] >= day):
        return text
    if found is None:
        return append_block(text, f"Last scan: {day}\n") if find_project_table(text) else text
    gap = "" if found[1].endswith(" ") else " "
    closing = found.end()
    while closing > found.end(1) and not text[closing - 1].isalnum():  # `**` behind the day
        closing -= 1
    return f"{text[: found.end(1)]}{gap}{day}{text[closing:]}"


def set_cell(text: str, project: str, column: str, words: str) -> str:
    """Return the text with other words in one cell of a project's row."""
    row = _find_row(text, project)
    if row is None or column not in row.cell_spans:
        return text
    start, stop = row.cell_spans[column]
    return f"{text[:start]}{words}{text[stop:]}"


def set_phase(text: str, project: str, phase: str) -> str:
    """Return the text with the phase in bold at the beginning of a project's status."""
    before = read_cell(text, project, STATUS)
    bold = _BOLD.match(before)
    if not phase or (before and not bold):
        return text  # a status in a form of its own is kept
    stop = "." if bold and bold[1].endswith(".") and not phase.endswith(".") else ""
    rest = before[bold.end() :] if bold else ""
    rest = rest if bold and bold[0] != ARCHIVED_MARKER else ""
    return set_cell(text, project, STATUS, f"**{format_cell(phase)}{stop}**{rest}")


def mark_archived(text: str, project: str, why: str) -> str:
    """Return the text with a project marked as archived in its status, and with low priority."""
    before = read_cell(text, project, STATUS)
    if before.startswith(ARCHIVED_MARKER) and format_cell(why) in before:
        return text
    reason = format_cell(why) or _BOLD.sub(r"\1", before).removeprefix("Archived. ")
    text = set_cell(text, project, STATUS, f"{ARCHIVED_MARKER} {reason}".strip())
    return set_cell(text, project, PRIORITY, "low")


def is_archived(text: str, project: str) -> bool:
    """Return whether the row of a project is marked as archived."""
    return read_cell(text, project, STATUS).startswith(ARCHIVED_MARKER)


def _find_row(text: str, project: str) -> ProjectRow | None:
    found = find_project_table(text)
    return next((row for row in found.rows if row.project == project), None) if found else None


def _map_first_rows(found: ProjectTable) -> dict[str, ProjectRow]:
    """Return the first row of each project."""
    return {row.project: row for row in reversed(found.rows)}


def _format_new_rows(text: str, found: ProjectTable, days: Mapping[str, str]) -> str:
    """Return the text of a new row for each project without one."""
    known, end = _map_first_rows(found), detect_line_ending(text)
    gap = "" if text.endswith("\n", 0, found.end) else end
    rows = []
    for project, day in days.items():
        if project not in known:
            values = {**DEFAULT_CELLS, ACTIVITY: day or "—"}
            cells = [project, *(values.get(column, "") for column in found.columns[1:])]
            rows.append(f"| {' | '.join(cells)} |{end}")
    return gap + "".join(rows) if rows else ""


def _is_later(day: str, before: str) -> bool:
    """Return whether a day replaces the text of a cell; text written by a person is kept."""
    known = _DAY.match(before)
    is_word = not known and bool(normalize_title(before))
    return bool(day) and not is_word and not (known and known[0] >= day)


def _parse_project_name(first: str) -> str:
    """Return the project's name from the first cell: plain, bold, in code, or a link."""
    return re.sub(r"^\[([^\]]*)\].*$", r"\1", first.strip("*` "))
