"""List everything that is stored: filtered, counted and sorted, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom_origin import AtomOrigin, parse_origin
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.count_facets import count_chosen, count_facets
from cortexfs.errors import Usage
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.count_facets import Chosen, FacetCounts
    from cortexfs.session.annotation_types import (
        BrowseCell,
        BrowseRow,
        CommitSummary,
        TreeCommits,
    )
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_PAGE_SIZE = 200
"""Maximum number of atoms on a page."""
MAX_SELECTED = 500
"""Maximum number of atoms that are changed at once."""
SORTS = {
    "date": True,
    "reads": True,
    "last-read": True,
    "title": False,
    "ref": False,
    "kind": False,
    "project": False,
    "status": False,
}
"""The orders of the list, each with whether it begins with the highest."""
FACETS = ("kind", "project", "status", "origin")


class BrowseRequest(NamedTuple):
    """What to list: `text` is a part of ref, summary or tags; `page` counts from 1."""

    only: AtomFilter = AtomFilter()
    text: str = ""
    origins: tuple[str, ...] = ()
    archived: bool = False
    sort: str = "date"
    descending: bool = True
    page: int = 1
    page_size: int = 50


class RowOrigin(NamedTuple):
    """Where an atom comes from: its frontmatter, its first commit, and the atom of its session.

    `date` is the day that the frontmatter names.
    """

    named: AtomOrigin
    commit: CommitSummary | None = None
    session_ref: str = ""
    date: str = ""


class BrowsePage(NamedTuple):
    """A page of the list, the number of all matches, and their counts by facet.

    The counts of a facet leave out its own condition: they say what another choice would give.
    `stored` counts everything that is not archived, `archived` what is, `unreadable` the files
    that no list can show.
    """

    rows: Sequence[BrowseRow]
    origins: Mapping[str, RowOrigin]
    total: int
    facets: FacetCounts
    stored: int
    archived: int
    unreadable: int


def browse_atoms(session: Session, request: BrowseRequest) -> BrowsePage:
    """Return a page of everything that is stored; raise `Usage` for an unknown order."""
    if request.sort not in SORTS or not 0 < request.page_size <= MAX_PAGE_SIZE or request.page < 1:
        raise Usage("there is no such page", hint=f"orders are {', '.join(SORTS)}")
    commits = session.list_commits()
    with session.read(NeededContents.TEXTS, drain=True) as view:
        chosen = view.make_browse_filter(
            request.only, request.text, request.origins, archived=request.archived
        )
        rows = view.browse.list_rows(
            chosen,
            request.sort,
            request.page_size,
            (request.page - 1) * request.page_size,
            descending=request.descending,
        )
        by_state: dict[bool, dict[BrowseCell, int]] = {False: {}, True: {}}
        for cell, count in view.browse.count_cells(chosen).items():
            by_state[bool(cell.is_archived)][cell] = count
        cells, facets = by_state[request.archived], _list_chosen(request)
        return BrowsePage(
            rows,
            find_origins(view, commits, [row.path for row in rows]),
            count_chosen(cells, facets),
            count_facets(cells, facets),
            view.browse.count(view.make_browse_filter(AtomFilter())),
            count_chosen(by_state[True], facets),
            view.catalog.count_unreadable(),
        )


def list_matching_refs(session: Session, request: BrowseRequest) -> list[Ref]:
    """Return the refs of all matches, at most one more than can be changed at once."""
    with session.read(NeededContents.TEXTS) as view:
        chosen = view.make_browse_filter(
            request.only, request.text, request.origins, archived=request.archived
        )
        return view.browse.list_refs(chosen, MAX_SELECTED + 1)


def read_origins(session: Session, paths: Sequence[str]) -> Mapping[str, RowOrigin]:
    """Return the origin of the atoms at some paths, by path."""
    commits = session.list_commits()
    with session.read(NeededContents.TEXTS) as view:
        return find_origins(view, commits, paths)


def find_origins(view: View, commits: TreeCommits, paths: Sequence[str]) -> Mapping[str, RowOrigin]:
    """Return the origin of the atoms at some paths."""
    atoms = {atom.path: atom for atom in view.stored_atoms.list_by_paths(paths)}
    named = {path: parse_origin(atom) for path, atom in atoms.items()}
    sessions = {each.session for each in named.values() if each.session}
    rows = {name: view.memories.find_session(name) for name in sessions}
    refs = {name: row.ref for name, row in rows.items() if row}
    return {
        path: RowOrigin(
            origin,
            commits.first.get(path),
            refs.get(origin.session, ""),
            atoms[path].text_field("date"),
        )
        for path, origin in named.items()
    }


def _list_chosen(request: BrowseRequest) -> Chosen:
    only = request.only
    values = (only.kinds, only.projects, only.statuses, request.origins)
    return dict(zip(FACETS, values, strict=True))
