"""Clusters of related experiments: by shared tags, or by links between them."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.project_atoms import is_active, list_evidence, list_links, list_tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.maintain.project_atoms import ProjectAtoms

MIN_CLUSTER_SIZE = 3
"""Minimum number of experiments in a cluster."""
MIN_SHARED = 2
"""Minimum number of tags or experiments that a cluster and its patterns share."""


class Cluster(NamedTuple):
    """Related experiments, their shared tags, and the patterns based on them."""

    refs: tuple[str, ...]
    tags: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def find_tag_clusters(study: ProjectAtoms) -> list[Cluster]:
    """Return the sets of current experiments that share two tags, largest first.

    If the same experiments share several pairs of tags, they are one cluster. Its patterns are
    those with two of its tags.
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
    """Return the sets of current experiments that are connected by links, largest first.

    Experiments without links are left out. The patterns of a set are those based on two of its
    experiments.
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
    """Return the patterns that share two tags or experiments with a cluster."""
    return tuple(ref for ref, has in patterns if len(has.intersection(shared)) >= MIN_SHARED)


def _components(near: Mapping[str, set[str]]) -> Iterable[set[str]]:
    """Yield the connected components of a graph."""
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
    """Sort clusters without a pattern first, then by descending size."""
    return sorted(clusters, key=lambda c: (bool(c.patterns), -len(c.refs), c.refs))
