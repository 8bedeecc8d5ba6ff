"""Search: atoms and pages that match words, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.find.search_notes import format_notes
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.atom_rows import (
    ATOM_COLUMNS,
    SUBJECTS,
    choose_status_tone,
    complete_origin,
    describe_origin,
    format_author,
    format_when,
    make_author_cells,
)
from cortexfs.interfaces.tui.shown_content import Row, Subject, TableContent, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, line, make_note

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.browse_atoms import RowOrigin
    from cortexfs.operations.find import PageHit, SearchHit

HINT = "Type words; project:NAME, kind:NAME, tag:NAME and status:NAME narrow the search."


def load_search(context: PanelContext, request: Request) -> TableContent:
    """Return the matches of the words."""
    from cortexfs.operations.browse_atoms import read_origins
    from cortexfs.operations.find import find

    if not request.query.strip():
        return TableContent(ATOM_COLUMNS, (), 0, HINT)
    found = find(context.session, request.query, limit=request.limit)
    origins = read_origins(context.session, [hit.match.atom.path for hit in found.hits])
    now = context.session.clock()
    hits = (_make_hit_row(hit, origins.get(hit.match.atom.path), now) for hit in found.hits)
    rows = (*hits, *map(_make_page_row, found.pages))
    notes = tuple(line(cell(each, Tone.WARNING)) for each in format_notes(found.notes))
    about = f"by {found.method}" if rows else ""
    empty = f'Nothing matches "{request.query}".'
    return TableContent(ATOM_COLUMNS, rows, len(rows), empty, notes, about=about)


def _make_hit_row(hit: SearchHit, found: RowOrigin | None, now: datetime) -> Row:
    atom = hit.match.atom
    status, origin = parse_atom_status(atom.status), complete_origin(found)
    reads = format_count(atom.read_count, "read")
    about = (atom.ref, status.word, describe_origin(origin), reads, hit.snippet.section)
    return Row(
        (
            cell(atom.ref, Tone.ACCENT),
            cell(status.word, choose_status_tone(status)),
            cell(atom.summary),
            cell(atom.read_count or "", Tone.MUTED),
            *make_author_cells(origin.sort, format_author(origin)),
            cell(format_when(origin.created, now), Tone.MUTED),
        ),
        atom.ref,
        SUBJECTS.get(atom.kind, Subject.ATOM),
        Target("atom", atom.ref),
        make_note(hit.snippet.text or atom.summary, *about),
    )


def _make_page_row(hit: PageHit) -> Row:
    return Row(
        (
            cell(hit.match.path.removeprefix("projects/"), Tone.ACCENT),
            cell("page", Tone.MUTED),
            cell(hit.snippet.text),
            *(cell("") for _ in ATOM_COLUMNS[3:]),
        ),
        hit.match.path,
        Subject.NONE,
        Target("page", hit.match.path),
        make_note(hit.snippet.text, hit.match.path, "a page, not an atom"),
    )
