"""Load memories from their files, and resolve the names that agents use for them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.memory.memory_record import (
    parse_memory_record,
    parse_prompt_record,
    parse_session_record,
)
from cortexfs.core.memory.memory_text import get_memory_content
from cortexfs.errors import NoSuchAtom
from cortexfs.operations.shared.memory_types import MemoryStats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord
    from cortexfs.session.annotation_types import MemoryRow
    from cortexfs.session.view import View

_NAME = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,63}/)?(?:#|OBS-)?([0-9]{1,15})", re.IGNORECASE)


def resolve_memory(view: View, typed: str) -> MemoryRow:
    """Return the observation that `117`, `#117`, `OBS-117` or `flywheel/OBS-117` names.

    Raises `NoSuchAtom`.
    """
    named = _NAME.fullmatch(typed.strip())
    row = view.memories.find_number(OBSERVATION_KIND, int(named[1])) if named else None
    project = typed.strip().rpartition("/")[0]
    if row is None or (project and project != row.project):
        raise NoSuchAtom(typed)
    return row


def load_memory_file(view: View, path: str) -> MemoryRecord | None:
    """Return an observation; None if its file is gone or unreadable."""
    found = _load(view, path)
    return parse_memory_record(*found) if found else None


def load_named_memory(view: View, typed: str) -> MemoryRecord:
    """Return the observation with a name; raises `NoSuchAtom`."""
    record = load_memory_file(view, resolve_memory(view, typed).path)
    if record is None:
        raise NoSuchAtom(typed)
    return record


def load_memories(view: View, rows: Iterable[MemoryRow]) -> list[MemoryRecord]:
    """Return the observations that can be read."""
    return [record for row in rows if (record := load_memory_file(view, row.path))]


def load_sessions(view: View, rows: Iterable[MemoryRow]) -> list[SessionRecord]:
    """Return the sessions that can be read, each with the number of its observations."""
    rows = list(rows)
    counts = view.memories.count_by_session([row.session for row in rows])
    return [
        parse_session_record(*found, memory_count=counts.get(row.session, 0))
        for row in rows
        if (found := _load(view, row.path))
    ]


def load_prompts(view: View, rows: Iterable[MemoryRow]) -> list[PromptRecord]:
    """Return the prompts that can be read."""
    return [parse_prompt_record(*found) for row in rows if (found := _load(view, row.path))]


def load_prompt_file(view: View, path: str) -> PromptRecord | None:
    """Return a prompt; None if its file is gone or unreadable."""
    found = _load(view, path)
    return parse_prompt_record(*found) if found else None


def read_memory_text(view: View, path: str) -> str:
    """Return the whole text of a memory; raises `NoSuchAtom` if it cannot be read."""
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise NoSuchAtom(path)
    return source.text


def parse_memory_text(view: View, path: str, text: str) -> tuple[Atom, str]:
    """Return the atom and the content in the text of a memory."""
    place = parse_atom_path(path, view.kinds)
    if place is None:
        raise NoSuchAtom(path)
    return parse_atom(path, place, text), get_memory_content(text)


def _load(view: View, path: str) -> tuple[Atom, str] | None:
    source = view.tree.read_text_or_flaw(path)
    return None if isinstance(source, Flaw) else parse_memory_text(view, path, source.text)


def count_memories(view: View) -> MemoryStats:
    """Return the number of sessions, memories and prompts, and their projects, sorted."""
    found = view.memories.count_by_kind_and_project()
    counts = Counter[str]()
    for (kind, _), count in found.items():
        counts[kind] += count
    return MemoryStats(
        counts[SESSION_KIND],
        counts[OBSERVATION_KIND],
        counts[PROMPT_KIND],
        sorted({project for _, project in found if project}),
    )
