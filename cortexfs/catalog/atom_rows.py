"""Atoms from rows of the catalog."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Flaw, Ref
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.indexes.atom_with_reads import AtomWithReads

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

_decode_json = json.JSONDecoder().raw_decode
"""Without the blanks around a value, which no row has: `json.loads` looks for them."""


def parse_atom_row(row: tuple[str, ...]) -> Atom:
    """Return the atom of a row of `path, kind, ref, project, fields, marks`."""
    path, kind, ref, project, fields, marks = row
    (lines, cites, _, flaws), _ = _decode_json(marks)
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


def make_entry(row: tuple[str, str, str, str, str], read_count: int, last: str) -> AtomWithReads:
    """Return an atom with only the fields that an index needs, and its reads from all sources."""
    atom = make_index_atom(*row)
    status = parse_atom_status(atom.text_field("status"))
    return AtomWithReads(atom, ReadStats(read_count, last), status)


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
