"""Plan the updates of derived content: the list in each CORTEX.md, the rows of OVERVIEW.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.tree_paths import CORTEX_MD, OVERVIEW_MD, project_from_path
from cortexfs.core.changes.plan import Write
from cortexfs.core.indexes.cortex_md_contents import (
    CONTENTS_BEGIN,
    PURPOSES,
    is_cortex_md_folder,
    replace_contents,
)
from cortexfs.operations.shared.contents_list import render_contents_list
from cortexfs.operations.shared.update_overview import plan_activity_update, plan_overview_update

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.session.view import TreeFilesAndGit, View

    PlannedWrites = dict[str, Write]

CORTEX_MD_TEMPLATE = "listing.md"
"""The template of a CORTEX.md for a folder that has none yet."""
NO_GOAL = "No goal is written yet: replace this line with what the project is for."
"""The first paragraph of the CORTEX.md of a project that a saved memory or a file began."""


def add_derived_writes(
    view: TreeFilesAndGit, writes: Sequence[Write], removed_paths: Collection[str] = ()
) -> list[Write]:
    """Return the writes with all derived ones: each CORTEX.md above them, and OVERVIEW.md.

    `removed_paths` are about to be removed. Files with uncommitted changes of the user are left
    out, and so are files that are not text.
    """
    planned = {write.path: write for write in writes}
    for path in _find_missing_cortex_md(view, planned):
        planned[path] = _make_new_cortex_md(view, path)
    kept, _ = drop_user_changes(view, plan_derived_writes(view, planned, removed_paths), planned)
    planned |= {write.path: write for write in kept}
    return list(planned.values())


def plan_derived_writes(
    view: TreeFilesAndGit,
    planned: PlannedWrites,
    removed_paths: Collection[str] = (),
    touched: Collection[str] = (),
) -> list[Write]:
    """Return the changes of lists for a plan, removed files, and other touched files."""
    paths = (*planned, *removed_paths, *touched)
    derived = list(
        _update_contents_lists(view, reversed(_list_parent_folders(paths)), planned, removed_paths)
    )
    if OVERVIEW_MD not in planned and (
        write := plan_activity_update(view, planned, (*removed_paths, *touched))
    ):
        derived.append(write)
    return derived


def plan_stale_files(
    view: View, projects: Sequence[str] | None, planned: Sequence[Write] = ()
) -> list[Write]:
    """Return the writes that bring every CORTEX.md and OVERVIEW.md up to date.

    For some projects only their own, and those above them. `planned` are writes that will have been
    made by then.
    """
    by_path = {write.path: write for write in planned}
    found = list(_update_contents_lists(view, _iter_cortex_md_folders(view, projects), by_path))
    if write := plan_overview_update(view):
        found.append(write)
    return found


def plan_missing_cortex_md(view: TreeFilesAndGit) -> list[Write]:
    """Return the filled CORTEX.md for each folder that should have one and does not."""
    folders = view.tree.list_names("")
    for project in view.tree.list_projects():
        folders += [f"projects/{project}", f"projects/{project}/decisions"]
    missing = [
        folder
        for folder in folders
        if is_cortex_md_folder(folder)
        and view.tree.is_folder(folder)
        and not view.tree.is_path_taken(_cortex_md_path(folder))
    ]
    planned = {path: _make_new_cortex_md(view, path) for path in map(_cortex_md_path, missing)}
    filled = {write.path: write for write in _update_contents_lists(view, missing, planned)}
    return list((planned | filled).values())


def drop_user_changes(
    view: TreeFilesAndGit, writes: Sequence[Write], own: Collection[str] = ()
) -> tuple[list[Write], frozenset[str]]:
    """Drop the writes to files with uncommitted changes of the user, except those in `own`.

    The second value has the paths that git does not track; a housekeeping commit leaves these out.
    """
    user_changes = view.repository.find_user_changes(
        [write.path for write in writes if write.path not in own]
    )
    kept = [write for write in writes if write.path not in user_changes.changed]
    existing = frozenset(write.path for write in kept if write.expected_text is not None)
    return kept, existing & user_changes.untracked


def find_stale_lists(view: View, projects: Sequence[str] | None) -> Iterator[Finding]:
    """Yield each CORTEX.md and OVERVIEW.md that is out of date, or missing."""
    for write in (*plan_stale_files(view, projects), *plan_missing_cortex_md(view)):
        if write.path == OVERVIEW_MD:
            message = "a project, its last activity or the last scan is missing"
            yield Finding(write.path, "overview-stale", message)
        else:
            line = (write.expected_text or "").partition(CONTENTS_BEGIN)[0].count("\n") + 1
            state = "is out of date" if write.expected_text is not None else "is missing"
            yield Finding(write.path, "listing-stale", f"the list {state}", line)


def find_unreadable_lists(view: TreeFilesAndGit) -> Iterator[Finding]:
    """Yield each CORTEX.md that is left unchanged because it cannot be read as text.

    One that is too large is found among the texts.
    """
    for folder in _iter_cortex_md_folders(view, None):
        path = _cortex_md_path(folder)
        read = view.tree.read_text_or_flaw(path)
        if isinstance(read, Flaw) and read.code != "file-too-large":
            yield Finding(path, read.code, read.message, read.line)


def _cortex_md_path(folder: str) -> str:
    return f"{folder}/{CORTEX_MD}" if folder else CORTEX_MD


def _iter_cortex_md_folders(view: TreeFilesAndGit, projects: Sequence[str] | None) -> Iterator[str]:
    """Yield the folders that have a CORTEX.md, even an unreadable one."""
    top_folders = [name for name in view.tree.list_names("") if name[0] not in "._"]
    project_folders = [f"projects/{name}" for name in projects or view.tree.list_projects()]
    inner_folders = [
        f"{project}/{name}" for project in project_folders for name in view.tree.list_names(project)
    ]
    tops = top_folders if projects is None else ["projects"]
    for folder in ("", *tops, *project_folders, *inner_folders):
        if view.tree.is_path_taken(_cortex_md_path(folder)):
            yield folder


def _find_missing_cortex_md(view: TreeFilesAndGit, planned: PlannedWrites) -> list[str]:
    """Return the missing CORTEX.md of each folder, and project, that gets its first file."""
    new = {
        write.path.rpartition("/")[0] for write in planned.values() if write.expected_text is None
    }
    new |= {f"projects/{project}" for each in new if (project := project_from_path(f"{each}/x"))}
    pages = (_cortex_md_path(folder) for folder in sorted(new) if is_cortex_md_folder(folder))
    return [path for path in pages if path not in planned and not view.tree.is_path_taken(path)]


def _make_new_cortex_md(view: TreeFilesAndGit, path: str) -> Write:
    """Return the write of a CORTEX.md with its initial text and an empty list."""
    folder = path.rpartition("/")[0]
    text = view.tree.read_templates("tree").get(path)
    if text is None:
        text = view.tree.read_template(CORTEX_MD_TEMPLATE) or ""
        text = text.replace("{{folder}}", folder.removeprefix("projects/"))
        text = text.replace("{{purpose}}", _describe_folder(folder))
    return Write(path, text, is_derived=True)


def _describe_folder(folder: str) -> str:
    """Return what a folder is for; for that of a project, that its goal is not written."""
    parent, _, name = folder.rpartition("/")
    return NO_GOAL if parent == "projects" else PURPOSES.get(name, "")


def _update_contents_lists(
    view: TreeFilesAndGit,
    folders: Iterable[str],
    planned: PlannedWrites,
    removed_paths: Collection[str] = (),
) -> Iterator[Write]:
    """Yield each CORTEX.md of these folders that is kept, and whose list would change."""
    for folder in folders:
        path = _cortex_md_path(folder)
        write = planned.get(path)
        if write is None and path not in removed_paths:
            write = _make_unchanged_write(view, path)
        if write and CONTENTS_BEGIN in write.text:
            contents = render_contents_list(view, folder, planned, removed_paths)
            text = replace_contents(write.text, contents)
            if text != write.text:
                yield write._replace(text=text)


def _make_unchanged_write(view: TreeFilesAndGit, path: str) -> Write | None:
    """Return a write that leaves a CORTEX.md unchanged; None if it cannot be read."""
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        return None
    return Write(path, source.text, expected_text=source.text, is_derived=True)


def _list_parent_folders(paths: Iterable[str]) -> list[str]:
    """Return the folders above some paths, deepest last."""
    found = {""}
    for path in paths:
        steps = path.split("/")[:-1]
        found |= {"/".join(steps[:length]) for length in range(len(steps) + 1)}
    return sorted(found)
