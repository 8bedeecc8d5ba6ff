"""Find problems within the texts of a tree: secrets, claims, size limits, cited lines."""

from __future__ import annotations

from functools import lru_cache
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

    from cortexfs.core.atoms.atom import Atom, Flaw
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.annotation_types import ExaminedText
    from cortexfs.session.view import View


MAX_CACHED_TARGETS = 16_384
"""Maximum number of link targets that are remembered."""


def find_text_findings(
    view: View, atoms: Iterable[Atom], sources: CitedFileSource | None = None
) -> Iterator[Finding]:
    """Yield the findings of every text; refresh the catalog first.

    The claims of an atom that is no longer current need no source.
    """
    page_names = set[str]()
    for path, text in view.finding_cache.iter_pages():
        if text is None:
            yield Finding(path, "file-too-large", "over 4 MiB: its content is not checked")
            continue
        if path.endswith(".md"):
            page_names.add(normalize_wiki_name(path.rpartition("/")[2]))
        for flaw in check_governance_file(path, text, view.settings.caps):
            yield Finding(path, *flaw)
    yield from _find_broken_links(view, atoms, page_names)
    for examined in view.finding_cache.iter_findings():
        for flaw in _find_flaws(examined, sources):
            yield Finding(examined.path, *flaw)


def _find_flaws(examined: ExaminedText, sources: CitedFileSource | None) -> Iterator[Flaw]:
    """Yield the flaws of one text, with those of its citations."""
    flaws, citations, _ = examined.found
    is_active = parse_atom_status(examined.status).section is IndexMdSection.ACTIVE
    yield from (flaw for flaw in flaws if is_active or flaw.code != "no-provenance")
    if sources and citations:
        read_lines = sources.make_line_reader(project_from_path(examined.path))
        yield from find_changed_lines(citations, read_lines) if read_lines else ()


def _find_broken_links(
    view: View, atoms: Iterable[Atom], page_names: Collection[str]
) -> Iterator[Finding]:
    """Yield the links whose target does not exist."""
    linked = {name for each in view.finding_cache.iter_findings() for name in _list_titles(each)}
    titles = {name for name in linked if name in page_names}
    if linked:
        titles.update(name for atom in atoms for name in list_wiki_names(atom) if name in linked)
    exists = lru_cache(MAX_CACHED_TARGETS)(view.tree.is_path_taken)
    for path, found, _ in view.finding_cache.iter_findings():
        for flaw in find_broken_links(path, found.links, exists, titles.__contains__):
            yield Finding(path, *flaw)


def _list_titles(examined: ExaminedText) -> Iterator[str]:
    """Yield the names in the wiki links of a text, each also without the folder before it."""
    for target in examined.found.links:
        if target.is_wiki:
            name = normalize_wiki_name(target.target)
            yield from (name, name.rpartition("/")[2])


def add_citation_checksums(text: str, path: str, sources: CitedFileSource | None) -> str:
    """Return a text whose citations have checksums of the lines that they name."""
    read_lines = sources.make_line_reader(project_from_path(path)) if sources else None
    return insert_checksums(text, read_lines) if read_lines else text
