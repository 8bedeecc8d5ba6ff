"""Extract the links of a page, each with the line that contains it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cortexfs.core.atoms.parse_atom import find_cited_refs
from cortexfs.core.atoms.tree_paths import CORTEX_MD, INDEX_MD
from cortexfs.core.markdown.lines import split_lines
from cortexfs.core.markdown.tables import is_table_row, split_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.fresh_session.project_view import ProjectView

_MARKDOWN = re.compile(r"\]\(<?([^()\s>]+)>?[^()\n]*\)")
_BACKTICKS = re.compile(r"`([^`\s]*[./][^`\s]*)`")
_FILE = re.compile(r"[\w.-]+/?")
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
    for line in split_lines(text):
        for target in _MARKDOWN.findall(line.text_without_code):
            yield from _found(target, (folder,), line.text, view)
        named = [*_BACKTICKS.findall(line.text_without_code), *_cell(line.text_without_code)]
        for target in named:
            yield from _found(target, (folder, project, ""), line.text, view)
        for cited, _ in find_cited_refs(line.text_without_code):
            if known := view.find_atom(cited):
                yield PageLink(known.path, line.text)


def _cell(line: str) -> list[str]:
    """Return the file name that a table row begins with: `| mission.md | Stable | … |`."""
    first = split_cells(line)[:1] if is_table_row(line) else []
    return [name for name in first if _FILE.fullmatch(name) and ("." in name or "/" in name)]


def _found(
    target: str, folders: tuple[str, ...], line: str, view: ProjectView
) -> Iterator[PageLink]:
    """Yield the file that a target means, relative to the first folder in which it exists."""
    plain = unquote(target.partition("#")[0])
    if not plain or plain.startswith("/") or _SCHEME.match(plain):
        return
    for folder in folders:
        base = _joined(folder, plain)
        pages = (
            () if base is None else (base, *(_inside(base, name) for name in (INDEX_MD, CORTEX_MD)))
        )
        for path in pages:
            if path and view.has_file(path):
                yield PageLink(path, line)
                return


def _inside(base: str, name: str) -> str:
    return f"{base}/{name}" if base else name


def _joined(folder: str, target: str) -> str | None:
    """Return a folder joined with a relative path; None if it leaves the tree."""
    steps = folder.split("/") if folder else []
    for step in target.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
