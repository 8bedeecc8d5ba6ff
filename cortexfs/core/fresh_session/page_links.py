"""Extract the links of a page, each with the line that contains it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD
from cortexfs.core.markdown.lines import iter_markdown_lines
from cortexfs.core.markdown.resolve_relative_path import resolve_relative_path
from cortexfs.core.markdown.tables import is_table_row, split_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.fresh_session.project_view import ProjectView

_MARKDOWN_LINK = re.compile(r"\]\(<?([^()\s>]+)>?[^()\n]*\)")
_PATH_IN_BACKTICKS = re.compile(r"`([^`\s]*[./][^`\s]*)`")
_FILE_NAME = re.compile(r"[\w.-]+/?")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class PageLink(NamedTuple):
    """A file that a page links to, and the line of the link."""

    path: str
    line: str


def find_page_links(page: str, text: str, view: ProjectView) -> Iterator[PageLink]:
    """Yield the links of a page to existing files, line by line.

    Links are Markdown links, paths in backticks, file names in the first cell of a table row, and
    refs. Code blocks and comments are ignored.
    """
    folder, project = page.rpartition("/")[0], f"projects/{view.project}"
    for line in iter_markdown_lines(text):
        for target in _MARKDOWN_LINK.findall(line.text_without_code):
            yield from _resolve_target(target, (folder,), line.text, view)
        paths = [
            *_PATH_IN_BACKTICKS.findall(line.text_without_code),
            *_list_file_in_first_cell(line.text_without_code),
        ]
        for target in paths:
            yield from _resolve_target(target, (folder, project, ""), line.text, view)
        for cited, _ in find_cited_refs(line.text_without_code):
            if atom := view.find_atom(cited):
                yield PageLink(atom.path, line.text)


def _list_file_in_first_cell(line: str) -> list[str]:
    """Return the file name that a table row begins with: `| mission.md | Stable | … |`."""
    first = split_cells(line)[:1] if is_table_row(line) else []
    return [name for name in first if _FILE_NAME.fullmatch(name) and ("." in name or "/" in name)]


def _resolve_target(
    target: str, base_folders: tuple[str, ...], line: str, view: ProjectView
) -> Iterator[PageLink]:
    """Yield the file that a target means, relative to the first folder in which it exists."""
    relative = unquote(target.partition("#")[0])
    if not relative or relative.startswith("/") or _SCHEME.match(relative):
        return
    for folder in base_folders:
        for path in _list_candidate_pages(resolve_relative_path(folder, relative)):
            if view.has_file(path):
                yield PageLink(path, line)
                return


def _list_candidate_pages(path: str | None) -> tuple[str, ...]:
    """Return the pages that a path may mean: itself, or the index or CORTEX.md of a folder."""
    if path is None:
        return ()
    return (path, f"{path}/{INDEX_MD}", f"{path}/{CORTEX_MD}") if path else (INDEX_MD, CORTEX_MD)
