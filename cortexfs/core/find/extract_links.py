"""Which atoms a text names, and how: in a field, in prose, as a [[wiki link]]."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import fold_text
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.markdown.fences import blank_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom, FrontmatterValue

TEXT_LINK = "text"
WIKI_LINK = "wiki"

_OWN = frozenset({"id", "summary", "title"})
_REF = re.compile(r"(?<![\w./-])(?:[a-z0-9][a-z0-9._-]{0,63}/)?[A-Z]{1,8}-[0-9]{3,}[a-z]?(?![\w-])")
MAX_WIKI_NAME_CHARS = 200
"""Characters of a wiki link's name."""
_WIKI = re.compile(rf"\[\[([^\[\]|#\n]{{1,{MAX_WIKI_NAME_CHARS}}})(?:[#|][^\[\]\n]*)?\]\]")


class ExtractedLink(NamedTuple):
    """One atom named by another, as it is written there; `kind` is the field, or how in prose."""

    kind: str
    cited: str
    line: int


def list_wiki_names(atom: Atom) -> set[str]:
    """Give what a wiki link may call an atom: its id, its file, its title or summary."""
    said = (
        atom.ref.rpartition("/")[2],
        atom.file_name,
        atom.text_field("title"),
        atom.text_field("summary"),
    )
    return {name for each in said if len(name := to_wiki_name(each)) <= MAX_WIKI_NAME_CHARS} - {""}


def to_wiki_name(said: str) -> str:
    """Read a name as wiki links are read: without case, and without the ending of a file."""
    return fold_text(" ".join(said.split())).removesuffix(".md")


def extract_links(atom: Atom, text: str) -> list[ExtractedLink]:
    """Give each atom that is named in a way once, where it is first named so."""
    found = [*_in_fields(atom), *_in_prose(atom, text)]
    first: dict[tuple[str, str], ExtractedLink] = {}
    for link in found:
        first.setdefault((link.kind, link.cited), link)
    return list(first.values())


def _in_fields(atom: Atom) -> Iterator[ExtractedLink]:
    first = dict(reversed(atom.cited_refs))  # an older decision has its fields on lines of prose
    for key, value in atom.fields.items():
        if key not in _OWN:
            for said in _scalars(value):
                for ref in _REF.findall(said):
                    yield ExtractedLink(key, ref, atom.field_lines.get(key, first.get(ref, 1)))


def _in_prose(atom: Atom, text: str) -> Iterator[ExtractedLink]:
    front = split_front_and_body(text)[0].count("\n")
    yield from (
        ExtractedLink(TEXT_LINK, cited, line) for cited, line in atom.cited_refs if line > front
    )
    if "[[" not in text:
        return
    for number, line in enumerate(blank_code(text).split("\n"), start=1):
        for named in _WIKI.findall(line):
            yield ExtractedLink(WIKI_LINK, to_wiki_name(named), number)


def _scalars(value: FrontmatterValue) -> Iterable[str]:
    """Give every text in a value, however deep."""
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, tuple) else tuple(value.values())
    return [text for part in parts for text in _scalars(part)]
