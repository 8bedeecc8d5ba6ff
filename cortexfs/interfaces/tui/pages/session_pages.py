"""Sessions of agents, what one of them saved, and what was saved around one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom_origin import PERSON
from cortexfs.core.memory.memory_record import ACTIVE_SESSION
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.atom_rows import (
    MEMORY_COLUMNS,
    SHORT_ID,
    format_time,
    format_when,
    make_author_cells,
    make_memory_row,
)
from cortexfs.interfaces.tui.shown_content import Column, Row, Subject, TableContent, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, join_parts, labelled, labelled_lines, make_note

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.core.memory.memory_record import PromptRecord, SessionRecord
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.interfaces.tui.shown_content import Line

SESSION_COLUMNS = (
    Column("Session", 10),
    Column("State", 7),
    Column("Project", 18),
    Column("Summary", 0),
    Column("Saved", 5, is_right=True),
    Column("Start", 6),
)
NO_SESSIONS = "No sessions yet: agents that are connected over MCP save them (see Setup)."
AROUND = 20
"""Memories before and after one in its timeline."""


def load_sessions(context: PanelContext, request: Request) -> TableContent:
    """Return the sessions, those that run first."""
    from cortexfs.operations.memory.list_sessions import list_sessions

    found = list_sessions(context.session, limit=request.limit)
    now = context.session.clock()
    rows = tuple(_make_session_row(each, now) for each in found.sessions)
    return TableContent(SESSION_COLUMNS, rows, found.total, NO_SESSIONS)


def load_session(context: PanelContext, request: Request) -> TableContent:
    """Return what one session saved, and what it was asked."""
    from cortexfs.operations.memory.read_session import read_session

    found, now = read_session(context.session, request.argument), context.session.clock()
    rows = [(each.created, make_memory_row(each, now)) for each in found.memories]
    rows += [(each.created, _make_prompt_row(each, now)) for each in found.prompts]
    rows.sort(key=lambda each: each[0])
    empty = "This session has saved nothing."
    shown = tuple(row for _, row in rows[: request.limit])
    head = _describe_session(found.session)
    return TableContent(MEMORY_COLUMNS, shown, len(rows), empty, head)


def load_timeline(context: PanelContext, request: Request) -> TableContent:
    """Return the memories of the same session around one."""
    from cortexfs.operations.memory.read_timeline import read_timeline

    found = read_timeline(context.session, request.argument, AROUND, AROUND)
    now = context.session.clock()
    rows = (
        *(make_memory_row(each, now) for each in found.before),
        make_memory_row(found.focus, now, "▶ "),
        *(make_memory_row(each, now) for each in found.after),
    )
    head = _describe_session(found.session) if found.session else ()
    about = f"of {format_count(found.total, 'memory')}"
    return TableContent(MEMORY_COLUMNS, rows, len(rows), "", head, len(found.before), about)


def _make_session_row(session: SessionRecord, now: datetime) -> Row:
    is_active = session.status == ACTIVE_SESSION
    first = session.summary.strip().partition("\n")[0]
    times = [format_time(session.started), format_time(session.ended)]
    about = (session.id, " to ".join(filter(None, times)), session.directory)
    return Row(
        (
            cell(session.id[:SHORT_ID], Tone.ACCENT),
            cell(session.status, Tone.GOOD if is_active else Tone.MUTED),
            cell(session.project),
            cell(first or "no summary", Tone.PLAIN if first else Tone.MUTED),
            cell(session.memory_count or "", Tone.MUTED),
            cell(format_when(session.started, now), Tone.MUTED),
        ),
        session.id,
        target=Target("session", session.id),
        note=make_note(first or "no summary", *about),
    )


def _make_prompt_row(prompt: PromptRecord, now: datetime) -> Row:
    return Row(
        (
            cell(prompt.ref, Tone.ACCENT),
            cell("prompt", Tone.MUTED),
            cell(prompt.content),
            *make_author_cells(PERSON, PERSON),
            cell(format_when(prompt.created, now), Tone.MUTED),
        ),
        prompt.ref,
        Subject.ATOM,
        Target("atom", prompt.ref),
        make_note(prompt.content, "asked by a person"),
    )


def _describe_session(session: SessionRecord) -> tuple[Line, ...]:
    times = [format_time(session.started), format_time(session.ended)]
    state = join_parts([session.status, session.project, session.directory])
    summary = " ".join(session.summary.split())
    return (
        labelled("session", session.id, Tone.ACCENT),
        *labelled_lines(("state", state), ("time", " to ".join(filter(None, times)))),
        *labelled_lines(("summary", summary)),
    )
