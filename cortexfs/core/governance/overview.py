"""OVERVIEW.md: a row for each project, the day of its last activity, and of the last scan."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.markdown.lines import newline
from cortexfs.core.markdown.sections import plain
from cortexfs.core.markdown.splices import append
from cortexfs.core.markdown.tables import tables
from cortexfs.core.text.sanitize import cell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

STATUS, PRIORITY, ACTIVITY = "status", "priority", "last activity"
BEGUN = {STATUS: "**Phase 1**", PRIORITY: "medium"}
"""What is said of a project that nobody has said anything of."""
ARCHIVED = "**Archived.**"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SCAN = re.compile(r"^((?:[^\w\n]|_)*last scan\b[^\w\n]*)(.*)$", re.IGNORECASE | re.MULTILINE)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


class Row(NamedTuple):
    """One row of the table: whose it is, and where each of its cells stands."""

    project: str
    start: int
    end: int
    cells: Mapping[str, tuple[int, int]]


class Table(NamedTuple):
    """The table of projects: its columns in lower case, its rows, and where it ends."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    end: int


def table(text: str) -> Table | None:
    """Find the table whose first column is `Project`."""
    found = next((each for each in tables(text) if plain(each.heads[0]) == "project"), None)
    if found is None:
        return None
    columns = tuple(map(plain, found.heads))
    rows = (
        Row(_name(row.cells[0]), row.start, row.end, dict(zip(columns, row.spans, strict=False)))
        for row in found.rows
    )
    return Table(columns, tuple(rows), found.end)


def said_of(text: str, project: str, column: str) -> str:
    """Give what a cell says of a project; empty where there is no such cell."""
    found = _row(text, project)
    start, stop = found.cells.get(column, (0, 0)) if found else (0, 0)
    return text[start:stop].strip()


def with_days(text: str, days: Mapping[str, str]) -> str:
    """Give each project a row, and the day of its last activity; a later one is kept.

    A text without a table of projects stays as it is: somebody has a way of his own.
    """
    found = table(text)
    if found is None:
        return text
    rows = _first_rows(found)
    changes = [(found.end, found.end, _new_rows(text, found, days))]
    for project, day in days.items():
        if project in rows and ACTIVITY in rows[project].cells:
            start, stop = rows[project].cells[ACTIVITY]
            if _is_later(day, text[start:stop].strip()):
                changes.append((start, stop, day))
    return _spliced(text, changes)


def without_gone(text: str, present: Collection[str]) -> str:
    """Take out the rows of projects that are gone.

    They are known by the day that they bear: a row without one is somebody's plan, and stays.
    """
    found = table(text)
    if found is None:
        return text
    rows, gone = _first_rows(found), []
    for row in found.rows:
        start, stop = rows[row.project].cells.get(ACTIVITY, (0, 0))
        is_gone = row.project not in present and is_project_name(row.project)
        if is_gone and _DAY.match(text[start:stop].strip()):
            gone.append((row.start, row.end, ""))
    return _spliced(text, gone)


def with_scan(text: str, day: str) -> str:
    """Say on which day the last scan was; a later one is kept."""
    found = _SCAN.search(text)
    if not day or (found and _DAY.match(found[2]) and found[2][:10] >= day):
        return text
    if found is None:
        return append(text, f"Last scan: {day}\n") if table(text) else text
    gap = "" if found[1].endswith(" ") else " "
    closing = found.end()
    while closing > found.end(1) and not text[closing - 1].isalnum():  # `**` behind the day
        closing -= 1
    return f"{text[: found.end(1)]}{gap}{day}{text[closing:]}"


def put(text: str, project: str, column: str, words: str) -> str:
    """Overwrite one cell of a project's row."""
    row = _row(text, project)
    if row is None or column not in row.cells:
        return text
    start, stop = row.cells[column]
    return f"{text[:start]}{words}{text[stop:]}"


def with_phase(text: str, project: str, phase: str) -> str:
    """Say in bold at the head of a project's status which phase it is in."""
    before = said_of(text, project, STATUS)
    bold = _BOLD.match(before)
    if not phase or (before and not bold):
        return text  # somebody has a way of his own to say it
    stop = "." if bold and bold[1].endswith(".") and not phase.endswith(".") else ""
    rest = before[bold.end() :] if bold else ""
    rest = rest if bold and bold[0] != ARCHIVED else ""
    return put(text, project, STATUS, f"**{cell(phase)}{stop}**{rest}")


def archived(text: str, project: str, why: str) -> str:
    """Say at the head of a project's status that it rests, and put it last in the order of work."""
    before = said_of(text, project, STATUS)
    if before.startswith(ARCHIVED) and cell(why) in before:
        return text
    said = cell(why) or _BOLD.sub(r"\1", before).removeprefix("Archived. ")
    text = put(text, project, STATUS, f"{ARCHIVED} {said}".strip())
    return put(text, project, PRIORITY, "low")


def is_archived(text: str, project: str) -> bool:
    """Tell whether the row of a project says that it rests."""
    return said_of(text, project, STATUS).startswith(ARCHIVED)


def _row(text: str, project: str) -> Row | None:
    found = table(text)
    return next((row for row in found.rows if row.project == project), None) if found else None


def _first_rows(found: Table) -> dict[str, Row]:
    """Give the row of each project: the first that names it."""
    return {row.project: row for row in reversed(found.rows)}


def _new_rows(text: str, found: Table, days: Mapping[str, str]) -> str:
    """Write a row for each project that has none."""
    known, end = _first_rows(found), newline(text)
    gap = "" if text.endswith("\n", 0, found.end) else end
    rows = []
    for project, day in days.items():
        if project not in known:
            said = {**BEGUN, ACTIVITY: day or "—"}
            cells = [project, *(said.get(column, "") for column in found.columns[1:])]
            rows.append(f"| {' | '.join(cells)} |{end}")
    return gap + "".join(rows) if rows else ""


def _is_later(day: str, before: str) -> bool:
    """Tell whether a day is to replace what a cell says; words of a person stay."""
    known = _DAY.match(before)
    is_word = not known and bool(plain(before))
    return bool(day) and not is_word and not (known and known[0] >= day)


def _spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Put other text in place of some spans, which do not overlap."""
    parts, done = [], 0
    for start, stop, said in sorted(changes):
        parts += [text[done:start], said]
        done = stop
    return "".join([*parts, text[done:]])


def _name(first: str) -> str:
    """Read the project's name from the first cell: plain, bold, in code, or a link."""
    return re.sub(r"^\[([^\]]*)\].*$", r"\1", first.strip("*` "))
