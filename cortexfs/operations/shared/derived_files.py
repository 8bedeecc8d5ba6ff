"""Update derived content: the list in each CORTEX.md, the rows of OVERVIEW.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD, OVERVIEW_MD, parse_atom_path
from cortexfs.core.changes.plan import Write
from cortexfs.core.governance.scan_report import extract_scope, is_scan_report
from cortexfs.core.indexes.cortex_md import (
    CONTENTS_BEGIN,
    PURPOSES,
    is_cortex_md_folder,
    render_contents,
    replace_contents,
)
from cortexfs.operations.shared.update_overview import plan_activity_update, plan_overview_update

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.session.view import TreeContext, View

    Planned = dict[str, Write]

CORTEX_MD_TEMPLATE = "listing.md"
"""The template of a CORTEX.md for a folder that has none yet."""


def add_derived_writes(
    view: TreeContext, writes: Sequence[Write], removed_paths: Collection[str] = ()
) -> list[Write]:
    """Return the writes with all derived ones: each CORTEX.md above them, and OVERVIEW.md.

    `removed_paths` are about to be removed. Files with uncommitted changes of the user are left
    out, and so are files that are not text.
    """
    planned = {write.path: write for write in writes}
    for path in _missing(view, planned):
        planned[path] = Write(path, _starting(view, path), is_derived=True)
    kept, _ = drop_user_changes(view, plan_derived_writes(view, planned, removed_paths), planned)
    planned |= {write.path: write for write in kept}
    return list(planned.values())


def plan_derived_writes(
    view: TreeContext,
    planned: Planned,
    removed_paths: Collection[str] = (),
    touched: Collection[str] = (),
) -> list[Write]:
    """Return the changes of lists for a plan, removed files, and other touched files."""
    paths = (*planned, *removed_paths, *touched)
    follows = list(_filled(view, reversed(_above(paths)), planned, removed_paths))
    if OVERVIEW_MD not in planned and (
        write := plan_activity_update(view, planned, (*removed_paths, *touched))
    ):
        follows.append(write)
    return follows


def plan_stale_files(
    view: View, projects: Sequence[str] | None, planned: Sequence[Write] = ()
) -> list[Write]:
    """Return the writes that bring every CORTEX.md and OVERVIEW.md up to date.

    For some projects only their own, and those above them. `planned` are writes that will have been
    made by then.
    """
    by_path = {write.path: write for write in planned}
    found = list(_filled(view, _holding(view, projects), by_path))
    if write := plan_overview_update(view):
        found.append(write)
    return found


def plan_missing_cortex_md(view: TreeContext) -> list[Write]:
    """Return the filled CORTEX.md for each folder that should have one and does not."""
    above = [f"projects/{name}" for name in view.tree.list_projects()]
    folders = [*view.tree.list_names(""), *above, *(f"{path}/decisions" for path in above)]
    ought = [path for path in folders if is_cortex_md_folder(path) and view.tree.is_folder(path)]
    pages = [_page(path) for path in ought if not view.tree.is_path_taken(_page(path))]
    planned = {path: Write(path, _starting(view, path), is_derived=True) for path in pages}
    folders = [path.rpartition("/")[0] for path in pages]
    filled = {write.path: write for write in _filled(view, folders, planned)}
    return list((planned | filled).values())


def drop_user_changes(
    view: TreeContext, writes: Sequence[Write], own: Collection[str] = ()
) -> tuple[list[Write], frozenset[str]]:
    """Drop the writes to files with uncommitted changes of the user, except those in `own`.

    The second value has the paths that git does not track; a housekeeping commit leaves these out.
    """
    theirs = view.repository.find_user_changes(
        [write.path for write in writes if write.path not in own]
    )
    kept = [write for write in writes if write.path not in theirs.changed]
    return kept, frozenset(w.path for w in kept if w.expected_text is not None) & theirs.untracked


def find_stale_lists(view: View, projects: Sequence[str] | None) -> Iterator[Finding]:
    """Yield each CORTEX.md and OVERVIEW.md that is out of date, or missing."""
    for write in (*plan_stale_files(view, projects), *plan_missing_cortex_md(view)):
        if write.path == OVERVIEW_MD:
            message = "a project, its last activity or the last scan is not in it"
            yield Finding(write.path, "overview-stale", message)
        else:
            line = (write.expected_text or "").partition(CONTENTS_BEGIN)[0].count("\n") + 1
            said = (
                "does not say what lies here" if write.expected_text is not None else "is missing"
            )
            yield Finding(write.path, "listing-stale", f"the list {said}", line)


def find_unreadable_lists(view: TreeContext) -> Iterator[Finding]:
    """Yield each CORTEX.md that is left unchanged because it cannot be read as text.

    One that is too large is found among the texts.
    """
    for folder in _holding(view, None):
        path = _page(folder)
        read = view.tree.read_text_or_flaw(path)
        if isinstance(read, Flaw) and read.code != "file-too-large":
            yield Finding(path, read.code, read.message, read.line)


def _page(folder: str) -> str:
    return f"{folder}/{CORTEX_MD}" if folder else CORTEX_MD


def _holding(view: TreeContext, projects: Sequence[str] | None) -> Iterator[str]:
    """Yield the folders that have a CORTEX.md, even an unreadable one."""
    tops = [name for name in view.tree.list_names("") if name[0] not in "._"]
    above = [f"projects/{name}" for name in projects or view.tree.list_projects()]
    inner = [f"{project}/{name}" for project in above for name in view.tree.list_names(project)]
    for folder in ("", *(tops if projects is None else ["projects"]), *above, *inner):
        if view.tree.is_path_taken(_page(folder)):
            yield folder


def _missing(view: TreeContext, planned: Planned) -> list[str]:
    """Return the missing CORTEX.md of each folder that gets its first file."""
    new = {
        write.path.rpartition("/")[0] for write in planned.values() if write.expected_text is None
    }
    pages = (_page(folder) for folder in sorted(new) if is_cortex_md_folder(folder))
    return [path for path in pages if path not in planned and not view.tree.is_path_taken(path)]


def _starting(view: TreeContext, path: str) -> str:
    """Return the initial text of a CORTEX.md."""
    folder = path.rpartition("/")[0]
    tree = view.tree.read_templates("tree")
    if path in tree:
        return tree[path]
    name = folder.rpartition("/")[2]
    words = {"folder": folder.removeprefix("projects/"), "purpose": PURPOSES.get(name, "")}
    text = view.tree.read_template(CORTEX_MD_TEMPLATE) or ""
    return text.replace("{{folder}}", words["folder"]).replace("{{purpose}}", words["purpose"])


def _filled(
    view: TreeContext, folders: Iterable[str], planned: Planned, gone: Collection[str] = ()
) -> Iterator[Write]:
    """Yield each CORTEX.md of these folders that is kept, and whose list would change."""
    for folder in folders:
        path = _page(folder)
        write = planned.get(path) or (None if path in gone else _present(view, path))
        if write and CONTENTS_BEGIN in write.text:
            text = replace_contents(write.text, _listing(view, folder, planned, gone))
            if text != write.text:
                yield write._replace(text=text)


def _present(view: TreeContext, path: str) -> Write | None:
    """Return a write that leaves a CORTEX.md unchanged; None if it cannot be read."""
    read = view.tree.read_text_or_flaw(path)
    if isinstance(read, Flaw):
        return None
    return Write(path, read.text, expected_text=read.text, is_derived=True)


def _text(view: TreeContext, path: str, planned: Planned) -> str:
    """Return the future text of a file; empty if it cannot be read."""
    if path in planned:
        return planned[path].text
    read = view.tree.read_text_or_flaw(path)
    return "" if isinstance(read, Flaw) else read.text


def _above(paths: Iterable[str]) -> list[str]:
    """Return the folders above some paths, deepest last."""
    found = {""}
    for path in paths:
        steps = path.split("/")[:-1]
        found |= {"/".join(steps[:length]) for length in range(len(steps) + 1)}
    return sorted(found)


def _listing(view: TreeContext, folder: str, planned: Planned, gone: Collection[str]) -> str:
    prefix = f"{folder}/" if folder else ""
    inside = [path.removeprefix(prefix) for path in planned if path.startswith(prefix)]
    present = [name for name in view.tree.list_names(folder) if f"{prefix}{name}" not in gone]
    folders = {name for name in present if view.tree.is_folder(f"{prefix}{name}")}
    folders |= {path.partition("/")[0] for path in inside if "/" in path}
    names = {*present, *(path.partition("/")[0] for path in inside)}
    summaries = {name: _summary(view, f"{prefix}{name}", planned) for name in names - folders}
    kept = {name: said for name, said in summaries.items() if said}
    if folder == "projects":
        kept |= {name: _goal(view, name, planned) for name in folders}
    entrances = {name: _entrance(view, prefix, name, planned) for name in folders}
    return render_contents(names, kept, entrances)


def _entrance(view: TreeContext, prefix: str, name: str, planned: Planned) -> str:
    """Return the page of a folder that a reader should open first; the folder if it has none."""
    where = parse_atom_path(f"{prefix}{name}/x.md", view.kinds)
    if where and where.kind.indexed:
        return f"{name}/{INDEX_MD}"  # it is rendered by the same command, if it is not there
    page = f"{prefix}{name}/{CORTEX_MD}"
    known = page in planned or view.tree.is_file(page)
    return f"{name}/{CORTEX_MD}" if known else f"{name}/"


def _summary(view: TreeContext, path: str, planned: Planned) -> str:
    """Return the summary of an atom's file, or the scope of a scan report."""
    where = parse_atom_path(path, view.kinds)
    if where is None:
        return extract_scope(_text(view, path, planned)) if is_scan_report(path) else ""
    text = _text(view, path, planned)
    if not text:
        return ""
    atom = parse_atom(path, where, text)
    status = atom.text_field("status")
    return f"{atom.text_field('summary')} ({status})" if status else atom.text_field("summary")


def _goal(view: TreeContext, project: str, planned: Planned) -> str:
    """Return the goal of a project: the first paragraph of its CORTEX.md."""
    text = _text(view, f"projects/{project}/{CORTEX_MD}", planned)
    paragraphs = [part.strip() for part in text.split("\n\n")]
    return next((part for part in paragraphs if part and part[0] not in "#<|-"), "")
