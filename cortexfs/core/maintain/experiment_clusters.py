"""Clusters of related experiments: by shared tags, or by links between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.project_atoms import is_active, list_evidence, list_links, list_tags

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.maintain.project_atoms import ProjectAtoms

MIN_CLUSTER_SIZE = 3
"""Minimum number of experiments in a cluster."""
MIN_SHARED = 2
"""Minimum number of tags or experiments that a cluster and its patterns share."""
MAX_TAG_CLUSTERS = 500
"""Maximum number of clusters by tags, the largest: hostile tags make hundreds of thousands."""


class Cluster(NamedTuple):
    """Related experiments, their shared tags, and the patterns based on them."""

    refs: tuple[str, ...]
    tags: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def find_tag_clusters(project: ProjectAtoms) -> list[Cluster]:
    """Return the sets of current experiments that share two tags, largest first.

    If the same experiments share several pairs of tags, they are one cluster. Its patterns are
    those with two of its tags.
    """
    tags_by_ref = {
        str(e.atom.ref): list_tags(e) for e in project.list_experiments() if is_active(e)
    }
    tags_by_refs: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for pair, refs in _group_by_tag_pair(tags_by_ref):
        tags_by_refs[refs].update(pair)
    largest = nsmallest(MAX_TAG_CLUSTERS, tags_by_refs, key=lambda refs: (-len(refs), refs))
    patterns = _PatternLookup.from_keys(
        {str(p.atom.ref): list_tags(p) for p in project.list_patterns()}
    )
    return _sort_clusters(
        Cluster(refs, tuple(sorted(tags_by_refs[refs])), patterns.find_sharing(tags_by_refs[refs]))
        for refs in largest
    )


def find_link_clusters(project: ProjectAtoms) -> list[Cluster]:
    """Return the sets of current experiments that are connected by links, largest first.

    Experiments without links are left out. The patterns of a set are those based on two of its
    experiments.
    """
    links = {str(e.atom.ref): list_links(e) for e in project.list_experiments() if is_active(e)}
    neighbours: dict[str, set[str]] = {ref: set() for ref, linked in links.items() if linked}
    for ref, own in neighbours.items():
        for other in links[ref]:
            if other in neighbours and other != ref:
                own.add(other)
                neighbours[other].add(ref)
    patterns = _PatternLookup.from_keys(
        {str(p.atom.ref): list_evidence(p) for p in project.list_patterns()}
    )
    return _sort_clusters(
        Cluster(_sort_refs(refs), (), patterns.find_sharing(refs))
        for refs in _find_components(neighbours)
        if len(refs) >= MIN_CLUSTER_SIZE
    )


def _group_by_tag_pair(
    tags_by_ref: Mapping[str, Sequence[str]],
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Yield each pair of tags with the experiments that have both, if there are enough."""
    refs_by_tag: dict[str, list[str]] = defaultdict(list)
    for ref in _sort_refs(tags_by_ref):
        for tag in tags_by_ref[ref]:
            refs_by_tag[tag].append(ref)
    for tag, refs in refs_by_tag.items():
        if len(refs) >= MIN_CLUSTER_SIZE:
            refs_by_other: dict[str, list[str]] = defaultdict(list)
            for ref in refs:
                for other in tags_by_ref[ref]:
                    if other > tag:
                        refs_by_other[other].append(ref)
            for other, shared in refs_by_other.items():
                if len(shared) >= MIN_CLUSTER_SIZE:
                    yield (tag, other), tuple(shared)


class _PatternLookup(NamedTuple):
    """The patterns, in order, with each tag or experiment."""

    patterns: Mapping[str, list[str]]

    @classmethod
    def from_keys(cls, keys_by_pattern: Mapping[str, Iterable[str]]) -> _PatternLookup:
        """Index the patterns by their tags or experiments."""
        patterns: dict[str, list[str]] = defaultdict(list)
        for ref, keys in keys_by_pattern.items():
            for key in keys:
                patterns[key].append(ref)
        return cls(patterns)

    def find_sharing(self, keys: Collection[str]) -> tuple[str, ...]:
        """Return the patterns with two of these tags or experiments."""
        counts = Counter(ref for key in keys for ref in self.patterns.get(key, ()))
        return _sort_refs(ref for ref, count in counts.items() if count >= MIN_SHARED)


def _find_components(neighbours: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Yield the connected components of a graph."""
    seen: set[str] = set()
    for start in neighbours:
        pending, component = {start} - seen, set[str]()
        while pending:
            component.add(ref := pending.pop())
            pending |= neighbours[ref] - component
        seen |= component
        if component:
            yield component


def _sort_refs(refs: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(refs, key=lambda ref: (len(ref), ref)))


def _sort_clusters(clusters: Iterable[Cluster]) -> list[Cluster]:
    """Sort clusters without a pattern first, then by descending size."""
    return sorted(clusters, key=lambda c: (bool(c.patterns), -len(c.refs), c.refs))
