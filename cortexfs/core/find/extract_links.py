"""Extract the links of an atom: refs in fields, refs in prose, and [[wiki links]]."""

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
"""Maximum characters of a wiki link's name."""
_WIKI = re.compile(rf"\[\[([^\[\]|#\n]{{1,{MAX_WIKI_NAME_CHARS}}})(?:[#|][^\[\]\n]*)?\]\]")


class ExtractedLink(NamedTuple):
    """A link to an atom, as written; `kind` is the key of a field, `TEXT_LINK` or `WIKI_LINK`."""

    kind: str
    cited: str
    line: int


def list_wiki_names(atom: Atom) -> set[str]:
    """Return the names by which a wiki link may mean an atom: id, file, title and summary."""
    said = (
        atom.ref.rpartition("/")[2],
        atom.file_name,
        atom.text_field("title"),
        atom.text_field("summary"),
    )
    return {name for each in said if len(name := to_wiki_name(each)) <= MAX_WIKI_NAME_CHARS} - {""}


def to_wiki_name(said: str) -> str:
    """Return the normalized name of a wiki link: folded, and without `.md`."""
    return fold_text(" ".join(said.split())).removesuffix(".md")


def extract_links(atom: Atom, text: str) -> list[ExtractedLink]:
    """Return the links of an atom, each ref once per kind, at its first line."""
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
    """Return every scalar in a value, at any depth."""
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, tuple) else tuple(value.values())
    return [text for part in parts for text in _scalars(part)]
