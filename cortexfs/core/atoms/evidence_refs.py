"""What an atom rests on: the fields that say so, and the refs among what stands in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import find_cited_refs
from cortexfs.core.atoms.refs import is_ref

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from cortexfs.core.atoms.atom import Atom

EVIDENCE_FIELDS = ("evidence", "source-experiments", "source")
"""The fields that name what an atom rests on."""
FREE_TEXT_FIELDS = ("evidence", "source")
"""Those that may also name what is no atom: an address, a file, a commit, a book."""

_ID = re.compile(r"(?:[\w.-]+/)?([A-Za-z]{1,8})-?[0-9]+[a-z]?", re.ASCII)
"""What is meant as a ref, also where it is written wrong: `EXP-1`, `exp001`."""
_SOURCE = re.compile(r".*[\s/.:].*|[0-9a-f]{7,40}", re.DOTALL)
"""An address, a path, words, or a commit: a single word is none of these."""


class EvidenceRef(NamedTuple):
    """A ref that an atom rests on, as it is written, and the field in which it stands."""

    cited: str
    key: str


def list_evidence_refs(atom: Atom) -> list[EvidenceRef]:
    """Give what an atom says that it rests on, each ref once for each field, in its order."""
    found = (
        EvidenceRef(ref, key)
        for key in EVIDENCE_FIELDS
        for ref in extract_refs(atom.list_field(key))
    )
    return list(dict.fromkeys(found))


def extract_refs(items: Iterable[str]) -> Iterator[str]:
    """Give the refs that items name: most are one, others name one among words, or none."""
    for item in items:
        if is_ref(item):
            yield item
        else:
            yield from (ref for ref, _ in find_cited_refs(item))


def split_evidence_items(text: str) -> tuple[str, ...]:
    """Read one text as items: `EXP-001, EXP-002` are two, words with commas are one."""
    parts = tuple(part for each in text.split(",") if (part := each.strip()))
    return parts if all(map(_ID.fullmatch, parts)) else (text.strip(),)


def is_external_source(item: str, prefixes: Container[str]) -> bool:
    """Tell whether an item names what is no atom; `prefixes` are those of ids, in capitals."""
    meant = _ID.fullmatch(item)
    if meant:
        return meant[1].upper() not in prefixes
    return bool(_SOURCE.fullmatch(item))
