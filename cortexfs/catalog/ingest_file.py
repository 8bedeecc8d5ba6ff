"""Insert the data of one file into the catalog's tables, and delete it again."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.catalog.memory_queries import insert_memory, insert_unreadable_memory
from cortexfs.catalog.schema import EXAMINED_ALL, insert_rows
from cortexfs.core.access.access_log import identify_session, parse_access_log
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.parse_atom import make_unreadable_atom, parse_atom
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.atoms.tree_paths import INDEX_MD, parse_atom_path, project_from_path
from cortexfs.core.indexes.atom_with_reads import normalize_time
from cortexfs.core.indexes.index_row import make_index_row
from cortexfs.core.indexes.listed_fields import make_listed_fields
from cortexfs.core.indexes.parse_index import parse_shown_reads

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.catalog.schema import RowTarget
    from cortexfs.core.access.access_log import AccessLogEntry
    from cortexfs.core.atoms.atom import Atom, FileText
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import AtomPath

_KEEP_LATEST_SQL = (
    "ON CONFLICT DO UPDATE SET ts = excluded.ts, session = excluded.session"
    " WHERE rtrim(excluded.ts, 'Z') > rtrim(ts, 'Z')"
)
_encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def ingest_file(db: RowTarget, kinds: Kinds, path: str, source: FileText | Flaw) -> None:
    """Insert the data of a file that has no rows yet."""
    if parse_atom_path(path, kinds):
        _insert_atom(db, kinds, path, source)
    elif path.endswith(f"/{INDEX_MD}"):
        _insert_shown_reads(db, path, source)
    elif path.endswith(".jsonl"):
        _insert_log(db, path, source)


def forget_file(db: sqlite3.Connection, path: str) -> None:
    """Delete the rows of one file."""
    _delete_cites(db, path)
    db.execute("DELETE FROM atoms WHERE path = ?", (path,))
    folder, _, name = path.rpartition("/")
    db.execute("DELETE FROM rows WHERE folder = ? AND name = ?", (folder, name))
    db.execute("DELETE FROM memories WHERE path = ?", (path,))
    db.execute("DELETE FROM relations WHERE path = ?", (path,))
    if path.endswith(f"/{INDEX_MD}"):
        db.execute("DELETE FROM shown WHERE folder = ?", (folder,))
    elif path.endswith(".jsonl"):
        db.execute("DELETE FROM looks WHERE log = ?", (path,))
        db.execute("DELETE FROM torn WHERE log = ?", (path,))


def mark_stale(db: sqlite3.Connection, kinds: Kinds, paths: Sequence[str]) -> None:
    """Mark the indexes that show some files as stale, and the texts as changed."""
    folders = {folder for path in paths for folder in _list_index_folders(kinds, path)}
    insert_rows(db, "stale", ((folder,) for folder in sorted(folders)))
    texts = [(path,) for path in paths if not path.endswith((".jsonl", f"/{INDEX_MD}"))]
    insert_rows(db, "waiting", texts)
    if db.execute("SELECT 1 FROM about WHERE key = ?", (EXAMINED_ALL,)).fetchone():
        insert_rows(db, "unexamined", (text for text in texts if parse_atom_path(*text, kinds)))


def _list_index_folders(kinds: Kinds, path: str) -> list[str]:
    """Return the folders whose index shows an atom; for a log, those of its whole project."""
    if not path.endswith(".jsonl"):
        return [path.rpartition("/")[0]]
    return [f"projects/{project_from_path(path)}/{kind.folder}" for kind in kinds if kind.indexed]


def _insert_atom(db: RowTarget, kinds: Kinds, path: str, source: FileText | Flaw) -> None:
    place = parse_atom_path(path, kinds)
    if place is None:
        return
    if isinstance(source, Flaw):
        atom = make_unreadable_atom(path, place, source)
    else:
        atom = parse_atom(path, place, source.text)
    readable = not atom.flaws or _is_readable(atom.flaws)
    has_row = readable and bool(atom.text_field("id"))
    _insert_atom_row(db, atom, place.folder, is_readable=readable, has_row=has_row)
    if has_row:
        _insert_row(db, atom, place)
        if place.kind.is_memory and not isinstance(source, Flaw):
            insert_memory(db, atom, source.text)
            return
    if place.kind.is_memory and place.claimed_id:
        insert_unreadable_memory(db, atom, place.claimed_id)


def _is_readable(flaws: Sequence[Flaw]) -> bool:
    from cortexfs.core.checks.unreadable_file_codes import is_readable  # noqa: PLC0415 - most atoms have no flaw

    return is_readable(flaws)


def _insert_atom_row(
    db: RowTarget, atom: Atom, folder: str, *, is_readable: bool, has_row: bool
) -> None:
    cited = {ref for ref, _ in atom.cited_refs}
    evidence = [ref for ref, _ in list_evidence_refs(atom) if ref not in cited]
    flaws = list(dict.fromkeys(atom.flaws))
    status = parse_atom_status(atom.text_field("status"))
    row = (
        atom.path,
        folder,
        atom.project,
        atom.kind,
        atom.ref,
        int(is_readable),
        # copied: the mappings of an unreadable atom are of a type that JSON cannot encode
        _encode_json(dict(atom.fields)),
        _encode_json((dict(atom.field_lines), atom.cited_refs, evidence, flaws)),
        " ".join(flaw.code for flaw in flaws),
        int(has_row and status.section is IndexMdSection.ACTIVE),
    )
    insert_rows(db, "atoms", [row])
    full_refs = {to_full_ref(ref, atom.project) for ref in (*cited, *evidence)}
    insert_rows(db, "cites", [(ref, atom.path) for ref in sorted(full_refs)])


def _delete_cites(db: sqlite3.Connection, path: str) -> None:
    """Delete what the row of an atom says that it cites."""
    for project, marks in db.execute("SELECT project, marks FROM atoms WHERE path = ?", (path,)):
        _, cites, evidence, _ = json.loads(marks)
        full_refs = {to_full_ref(ref, project) for ref in (*(ref for ref, _ in cites), *evidence)}
        db.executemany(
            "DELETE FROM cites WHERE ref = ? AND path = ?", [(ref, path) for ref in full_refs]
        )


def _insert_row(db: RowTarget, atom: Atom, place: AtomPath) -> None:
    """Insert what indexes and lists show; of its reads only those of its frontmatter."""
    row, fields = make_index_row(atom, place.kind), make_listed_fields(atom)
    listed = (*fields[:-1], _encode_json(fields.tags))
    insert_rows(db, "rows", [(place.folder, *row, *listed, row.refs, row.last)])


def _insert_shown_reads(db: RowTarget, path: str, source: FileText | Flaw) -> None:
    if isinstance(source, Flaw):
        return
    folder = path.rpartition("/")[0]
    totals = parse_shown_reads(source.text).items()
    insert_rows(db, "shown", ((folder, name, *total) for name, total in totals))


def _insert_log(db: RowTarget, path: str, source: FileText | Flaw) -> None:
    if isinstance(source, Flaw):
        insert_rows(db, "torn", [(path, 1, "bad-log-line", source.message)])
        return
    project = project_from_path(path)
    events, flaws = parse_access_log(source.text)
    rows = (
        (
            project,
            event.file,
            key,
            ts := normalize_time(event.ts),
            identify_session(project, event, ts),
            path,
        )
        for key, event in _assign_event_keys(events)
    )
    insert_rows(db, "looks", rows, _KEEP_LATEST_SQL)
    insert_rows(db, "torn", ((path, flaw.line, flaw.code, flaw.message) for flaw in flaws))


def _assign_event_keys(events: Iterable[AccessLogEntry]) -> Iterator[tuple[str, AccessLogEntry]]:
    """Yield each access event with a key under which it is counted once.

    The key of an event without a note is its line and the number of times that the log has had it
    before. So every line of a log counts, and the same line in two logs (after a killed rotation or
    a merge) counts once.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    for event in events:
        if event.note:
            yield event.note, event
        else:
            line = (event.file, event.ts, event.tool)
            counts[line] += 1
            yield f"{event.ts} {event.tool} {counts[line]}", event
