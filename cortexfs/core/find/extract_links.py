"""Extract the links of an atom: refs in fields, refs in prose, and [[wiki links]]."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_ref_positions
from cortexfs.core.find.tokenize import fold_text
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.markdown.fences import blank_code
from cortexfs.core.markdown.wiki_links import MAX_WIKI_NAME_CHARS, find_wiki_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom, FrontmatterValue

TEXT_LINK = "text"
WIKI_LINK = "wiki"

_NAMING_FIELDS = frozenset({"id", "summary", "title"})


class ExtractedLink(NamedTuple):
    """A link to an atom, as written; `kind` is the key of a field, `TEXT_LINK` or `WIKI_LINK`."""

    kind: str
    cited: str
    line: int


def list_wiki_names(atom: Atom) -> set[str]:
    """Return the names by which a wiki link may mean an atom: id, file, title and summary."""
    names = (
        atom.ref.rpartition("/")[2],
        atom.file_name,
        atom.text_field("title"),
        atom.text_field("summary"),
    )
    return {
        name for each in names if len(name := normalize_wiki_name(each)) <= MAX_WIKI_NAME_CHARS
    } - {""}


def normalize_wiki_name(name: str) -> str:
    """Return the normalized name of a wiki link: folded, and without `.md`."""
    return fold_text(" ".join(name.split())).removesuffix(".md")


def extract_links(atom: Atom, text: str) -> list[ExtractedLink]:
    """Return the links of an atom, each ref once per kind, at its first line."""
    found = [*_extract_field_links(atom), *_extract_prose_links(atom, text)]
    first: dict[tuple[str, str], ExtractedLink] = {}
    for link in found:
        first.setdefault((link.kind, link.cited), link)
    return list(first.values())


def _extract_field_links(atom: Atom) -> Iterator[ExtractedLink]:
    first = dict(reversed(atom.cited_refs))  # the fields of a legacy decision have no lines
    for key, value in atom.fields.items():
        if key not in _NAMING_FIELDS:
            for text in _list_scalars(value):
                for ref, _ in find_ref_positions(text) if "-" in text else ():
                    yield ExtractedLink(key, ref, atom.field_lines.get(key, first.get(ref, 1)))


def _extract_prose_links(atom: Atom, text: str) -> Iterator[ExtractedLink]:
    if atom.cited_refs:
        _, body = split_front_and_body(text)
        front = text.count("\n", 0, len(text) - len(body))
        yield from (
            ExtractedLink(TEXT_LINK, cited, line) for cited, line in atom.cited_refs if line > front
        )
    if "[[" not in text:
        return
    for number, line in enumerate(blank_code(text).split("\n"), start=1):
        for link in find_wiki_links(line):
            yield ExtractedLink(WIKI_LINK, normalize_wiki_name(link["wiki"]), number)


def _list_scalars(value: FrontmatterValue) -> Iterable[str]:
    """Return every scalar in a value, at any depth."""
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, tuple) else tuple(value.values())
    return [text for part in parts for text in _list_scalars(part)]
