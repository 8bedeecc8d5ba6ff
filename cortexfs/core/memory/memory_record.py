"""Memories, sessions and prompts as records, parsed from their atoms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import is_personal_path
from cortexfs.core.markdown.sections import find_title_end
from cortexfs.core.memory.relations import RELATIONS_KEY, Relation, parse_relation

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

DEFAULT_TYPE = "manual"
"""The type of a memory that names none."""
PASSIVE_TYPE = "passive"
"""The type of a memory that was captured from a list of learnings."""
PROJECT_SCOPE, PERSONAL_SCOPE = "project", "personal"
MAX_NUMBER = 10**12 - 1
"""The highest number of an id."""
ACTIVE_SESSION, ENDED_SESSION = "active", "ended"
"""The statuses of a session."""
ORIGIN_KEY = "origin"
"""The field of an imported memory that says where it comes from."""

_ID = re.compile(r"[A-Z]{1,8}-([0-9]{1,12})[a-z]?")
_COUNT = re.compile(r"[0-9]{1,9}")


class MemoryRecord(NamedTuple):
    """One memory: an observation with all its fields; times are in UTC, empty if there is none.

    `updated` is the time of the last change or, if there was none, of its creation.
    """

    number: int
    ref: str
    path: str
    title: str
    type: str
    content: str
    project: str
    scope: str
    topic_key: str
    session_id: str
    tool: str
    tags: tuple[str, ...]
    revision: int
    duplicates: int
    created: str
    last_seen: str
    updated: str
    deleted_at: str
    relations: tuple[Relation, ...]
    origin: str


class SessionRecord(NamedTuple):
    """One session of an agent; `id` is the client's, `memory_count` is not in its file."""

    id: str
    ref: str
    project: str
    directory: str
    status: str
    started: str
    ended: str
    summary: str
    memory_count: int = 0


class PromptRecord(NamedTuple):
    """One prompt that a person typed."""

    number: int
    ref: str
    content: str
    session_id: str
    project: str
    created: str


def number_from_id(ident: str) -> int:
    """Return the number in an id such as `OBS-117`; 0 if there is none."""
    found = _ID.fullmatch(ident)
    return int(found[1]) if found else 0


def parse_number(atom: Atom) -> int:
    """Return the number in the file name, which no other file of the folder has; else in the id."""
    name = atom.path.rpartition("/")[2].removesuffix(".md")
    return number_from_id(name) or number_from_id(atom.ref.rpartition("/")[2])


def parse_memory_record(atom: Atom, body: str) -> MemoryRecord:
    """Return the memory in an observation. Never raises: an invalid field has its default."""
    created, last_seen = _created(atom), atom.text_field("last-seen")
    return MemoryRecord(
        number=parse_number(atom),
        ref=atom.ref,
        path=atom.path,
        title=atom.text_field("summary"),
        type=atom.text_field("type") or DEFAULT_TYPE,
        content=strip_title_heading(atom, body),
        project=_project(atom),
        scope=_scope(atom),
        topic_key=atom.text_field("topic-key"),
        session_id=atom.text_field("session"),
        tool=atom.text_field("tool"),
        tags=atom.list_field("tags"),
        revision=max(parse_count(atom.text_field("revision")), 1),
        duplicates=parse_count(atom.text_field("duplicates")),
        created=created,
        last_seen=last_seen,
        updated=max(last_seen, created),
        deleted_at=atom.text_field("deleted-at"),
        relations=tuple(filter(None, map(parse_relation, atom.list_field(RELATIONS_KEY)))),
        origin=atom.text_field(ORIGIN_KEY),
    )


def parse_session_record(atom: Atom, body: str, memory_count: int = 0) -> SessionRecord:
    """Return the session in an atom of kind `session`; its body is the summary."""
    return SessionRecord(
        id=atom.text_field("session"),
        ref=atom.ref,
        project=_project(atom),
        directory=atom.text_field("directory"),
        status=atom.text_field("status") or ACTIVE_SESSION,
        started=_created(atom),
        ended=atom.text_field("ended"),
        summary=strip_title_heading(atom, body),
        memory_count=memory_count,
    )


def parse_prompt_record(atom: Atom, body: str) -> PromptRecord:
    """Return the prompt in an atom of kind `prompt`."""
    return PromptRecord(
        number=parse_number(atom),
        ref=atom.ref,
        content=strip_title_heading(atom, body),
        session_id=atom.text_field("session"),
        project=_project(atom),
        created=_created(atom),
    )


def strip_title_heading(atom: Atom, body: str) -> str:
    """Return a body without white space around it and without its title `# OBS-117: …`."""
    text = body.strip()
    title = f"# {atom.ref.rpartition('/')[2]}"
    if not text.startswith((f"{title}:", f"{title}\n")) and text != title:
        return text
    return text[find_title_end(text) or 0 :].strip()


def _project(atom: Atom) -> str:
    """Return the project of an atom; a personal one is outside of projects, but may name one."""
    return atom.project or atom.text_field("project")


def _created(atom: Atom) -> str:
    """Return the time of creation; of an atom written by hand, the beginning of its day."""
    day = atom.text_field("date")
    return atom.text_field("created") or (f"{day}T00:00:00Z" if day else "")


def _scope(atom: Atom) -> str:
    is_personal = atom.text_field("scope") == PERSONAL_SCOPE
    is_private_path = is_personal_path(atom.path)
    return PERSONAL_SCOPE if is_personal or is_private_path else PROJECT_SCOPE


def parse_count(typed: str) -> int:
    """Return a count in a field; 0 for any other text."""
    return int(typed) if _COUNT.fullmatch(typed) else 0
