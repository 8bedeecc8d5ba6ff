"""Find problems within the texts of a tree: secrets, claims, size limits, cited lines."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.broken_links import find_broken_links
from cortexfs.core.checks.citation_checksums import find_changed_lines, insert_checksums
from cortexfs.core.checks.governance_checks import check_governance_file
from cortexfs.core.find.extract_links import list_wiki_names, normalize_wiki_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.annotation_types import CachedFindings
    from cortexfs.session.view import View


def find_text_findings(
    view: View, atoms: Collection[Atom], sources: CitedFileSource | None = None
) -> Iterator[Finding]:
    """Yield the findings of every text; refresh the catalog first.

    The claims of an atom that is no longer current need no source.
    """
    cached = view.read_finding_cache()
    inactive = {atom.path for atom in atoms if not _is_active(atom)}
    for path in cached.oversized_pages:
        yield Finding(path, "file-too-large", "over 4 MiB: its content is not checked")
    for path, text in cached.page_texts.items():
        for flaw in check_governance_file(path, text, view.settings.caps):
            yield Finding(path, *flaw)
    yield from _find_broken_links(view, atoms, cached)
    for path, (flaws, citations, _) in cached.findings_by_path.items():
        read_lines = (
            sources.make_line_reader(project_from_path(path)) if sources and citations else None
        )
        changed = find_changed_lines(citations, read_lines) if read_lines else ()
        for flaw in (*flaws, *changed):
            if flaw.code != "no-provenance" or path not in inactive:
                yield Finding(path, *flaw)


def _find_broken_links(
    view: View, atoms: Iterable[Atom], cached: CachedFindings
) -> Iterator[Finding]:
    """Yield the links whose target does not exist; each target is looked up once."""
    titles = (
        _list_wiki_targets(atoms, cached)
        if any(f.links for f in cached.findings_by_path.values())
        else set()
    )
    exists = cache(view.tree.is_path_taken)
    for path, found in cached.findings_by_path.items():
        for flaw in find_broken_links(path, found.links, exists, titles.__contains__):
            yield Finding(path, *flaw)


def _list_wiki_targets(atoms: Iterable[Atom], cached: CachedFindings) -> set[str]:
    """Return the valid targets of a wiki link: the atoms, and the file names of other Markdown."""
    pages = {
        normalize_wiki_name(path.rpartition("/")[2])
        for path in cached.page_texts
        if path.endswith(".md")
    }
    return pages.union(*(list_wiki_names(atom) for atom in atoms))


def add_citation_checksums(text: str, path: str, sources: CitedFileSource | None) -> str:
    """Return a text whose citations have checksums of the lines that they name."""
    read_lines = sources.make_line_reader(project_from_path(path)) if sources else None
    return insert_checksums(text, read_lines) if read_lines else text


def _is_active(atom: Atom) -> bool:
    return parse_atom_status(atom.text_field("status")).section is IndexMdSection.ACTIVE
