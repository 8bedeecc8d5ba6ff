"""Keep the generated part of a CORTEX.md true where a plan adds files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.listing import fill, listing
from cortexfs.core.places import INDEX, LISTING, place
from cortexfs.core.plan import Write
from cortexfs.core.reading import read_atom

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.cortex import Cortex


def with_listings(cortex: Cortex, writes: Sequence[Write]) -> list[Write]:
    """Add to what is to be written each CORTEX.md above it that would change by it.

    One that the user has changed and not committed is left to him.
    """
    planned = {write.path: write for write in writes}
    for folder in reversed(_above(planned)):
        path = f"{folder}/{LISTING}" if folder else LISTING
        write = planned.get(path)
        present = write.text if write else cortex.tree.text(path)
        if present is None:
            continue
        text = fill(present, _listing(cortex, folder, planned))
        if text != present and (write or not cortex.ledger.theirs([path]).changed):
            planned[path] = Write(path, text, write.replacing if write else present)
    return list(planned.values())


def _above(planned: dict[str, Write]) -> list[str]:
    """Name the folders that hold what is written, directly or further down, deepest last."""
    found = {""}
    for path in planned:
        steps = path.split("/")[:-1]
        found |= {"/".join(steps[:length]) for length in range(len(steps) + 1)}
    return sorted(found)


def _listing(cortex: Cortex, folder: str, planned: dict[str, Write]) -> str:
    prefix = f"{folder}/" if folder else ""
    inside = [path.removeprefix(prefix) for path in planned if path.startswith(prefix)]
    present = cortex.tree.names(folder)
    folders = {name for name in present if cortex.tree.is_folder(f"{prefix}{name}")}
    folders |= {path.partition("/")[0] for path in inside if "/" in path}
    names = {*present, *(path.partition("/")[0] for path in inside)}
    summaries = {name: _summary(cortex, f"{prefix}{name}", planned) for name in names - folders}
    kept = {name: said for name, said in summaries.items() if said}
    if folder == "projects":
        kept |= {name: _goal(cortex, name, planned) for name in folders}
    return listing(
        names, kept, {name: _entrance(cortex, prefix, name, planned) for name in folders}
    )


def _entrance(cortex: Cortex, prefix: str, name: str, planned: dict[str, Write]) -> str:
    """Lead to the page of a folder that a reader should open first; to itself without one."""
    pages = (f"{name}/{page}" for page in (INDEX, LISTING))
    present = (p for p in pages if prefix + p in planned or cortex.tree.is_file(prefix + p))
    return next(present, f"{name}/")


def _summary(cortex: Cortex, path: str, planned: dict[str, Write]) -> str:
    """Say of a file that is an atom what its summary says."""
    where = place(path, cortex.kinds)
    text = planned[path].text if path in planned else None
    if where is None or (text is None and (text := cortex.tree.text(path)) is None):
        return ""
    atom = read_atom(path, where, text)
    status = atom.text("status")
    return f"{atom.text('summary')} ({status})" if status else atom.text("summary")


def _goal(cortex: Cortex, project: str, planned: dict[str, Write]) -> str:
    """Say of a project what the first paragraph of its CORTEX.md says."""
    path = f"projects/{project}/{LISTING}"
    text = planned[path].text if path in planned else cortex.tree.text(path) or ""
    paragraphs = [part.strip() for part in text.split("\n\n")]
    return next((part for part in paragraphs if part and part[0] not in "#<|-"), "")
