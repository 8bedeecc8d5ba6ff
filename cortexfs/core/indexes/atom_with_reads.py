"""One atom with its read count and last read, as its index shows it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.lifecycle import ParsedStatus, parse_atom_status
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

HOT_READ_COUNT = 5
"""The read count from which an atom is hot."""
COLD_DAYS = 14
"""Days after which an atom without reads is cold."""
MAX_COUNT_DIGITS = 9
"""Maximum digits of a read count; a longer number is ignored."""
NO_READS = ReadStats(0, "")
IMPORTED_KEY = "imported-date"
"""The field with the day on which a note was imported."""

_TIME_WITH_OFFSET = r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d:?\d\d)"
_TIME = r"\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?"


class AtomWithReads(NamedTuple):
    """One atom with its reads and its parsed status."""

    atom: Atom
    reads: ReadStats
    status: ParsedStatus

    @classmethod
    def from_atom(cls, atom: Atom, *totals: ReadStats) -> AtomWithReads:
        """Return an atom with the highest read count and the latest read of all sources."""
        return cls(
            atom,
            merge_read_stats(*totals, parse_frontmatter_reads(atom)),
            parse_atom_status(atom.text_field("status")),
        )

    @property
    def ident(self) -> str:
        """The id, safe to print."""
        return format_id(self.atom)

    @property
    def sort_key(self) -> tuple[int, int, int, str, str]:
        """The sort key: reads descending, date descending, then id as a number."""
        ident = self.ident
        return (
            -self.reads.read_count,
            -date_ordinal_of_atom(self.atom),
            parse_id_number(ident),
            ident,
            self.atom.path,
        )

    def is_cold(self, today: date) -> bool:
        """Return whether the atom was never read and is in the tree for over `COLD_DAYS` days."""
        return not self.reads.read_count and is_past_cold_days(
            parse_arrival_ordinal(self.atom), today
        )


def is_past_cold_days(day: int, today: date) -> bool:
    """Return whether a day (an ordinal; 0 is unknown) is more than `COLD_DAYS` days ago."""
    return 0 < day < today.toordinal() - COLD_DAYS


def format_id(atom: Atom) -> str:
    """Return the id, safe to print."""
    return to_one_line(atom.text_field("id"))


def parse_id_number(ident: str) -> int:
    """Return the number in an id for sorting; 0 if there is none."""
    digits = ident.rpartition("-")[2]
    if not (digits.isascii() and digits.isdecimal()):
        found = re.search(r"[0-9]+", ident)
        digits = found[0] if found else "0"
    return int(digits[:18])


def date_ordinal_of_atom(atom: Atom) -> int:
    """Return the day of an atom's date as an ordinal; 0 if it has none."""
    return _parse_ordinal(atom.text_field("date"))


def second_of_atom(atom: Atom) -> int:
    """Return the second of its day at which an atom was made; 0 if only the day is known."""
    found = re.match(r"[\d-]{10}T(\d\d):(\d\d):(\d\d)", atom.text_field("created"), re.ASCII)
    hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 0)
    return 3600 * hours + 60 * minutes + seconds


def parse_arrival_ordinal(atom: Atom) -> int:
    """Return the day since which an atom could be read in the tree; 0 if it has no date.

    This is its date, or the later day on which it was imported.
    """
    born = date_ordinal_of_atom(atom)
    return max(born, _parse_ordinal(atom.text_field(IMPORTED_KEY))) if born else 0


def _parse_ordinal(day: str) -> int:
    try:
        return date.fromisoformat(day[:10]).toordinal()
    except ValueError:
        return 0


def merge_read_stats(*totals: ReadStats) -> ReadStats:
    """Return the highest read count and the latest read of several sources."""
    known = [total for total in totals if total.read_count or total.last_read]
    if len(known) <= 1:
        return known[0] if known else NO_READS
    return ReadStats(
        max(total.read_count for total in known), latest_time(*(total.last_read for total in known))
    )


def parse_frontmatter_reads(atom: Atom) -> ReadStats:
    """Return `refs` and `last-ref` of the frontmatter; invalid values count as absent."""
    if "refs" not in atom.fields and "last-ref" not in atom.fields:
        return NO_READS
    return parse_read_stats(atom.text_field("refs"), atom.text_field("last-ref"))


def latest_time(*times: str) -> str:
    """Return the latest of some times of any precision: `…:21Z` is before `…:21.074Z`."""
    return max(times, key=lambda ts: ts.removesuffix("Z"))


def parse_read_stats(refs: str, last: str) -> ReadStats:
    """Return the total of a count and a time given as text; an invalid count is 0."""
    refs, last = refs.strip(), last.strip()
    count = (
        int(refs) if refs.isascii() and refs.isdecimal() and len(refs) <= MAX_COUNT_DIGITS else 0
    )
    return ReadStats(count, normalize_time(last))


def normalize_time(text: str) -> str:
    """Return a time as written, or in UTC if it has an offset; empty if it is not a time."""
    if not text[:4].isdecimal():
        return ""
    if re.fullmatch(_TIME, text, re.ASCII):
        return text
    return _convert_to_utc(text)


def _convert_to_utc(text: str) -> str:
    """Return a time with an offset in the log's form (UTC), with the same digits.

    Times are compared as text.
    """
    found = re.fullmatch(_TIME_WITH_OFFSET, text, re.ASCII)
    if not found:
        return ""
    second, fraction, offset = found.groups("")
    try:
        moment = datetime.fromisoformat(second + offset).astimezone(UTC)
    except (ValueError, OverflowError):  # the 32nd of a month, or before the first year
        return ""
    return f"{moment.replace(tzinfo=None).isoformat()}{fraction}Z"
