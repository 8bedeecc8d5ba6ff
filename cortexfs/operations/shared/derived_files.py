"""Keep true what follows from other files: the list in each CORTEX.md, the rows of OVERVIEW.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import read_atom
from cortexfs.core.atoms.tree_paths import INDEX, LISTING, OVERVIEW, place
from cortexfs.core.changes.plan import Write
from cortexfs.core.governance.scan_report import is_report, scope_of
from cortexfs.core.indexes.cortex_md import BEGIN, PURPOSES, fill, is_listed, listing
from cortexfs.operations.shared.update_overview import brought_up, with_activity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.session.view import FileView, View

    Planned = dict[str, Write]

STARTING = "listing.md"
"""The template of a CORTEX.md for a folder that has none yet."""


def with_listings(
    view: FileView, writes: Sequence[Write], gone: Collection[str] = ()
) -> list[Write]:
    """Add to what is to be written all that follows: each CORTEX.md above it, and OVERVIEW.md.

    `gone` are paths that are about to be removed. What the user has changed and not committed
    is left to him, and so is what is no text.
    """
    planned = {write.path: write for write in writes}
    for path in _missing(view, planned):
        planned[path] = Write(path, _starting(view, path), bookkeeping=True)
    kept, _ = left_alone(view, following(view, planned, gone), planned)
    planned |= {write.path: write for write in kept}
    return list(planned.values())


def following(
    view: FileView, planned: Planned, gone: Collection[str] = (), touched: Collection[str] = ()
) -> list[Write]:
    """Give what a plan, files that go, and files touched beside it change in the lists above."""
    paths = (*planned, *gone, *touched)
    follows = list(_filled(view, reversed(_above(paths)), planned, gone))
    if OVERVIEW not in planned and (write := with_activity(view, planned, (*gone, *touched))):
        follows.append(write)
    return follows


def stale(view: View, projects: Sequence[str] | None, planned: Sequence[Write] = ()) -> list[Write]:
    """Give what would make every CORTEX.md and OVERVIEW.md agree with what lies there.

    Of some projects: only their own, and those above them. `planned` is what will have been
    written by then.
    """
    by_path = {write.path: write for write in planned}
    found = list(_filled(view, _holding(view, projects), by_path))
    if write := brought_up(view):
        found.append(write)
    return found


def begun(view: FileView) -> list[Write]:
    """Give the CORTEX.md that each folder ought to have, filled, where it has none."""
    above = [f"projects/{name}" for name in view.tree.projects()]
    folders = [*view.tree.names(""), *above, *(f"{path}/decisions" for path in above)]
    ought = [path for path in folders if is_listed(path) and view.tree.is_folder(path)]
    pages = [_page(path) for path in ought if not view.tree.is_taken(_page(path))]
    planned = {path: Write(path, _starting(view, path), bookkeeping=True) for path in pages}
    folders = [path.rpartition("/")[0] for path in pages]
    filled = {write.path: write for write in _filled(view, folders, planned)}
    return list((planned | filled).values())


def left_alone(
    view: FileView, writes: Sequence[Write], own: Collection[str] = ()
) -> tuple[list[Write], frozenset[str]]:
    """Leave out the files that the user has changed and not committed, but for our `own`.

    The second names those that git does not know, which do not come into a commit of upkeep.
    """
    theirs = view.repository.theirs([write.path for write in writes if write.path not in own])
    kept = [write for write in writes if write.path not in theirs.changed]
    return kept, frozenset(w.path for w in kept if w.replacing is not None) & theirs.untracked


def unlisted(view: View, projects: Sequence[str] | None) -> Iterator[Finding]:
    """Find each CORTEX.md and OVERVIEW.md that no longer says what lies there, or is missing."""
    for write in (*stale(view, projects), *begun(view)):
        if write.path == OVERVIEW:
            message = "a project, its last activity or the last scan is not in it"
            yield Finding(write.path, "overview-stale", message)
        else:
            line = (write.replacing or "").partition(BEGIN)[0].count("\n") + 1
            said = "does not say what lies here" if write.replacing is not None else "is missing"
            yield Finding(write.path, "listing-stale", f"the list {said}", line)


def unread(view: FileView) -> Iterator[Finding]:
    """Find each CORTEX.md that is left alone because it cannot be read as text."""
    for folder in _holding(view, None):
        path = _page(folder)
        read = view.tree.read(path)
        if isinstance(read, Flaw):
            yield Finding(path, read.code, read.message, read.line)


def _page(folder: str) -> str:
    return f"{folder}/{LISTING}" if folder else LISTING


def _holding(view: FileView, projects: Sequence[str] | None) -> Iterator[str]:
    """Name the folders that have a CORTEX.md, be it one that cannot be read."""
    tops = [name for name in view.tree.names("") if name[0] not in "._"]
    above = [f"projects/{name}" for name in projects or view.tree.projects()]
    inner = [f"{project}/{name}" for project in above for name in view.tree.names(project)]
    for folder in ("", *(tops if projects is None else ["projects"]), *above, *inner):
        if view.tree.is_taken(_page(folder)):
            yield folder


def _missing(view: FileView, planned: Planned) -> list[str]:
    """Name the CORTEX.md that each folder ought to have into which the first file is put."""
    new = {write.path.rpartition("/")[0] for write in planned.values() if write.replacing is None}
    pages = (_page(folder) for folder in sorted(new) if is_listed(folder))
    return [path for path in pages if path not in planned and not view.tree.is_taken(path)]


def _starting(view: FileView, path: str) -> str:
    """Give the text that a CORTEX.md begins with."""
    folder = path.rpartition("/")[0]
    tree = view.tree.templates("tree")
    if path in tree:
        return tree[path]
    name = folder.rpartition("/")[2]
    words = {"folder": folder.removeprefix("projects/"), "purpose": PURPOSES.get(name, "")}
    text = view.tree.template(STARTING) or ""
    return text.replace("{{folder}}", words["folder"]).replace("{{purpose}}", words["purpose"])


def _filled(
    view: FileView, folders: Iterable[str], planned: Planned, gone: Collection[str] = ()
) -> Iterator[Write]:
    """Give each CORTEX.md of these folders that stays, and whose list would change."""
    for folder in folders:
        path = _page(folder)
        write = planned.get(path) or (None if path in gone else _present(view, path))
        if write and BEGIN in write.text:
            text = fill(write.text, _listing(view, folder, planned, gone))
            if text != write.text:
                yield write._replace(text=text)


def _present(view: FileView, path: str) -> Write | None:
    """Give what would leave a CORTEX.md as it is; None where there is none to be read."""
    read = view.tree.read(path)
    if isinstance(read, Flaw):
        return None
    return Write(path, read.text, replacing=read.text, bookkeeping=True)


def _text(view: FileView, path: str, planned: Planned) -> str:
    """Give what a file will say; nothing where it cannot be read."""
    if path in planned:
        return planned[path].text
    read = view.tree.read(path)
    return "" if isinstance(read, Flaw) else read.text


def _above(paths: Iterable[str]) -> list[str]:
    """Name the folders that hold some paths, directly or further down, deepest last."""
    found = {""}
    for path in paths:
        steps = path.split("/")[:-1]
        found |= {"/".join(steps[:length]) for length in range(len(steps) + 1)}
    return sorted(found)


def _listing(view: FileView, folder: str, planned: Planned, gone: Collection[str]) -> str:
    prefix = f"{folder}/" if folder else ""
    inside = [path.removeprefix(prefix) for path in planned if path.startswith(prefix)]
    present = [name for name in view.tree.names(folder) if f"{prefix}{name}" not in gone]
    folders = {name for name in present if view.tree.is_folder(f"{prefix}{name}")}
    folders |= {path.partition("/")[0] for path in inside if "/" in path}
    names = {*present, *(path.partition("/")[0] for path in inside)}
    summaries = {name: _summary(view, f"{prefix}{name}", planned) for name in names - folders}
    kept = {name: said for name, said in summaries.items() if said}
    if folder == "projects":
        kept |= {name: _goal(view, name, planned) for name in folders}
    entrances = {name: _entrance(view, prefix, name, planned) for name in folders}
    return listing(names, kept, entrances)


def _entrance(view: FileView, prefix: str, name: str, planned: Planned) -> str:
    """Lead to the page of a folder that a reader should open first; to itself without one."""
    where = place(f"{prefix}{name}/x.md", view.kinds)
    if where and where.kind.indexed:
        return f"{name}/{INDEX}"  # it is rendered by the same command, if it is not there
    page = f"{prefix}{name}/{LISTING}"
    known = page in planned or view.tree.is_file(page)
    return f"{name}/{LISTING}" if known else f"{name}/"


def _summary(view: FileView, path: str, planned: Planned) -> str:
    """Say of a file that is an atom what its summary says, of a scan what it looked at."""
    where = place(path, view.kinds)
    if where is None:
        return scope_of(_text(view, path, planned)) if is_report(path) else ""
    text = _text(view, path, planned)
    if not text:
        return ""
    atom = read_atom(path, where, text)
    status = atom.text("status")
    return f"{atom.text('summary')} ({status})" if status else atom.text("summary")


def _goal(view: FileView, project: str, planned: Planned) -> str:
    """Say of a project what the first paragraph of its CORTEX.md says."""
    text = _text(view, f"projects/{project}/{LISTING}", planned)
    paragraphs = [part.strip() for part in text.split("\n\n")]
    return next((part for part in paragraphs if part and part[0] not in "#<|-"), "")
