"""What is tied to an atom: who names it, what is around it, and the way from one to another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.filters import Only
from cortexfs.core.graph.graph_walk import Graph, around, shortest
from cortexfs.operations.shared.filters import require_known
from cortexfs.operations.shared.resolve_names import resolve
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import Node, Tie
    from cortexfs.session.session import Session
    from cortexfs.session.types import Ties

EVERY = Only()
"""No filter."""
DEPTH = 1
"""Steps that are walked where no number is asked for."""
MOST = 100
"""Atoms that are shown where no number is asked for."""


class Around(NamedTuple):
    """What is around an atom, with what is shown of each."""

    graph: Graph
    nodes: Mapping[Ref, Node]


class Backlinks(NamedTuple):
    """The atoms that name one, and how."""

    ref: Ref
    ties: Sequence[Tie]
    nodes: Mapping[Ref, Node]


class Way(NamedTuple):
    """The atoms on a shortest way, first and last included, and the ties between them."""

    refs: list[Ref]
    ties: Sequence[Tie]
    nodes: Mapping[Ref, Node]


def graph(
    session: Session,
    typed: str,
    cwd: str,
    *,
    depth: int = DEPTH,
    most: int = MOST,
    only: Only = EVERY,
) -> Around:
    """Follow links from an atom in either direction, `depth` steps far, to `most` others.

    Only atoms that match the filters are shown and passed through; the first always is.
    """
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        require_known(view, only)
        start, _ = resolve(view, typed, cwd)

        def follow(refs: Collection[Ref]) -> list[Tie]:
            return _matching(ties, ties.of(refs), only, start)

        found = around(start, ties.of if only == EVERY else follow, depth, 1 + most)
        return Around(found, ties.atoms(found.above))


def backlinks(session: Session, typed: str, cwd: str, only: Only = EVERY) -> Backlinks:
    """Return the atoms that link to one, in frontmatter or body, and match the filters."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        require_known(view, only)
        ref, _ = resolve(view, typed, cwd)
        found = [tie for tie in ties.of({ref}) if tie.target == ref]
        found = found if only == EVERY else _matching(ties, found, only, ref)
        return Backlinks(ref, found, ties.atoms(tie.source for tie in found))


def _matching(ties: Ties, found: Sequence[Tie], only: Only, start: Ref) -> list[Tie]:
    """Return the links between atoms that match; the first atom need not."""
    ends = {ref for tie in found for ref in (tie.source, tie.target)}
    allowed = {start, *ties.matching(ends, only)}
    return [tie for tie in found if {tie.source, tie.target} <= allowed]


def path(session: Session, one: str, other: str, cwd: str) -> Way:
    """Give a shortest way from one atom to another; one without refs where there is none."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        start, end = (resolve(view, typed, cwd)[0] for typed in (one, other))
        way = shortest(start, end, ties.of)
        steps = {frozenset(step) for step in pairwise(way)}
        between = [tie for tie in ties.of(way) if {tie.source, tie.target} in steps]
        return Way(way, between, ties.atoms(way))
