"""Experiments that belong together: by tags that they share, by links among them."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.project_atoms import is_active, list_evidence, list_links, list_tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.maintain.project_atoms import ProjectAtoms

MIN_CLUSTER_SIZE = 3
"""Fewer experiments are no cluster."""
MIN_SHARED = 2
"""Tags that experiments share to be one; what a pattern must have of them to be its pattern."""


class Cluster(NamedTuple):
    """Experiments that belong together, by what tags, and the patterns that draw on them."""

    refs: tuple[str, ...]
    tags: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def find_tag_clusters(study: ProjectAtoms) -> list[Cluster]:
    """Find the sets of standing experiments that share two tags, largest first.

    Two pairs of tags that the same experiments bear are one cluster; its patterns are those
    with two of its tags.
    """
    bearers: dict[str, set[str]] = defaultdict(set)
    chosen = {str(e.atom.ref): set(list_tags(e)) for e in study.list_experiments() if is_active(e)}
    for ref, borne in chosen.items():
        for tag in borne:
            bearers[tag].add(ref)
    common = {tag for tag, refs in bearers.items() if len(refs) >= MIN_CLUSTER_SIZE}
    sets: dict[frozenset[str], set[str]] = defaultdict(set)
    for one, other in _pairs(chosen.values(), common):
        if len(both := bearers[one] & bearers[other]) >= MIN_CLUSTER_SIZE:
            sets[frozenset(both)] |= {one, other}
    patterns = [(str(p.atom.ref), set(list_tags(p))) for p in study.list_patterns()]
    return _sorted(
        Cluster(_in_order(refs), tuple(sorted(shared)), _with_tags(patterns, shared))
        for refs, shared in sets.items()
    )


def find_link_clusters(study: ProjectAtoms) -> list[Cluster]:
    """Find the standing experiments that hang together by links, largest set first.

    One that links to nothing is in none; its patterns are those that draw on two of them.
    """
    standing = {str(e.atom.ref): list_links(e) for e in study.list_experiments() if is_active(e)}
    near: dict[str, set[str]] = {ref: set() for ref, to in standing.items() if to}
    for ref, linked in near.items():
        for other in standing[ref]:
            if other in near and other != ref:
                linked.add(other)
                near[other].add(ref)
    sources = [(str(p.atom.ref), set(list_evidence(p))) for p in study.list_patterns()]
    return _sorted(
        Cluster(_in_order(refs), (), _with_tags(sources, refs))
        for refs in _components(near)
        if len(refs) >= MIN_CLUSTER_SIZE
    )


def _pairs(borne: Iterable[set[str]], common: set[str]) -> set[tuple[str, str]]:
    return {pair for each in borne for pair in combinations(sorted(each & common), 2)}


def _with_tags(patterns: Iterable[tuple[str, set[str]]], shared: Iterable[str]) -> tuple[str, ...]:
    """Name the patterns that have two of what a cluster has."""
    return tuple(ref for ref, has in patterns if len(has.intersection(shared)) >= MIN_SHARED)


def _components(near: Mapping[str, set[str]]) -> Iterable[set[str]]:
    """Part a graph into what hangs together."""
    seen: set[str] = set()
    for start in near:
        pending, found = {start} - seen, set[str]()
        while pending:
            found.add(ref := pending.pop())
            pending |= near[ref] - found
        seen |= found
        if found:
            yield found


def _in_order(refs: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(refs, key=lambda ref: (len(ref), ref)))


def _sorted(clusters: Iterable[Cluster]) -> list[Cluster]:
    """Put the largest first, and those that no pattern draws on before the others."""
    return sorted(clusters, key=lambda c: (bool(c.patterns), -len(c.refs), c.refs))
