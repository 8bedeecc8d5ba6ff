"""Atoms from rows of the catalog."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Atom, Flaw, Ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

MAX_RECALLED_ATOMS = 20_000
"""Maximum number of parsed rows that are kept; each takes about 2 KiB."""
_decode_json = json.JSONDecoder().raw_decode
"""Without the blanks around a value, which no row has: `json.loads` looks for them."""


def parse_atom_row(row: tuple[str, ...]) -> Atom:
    """Return the atom of a row of `path, kind, ref, project, fields, marks`."""
    path, kind, ref, project, fields, marks = row
    (lines, cites, flaws), _ = _decode_json(marks)
    decoded, _ = _decode_json(fields)
    return Atom(
        path=path,
        kind=kind,
        ref=Ref(ref),
        project=project,
        fields=freeze_fields(decoded),
        field_lines=lines,
        cited_refs=tuple((cited, line) for cited, line in cites),
        flaws=tuple(Flaw(*flaw) for flaw in flaws),
    )


def make_index_atom(path: str, kind: str, ref: str, project: str, fields: str) -> Atom:
    """Return an atom with only the fields that an index needs, from its row."""
    decoded, _ = _decode_json(fields)
    return Atom(path, kind, Ref(ref), project, freeze_fields(decoded))


recall_index_atom = lru_cache(MAX_RECALLED_ATOMS)(make_index_atom)
"""As `make_index_atom`; the same row is parsed once in a process that lists them all day."""


def freeze_fields(fields: dict[str, object]) -> dict[str, FrontmatterValue]:
    """Convert lists back to the tuples that they were before JSON."""
    return {
        key: value if type(value) is str else freeze_value(value) for key, value in fields.items()
    }


def freeze_value(value: object) -> FrontmatterValue:
    """Convert one value as `freeze_fields` does."""
    if isinstance(value, list):
        return tuple([item if type(item) is str else freeze_value(item) for item in value])
    return freeze_fields(value) if isinstance(value, dict) else str(value)
