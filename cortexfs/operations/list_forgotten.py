"""List what the tree has forgotten, and why: deleted, archived, merged, refuted, stale, removed."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import TOMBSTONE_STATUS
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.status_change.tombstone import DATE_KEY, REASON_KEY
from cortexfs.operations.removed_atoms import find_removed_atoms
from cortexfs.operations.shared.filters import require_known_filter_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

NO_FILTER = AtomFilter()
"""No filter."""
LAST_DAY = "9999-12-31"
MAX_COMMITS = 2000
"""Maximum number of commits in which reasons are looked up, the newest."""


class Forgetting(StrEnum):
    """How something was forgotten."""

    DELETED = "deleted"
    """A memory that searches leave out; its file stays."""
    MERGED = "merged"
    REFUTED = "invalidated"
    STALE = "stale"
    REPLACED = "deprecated"
    REMOVED = "removed"
    """Its file is gone; git has it."""


class ForgottenAtom(NamedTuple):
    """A forgotten atom: when (a day or time in UTC), why, and by whom; empty if unknown."""

    ref: str
    path: str
    how: Forgetting
    when: str
    why: str
    by: str
    summary: str = ""


class ForgottenAtoms(NamedTuple):
    """The latest forgotten atoms, latest first, and the number of all."""

    atoms: list[ForgottenAtom]
    total: int


def list_forgotten(
    session: Session, only: AtomFilter = NO_FILTER, *, ref: str = "", limit: int
) -> ForgottenAtoms:
    """Return what was forgotten; with a ref only that atom.

    The days of the filter are those on which something was forgotten. A short ref names the atoms
    of all projects that have it.
    """
    since = date.fromordinal(only.since).isoformat() if only.since else ""
    until = date.fromordinal(only.until).isoformat() if only.until else LAST_DAY
    only = only._replace(since=0, until=0)
    with session.read() as view:
        commits = _map_last_commits(view)
        every = chain(_find_marked(view, only, commits), _find_removed(view, only))
        wanted = [
            each
            for each in every
            if since <= each.when[:10] <= until
            and (not ref or ref in {each.ref, each.ref.rpartition("/")[2]})
        ]
    latest = nlargest(limit, wanted, key=lambda each: (each.when, each.ref))
    return ForgottenAtoms(latest, len(wanted))


def _find_marked(
    view: View, only: AtomFilter, commits: dict[str, CommitSummary]
) -> Iterator[ForgottenAtom]:
    require_known_filter_names(view, only)
    for entry in view.entries.iter_entries(AtomCriteria(only)):
        if how := _judge(entry):
            atom, commit = entry.atom, commits.get(entry.atom.path)
            when = atom.text_field("deleted-at") or atom.text_field(DATE_KEY)
            yield ForgottenAtom(
                atom.ref,
                atom.path,
                how,
                when or (commit.when if commit else ""),
                _explain(entry, commit),
                commit.author if commit else "",
                atom.text_field("summary"),
            )


def _judge(entry: AtomWithReads) -> Forgetting | None:
    """Return how an atom was forgotten; None if it was not."""
    if entry.atom.text_field("deleted-at"):
        return Forgetting.MERGED if entry.status.cause else Forgetting.DELETED
    words = {TOMBSTONE_STATUS: Forgetting.REFUTED, "stale": Forgetting.STALE}
    return {**words, "deprecated": Forgetting.REPLACED}.get(entry.status.word)


def _explain(entry: AtomWithReads, commit: CommitSummary | None) -> str:
    """Return why: the reason in the atom, what replaced it, or the message of the commit."""
    if reason := entry.atom.text_field(REASON_KEY):
        return reason
    cause = entry.status.cause
    is_merged = bool(entry.atom.text_field("deleted-at"))
    by = f"{cause} says the same; " if is_merged else f"{cause} replaces it; "
    return f"{by if cause else ''}{commit.subject if commit else 'no commit says why'}"


def _find_removed(view: View, only: AtomFilter) -> Iterator[ForgottenAtom]:
    """Yield the atoms whose file is gone, without those that were renamed or came back."""
    seen: set[str] = set()
    for removal in find_removed_atoms(view):
        project = removal.ref.rpartition("/")[0]
        is_known = removal.path in seen or view.tree.is_file(removal.path)
        if is_known or removal.new_name or (only.projects and project not in only.projects):
            continue
        seen.add(removal.path)
        how, why, by = Forgetting.REMOVED, removal.subject, removal.author
        yield ForgottenAtom(removal.ref, removal.path, how, removal.when, why, by)


def _map_last_commits(view: View) -> dict[str, CommitSummary]:
    """Return the last commit of each path, among the newest ones that are not housekeeping."""
    history = view.repository.history
    records = history.list_recent_commits(MAX_COMMITS, HOUSEKEEPING_MESSAGES) if history else []
    found: dict[str, CommitSummary] = {}
    for record in records:
        for _, path in record.paths:
            found.setdefault(path, record.commit)
    return found
