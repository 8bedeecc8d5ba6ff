"""Write a digest of the most important memories into a client's own memory file, or remove it."""

from __future__ import annotations

import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import settings_files
from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import AtomPath
from cortexfs.core.bridge.digest_block import insert_block
from cortexfs.core.bridge.make_digest import DEFAULT_CHARS, DigestEntry, make_digest
from cortexfs.core.bridge.parse_client_memories import MemoryClient, choose_project, encode_folder
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.memory.importance_score import compute_importance
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE, number_from_id, parse_memory_record
from cortexfs.errors import Refused
from cortexfs.operations.shared.memory_files import iter_memory_files
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.session.read_client_memories import read_client_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.access.access_log import ReadStats
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class DigestRequest(NamedTuple):
    """The projects of a digest (None: those that fit the client), and its maximum length."""

    projects: Sequence[str] | None = None
    max_chars: int = DEFAULT_CHARS


class ClientFileChange(NamedTuple):
    """The change of a client's memory file: its text before and after (None: no file)."""

    client: MemoryClient
    path: str
    before: str | None
    after: str | None


def bridge_out(
    session: Session,
    clients: Sequence[MemoryClient],
    environ: Mapping[str, str],
    folder: str,
    wanted: DigestRequest | None,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> list[ClientFileChange]:
    """Write a digest into the memory file of each client, or remove it if `wanted` is None.

    Returns the changes, none for a client without a memory file for the user's `folder`. Raises
    `Refused` if such a client is to get a digest, and `SettingsChanged` if a file has changed
    meanwhile; a refusal comes before the first file is written.
    """
    planned = (_plan_change(session, client, environ, folder, wanted) for client in clients)
    changes = [change for change in planned if change]
    for change in changes:
        if not mode.is_dry_run and change.after != change.before:
            settings_files.write_file(change.path, change.after, expected=change.before)
    return changes


def _plan_change(
    session: Session,
    client: MemoryClient,
    environ: Mapping[str, str],
    folder: str,
    wanted: DigestRequest | None,
) -> ClientFileChange | None:
    """Return the change of a client's memory file.

    The digest has the memories of the projects that are neither personal nor the client's own.
    """
    projects = _choose_projects(session, client, folder, wanted) if wanted else []
    target = read_client_target(client, environ, folder)
    if target is None:
        if wanted is None:
            return None
        raise Refused(
            f"{client} has no memory folder for {folder}",
            hint="run this in a folder that the client has worked in",
        )
    digest = ""
    if wanted:
        with session.read(drain=True) as view:
            digest = make_digest(_list_entries(view, client, projects), wanted.max_chars)
    after = insert_block(target.text or "", digest) or None
    if after is None and target.text == "":
        after = ""
    return ClientFileChange(client, target.path, target.text, after)


def _choose_projects(
    session: Session, client: MemoryClient, folder: str, wanted: DigestRequest
) -> Sequence[str]:
    """Return the wanted projects; else that of the folder, or all for a client of all folders."""
    if wanted.projects:
        return wanted.projects
    projects = session.tree.list_projects()
    if client is not MemoryClient.CLAUDE_CODE or len(projects) == 1:
        return projects
    own = choose_project(encode_folder(folder), os.path.expanduser("~"), projects)
    if own not in projects:
        raise Refused(
            f"no project is named like the folder {folder}", hint="name one with --project NAME"
        )
    return [own]


def _list_entries(view: View, client: MemoryClient, projects: Sequence[str]) -> list[DigestEntry]:
    """Return the current memories with their scores as of the newest of them.

    A score of today would change the digest every day.
    """
    kind = require_kind(view, OBSERVATION_KIND)
    records: list[MemoryRecord] = []
    linked: Counter[int] = Counter()
    for file in iter_memory_files(view, kind):
        if file.project not in projects:
            continue
        folder, _, name = file.path.rpartition("/")
        atom = parse_atom(file.path, AtomPath(file.project, folder, kind, name), file.text)
        record = parse_memory_record(atom, split_front_and_body(file.text)[1])
        for relation in record.relations:
            linked[number_from_id(relation.ref.rpartition("/")[2])] += 1
        records.append(record)
    reads = {project: view.queries.count_reads(project) for project in projects}
    now = _parse_newest([record.updated for record in records])
    return [
        DigestEntry(
            record.ref,
            record.title,
            record.type,
            record.created,
            _compute_score(record, reads[record.project], linked[record.number], now),
        )
        for record in records
        if _is_shown(record, client)
    ]


def _is_shown(record: MemoryRecord, client: MemoryClient) -> bool:
    """Return whether a digest may have a memory."""
    is_current = bool(record.title) and not record.deleted_at
    is_own = record.origin.startswith(f"{client}:")
    return is_current and not is_own and record.scope != PERSONAL_SCOPE


def _compute_score(
    record: MemoryRecord, reads: Mapping[str, ReadStats], incoming: int, now: datetime
) -> float:
    stats = reads.get(record.path.rpartition("/")[2])
    count, last = (stats.read_count, stats.last_read) if stats else (0, "")
    return compute_importance(record.type, record.created, count, last, incoming, now).total


def _parse_newest(times: Sequence[str]) -> datetime:
    try:
        return datetime.fromisoformat(max(times, default="")).astimezone(UTC)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)
