"""What is tied to an atom: who names it, what is around it, and the way from one to another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.graph.graph_walk import Graph, around, shortest
from cortexfs.operations.shared.resolve_names import resolve
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import Node, Tie
    from cortexfs.session.session import Session

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


def graph(session: Session, typed: str, cwd: str, depth: int = DEPTH, most: int = MOST) -> Around:
    """Walk from an atom over ties in either direction, `depth` steps far, to `most` others."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        start, _ = resolve(view, typed, cwd)
        found = around(start, ties.of, depth, 1 + most)
        return Around(found, ties.atoms(found.above))


def backlinks(session: Session, typed: str, cwd: str) -> Backlinks:
    """Give the atoms that name one, in frontmatter or body."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        ref, _ = resolve(view, typed, cwd)
        found = [tie for tie in ties.of({ref}) if tie.target == ref]
        return Backlinks(ref, found, ties.atoms(tie.source for tie in found))


def path(session: Session, one: str, other: str, cwd: str) -> Way:
    """Give a shortest way from one atom to another; one without refs where there is none."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        start, end = (resolve(view, typed, cwd)[0] for typed in (one, other))
        way = shortest(start, end, ties.of)
        steps = {frozenset(step) for step in pairwise(way)}
        between = [tie for tie in ties.of(way) if {tie.source, tie.target} in steps]
        return Way(way, between, ties.atoms(way))
