"""Search: atoms and pages that match words, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.find.search_notes import format_notes
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.atom_rows import SUBJECTS, choose_status_tone
from cortexfs.interfaces.tui.shown_content import (
    Column,
    Row,
    Subject,
    TableContent,
    Target,
    Tone,
    cell,
    join_parts,
    line,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.find import PageHit, SearchHit

COLUMNS = (
    Column("Ref", 20),
    Column("Status", 11),
    Column("Summary", 0),
    Column("Reads", 5, 120, is_right=True),
)
HINT = "Type words; project:NAME, kind:NAME, tag:NAME and status:NAME narrow the search."


def load_search(context: PanelContext, request: Request) -> TableContent:
    """Return the matches of the words."""
    from cortexfs.operations.find import find

    if not request.query.strip():
        return TableContent(COLUMNS, (), 0, HINT)
    found = find(context.session, request.query, limit=request.limit)
    rows = (*map(_make_hit_row, found.hits), *map(_make_page_row, found.pages))
    notes = tuple(line(cell(each, Tone.WARNING)) for each in format_notes(found.notes))
    about = f"by {found.method}" if rows else ""
    empty = f'Nothing matches "{request.query}".'
    return TableContent(COLUMNS, rows, len(rows), empty, notes, about=about)


def _make_hit_row(hit: SearchHit) -> Row:
    atom = hit.match.atom
    tone = choose_status_tone(parse_atom_status(atom.status))
    status = atom.status or "active"
    reads = format_count(atom.read_count, "read")
    note = join_parts([atom.ref, status, reads, hit.snippet.section])
    return Row(
        (
            cell(atom.ref, Tone.ACCENT),
            cell(status, tone),
            cell(atom.summary),
            cell(atom.read_count or "", Tone.MUTED),
        ),
        atom.ref,
        SUBJECTS.get(atom.kind, Subject.ATOM),
        Target("atom", atom.ref),
        (line(hit.snippet.text or atom.summary), line(cell(note, Tone.MUTED))),
    )


def _make_page_row(hit: PageHit) -> Row:
    return Row(
        (
            cell(hit.match.path.removeprefix("projects/"), Tone.ACCENT),
            cell("page", Tone.MUTED),
            cell(hit.snippet.text),
            cell("", Tone.MUTED),
        ),
        hit.match.path,
        Subject.NONE,
        Target("page", hit.match.path),
        (line(hit.snippet.text), line(cell(f"{hit.match.path} · a page, not an atom", Tone.MUTED))),
    )
