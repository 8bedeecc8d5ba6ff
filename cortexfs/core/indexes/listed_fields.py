"""What lists filter, sort and count an atom by; it is made once, when the atom is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.indexes.atom_with_reads import second_of_atom

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

_NOT_PINNED = frozenset({"", "no", "false", "off", "0"})


class ListedFields(NamedTuple):
    """The fields of an atom that lists and bulletins need besides those of its `IndexRow`.

    `status` is its word, `second` that of its day at which the atom was made, `title` the summary,
    case-folded; `tags` are as written, each once.
    """

    kind: str
    project: str
    status: str
    second: int
    title: str
    ref: str
    pinned: bool
    anti_pattern: bool
    tags: tuple[str, ...]


def make_listed_fields(atom: Atom) -> ListedFields:
    """Return the fields of an atom."""
    return ListedFields(
        atom.kind,
        atom.project,
        parse_atom_status(atom.text_field("status")).word,
        second_of_atom(atom),
        atom.text_field("summary").casefold(),
        atom.ref,
        "pinned" in atom.fields and str(atom.fields["pinned"]).lower() not in _NOT_PINNED,
        any("anti-pattern" in str(value) for value in atom.fields.values()),
        tuple(dict.fromkeys(atom.list_field("tags"))),
    )
