"""Render the list of a CORTEX.md: the files and folders beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import BULLETIN_MD, CORTEX_MD, INDEX_MD, parse_atom_path
from cortexfs.core.governance.scan_report import extract_scope, is_scan_report
from cortexfs.core.indexes.cortex_md_contents import render_contents

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.changes.plan import Write
    from cortexfs.session.view import TreeFilesAndGit

    PlannedWrites = Mapping[str, Write]
    """Writes by path, as a planner has made them so far."""


def render_contents_list(
    view: TreeFilesAndGit, folder: str, planned: PlannedWrites, removed_paths: Collection[str]
) -> str:
    """Return the future list of a CORTEX.md, after the planned writes and removals."""
    prefix = f"{folder}/" if folder else ""
    inside = [path.removeprefix(prefix) for path in planned if path.startswith(prefix)]
    present = [
        name
        for name in view.tree.list_names(folder)
        if f"{prefix}{name}" not in {*removed_paths, BULLETIN_MD}
    ]
    folders = {name for name in present if view.tree.is_folder(f"{prefix}{name}")}
    folders |= {path.partition("/")[0] for path in inside if "/" in path}
    names = {*present, *(path.partition("/")[0] for path in inside)}
    summaries = {name: _read_summary(view, f"{prefix}{name}", planned) for name in names - folders}
    kept = {name: summary for name, summary in summaries.items() if summary}
    if folder == "projects":
        kept |= {name: _read_goal(view, name, planned) for name in folders}
    entry_pages = {name: _find_entry_page(view, prefix, name, planned) for name in folders}
    return render_contents(names, kept, entry_pages)


def _find_entry_page(view: TreeFilesAndGit, prefix: str, name: str, planned: PlannedWrites) -> str:
    """Return the page of a folder that a reader should open first; the folder if it has none."""
    where = parse_atom_path(f"{prefix}{name}/x.md", view.kinds)
    if where and where.kind.indexed:
        return f"{name}/{INDEX_MD}"  # if it is missing, the same command renders it
    page = f"{prefix}{name}/{CORTEX_MD}"
    has_page = page in planned or view.tree.is_file(page)
    return f"{name}/{CORTEX_MD}" if has_page else f"{name}/"


def _read_summary(view: TreeFilesAndGit, path: str, planned: PlannedWrites) -> str:
    """Return the summary of an atom's file, or the scope of a scan report."""
    where = parse_atom_path(path, view.kinds)
    if where is None and not is_scan_report(path):
        return ""
    text = _read_planned_text(view, path, planned)
    if where is None:
        return extract_scope(text)
    if not text:
        return ""
    atom = parse_atom(path, where, text)
    status = atom.text_field("status")
    return f"{atom.text_field('summary')} ({status})" if status else atom.text_field("summary")


def _read_goal(view: TreeFilesAndGit, project: str, planned: PlannedWrites) -> str:
    """Return the goal of a project: the first paragraph of its CORTEX.md."""
    text = _read_planned_text(view, f"projects/{project}/{CORTEX_MD}", planned)
    paragraphs = [part.strip() for part in text.split("\n\n")]
    return next((part for part in paragraphs if part and part[0] not in "#<|-"), "")


def _read_planned_text(view: TreeFilesAndGit, path: str, planned: PlannedWrites) -> str:
    """Return the future text of a file; empty if it cannot be read."""
    if path in planned:
        return planned[path].text
    source = view.tree.read_text_or_flaw(path)
    return "" if isinstance(source, Flaw) else source.text
