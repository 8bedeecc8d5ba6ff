"""Prepare the contents of a store for a tree: private parts, secrets, names of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.memory.clean_fields import clean_field
from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.memory_record import PROJECT_SCOPE
from cortexfs.core.memory.memory_text import parse_project_name
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.stores.memory_title import make_title
from cortexfs.core.stores.stored_values import BrokenEntry
from cortexfs.core.text.sanitize import strip_unprintable, to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stores.stored_values import (
        StoreContents,
        StoredMemory,
        StoredPrompt,
        StoredSession,
    )


def clean_contents(contents: StoreContents, project: str, default_project: str) -> StoreContents:
    """Return the contents as they may be written.

    `project` is the project of everything (empty: that of each entry, else `default_project`).
    An entry that contains a secret, or of which nothing is left, becomes a broken one.
    """
    broken = list(contents.broken)

    def choose(own: str) -> str:
        return project or parse_project_name(own) or default_project

    memories = [
        _clean_memory(
            each, choose(each.project) if each.project or each.scope == PROJECT_SCOPE else ""
        )
        for each in contents.memories
    ]
    sessions = [_clean_session(each, choose(each.project)) for each in contents.sessions]
    prompts = [_clean_prompt(each, choose(each.project)) for each in contents.prompts]
    return contents._replace(
        memories=tuple(m for m in memories if _accept(m, m.origin, m.content, broken)),
        sessions=tuple(s for s in sessions if _accept(s, s.session_id, s.session_id, broken)),
        prompts=tuple(p for p in prompts if _accept(p, "prompt", p.content, broken)),
        broken=tuple(broken),
    )


def clean_text(text: str) -> str:
    """Return a text without private parts, our own or a client's output, and control characters."""
    return strip_emitted_text(redact_private(strip_unprintable(text))).strip()


def _accept(
    entry: StoredMemory | StoredSession | StoredPrompt,
    place: str,
    content: str,
    broken: list[BrokenEntry],
) -> bool:
    """Return whether an entry may be written; if not, the reason is added to `broken`."""
    secrets = find_secrets("\n".join(_iter_texts(entry)))
    if secrets:
        broken.append(BrokenEntry(to_one_line(place), f"it contains {secrets[0].message}"))
    elif not content.strip():
        broken.append(BrokenEntry(to_one_line(place), "nothing is left of its text"))
    return not secrets and bool(content.strip())


def _iter_texts(entry: tuple[object, ...]) -> Iterator[str]:
    """Yield the texts in an entry, and in its tuples."""
    for value in entry:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _iter_texts(value)


def _clean_memory(memory: StoredMemory, project: str) -> StoredMemory:
    return memory._replace(
        origin=to_one_line(memory.origin),
        title=to_one_line(clean_text(memory.title)) or make_title(memory.content),
        content=clean_text(memory.content),
        type=clean_field(memory.type),
        project=project,
        topic_key=clean_field(memory.topic_key),
        session_id=clean_field(memory.session_id),
        tool=clean_field(memory.tool),
        tags=tuple(map(clean_field, memory.tags)),
    )


def _clean_session(session: StoredSession, project: str) -> StoredSession:
    return session._replace(
        session_id=clean_field(session.session_id),
        project=project,
        directory=clean_field(session.directory),
        summary=clean_text(session.summary),
    )


def _clean_prompt(prompt: StoredPrompt, project: str) -> StoredPrompt:
    return prompt._replace(
        content=clean_text(prompt.content),
        session_id=clean_field(prompt.session_id),
        project=project,
    )
