"""Atoms and memories as rows: ref, status, summary, where they come from and when."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom_origin import FILE, IMPORT, AtomOrigin, make_origin, parse_origin
from cortexfs.core.atoms.kinds import DECISION_KIND, OBSERVATION_KIND, SESSION_KIND
from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, TOMBSTONE_STATUS, IndexMdSection
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.shown_content import Cell, Column, Row, Subject, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, join_parts, make_note

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.lifecycle import ParsedStatus
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.operations.browse_atoms import RowOrigin

WIDE = 120
"""Columns of a terminal on which the author is shown with the session, and not in one word."""
AUTHOR_COLUMNS = (Column("By", 6, max_screen=WIDE - 1), Column("By", 15, WIDE))
ATOM_COLUMNS = (
    Column("Ref", 20),
    Column("Status", 11),
    Column("Summary", 0),
    Column("Reads", 5, WIDE, is_right=True),
    *AUTHOR_COLUMNS,
    Column("When", 6),
)
MEMORY_COLUMNS = (
    Column("Ref", 20),
    Column("Type", 12),
    Column("Title", 0),
    *AUTHOR_COLUMNS,
    Column("When", 6),
)
SUBJECTS = {OBSERVATION_KIND: Subject.MEMORY, DECISION_KIND: Subject.DECISION}
SHORT_ID = 8
"""Characters of a session's id that are shown where there is little room."""


def make_atom_row(entry: AtomWithReads, now: datetime, *, is_one_project: bool = False) -> Row:
    """Return the row of an atom; in the list of one project its ref is short."""
    atom, origin, status = entry.atom, read_origin(entry.atom), entry.status
    summary, reads = atom.text_field("summary"), entry.reads.read_count
    ref = entry.ident if is_one_project else atom.ref
    about = (atom.ref, status.word, describe_origin(origin), format_count(reads, "read"))
    is_session = atom.kind == SESSION_KIND
    target = Target("session", origin.session) if is_session else Target("atom", atom.ref)
    return Row(
        (
            cell(ref, Tone.ACCENT),
            cell(status.word, choose_status_tone(status)),
            cell(summary, _choose_text_tone(status)),
            cell(reads or "", Tone.MUTED),
            *make_author_cells(origin.sort, format_author(origin)),
            cell(format_when(origin.created, now), Tone.MUTED),
        ),
        atom.ref,
        SUBJECTS.get(atom.kind, Subject.ATOM),
        target,
        make_note(summary, *about),
    )


def make_memory_row(record: MemoryRecord, now: datetime, mark: str = "") -> Row:
    """Return the row of a memory; `mark` stands before its title."""
    origin = origin_of_memory(record)
    tone = Tone.STRONG if mark else Tone.PLAIN
    return Row(
        (
            cell(record.ref, Tone.ACCENT),
            cell(record.type, Tone.MUTED),
            cell(f"{mark}{record.title}", tone),
            *make_author_cells(origin.sort, format_author(origin)),
            cell(format_when(origin.created, now), Tone.MUTED),
        ),
        record.ref,
        Subject.MEMORY,
        Target("atom", record.ref),
        make_note(record.title, describe_origin(origin)),
    )


def read_origin(atom: Atom) -> AtomOrigin:
    """Return the origin of an atom; its day stands for a time that it does not have."""
    origin = parse_origin(atom)
    return origin._replace(created=origin.created or atom.text_field("date"))


def complete_origin(found: RowOrigin | None) -> AtomOrigin:
    """Return an origin with the author and the time of the first commit, where no field names them.

    The author of a file stands where the tool of an agent does.
    """
    if found is None:
        return AtomOrigin(FILE)
    origin, commit = found.named, found.commit
    author = commit.author if commit and origin.sort == FILE else origin.tool
    created = origin.created or found.date or (commit.when if commit else "")
    return origin._replace(tool=author, created=created)


def origin_of_memory(record: MemoryRecord) -> AtomOrigin:
    """Return the origin of a memory."""
    return make_origin(
        OBSERVATION_KIND, record.session_id, record.tool, record.origin, record.created
    )


def make_author_cells(word: str, author: str) -> tuple[Cell, Cell]:
    """Return the cells of the author's columns: one word, and the session too."""
    return cell(word, Tone.MUTED), cell(author, Tone.MUTED)


def format_author(origin: AtomOrigin) -> str:
    """Return the origin in a few cells: `agent 3f2a81c0`, `engram:41`, or nothing."""
    if origin.sort == IMPORT:
        return origin.source
    author = "" if origin.sort == FILE else origin.sort
    return join_words(author, origin.session[:SHORT_ID] or origin.tool)


def describe_origin(origin: AtomOrigin) -> str:
    """Return the whole origin: who, in which session, by which tool, when."""
    return join_parts(
        [
            "" if origin.sort == FILE else f"by {origin.sort}",
            f"session {origin.session}" if origin.session else "",
            origin.tool,
            f"from {origin.source}" if origin.source else "",
            format_time(origin.created),
        ]
    )


def choose_status_tone(status: ParsedStatus) -> Tone:
    """Return the tone of a status: only what needs care has a colour."""
    if status.word in CAUTION_STATUSES:
        return Tone.WARNING
    if status.word == TOMBSTONE_STATUS:
        return Tone.BAD
    return Tone.ACCENT if status.word == "proposed" else Tone.MUTED


def _choose_text_tone(status: ParsedStatus) -> Tone:
    return Tone.PLAIN if status.section is IndexMdSection.ACTIVE else Tone.MUTED


def format_when(time: str, now: datetime) -> str:
    """Return a time in six cells: `14:05` today, `06 May` this year, else `May 25`."""
    moment = _parse(time)
    if moment is None:
        return ""
    if len(time) > len("2026-05-06") and moment.date() == now.date():
        return f"{moment:%H:%M}"
    return f"{moment:%d %b}" if moment.year == now.year else f"{moment:%b %y}"


def format_time(time: str) -> str:
    """Return a time of the tree as people write it: `2026-05-06 14:05 UTC`, or the day alone."""
    moment = _parse(time)
    if moment is None:
        return ""
    return f"{moment:%Y-%m-%d %H:%M} UTC" if len(time) > len("2026-05-06") else f"{moment:%Y-%m-%d}"


def join_words(*words: str) -> str:
    """Return the words that are not empty, with a blank between them."""
    return " ".join(filter(None, words))


def _parse(time: str) -> datetime | None:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None


def strong(text: object) -> Cell:
    """Return untrusted text that stands out."""
    return cell(text, Tone.STRONG)
