"""One atom's row in its index without the reads; it is made once, when the atom is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexMdSection, parse_atom_status
from cortexfs.core.indexes.atom_with_reads import (
    date_ordinal_of_atom,
    format_id,
    parse_arrival_ordinal,
    parse_frontmatter_reads,
    parse_id_number,
)
from cortexfs.core.text.sanitize import format_cell, format_link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.lifecycle import ParsedStatus

SUMMARY_CELL_CHARS = 120
MAX_SHOWN_TAGS = 4
MAX_ITEM_CHARS = 48
"""Maximum characters of a URL or a citation in a cell."""

SECTION_COLUMNS = {
    IndexMdSection.ACTIVE: ("ID", "Date", "Summary", "Status", "Tags"),
    IndexMdSection.SUPERSEDED: ("ID", "Date", "Summary", "Status"),
    IndexMdSection.INVALIDATED: ("ID", "Date", "Summary", "Invalidated by"),
}
"""The columns before a kind's own columns and "Refs"."""


class IndexRow(NamedTuple):
    """What an index shows of one atom, apart from the reads in the log.

    `head` are the cells before "Refs", `tail` those after "Last ref"; `mark` is the status if it
    needs care when read, else empty; `born` is the date as an ordinal, 0 if there is none, and
    `arrived` the day since which it could be read in the tree; `refs` and `last` are the read count
    and the last read in the frontmatter.
    """

    name: str
    id: str
    shown_id: str
    number: int
    born: int
    arrived: int
    section: str
    mark: str
    refs: int
    last: str
    head: str
    tail: str


class IndexRowWithReads(NamedTuple):
    """A row with its read count and last read from all sources."""

    row: IndexRow
    read_count: int
    last_read: str


def row_sort_key(listed: IndexRowWithReads) -> tuple[int, int, int, str, str]:
    """Return the sort key: reads descending, date descending, then id as a number."""
    row, refs, _ = listed
    return (-refs, -row.born, row.number, row.shown_id, row.name)


def format_row(listed: IndexRowWithReads) -> str:
    """Return the row as a line of its section's table."""
    row, refs, last = listed
    if row.section != IndexMdSection.ACTIVE:
        return f"| {row.head} | {refs} |"
    return f"| {row.head} | {refs} | {last or '—'}{row.tail} |"


def make_index_row(atom: Atom, kind: Kind) -> IndexRow:
    """Return the row of an atom."""
    status = parse_atom_status(atom.text_field("status"))
    before, after = kind.columns_before_reads, kind.columns_after_reads
    if status.section is not IndexMdSection.ACTIVE:
        before = after = ()
    ident = format_id(atom)
    refs, last = parse_frontmatter_reads(atom)
    return IndexRow(
        atom.file_name,
        atom.text_field("id"),
        ident,
        parse_id_number(ident),
        date_ordinal_of_atom(atom),
        parse_arrival_ordinal(atom),
        status.section.value,
        status.word if status.word in CAUTION_STATUSES else "",
        refs,
        last,
        " | ".join(
            [
                *_format_leading_cells(atom, status),
                *(_format_items(atom.list_field(key)) for _, key in before),
            ]
        ),
        "".join(f" | {_format_items(atom.list_field(key))}" for _, key in after),
    )


def _format_leading_cells(atom: Atom, status: ParsedStatus) -> list[str]:
    """Return the cells of the columns in `SECTION_COLUMNS`."""
    shared = [
        _format_link(atom),
        format_cell(atom.text_field("date")),
        format_cell(atom.text_field("summary"), SUMMARY_CELL_CHARS) or "—",
    ]
    if status.section is IndexMdSection.INVALIDATED:
        return [*shared, format_cell(status.cause) or "—"]
    if status.section is IndexMdSection.SUPERSEDED:
        return [*shared, _format_status(status)]
    return [*shared, _format_status(status), _format_tags(atom.list_field("tags")[:MAX_SHOWN_TAGS])]


def _format_link(atom: Atom) -> str:
    name = atom.file_name
    plain = name.replace("-", "").replace(".", "").isalnum() and name.isascii()
    return format_link(format_id(atom), name, name if plain else quote(name))


def _format_status(status: ParsedStatus) -> str:
    """Return a status as a cell: bold if it needs care, `active` if it is unknown."""
    text = format_cell(status.display_text)
    return f"**{text}**" if status.word in CAUTION_STATUSES else text


def _format_items(items: Sequence[str]) -> str:
    """Return the items of a field as a cell, each cut to `MAX_ITEM_CHARS` characters."""
    return ", ".join(format_cell(item, MAX_ITEM_CHARS) for item in items) or "—"


def _format_tags(words: Sequence[str]) -> str:
    return ", ".join(map(format_cell, words)) or "—"
