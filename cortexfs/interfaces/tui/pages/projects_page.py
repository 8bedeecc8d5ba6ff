"""The projects of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.atom_rows import format_when
from cortexfs.interfaces.tui.shown_content import Column, Row, TableContent, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, join_parts, make_note

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.project import ProjectSummary

COLUMNS = (
    Column("Project", 0),
    Column("Atoms", 6, is_right=True),
    Column("Reads", 6, is_right=True),
    Column("State", 9),
    Column("Latest", 6),
)


def load_projects(context: PanelContext, request: Request) -> TableContent:
    """Return the projects by name."""
    from cortexfs.operations.project import summarize_projects

    found = summarize_projects(context.session)
    now = context.session.clock()
    rows = tuple(_make_row(each, now) for each in found[: request.limit])
    return TableContent(
        COLUMNS, rows, len(found), "No projects yet: `cortexfs project new` creates one."
    )


def _make_row(project: ProjectSummary, now: datetime) -> Row:
    total = sum(project.atoms.values())
    counts = join_parts(format_count(n, kind) for kind, n in project.atoms.items() if n)
    return Row(
        (
            cell(project.name, Tone.ACCENT),
            cell(total),
            cell(project.reads),
            cell("archived" if project.archived else "active", Tone.MUTED),
            cell(format_when(project.latest_date, now), Tone.MUTED),
        ),
        project.name,
        target=Target("project", project.name),
        note=make_note(project.name, counts or "no atoms"),
    )
