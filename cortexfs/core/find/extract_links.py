"""Which atoms a text names, and how: in a field, in prose, as a [[wiki link]]."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import fold
from cortexfs.core.frontmatter.atom_text import parted
from cortexfs.core.markdown.fences import without_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom, Value

TEXT = "text"
WIKI = "wiki"

_OWN = frozenset({"id", "summary", "title"})
_REF = re.compile(r"(?<![\w./-])(?:[a-z0-9][a-z0-9._-]{0,63}/)?[A-Z]{1,8}-[0-9]{3,}[a-z]?(?![\w-])")
LONGEST = 200
"""Characters of a wiki link's name."""
_WIKI = re.compile(rf"\[\[([^\[\]|#\n]{{1,{LONGEST}}})(?:[#|][^\[\]\n]*)?\]\]")


class Link(NamedTuple):
    """One atom named by another, as it is written there; `kind` is the field, or how in prose."""

    kind: str
    cited: str
    line: int


def names(atom: Atom) -> set[str]:
    """Give what a wiki link may call an atom: its id, its file, its title or summary."""
    said = (atom.ref.rpartition("/")[2], atom.name, atom.text("title"), atom.text("summary"))
    return {name for each in said if len(name := as_name(each)) <= LONGEST} - {""}


def as_name(said: str) -> str:
    """Read a name as wiki links are read: without case, and without the ending of a file."""
    return fold(" ".join(said.split())).removesuffix(".md")


def links(atom: Atom, text: str) -> list[Link]:
    """Give each atom that is named in a way once, where it is first named so."""
    found = [*_in_fields(atom), *_in_prose(atom, text)]
    first: dict[tuple[str, str], Link] = {}
    for link in found:
        first.setdefault((link.kind, link.cited), link)
    return list(first.values())


def _in_fields(atom: Atom) -> Iterator[Link]:
    first = dict(reversed(atom.cites))  # an older decision has its fields on lines of prose
    for key, value in atom.fields.items():
        if key not in _OWN:
            for said in _scalars(value):
                for ref in _REF.findall(said):
                    yield Link(key, ref, atom.lines.get(key, first.get(ref, 1)))


def _in_prose(atom: Atom, text: str) -> Iterator[Link]:
    front = parted(text)[0].count("\n")
    yield from (Link(TEXT, cited, line) for cited, line in atom.cites if line > front)
    if "[[" not in text:
        return
    for number, line in enumerate(without_code(text).split("\n"), start=1):
        for named in _WIKI.findall(line):
            yield Link(WIKI, as_name(named), number)


def _scalars(value: Value) -> Iterable[str]:
    """Give every text in a value, however deep."""
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, tuple) else tuple(value.values())
    return [text for part in parts for text in _scalars(part)]
