"""The field `reviewed`: reviews that found an atom still valid after another one changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.refs import is_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom

    FindAtom = Callable[[str, str], Atom | None]
    """A function of a ref and a project that returns the atom it means, or None."""

REVIEWED_KEY = "reviewed"
_REVIEW = re.compile(r"(\S+)\s+(\d{4}-\d\d-\d\d)(?:#([0-9a-f]{6,64}))?", re.ASCII)


class Review(NamedTuple):
    """One entry: the ref as written, and the day of the review (`YYYY-MM-DD`).

    `mark` is the id of the proposal to merge that was rejected; empty for any other review.
    """

    cited: str
    day: str
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.cited} {self.day}" + (f"#{self.mark}" if self.mark else "")


def parse_review(item: str) -> Review | None:
    """Return the review in a text such as `EXP-014 2026-05-06`; None for any other text."""
    found = _REVIEW.fullmatch(item)
    return Review(found[1], found[2], found[3] or "") if found and is_ref(found[1]) else None


def list_reviews(atom: Atom) -> Iterator[Review]:
    """Return the valid reviews of an atom."""
    return filter(None, map(parse_review, atom.list_field(REVIEWED_KEY)))


def merge_reviews(items: Sequence[str], cited: Iterable[str], day: str) -> tuple[str, ...]:
    """Return the items of the field with reviews of a day replacing older ones of these refs."""
    new = {ref: str(Review(ref, day)) for ref in cited}
    kept = [item for item in items if not ((old := parse_review(item)) and old.cited in new)]
    return (*kept, *new.values())


def is_reviewed_since_change(atom: Atom, evidence: Atom, find: FindAtom) -> bool:
    """Return whether an atom was reviewed since its evidence got its present status.

    A review names the evidence, or the cause in its status. The status dates from the evidence's
    `invalidated-date` or from the date of the cause, whichever is later: if the status changes
    again, or has another cause, another review is needed.
    """
    status = parse_atom_status(evidence.text_field("status"))
    cause = find(status.cause, evidence.project) if status.cause else None
    since = max(evidence.text_field("invalidated-date"), cause.text_field("date") if cause else "")
    return any(has_review_since(atom, other, since, find) for other in (evidence, cause) if other)


def has_review_since(atom: Atom, other: Atom, since: str, find: FindAtom) -> bool:
    """Return whether an atom has a review that names another atom, on a day or later."""
    for review in list_reviews(atom):
        reviewed = find(review.cited, atom.project)
        if reviewed and reviewed.ref == other.ref and review.day >= since:
            return True
    return False
