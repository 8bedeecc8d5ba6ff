"""Find problems within the texts of a tree: secrets, claims, size limits, cited lines."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.lifecycle import IndexTableName, parse_atom_status
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.broken_links import broken_links
from cortexfs.core.checks.governance_checks import check_governance_file
from cortexfs.core.checks.line_citations import find_changed_lines, insert_checksums
from cortexfs.core.find.extract_links import list_wiki_names, to_wiki_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.checks.line_citations import CitedFileSource
    from cortexfs.session.annotation_types import CachedFindings
    from cortexfs.session.view import View


def find_text_findings(
    view: View, atoms: Collection[Atom], sources: CitedFileSource | None = None
) -> Iterator[Finding]:
    """Yield the findings of every text; refresh the catalog first.

    The claims of an atom that is no longer current need no source.
    """
    looked = view.read_finding_cache()
    fallen = {atom.path for atom in atoms if not _stands(atom)}
    for path in looked.oversized_pages:
        yield Finding(path, "file-too-large", "over 4 MiB: what it says is not checked")
    for path, text in looked.page_texts.items():
        for flaw in check_governance_file(path, text, view.settings.caps):
            yield Finding(path, *flaw)
    yield from _broken_links(view, atoms, looked)
    for path, (flaws, cites, _) in looked.findings_by_path.items():
        lines_of = sources.make_line_reader(project_from_path(path)) if sources and cites else None
        now = find_changed_lines(cites, lines_of) if lines_of else ()
        for flaw in (*flaws, *now):
            if flaw.code != "no-provenance" or path not in fallen:
                yield Finding(path, *flaw)


def _broken_links(view: View, atoms: Iterable[Atom], looked: CachedFindings) -> Iterator[Finding]:
    """Yield the links whose target does not exist; each target is looked up once."""
    titles = (
        _titles(atoms, looked) if any(f.links for f in looked.findings_by_path.values()) else set()
    )
    exists = cache(view.tree.is_path_taken)
    for path, found in looked.findings_by_path.items():
        for flaw in broken_links(path, found.links, exists, titles.__contains__):
            yield Finding(path, *flaw)


def _titles(atoms: Iterable[Atom], looked: CachedFindings) -> set[str]:
    """Return the valid targets of a wiki link: the atoms, and the file names of other Markdown."""
    pages = {
        to_wiki_name(path.rpartition("/")[2]) for path in looked.page_texts if path.endswith(".md")
    }
    return pages.union(*(list_wiki_names(atom) for atom in atoms))


def add_citation_checksums(text: str, path: str, sources: CitedFileSource | None) -> str:
    """Return a text whose citations have checksums of the lines that they name."""
    lines_of = sources.make_line_reader(project_from_path(path)) if sources else None
    return insert_checksums(text, lines_of) if lines_of else text


def _stands(atom: Atom) -> bool:
    return parse_atom_status(atom.text_field("status")).section is IndexTableName.ACTIVE
