"""Find what is wrong within the texts of a tree: secrets, claims, caps, cited lines."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.lifecycle import Section, read_status
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.checks.broken_links import broken_links
from cortexfs.core.checks.citations import changes, summed
from cortexfs.core.checks.governance_checks import page_flaws
from cortexfs.core.find.extract_links import as_name, names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cortexfs.catalog.finding_cache import Looked
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.checks.citations import Sources
    from cortexfs.session.view import View


def examine(
    view: View, atoms: Collection[Atom], sources: Sources | None = None
) -> Iterator[Finding]:
    """Give the findings of every text; refresh the catalog first.

    What an atom that no longer stands once claimed needs no source.
    """
    looked = view.facts.examined(view.tree, view.kinds)
    fallen = {atom.path for atom in atoms if not _stands(atom)}
    for path in looked.large:
        yield Finding(path, "file-too-large", "over 4 MiB: what it says is not checked")
    for path, text in looked.pages.items():
        for flaw in page_flaws(path, text, view.settings.caps):
            yield Finding(path, *flaw)
    yield from _broken_links(view, atoms, looked)
    for path, (flaws, cites, _) in looked.found.items():
        lines_of = sources.lines_of(project_of(path)) if sources and cites else None
        now = changes(cites, lines_of) if lines_of else ()
        for flaw in (*flaws, *now):
            if flaw.code != "no-provenance" or path not in fallen:
                yield Finding(path, *flaw)


def _broken_links(view: View, atoms: Iterable[Atom], looked: Looked) -> Iterator[Finding]:
    """Give the links that lead nowhere; each target is looked up once."""
    titles = _titles(atoms, looked) if any(f.links for f in looked.found.values()) else set()
    exists = cache(view.tree.is_taken)
    for path, found in looked.found.items():
        for flaw in broken_links(path, found.links, exists, titles.__contains__):
            yield Finding(path, *flaw)


def _titles(atoms: Iterable[Atom], looked: Looked) -> set[str]:
    """Return what a wiki link may name: the atoms, and the file names of other Markdown."""
    pages = {as_name(path.rpartition("/")[2]) for path in looked.pages if path.endswith(".md")}
    return pages.union(*(names(atom) for atom in atoms))


def with_sums(text: str, path: str, sources: Sources | None) -> str:
    """Add to the citations of an atom the sums of the lines that they name."""
    lines_of = sources.lines_of(project_of(path)) if sources else None
    return summed(text, lines_of) if lines_of else text


def _stands(atom: Atom) -> bool:
    return read_status(atom.text("status")).section is Section.ACTIVE
