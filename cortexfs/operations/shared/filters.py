"""Parse the filters that a person types, and refuse a name that nothing in the tree has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import (
    DECISION_STATUS_SECTIONS,
    IDEA_STATUS_SECTIONS,
    STATUS_SECTIONS,
)
from cortexfs.core.find.atom_filter import AtomFilter, parse_since, parse_until, split_values
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import NoSuchStatus, NoSuchTag, Usage
from cortexfs.operations.shared.resolve_names import require_kind, require_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.session.view import TreeFilesAndGit, View

    Names = Sequence[str] | None

MAX_TAGS = 32
"""Maximum number of tags in one filter."""
_DATE_HINT = "write 2026-03-09, 2026-03, 2026, 30d, 2w, 6m or 1y"


def parse_filters(
    view: TreeFilesAndGit,
    *,
    kinds: Names = None,
    projects: Names = None,
    statuses: Names = None,
    tags: Names = None,
    since: str = "",
    until: str = "",
) -> AtomFilter:
    """Return the filter of a command's options; raise `Usage` for an invalid date.

    Each option may be repeated and comma-separated. `require_known_names` checks the names.
    """
    today = view.clock().date()
    first, last = parse_since(since, today), parse_until(until, today)
    for text, day in ((since, first), (until, last)):
        if text and not day:
            raise Usage(f"`{text}` is not a date", hint=_DATE_HINT)
    if len(wanted := split_values(tags)) > MAX_TAGS:
        raise Usage(f"more than {MAX_TAGS} tags", hint="results must match every --tag")
    return AtomFilter(
        _split_lower_case(kinds),
        split_values(projects),
        _split_lower_case(statuses),
        _fold_tags(wanted),
        since=first,
        until=last,
    )


def require_known_filter_names(view: View, only: AtomFilter) -> None:
    """Raise `NoSuchKind`, `NoSuchProject`, `NoSuchStatus` or `NoSuchTag`, each with the nearest."""
    every = [only, *only.excluded]
    for kind in dict.fromkeys(name for each in every for name in each.kinds):
        require_kind(view, kind)
    for project in dict.fromkeys(name for each in every for name in each.projects):
        require_project(view, project)
    _require_statuses(view, [name for each in every for name in each.statuses])
    _require_tags(view, [name for each in every for name in each.tags])  # it reads all atoms


def list_statuses(view: TreeFilesAndGit) -> list[str]:
    """Return the statuses of all kinds of the tree, in the order of the lifecycle."""
    own = (status for kind in view.kinds for status in kind.statuses)
    return list(
        dict.fromkeys([*STATUS_SECTIONS, *DECISION_STATUS_SECTIONS, *IDEA_STATUS_SECTIONS, *own])
    )


def _require_statuses(view: View, statuses: Sequence[str]) -> None:
    known = list_statuses(view)
    for name in statuses:
        if name not in known and name not in view.queries.list_statuses():
            raise NoSuchStatus(name, known, close=nearest_names(name, known))


def _require_tags(view: View, tags: Sequence[str]) -> None:
    if not tags:
        return
    used = view.entries.list_tags()
    if not {*tags} <= {*_fold_tags(used)}:  # atoms without an id are in no list, but have tags
        used |= {tag for _, _, each in view.queries.iter_tagged() for tag in each}
    known = dict(zip(_fold_tags(used), used, strict=True))
    for name in tags:
        if name not in known:
            raise NoSuchTag(name, close=[known[tag] for tag in nearest_names(name, known)])


def _split_lower_case(values: Names) -> tuple[str, ...]:
    return tuple(value.lower() for value in split_values(values))


def _fold_tags(tags: Sequence[str] | set[str]) -> tuple[str, ...]:
    if not tags:
        return ()
    from cortexfs.core.find.tokenize import fold_text  # noqa: PLC0415 - few ask for tags

    return tuple(map(fold_text, tags))
