"""Search the prompts that people typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import PROMPT_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.find import find
from cortexfs.operations.shared.load_memories import load_prompt_file

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import PromptRecord
    from cortexfs.session.session import Session


def search_prompts(
    session: Session, query: str, project: str = "", limit: int = 10
) -> list[PromptRecord]:
    """Return the prompts that match, best first."""
    projects = (normalize_project(project),) if project else ()
    only = AtomFilter(kinds=(PROMPT_KIND,), projects=projects)
    found = find(
        session,
        query,
        only,
        limit,
        full_text_only=True,
        with_pages=False,
        with_snippets=False,
        require_known=False,
    )
    with session.view_without_refresh() as view:
        return [
            record for hit in found.hits if (record := load_prompt_file(view, hit.match.atom.path))
        ]
