"""Rewrite links of a foreign note to other imported notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.importing.strip_markup import blank_all_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.importing.note_lookup import NoteLookup

_WIKI_LINK = re.compile(
    r"\[\[([^\[\]\n|#]{1,300})(#[^\[\]\n|]{0,500})?(?:\|([^\[\]\n]{0,1000}))?\]\]"
)
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
    said = blank_all_code(body)
    edits: list[tuple[int, int, str]] = []
    missing: list[tuple[int, str]] = []
    for start, end, text in _find_links(said, body, home, targets, atoms):
        if text.startswith("?"):
            missing.append((start, text[1:]))
        else:
            edits.append((start, end, text[1:]))
    return RewrittenBody(_spliced(body, edits), tuple(sorted(missing)), len(edits))


def extract_wiki_names(text: str) -> Iterator[str]:
    """Return the names in the wiki links of a text."""
    return (found[1].strip() for found in _WIKI_LINK.finditer(text))


def _find_links(
    said: str, body: str, home: LinkContext, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> Iterator[tuple[int, int, str]]:
    """Yield the span of each link between notes, and `=` with its new text or `?` with its name.

    `?` marks a link that is not resolved.
    """
    for found in _WIKI_LINK.finditer(said):
        name = found[1].rstrip("\\").strip()
        path = targets.resolve_wiki_link(name, home.note_path)
        if atom := atoms.get(path or ""):
            yield (
                *found.span(),
                f"={_format_wiki_link(found, body, atom.to_ref(home.atom_project))}",
            )
        elif name and not _ATTACHMENT.search(name):
            yield *found.span(), f"?{name}"
    for found in _MARKDOWN_LINK.finditer(said):
        address, _, below = (found[2] or found[3]).partition("#")
        if not address or _SCHEME.match(address) or address.startswith("//"):
            continue
        path = targets.resolve_relative_link(address, home.note_path)
        if atom := atoms.get(path or ""):
            yield *found.span(), f"={_format_markdown_link(found, below, atom, home)}"
        elif address.endswith((".md", ".markdown")):
            yield *found.span(), f"?{address}"
    for found in _LINK_DEFINITION.finditer(said):
        if not _SCHEME.match(found[1]):
            path = targets.resolve_relative_link(found[1], home.note_path)
            atom = atoms.get(path or "")
            yield (
                *found.span(1),
                f"={_format_relative_path(atom, home)}" if atom else f"?{found[1]}",
            )


def _format_wiki_link(found: re.Match[str], body: str, ref: str) -> str:
    """Format a wiki link to a ref; in a table the `|` stays escaped."""
    name, below = found[1], found[2] or ""
    bar = "\\|" if (name + below).endswith("\\") else "|"
    below = below.removesuffix("\\")
    shown = found[3] or f"{name.removesuffix(chr(92)).strip()}{below}"
    if found[3] is None and _in_table(body, found.start()):
        bar = "\\|"
    return f"[[{ref}{below}{bar}{shown}]]"


def _in_table(body: str, at: int) -> bool:
    return body[body.rfind("\n", 0, at) + 1 : at].lstrip().startswith("|")


def _format_markdown_link(
    found: re.Match[str], below: str, atom: ImportTarget, home: LinkContext
) -> str:
    """Format a Markdown link: to a file in the same folder, else as a wiki link."""
    shown, anchor = found[1], f"#{below}" if below else ""
    folder, _, name = atom.path.rpartition("/")
    if name == f"{atom.ident}.md" and folder == home.atom_path.rpartition("/")[0]:
        return f"[{shown}]({name}{anchor})"
    ref = atom.to_ref(home.atom_project)
    if not shown or _LABEL_BREAKER.search(shown):
        return f"[[{ref}{anchor}]]"
    return f"[[{ref}{anchor}|{shown}]]"


def _format_relative_path(atom: ImportTarget, home: LinkContext) -> str:
    """Return the path of an atom's file relative to another atom."""
    folder, _, name = atom.path.rpartition("/")
    above = home.atom_path.rpartition("/")[0]
    return name if folder == above else f"{'../' * (above.count('/') + 1)}{atom.path}"


def _spliced(body: str, edits: list[tuple[int, int, str]]) -> str:
    kept, at = [], 0
    for start, end, text in sorted(edits):
        if start >= at:
            kept += [body[at:start], text]
            at = end
    return "".join([*kept, body[at:]])


def make_line_locator(body: str, first: int) -> Callable[[int], int]:
    """Return a function from rising offsets to line numbers; `first` is the first line."""
    at, line = 0, first

    def tell(offset: int) -> int:
        nonlocal at, line
        line += body.count("\n", at, offset)
        at = offset
        return line

    return tell
