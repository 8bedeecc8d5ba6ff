"""Search memories by their words, and by meaning if a model is installed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.memory.memory_filter import NO_FILTER
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.core.memory.topic_key import normalize_topic_key
from cortexfs.operations.find import find
from cortexfs.operations.shared.load_memories import (
    load_memories,
    load_memory_file,
)
from cortexfs.operations.shared.memory_types import MemoryHit, MemorySearch

_OPERATORS = re.compile(r"(?:^|(?<=\s))[-+]+|[*^~]+")
"""What other programs read as operators; an agent's query is plain text."""
_FILTER_KEY = re.compile(r"(?i)\b(tag|kind|status|project|entity|since|until):(?=\S)")
"""What `find` reads as a filter; one of another kind would find what is no memory."""

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_filter import MemoryFilter
    from cortexfs.operations.find import FindResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def search_memories(
    session: Session,
    query: str,
    only: MemoryFilter = NO_FILTER,
    limit: int = 10,
    *,
    hybrid: bool = False,
) -> MemorySearch:
    """Return the observations that match a query, best first, without deleted ones.

    With `hybrid`, embeddings count too. If few match, so do words that begin with the last one. A
    project, scope or type that no memory has finds nothing.
    """
    atoms = _to_atom_filter(only)
    words = _FILTER_KEY.sub(r"\1: ", _OPERATORS.sub(" ", query)).rstrip()
    found = _find(session, words, atoms, limit, hybrid=hybrid)
    scores = {hit.match.atom.path: hit.match.score for hit in found.hits}
    if words and len(scores) < limit:
        for hit in _find(session, f"{found.searched}*", atoms, limit).hits:
            scores.setdefault(hit.match.atom.path, hit.match.score)
    with session.view_without_refresh() as view:
        hits = _find_topic(view, query, atoms)
        first = {hit.record.path for hit in hits}
        for path, score in scores.items():
            if path not in first and (record := load_memory_file(view, path)):
                hits.append(MemoryHit(record, score))
    return MemorySearch(hits[:limit], found.method, found.notes)


def _to_atom_filter(only: MemoryFilter) -> AtomFilter:
    return AtomFilter(
        kinds=(OBSERVATION_KIND,),
        projects=(normalize_project(only.project),) if only.project else (),
        types=(only.type,) if only.type else (),
        scopes=(only.scope,) if only.scope else (),
        without_deleted=True,
    )


def _find(
    session: Session, words: str, only: AtomFilter, limit: int, *, hybrid: bool = False
) -> FindResult:
    return find(
        session,
        words,
        only,
        limit,
        full_text_only=not hybrid,
        with_pages=False,
        with_snippets=False,
        require_known=False,
    )


def _find_topic(view: View, query: str, only: AtomFilter) -> list[MemoryHit]:
    """Return the observations whose topic key is the whole query."""
    key = normalize_topic_key(query) if "/" in query else ""
    records = load_memories(view, view.memories.list_topic(key)) if key else []
    return [
        MemoryHit(each, 1.0)
        for each in records
        if (not only.projects or each.project in only.projects)
        and (not only.types or each.type in only.types)
        and (not only.scopes or each.scope in only.scopes)
    ]
