"""The Downstream Impact table of an experiment: every file that cites the atom it refutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.markdown.edit_text import append_block, insert_block
from cortexfs.core.markdown.fences import find_fenced_spans
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.markdown.sections import find_section, normalize_title, parse_sections
from cortexfs.core.markdown.tables import find_tables
from cortexfs.core.status_change.citing_lines import IMPACT_HEADING
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.markdown.sections import MarkdownSection

CORRECTED, NEEDS_UPDATE, NO_IMPACT = "corrected", "needs-update", "no-impact"

_COLUMNS = ("File", "Status", "Incorrect reference", "Corrected value")
_TABLE_HEADER = f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|\n"


class ImpactRow(NamedTuple):
    """One citing file: whether it must change, what it cites, and the correct value."""

    file: str
    status: str
    incorrect: str
    corrected: str


def add_impact_rows(text: str, rows: Sequence[ImpactRow], known_titles: Sequence[str]) -> str:
    """Return the text with the missing rows added to Downstream Impact; nothing else changes.

    A missing section is added at the end, at the level of the first section in `known_titles`.
    """
    head, body = split_front_and_body(text)
    sections = parse_sections(body)
    section = find_section(sections, (IMPACT_HEADING,))
    if section is None:
        similar_section = find_section(sections, known_titles)
        title = f"{'#' * (similar_section.level if similar_section else 2)} {IMPACT_HEADING}"
        return head + append_block(
            _close_fence(body), f"{title}\n\n{_TABLE_HEADER}{_format_rows(rows)}"
        )
    missing = [row for row in rows if not _has_row(row, body[section.body_start : section.end])]
    if not missing:
        return text
    at = _find_table_end(body, section)
    if at is None:
        closed_body = _close_fence(body)
        at = section.end if section.end < len(body) else len(closed_body)
        return head + insert_block(closed_body, at, f"{_TABLE_HEADER}{_format_rows(missing)}")
    end = detect_line_ending(body)
    line_end = "" if body[:at].endswith("\n") else end
    return f"{head}{body[:at]}{line_end}{_format_rows(missing).replace(chr(10), end)}{body[at:]}"


def _find_table_end(body: str, section: MarkdownSection) -> int | None:
    """Return the end offset of the last Downstream Impact table in a section, or None."""
    inside = [
        table for table in find_tables(body) if section.body_start <= table.start < section.end
    ]
    ends = [
        table.end
        for table in inside
        if list(map(normalize_title, table.headers[:2])) == ["file", "status"]
    ]
    return ends[-1] if ends else None


def _close_fence(body: str) -> str:
    """Return the body, with a fence or comment that is open at its end closed."""
    last = find_fenced_spans(body)[-1:]
    if not last or not last[0].is_open:
        return body
    end = detect_line_ending(body)
    return f"{body}{'' if body.endswith(chr(10)) else end}{last[0].closing_marker}{end}"


def _format_rows(rows: Sequence[ImpactRow]) -> str:
    return "".join(f"| {' | '.join(map(format_cell, row))} |\n" for row in rows)


def _has_row(row: ImpactRow, section_text: str) -> bool:
    """Return whether there is a row for this file and this ref, with any status."""
    about = {cited for cited, _ in find_cited_refs(row.incorrect)}
    file = format_cell(row.file)
    return any(
        each.cells[0] == file
        and len(each.cells) == len(row)
        and about & {cited for cited, _ in find_cited_refs(each.cells[2])}
        for table in find_tables(section_text)
        for each in table.rows
    )
