"""One atom's row of its index, refs left out: made when the atom is read, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexSection, parse_status
from cortexfs.core.indexes.index_entry import (
    parse_date_ordinal,
    parse_frontmatter_reads,
    parse_id_number,
    printable_id,
)
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.atoms.lifecycle import AtomStatus

SUMMARY_CELL_CHARS = 120
MAX_SHOWN_TAGS = 4
MAX_ITEM_CHARS = 48
"""Characters that are shown of an address or a citation."""

SECTION_COLUMNS = {
    IndexSection.ACTIVE: ("ID", "Date", "Summary", "Status", "Tags"),
    IndexSection.SUPERSEDED: ("ID", "Date", "Summary", "Status"),
    IndexSection.INVALIDATED: ("ID", "Date", "Summary", "Invalidated by"),
}
"""The columns before a kind's own and the refs."""


class IndexRow(NamedTuple):
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


class IndexRowWithReads(NamedTuple):
    """A row beside all that is known of its refs."""

    row: IndexRow
    read_count: int
    last_read: str


def row_sort_key(listed: IndexRowWithReads) -> tuple[int, int, int, str, str]:
    """Refs descending, date descending, id ascending as a number; total on any disk."""
    row, refs, _ = listed
    return (-refs, -row.born, row.number, row.shown_id, row.name)


def format_row(listed: IndexRowWithReads) -> str:
    """Write the row as it stands in its section's table."""
    row, refs, last = listed
    if row.section != IndexSection.ACTIVE:
        return f"| {row.head} | {refs} |"
    return f"| {row.head} | {refs} | {last or '—'}{row.tail} |"


def make_index_row(atom: Atom, kind: Kind) -> IndexRow:
    """Write the cells of an atom's row."""
    status = parse_status(atom.text_field("status"))
    before, after = kind.columns_before_reads, kind.columns_after_reads
    if status.section is not IndexSection.ACTIVE:
        before = after = ()
    ident = printable_id(atom)
    refs, last = parse_frontmatter_reads(atom)
    return IndexRow(
        atom.file_name,
        atom.text_field("id"),
        ident,
        parse_id_number(ident),
        parse_date_ordinal(atom),
        status.section.value,
        status.word if status.word in CAUTION_STATUSES else "",
        refs,
        last,
        " | ".join([*_first(atom, status), *(_named(atom.list_field(key)) for _, key in before)]),
        "".join(f" | {_named(atom.list_field(key))}" for _, key in after),
    )


def _first(atom: Atom, status: AtomStatus) -> list[str]:
    """Write the cells that `HEADS` names."""
    shared = [
        _link(atom),
        format_cell(atom.text_field("date")),
        format_cell(atom.text_field("summary"), SUMMARY_CELL_CHARS) or "—",
    ]
    if status.section is IndexSection.INVALIDATED:
        return [*shared, format_cell(status.cause) or "—"]
    if status.section is IndexSection.SUPERSEDED:
        return [*shared, _status(status)]
    return [*shared, _status(status), _listed(atom.list_field("tags")[:MAX_SHOWN_TAGS])]


def _link(atom: Atom) -> str:
    name = atom.file_name
    plain = name.replace("-", "").replace(".", "").isalnum() and name.isascii()
    return f"[{format_cell(printable_id(atom))}]({name if plain else quote(name)})"


def _status(status: AtomStatus) -> str:
    """Show a status; one that asks for care stands out, an unknown one reads as active."""
    said = format_cell(status.display_text)
    return f"**{said}**" if status.word in CAUTION_STATUSES else said


def _named(items: Sequence[str]) -> str:
    """Show what an atom names: refs, and in short what is no atom."""
    return ", ".join(format_cell(item, MAX_ITEM_CHARS) for item in items) or "—"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(format_cell, words)) or "—"
