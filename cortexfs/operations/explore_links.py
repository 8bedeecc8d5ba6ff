"""Links of an atom: its backlinks, the graph around it, and the path from one to another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.graph.graph_walk import AtomGraph, collect_neighbourhood, find_shortest_path
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.session.annotation_types import LinkQueries
    from cortexfs.session.session import Session

NO_FILTER = AtomFilter()
"""No filter."""
DEFAULT_DEPTH = 1
"""Default number of steps."""
DEFAULT_LIMIT = 100
"""Default number of atoms shown."""


class GraphResult(NamedTuple):
    """The atoms around one, with the displayed fields of each."""

    graph: AtomGraph
    nodes: Mapping[Ref, LinkedAtom]


class Backlinks(NamedTuple):
    """The atoms that link to one, and the links."""

    ref: Ref
    links: Sequence[AtomLink]
    nodes: Mapping[Ref, LinkedAtom]


class PathResult(NamedTuple):
    """The atoms on a shortest path, first and last included, and the links between them."""

    refs: list[Ref]
    links: Sequence[AtomLink]
    nodes: Mapping[Ref, LinkedAtom]


def explore_links(
    session: Session,
    typed: str,
    cwd: str,
    *,
    depth: int = DEFAULT_DEPTH,
    limit: int = DEFAULT_LIMIT,
    only: AtomFilter = NO_FILTER,
) -> GraphResult:
    """Follow links from an atom in both directions, `depth` steps, to at most `most` others.

    Only atoms that match the filters are shown and passed through; the first always is.
    """
    with session.read(NeededContents.TEXTS, drain=True) as view:
        queries = view.text_queries().link_queries()
        require_known_filter_names(view, only)
        start, _ = resolve_ref(view, typed, cwd)

        def find_matching_links(refs: Collection[Ref]) -> list[AtomLink]:
            return _filter_links(queries, queries.find_links(refs), only, start)

        found = collect_neighbourhood(
            start,
            queries.find_links if only == NO_FILTER else find_matching_links,
            depth,
            1 + limit,
        )
        return GraphResult(found, queries.read_nodes(found.reached_from))


def backlinks(
    session: Session,
    typed: str,
    cwd: str,
    only: AtomFilter = NO_FILTER,
    limit: int | None = None,
) -> Backlinks:
    """Return the atoms that link to one, in frontmatter or body, and match the filters.

    At most `limit` links are returned; all if it is None.
    """
    with session.read(NeededContents.TEXTS, drain=True) as view:
        queries = view.text_queries().link_queries()
        require_known_filter_names(view, only)
        ref, _ = resolve_ref(view, typed, cwd)
        found = [link for link in queries.find_links({ref}) if link.target == ref]
        found = found if only == NO_FILTER else _filter_links(queries, found, only, ref)
        found = found[:limit]
        return Backlinks(ref, found, queries.read_nodes(link.source for link in found))


def _filter_links(
    queries: LinkQueries, found: Sequence[AtomLink], only: AtomFilter, start: Ref
) -> list[AtomLink]:
    """Return the links between atoms that match; the first atom need not."""
    ends = {ref for link in found for ref in (link.source, link.target)}
    allowed = {start, *queries.filter_refs(ends, only)}
    return [link for link in found if {link.source, link.target} <= allowed]


def find_path(session: Session, start_typed: str, end_typed: str, cwd: str) -> PathResult:
    """Return a shortest path from one atom to another; without refs if there is none."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        queries = view.text_queries().link_queries()
        start, end = (resolve_ref(view, typed, cwd)[0] for typed in (start_typed, end_typed))
        path = find_shortest_path(start, end, queries.find_links)
        pairs = {frozenset(step) for step in pairwise(path)}
        links = [link for link in queries.find_links(path) if {link.source, link.target} in pairs]
        return PathResult(path, links, queries.read_nodes(path))
