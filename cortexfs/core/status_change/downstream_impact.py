"""The Downstream Impact of an experiment: every file that cites what it overturns, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.frontmatter.atom_text import parted
from cortexfs.core.markdown.fences import fenced
from cortexfs.core.markdown.lines import newline
from cortexfs.core.markdown.sections import named, plain, sections
from cortexfs.core.markdown.splices import append, insert
from cortexfs.core.markdown.tables import tables
from cortexfs.core.status_change.citing_lines import IMPACT
from cortexfs.core.text.sanitize import cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.markdown.sections import Section

CORRECTED, NEEDS_UPDATE, NO_IMPACT = "corrected", "needs-update", "no-impact"

_HEADS = ("File", "Status", "Incorrect reference", "Corrected value")
_HEAD = f"| {' | '.join(_HEADS)} |\n{'|---' * len(_HEADS)}|\n"


class Row(NamedTuple):
    """One file that cites: whether it must change, what it cites, what it should say."""

    file: str
    status: str
    incorrect: str
    corrected: str


def with_rows(text: str, rows: Sequence[Row], beside: Sequence[str]) -> str:
    """Add to an atom's Downstream Impact the rows that it lacks; nothing else changes.

    A missing section comes last, on the level of the first one named in `beside`.
    """
    head, body = parted(text)
    present = sections(body)
    section = named(present, (IMPACT,))
    if section is None:
        near = named(present, beside)
        title = f"{'#' * (near.level if near else 2)} {IMPACT}"
        return head + append(_closed(body), f"{title}\n\n{_HEAD}{_written(rows)}")
    missing = [row for row in rows if not _is_there(row, body[section.body : section.end])]
    if not missing:
        return text
    at = _end_of_table(body, section)
    if at is None:
        whole = _closed(body)
        at = section.end if section.end < len(body) else len(whole)
        return head + insert(whole, at, f"{_HEAD}{_written(missing)}")
    end = newline(body)
    gap = "" if body[:at].endswith("\n") else end
    return f"{head}{body[:at]}{gap}{_written(missing).replace(chr(10), end)}{body[at:]}"


def _end_of_table(body: str, section: Section) -> int | None:
    """Find where the last of our tables in a section ends."""
    here = [table for table in tables(body) if section.body <= table.start < section.end]
    ends = [table.end for table in here if list(map(plain, table.heads[:2])) == ["file", "status"]]
    return ends[-1] if ends else None


def _closed(body: str) -> str:
    """End code or a comment that is open at the end: what is added is neither."""
    last = fenced(body)[-1:]
    if not last or not last[0].is_open:
        return body
    end = newline(body)
    return f"{body}{'' if body.endswith(chr(10)) else end}{last[0].closing}{end}"


def _written(rows: Sequence[Row]) -> str:
    return "".join(f"| {' | '.join(map(cell, row))} |\n" for row in rows)


def _is_there(row: Row, said: str) -> bool:
    """Tell whether a row for this file and this ref stands there, whatever else it says."""
    about = {cited for cited, _ in cites(row.incorrect)}
    file = cell(row.file)
    return any(
        each.cells[0] == file
        and len(each.cells) == len(row)
        and about & {cited for cited, _ in cites(each.cells[2])}
        for table in tables(said)
        for each in table.rows
    )
