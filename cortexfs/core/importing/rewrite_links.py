"""Rewrite links of a foreign note to other imported notes."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.importing.strip_markup import blank_all_code
from cortexfs.core.markdown.edit_text import replace_spans
from cortexfs.core.markdown.wiki_links import find_wiki_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.importing.note_lookup import NoteLookup

_MARKDOWN_LINK = re.compile(
    r"(?<!!)\[([^\[\]\n]{0,500})\]\("
    r"(?:<([^<>\n]{1,500})>|([^()\s<>]{1,500}(?:\([^()\s]{0,100}\)[^()\s]{0,200})?))"
    r"(?:[ \t]{1,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\)"
)
_LINK_DEFINITION = re.compile(
    r"^ {0,3}\[[^\[\]\n]{1,300}\]:[ \t]{0,9}([^\s<>#]{1,500}\.(?:md|markdown))", re.MULTILINE
)
_SCHEME = re.compile(r"(?!memory:)[a-z][a-z0-9+.-]{0,30}:", re.IGNORECASE)
_ATTACHMENT = re.compile(r"\.(?!md$|markdown$)[a-z][a-z0-9]{1,9}$", re.IGNORECASE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_LABEL_BREAKER = re.compile(r"[\[\]|\n]")


class ImportTarget(NamedTuple):
    """The atom of an imported note: its id, project and path."""

    ident: str
    project: str
    path: str

    def to_ref(self, project: str) -> str:
        """Return the ref as it is written in an atom of a project."""
        return self.ident if self.project in {project, ""} else f"{self.project}/{self.ident}"


class UnresolvedLink(NamedTuple):
    """A link to a note that was not imported: the path and line, and the target as written."""

    path: str
    line: int
    target: str


class LinkContext(NamedTuple):
    """The origin of links: the path of the note, and the path and project of its atom."""

    note_path: str
    atom_path: str
    atom_project: str


class RewrittenBody(NamedTuple):
    """A body with rewritten links, the unresolved links with their offsets, and a count."""

    body: str
    unresolved: tuple[tuple[int, str], ...] = ()
    resolved: int = 0


def rewrite_links(
    body: str, home: LinkContext, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> RewrittenBody:
    """Rewrite every link between notes to a link to the other note's atom.

    `[[Note]]` becomes `[[K-012|Note]]`: `graph` follows the ref, and the visible text stays.
    """
    if "[" not in body:
        return RewrittenBody(body)
    links = list(_find_links(blank_all_code(body), body, home, targets, atoms))
    edits = [(each.start, each.end, each.new) for each in links if each.new is not None]
    missing = sorted((each.start, each.target) for each in links if each.new is None)
    return RewrittenBody(replace_spans(body, edits), tuple(missing), len(edits))


def extract_wiki_names(text: str) -> Iterator[str]:
    """Return the names in the wiki links of a text."""
    return (found["wiki"].strip() for found in find_wiki_links(text))


class _FoundLink(NamedTuple):
    """A link between notes: its span and target, and its new text (None: it is not resolved)."""

    start: int
    end: int
    target: str
    new: str | None


def _find_links(
    prose: str, body: str, home: LinkContext, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> Iterator[_FoundLink]:
    """Yield each link between notes; `prose` is the body with spaces in place of code."""
    in_table = _make_table_test(body)
    for found in find_wiki_links(prose):
        name = found["wiki"].strip()
        atom = atoms.get(targets.resolve_wiki_link(name, home.note_path) or "")
        if atom:
            ref = atom.to_ref(home.atom_project)
            new = _format_wiki_link(found, ref, in_table=in_table(found.start()))
            yield _FoundLink(*found.span(), name, new)
        elif name and not _ATTACHMENT.search(name):
            yield _FoundLink(*found.span(), name, None)
    for found in _MARKDOWN_LINK.finditer(prose):
        address, _, anchor = (found[2] or found[3]).partition("#")
        if not address or _SCHEME.match(address) or address.startswith("//"):
            continue
        atom = atoms.get(targets.resolve_relative_link(address, home.note_path) or "")
        if atom:
            new = _format_markdown_link(found, anchor, atom, home)
            yield _FoundLink(*found.span(), address, new)
        elif address.endswith((".md", ".markdown")):
            yield _FoundLink(*found.span(), address, None)
    for found in _LINK_DEFINITION.finditer(prose):
        if not _SCHEME.match(found[1]):
            atom = atoms.get(targets.resolve_relative_link(found[1], home.note_path) or "")
            path = _format_relative_path(atom, home) if atom else None
            yield _FoundLink(*found.span(1), found[1], path)


def _format_wiki_link(found: re.Match[str], ref: str, *, in_table: bool) -> str:
    """Format a wiki link to a ref; in a table the `|` stays escaped."""
    anchor = found["section"] or ""
    bar = found["bar"] or ("\\|" if in_table else "|")
    shown = found["shown"] or f"{found['wiki'].strip()}{anchor}"
    return f"[[{ref}{anchor}{bar}{shown}]]"


def _make_table_test(body: str) -> Callable[[int], bool]:
    """Return a function that tells whether an offset is in a row of a table."""
    rows = [found.span() for found in _TABLE_ROW.finditer(body)]
    starts = [start for start, _ in rows]

    def is_in_table(offset: int) -> bool:
        row = bisect_right(starts, offset) - 1
        return row >= 0 and offset < rows[row][1]

    return is_in_table


def _format_markdown_link(
    found: re.Match[str], anchor: str, atom: ImportTarget, home: LinkContext
) -> str:
    """Format a Markdown link: to a file in the same folder, else as a wiki link."""
    shown, fragment = found[1], f"#{anchor}" if anchor else ""
    folder, _, name = atom.path.rpartition("/")
    if name == f"{atom.ident}.md" and folder == home.atom_path.rpartition("/")[0]:
        return f"[{shown}]({name}{fragment})"
    ref = atom.to_ref(home.atom_project)
    if not shown or _LABEL_BREAKER.search(shown):
        return f"[[{ref}{fragment}]]"
    return f"[[{ref}{fragment}|{shown}]]"


def _format_relative_path(atom: ImportTarget, home: LinkContext) -> str:
    """Return the path of an atom's file relative to another atom."""
    folder, _, name = atom.path.rpartition("/")
    above = home.atom_path.rpartition("/")[0]
    return name if folder == above else f"{'../' * (above.count('/') + 1)}{atom.path}"


def make_line_locator(body: str, first: int) -> Callable[[int], int]:
    """Return a function from rising offsets to line numbers; `first` is the first line."""
    at, line = 0, first

    def locate_line(offset: int) -> int:
        nonlocal at, line
        line += body.count("\n", at, offset)
        at = offset
        return line

    return locate_line
