"""One atom's row of its index, refs left out: made when the atom is read, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import MARKED, Section, read_status
from cortexfs.core.indexes.index_entry import born, carried, number_of, shown_id
from cortexfs.core.text.sanitize import cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.atoms.lifecycle import Status

SUMMARY = 120
TAGS = 4
ITEM = 48
"""Characters that are shown of an address or a citation."""

HEADS = {
    Section.ACTIVE: ("ID", "Date", "Summary", "Status", "Tags"),
    Section.SUPERSEDED: ("ID", "Date", "Summary", "Status"),
    Section.INVALIDATED: ("ID", "Date", "Summary", "Invalidated by"),
}
"""The columns before a kind's own and the refs."""


class Row(NamedTuple):
    """What an index shows of one atom, whatever its refs are.

    `head` are the cells before the refs, `tail` those after the last ref; `mark` is the status
    of one that is to be read with care; `born` a day as an ordinal, 0 where none is said;
    `refs` and `last` what the frontmatter itself carries.
    """

    name: str
    id: str
    shown_id: str
    number: int
    born: int
    section: str
    mark: str
    refs: int
    last: str
    head: str
    tail: str


class Listed(NamedTuple):
    """A row beside all that is known of its refs."""

    row: Row
    refs: int
    last: str


def order(listed: Listed) -> tuple[int, int, int, str, str]:
    """Refs descending, date descending, id ascending as a number; total on any disk."""
    row, refs, _ = listed
    return (-refs, -row.born, row.number, row.shown_id, row.name)


def line(listed: Listed) -> str:
    """Write the row as it stands in its section's table."""
    row, refs, last = listed
    if row.section != Section.ACTIVE:
        return f"| {row.head} | {refs} |"
    return f"| {row.head} | {refs} | {last or '—'}{row.tail} |"


def row_of(atom: Atom, kind: Kind) -> Row:
    """Write the cells of an atom's row."""
    status = read_status(atom.text("status"))
    before, after = kind.before, kind.after
    if status.section is not Section.ACTIVE:
        before = after = ()
    ident = shown_id(atom)
    refs, last = carried(atom)
    return Row(
        atom.name,
        atom.text("id"),
        ident,
        number_of(ident),
        born(atom),
        status.section.value,
        status.word if status.word in MARKED else "",
        refs,
        last,
        " | ".join([*_first(atom, status), *(_named(atom.words(key)) for _, key in before)]),
        "".join(f" | {_named(atom.words(key))}" for _, key in after),
    )


def _first(atom: Atom, status: Status) -> list[str]:
    """Write the cells that `HEADS` names."""
    shared = [
        _link(atom),
        cell(atom.text("date")),
        cell(atom.text("summary"), SUMMARY) or "—",
    ]
    if status.section is Section.INVALIDATED:
        return [*shared, cell(status.cause) or "—"]
    if status.section is Section.SUPERSEDED:
        return [*shared, _status(status)]
    return [*shared, _status(status), _listed(atom.words("tags")[:TAGS])]


def _link(atom: Atom) -> str:
    name = atom.name
    plain = name.replace("-", "").replace(".", "").isalnum() and name.isascii()
    return f"[{cell(shown_id(atom))}]({name if plain else quote(name)})"


def _status(status: Status) -> str:
    """Show a status; one that asks for care stands out, an unknown one reads as active."""
    said = cell(status.shown)
    return f"**{said}**" if status.word in MARKED else said


def _named(items: Sequence[str]) -> str:
    """Show what an atom names: refs, and in short what is no atom."""
    return ", ".join(cell(item, ITEM) for item in items) or "—"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(cell, words)) or "—"
