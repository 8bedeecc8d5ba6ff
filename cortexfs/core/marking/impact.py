"""The Downstream Impact of an experiment: every file that cites what it overturns, row by row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.clean import cell
from cortexfs.core.governance.sections import append, insert, lines, named, newline, sections
from cortexfs.core.marking.citing import IMPACT
from cortexfs.core.marking.parts import parted
from cortexfs.core.reading import cites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.governance.sections import Line, Section

CORRECTED, NEEDS_UPDATE, NO_IMPACT = "corrected", "needs-update", "no-impact"

_HEAD = "| File | Status | Incorrect reference | Corrected value |\n|---|---|---|---|\n"
_OURS = re.compile(r"\|\s*File\s*\|\s*Status\s*\|", re.IGNORECASE)


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
    end, inside = None, False
    for line in lines(body):
        row = section.body <= line.start < section.end and _is_row(line)
        inside = row and (inside or bool(_OURS.match(line.text.strip())))
        end = line.end if inside else end
    return end


def _is_row(line: Line) -> bool:
    return not line.code and line.text.lstrip().startswith("|")


def _closed(body: str) -> str:
    """End a code block that is open at the end: what is added is no code."""
    every = list(lines(f"{body}\n"))
    if not every[-1].code:
        return body
    opening = [line for line in every if not line.code][-1].text.strip()
    fence = opening[: len(opening) - len(opening.lstrip(opening[0]))]
    return f"{body}{'' if body.endswith(chr(10)) else newline(body)}{fence}{newline(body)}"


def _written(rows: Sequence[Row]) -> str:
    return "".join(f"| {' | '.join(map(cell, row))} |\n" for row in rows)


def _is_there(row: Row, said: str) -> bool:
    """Tell whether a row for this file and this ref stands there, whatever else it says."""
    about = {cited for cited, _ in cites(row.incorrect)}
    for line in said.splitlines():
        cells = [each.strip() for each in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        same = cells[0] == cell(row.file) and len(cells) == len(row)
        if same and about & {cited for cited, _ in cites(cells[2])}:
            return True
    return False
