"""Prepare what the hooks of a session look up: the map of working folders, and prompt terms."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.bulletin.score_atoms import decay_reads, find_newest_day, score_atoms
from cortexfs.core.injection.project_map import WHOLE_TREE, render_project_map
from cortexfs.core.injection.prompt_terms import MAX_ITEMS, PromptItem, render_prompt_terms
from cortexfs.operations.shared.gather_bulletin import list_recent_reads
from cortexfs.session.injection_files import (
    PROJECTS_FILE,
    TERMS_FILE,
    remove_old_records,
    write_injection_file,
)
from cortexfs.session.working_folders import list_project_folders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
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
    """Return the current atoms that score best, without what counts for open work."""
    if WHOLE_TREE in off:
        return []
    atoms = [
        atom
        for atom in view.bulletin.list_current_atoms()
        if atom.kind not in _NOT_OFFERED and atom.project not in off
    ]
    reads = list_recent_reads(view)
    newest = find_newest_day({*(atom.day for atom in atoms), *(each.day for each in reads)})
    scores = score_atoms(atoms, decay_reads(reads, newest), {}, newest)
    best = nsmallest(MAX_ITEMS, atoms, key=lambda atom: (-scores[atom.path], atom.path))
    fields = view.bulletin.read_fields([atom.path for atom in best])
    return [_make_item(atom.ref, fields[atom.path]) for atom in best]


def _make_item(ref: str, fields: Mapping[str, FrontmatterValue]) -> PromptItem:
    title, summary = (
        value if isinstance(value := fields.get(key), str) else "" for key in ("title", "summary")
    )
    words = " ".join((title, *split_string_list(fields.get("tags", ""))))
    return PromptItem(ref, summary or title, words)


def find_projects_without_brief(settings: Settings) -> frozenset[str]:
    """Return the projects whose sessions get nothing, by the section `brief` of the settings."""
    names = frozenset(settings.brief.skipped_projects)
    return names if settings.brief.is_on else names | {WHOLE_TREE}
