"""Prepare what the hooks of a session look up: the map of working folders, and prompt terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.injection.project_map import WHOLE_TREE, render_project_map
from cortexfs.core.injection.prompt_terms import MAX_ITEMS, PromptItem, render_prompt_terms
from cortexfs.session.injection_files import (
    PROJECTS_FILE,
    TERMS_FILE,
    remove_old_records,
    write_injection_file,
)
from cortexfs.session.working_folders import list_project_folders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.settings.settings import Settings
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

KEPT_DAYS = 30
"""Days after its last use for which the record of what a session was shown is kept."""
_DAY_S = 86_400
_NOT_OFFERED = ("session", "prompt", "chunk")
"""Kinds that record what happened; a prompt is offered what was learned from it."""


class InjectionRefresh(NamedTuple):
    """The files that were written, and the number of old records that were removed."""

    written: tuple[str, ...]
    removed_records: int


def refresh_injection(session: Session, environ: Mapping[str, str]) -> InjectionRefresh:
    """Write the map of working folders and the prompt terms, where they differ."""
    with session.read() as view:
        projects = view.tree.list_projects()
        off = find_projects_without_brief(view.settings)
        files = {
            PROJECTS_FILE: render_project_map(projects, list_project_folders(environ), off),
            TERMS_FILE: render_prompt_terms(list_prompt_items(view, off)),
        }
    written = [
        path for path, content in files.items() if write_injection_file(session.tree, path, content)
    ]
    before_s = session.clock().timestamp() - KEPT_DAYS * _DAY_S
    removed = remove_old_records(session.tree, before_s)
    return InjectionRefresh(tuple(written), removed)


def list_prompt_items(view: View, off: frozenset[str] = frozenset()) -> list[PromptItem]:
    """Return the best active atoms, most read and latest first."""
    if WHOLE_TREE in off:
        return []
    entries = [
        entry
        for entry in view.queries.iter_all_entries()
        if entry.status.section is IndexMdSection.ACTIVE
        and entry.atom.kind not in _NOT_OFFERED
        and entry.atom.project not in off
    ]
    entries.sort(key=lambda entry: entry.sort_key)
    return [_make_item(entry) for entry in entries[:MAX_ITEMS]]


def _make_item(entry: AtomWithReads) -> PromptItem:
    atom = entry.atom
    title = atom.text_field("title")
    words = " ".join((title, *atom.list_field("tags")))
    return PromptItem(atom.ref, atom.text_field("summary") or title, words)


def find_projects_without_brief(settings: Settings) -> frozenset[str]:
    """Return the projects whose sessions get nothing, by the section `brief` of the settings."""
    names = frozenset(settings.brief.skipped_projects)
    return names if settings.brief.is_on else names | {WHOLE_TREE}
