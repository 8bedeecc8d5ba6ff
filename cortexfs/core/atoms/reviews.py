"""The field `reviewed`: in the light of which atoms one was read again, and still holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import parse_status
from cortexfs.core.atoms.refs import is_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom

    Find = Callable[[str, str], Atom | None]
    """Give the atom that a ref means in a project."""

REVIEWED_KEY = "reviewed"
_ITEM = re.compile(r"(\S+)\s+(\d{4}-\d\d-\d\d)", re.ASCII)


class Review(NamedTuple):
    """One entry: the ref as it is written, and the day on which the atom was read again."""

    cited: str
    day: str

    def __str__(self) -> str:
        return f"{self.cited} {self.day}"


def parse_review(item: str) -> Review | None:
    """Read `EXP-014 2026-05-06`; None for anything else."""
    found = _ITEM.fullmatch(item)
    return Review(found[1], found[2]) if found and is_ref(found[1]) else None


def list_reviews(atom: Atom) -> Iterator[Review]:
    """Give the entries of an atom that can be read."""
    return filter(None, map(parse_review, atom.list_field(REVIEWED_KEY)))


def merge_reviews(items: Sequence[str], cited: Iterable[str], day: str) -> tuple[str, ...]:
    """Give the items of the field with entries of a day, in place of older ones for these refs."""
    new = {ref: str(Review(ref, day)) for ref in cited}
    kept = [item for item in items if not ((old := parse_review(item)) and old.cited in new)]
    return (*kept, *new.values())


def is_reviewed_since_change(atom: Atom, ground: Atom, find: Find) -> bool:
    """Tell whether an atom was read again since a ground of it got the status that it has.

    An entry names the ground, or what its status names as the cause. The status is as old as the
    ground's `invalidated-date`, or as the cause, whichever is later: one that changes again, or
    by another atom, has to be looked at again.
    """
    status = parse_status(ground.text_field("status"))
    cause = find(status.cause, ground.project) if status.cause else None
    since = max(ground.text_field("invalidated-date"), cause.text_field("date") if cause else "")
    return any(has_review_since(atom, other, since, find) for other in (ground, cause) if other)


def has_review_since(atom: Atom, other: Atom, since: str, find: Find) -> bool:
    """Tell whether an atom was read again in the light of another on a day or later."""
    for review in list_reviews(atom):
        meant = find(review.cited, atom.project)
        if meant and meant.ref == other.ref and review.day >= since:
            return True
    return False
