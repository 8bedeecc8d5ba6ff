"""The evidence of an atom: the fields that name it, and the refs in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.kind import EVIDENCE_FIELDS
from cortexfs.core.atoms.refs import is_ref
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom


FREE_TEXT_FIELDS = ("evidence", "source")
"""The evidence fields that may also name a URL, a file, a commit or a book."""

_REF_LIKE = re.compile(r"(?:[\w.-]+/)?([A-Za-z]{1,8})-?[0-9]+[a-z]?", re.ASCII)
"""A ref, or a misspelled one: `EXP-1`, `exp001`."""
_EXTERNAL_SOURCE = re.compile(r".*[\s/.:].*|[0-9a-f]{7,40}", re.DOTALL)
"""A URL, a path, several words, or a commit; not a single word."""


class EvidenceRef(NamedTuple):
    """A ref in an evidence field, as written, and the key of the field."""

    cited: str
    key: str


def list_evidence_refs(atom: Atom) -> list[EvidenceRef]:
    """Return the evidence of an atom in order, each ref once per field."""
    found = (
        EvidenceRef(ref, key)
        for key in EVIDENCE_FIELDS
        for ref in extract_refs(atom.list_field(key))
    )
    return list(dict.fromkeys(found))


def extract_refs(items: Iterable[str]) -> Iterator[str]:
    """Yield the refs in items: an item may be a ref, contain refs among words, or have none."""
    for item in items:
        if is_ref(item):
            yield item
        else:
            yield from (ref for ref, _ in find_cited_refs(item))


def split_evidence_items(text: str) -> tuple[str, ...]:
    """Return the items of a text: `EXP-001, EXP-002` are two, words with commas are one.

    Each is one line without control characters, as it is typed by anybody and shown to everybody.
    """
    line = to_one_line(text)
    parts = tuple(part for each in line.split(",") if (part := each.strip()))
    return parts if all(map(_REF_LIKE.fullmatch, parts)) else (line,)


def split_ref_items(key: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the items of a field that names atoms; in a free field a comma may be text."""
    if key in FREE_TEXT_FIELDS:
        return tuple(item for text in texts for item in split_evidence_items(text) if item)
    parts = (part.strip() for text in texts for part in text.split(","))
    return tuple(part for part in parts if part)


def is_external_source(item: str, prefixes: Container[str]) -> bool:
    """Return whether an item names a source other than an atom; `prefixes` are the id prefixes."""
    ref_like = _REF_LIKE.fullmatch(item)
    if ref_like:
        return ref_like[1].upper() not in prefixes
    return bool(_EXTERNAL_SOURCE.fullmatch(item))
