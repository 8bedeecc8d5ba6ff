"""The filters of a query besides its words, and parsing of their values."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.atom_with_reads import date_ordinal_of_atom

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads

_AGO = re.compile(r"([0-9]{1,4})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


class AtomFilter(NamedTuple):
    """Conditions on an atom: one of the values of each given filter, but all of the tags."""

    kinds: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: int = 0
    """The first day, as an ordinal; 0 is no limit."""
    excluded: tuple[AtomFilter, ...] = ()
    """Conditions of which none may match."""
    until: int = 0
    """The last day, as an ordinal; 0 is no limit."""
    types: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    without_deleted: bool = False
    """Whether memories that were deleted softly are left out."""
    entities: tuple[str, ...] = ()
    """Names of entities; a search by text requires all of them, other commands do not filter."""

    def combine(self, other: AtomFilter) -> AtomFilter:
        """Return a filter with the conditions of both."""
        return AtomFilter(
            self.kinds + other.kinds,
            self.projects + other.projects,
            self.statuses + other.statuses,
            self.tags + other.tags,
            max(self.since, other.since),
            self.excluded + other.excluded,
            min(self.until or other.until, other.until or self.until),
            self.types + other.types,
            self.scopes + other.scopes,
            self.without_deleted or other.without_deleted,
            self.entities + other.entities,
        )

    def matches(self, entry: AtomWithReads) -> bool:
        """Return whether an atom meets all conditions; tags are compared folded."""
        atom = entry.atom
        return (
            (not self.kinds or atom.kind in self.kinds)
            and (not self.projects or atom.project in self.projects)
            and (not self.statuses or entry.status.word in self.statuses)
            and (not self.tags or has_tags(atom.list_field("tags"), self.tags))
            and (
                (not self.since and not self.until) or self.includes_day(date_ordinal_of_atom(atom))
            )
            and (not self.types or atom.text_field("type") in self.types)
            and (not self.scopes or atom.text_field("scope") in self.scopes)
            and not (self.without_deleted and atom.text_field("deleted-at"))
            and not any(one.matches(entry) for one in self.excluded)
        )

    def needs_catalog(self) -> bool:
        """Return whether it has conditions that a full-text index may not know."""
        own = self.types or self.scopes or self.without_deleted or self.entities
        return bool(own) or any(one.needs_catalog() for one in self.excluded)

    def includes_day(self, day: int) -> bool:
        """Return whether a day (an ordinal; 0 is unknown) is from `since` to `until`."""
        return self.since <= day and (not self.until or 0 < day <= self.until)


def has_tags(tags: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether all wanted tags, which are folded, are among the tags as written."""
    from cortexfs.core.find.tokenize import fold_text  # noqa: PLC0415 - few ask for tags

    return {*wanted} <= {fold_text(tag) for tag in tags}


def split_values(values: Iterable[str] | None) -> tuple[str, ...]:
    """Return the values of an option that may be repeated and comma-separated, each once."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def parse_since(text: str, today: date) -> int:
    """Return the first day of `2026-03-09`, `2026-03`, `2026`, `30d`, `2w`, `6m` or `1y`.

    The day is an ordinal; 0 if the text has none of these forms.
    """
    return _days_of(text, today)[0]


def parse_until(text: str, today: date) -> int:
    """Return the last day of the same forms as `parse_since`, as an ordinal; 0 for others."""
    return _days_of(text, today)[1]


def _days_of(text: str, today: date) -> tuple[int, int]:
    """Return the first and last day of a date or period, as ordinals; 0, 0 if invalid."""
    if ago := _AGO.fullmatch(text):
        day = max(1, today.toordinal() - int(ago[1]) * _DAYS[ago[2]])
        return day, day
    if not (found := _DATE.fullmatch(text)):
        return 0, 0
    year, month, day_of_month = (int(part) if part else 0 for part in found.groups())
    try:
        first = date(year, month or 1, day_of_month or 1)
        if day_of_month:
            return first.toordinal(), first.toordinal()
        next_month = date(year, month or 12, 28).toordinal() + 4
    except ValueError:  # the 31st of February
        return 0, 0
    if next_month > date.max.toordinal():
        return first.toordinal(), date.max.toordinal()
    return first.toordinal(), next_month - date.fromordinal(next_month).day


def find_unknown_names(names: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return the names that are not known."""
    return [name for name in names if name not in known]
