"""Atoms related to an atom: by links, shared evidence, reads in the same session, and text.

The score is the weighted sum of reasons between 0 and 1, reduced for atoms that are not current.
Something that few atoms share counts more than something that many share (Adamic and Adar, 2003).
"""

from __future__ import annotations

from collections import defaultdict
from math import log, log2
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS as PARTS
from cortexfs.core.find.rank import STATUS_FACTORS
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.graph.render_graph import format_link_directions
from cortexfs.core.graph.resolve_links import PROSE_KINDS
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.graph.resolve_links import AtomLink, GraphNode

REASON_WEIGHTS = {"links": 0.35, "evidence": 0.2, "looks": 0.2, "text": 0.25}
"""Maximum contribution of each reason; the sum is 1."""
PROSE_LINK_STRENGTH = 0.6
"""Share of a link that is only in prose and in no field."""
EVIDENCE_KINDS = frozenset({"evidence", "source-experiments"})
"""The fields with the atoms that an atom depends on."""
MAX_QUERY_TERMS = 12
"""Number of words of an atom that are used to find similar ones."""
MAX_CANDIDATE_TERMS = 48
"""Number of highest-weighted words whose frequency is counted."""
MIN_TEXT_STRENGTH = 0.01
"""Text similarity below this share is ignored."""
MAX_NAMED_REFS = 3
"""Maximum number of shared atoms that are named; the others are counted."""


_Thing = TypeVar("_Thing", bound=str)


class RelationReason(NamedTuple):
    """Why an atom is related: a share from 0 to 1, and an explanation."""

    strength: float
    description: str = ""


Reasons = dict["Ref", RelationReason]


class RelatedAtom(NamedTuple):
    """A related atom with its score and the reasons for it."""

    node: GraphNode
    score: float
    reasons: Mapping[str, RelationReason]


def rank_related_atoms(
    nodes: Mapping[Ref, GraphNode], found: Mapping[str, Reasons], most: int
) -> list[RelatedAtom]:
    """Return the related atoms by descending score, at most `most`."""
    near = [_weighed(nodes[ref], found) for ref in {r for each in found.values() for r in each}]
    return sorted(near, key=lambda one: (-one.score, one.node.ref))[:most]


def _weighed(node: GraphNode, found: Mapping[str, Reasons]) -> RelatedAtom:
    reasons = {word: said[node.ref] for word, said in found.items() if node.ref in said}
    gained = sum(REASON_WEIGHTS[word] * reason.strength for word, reason in reasons.items())
    return RelatedAtom(
        node, gained * STATUS_FACTORS[parse_atom_status(node.status).section], reasons
    )


def score_by_links(ref: Ref, ties: Iterable[AtomLink]) -> Reasons:
    """Return the atoms that link to an atom or that it links to."""
    pairs = {(tie.source, tie.target): tie for tie in ties if ref in (tie.source, tie.target)}
    found: Reasons = {}
    for tie in pairs.values():
        share = 1.0 if set(tie.kinds) - PROSE_KINDS else PROSE_LINK_STRENGTH
        other = tie.other_end(ref)
        share = max(share, found[other].strength) if other in found else share
        found[other] = RelationReason(share, format_link_directions(ref, other, pairs))
    return found


def score_by_evidence(ref: Ref, ties: Iterable[AtomLink]) -> Reasons:
    """Return the atoms with shared evidence; `ties` are the links of what an atom depends on."""
    resting: dict[Ref, set[Ref]] = defaultdict(set)
    for tie in ties:
        if EVIDENCE_KINDS & set(tie.kinds):
            resting[tie.target].add(tie.source)
    shared = {ground: others for ground, others in resting.items() if ref in others}
    return _shared(ref, shared, _named)


def score_by_shared_sessions(ref: Ref, sessions: Mapping[str, Collection[Ref]]) -> Reasons:
    """Return the atoms that were read in the same sessions."""
    return _shared(ref, sessions, lambda both: format_count(len(both), "session"))


def score_by_text(ref: Ref, scores: Mapping[Ref, float]) -> Reasons:
    """Return the atoms with similar text, relative to the score of the atom itself."""
    full = scores.get(ref) or max(scores.values(), default=0.0)
    return {
        other: RelationReason(min(1.0, score / full))
        for other, score in scores.items()
        if other != ref and score > MIN_TEXT_STRENGTH * full
    }


def select_distinctive_terms(
    said: IndexedFields, count_terms: Callable[[Iterable[str]], Mapping[str, int]]
) -> tuple[str, ...]:
    """Return the characteristic words of an atom: high weight in it, rare in others.

    `count_terms` returns the number of atoms with each word.
    """
    loud: dict[str, float] = defaultdict(float)
    for part, weight in zip(said, PARTS, strict=True):
        for term in filter(_tells, part.split()):
            loud[term] += float(weight)
    chosen = sorted(loud, key=lambda term: (-loud[term], term))[:MAX_CANDIDATE_TERMS]
    known = {term: number for term, number in count_terms(chosen).items() if number > 1}
    most = max(known.values(), default=0)
    rare = {term: loud[term] * log(1 + most / number) for term, number in known.items()}
    return tuple(sorted(rare, key=lambda term: (-rare[term], term))[:MAX_QUERY_TERMS])


def _tells(term: str) -> bool:
    """Return whether a term is a word: not a stop word, a number or a ref."""
    return term not in load_stop_words() and not term.rpartition("-")[2].isdecimal()


def _shared(
    ref: Ref, among: Mapping[_Thing, Collection[Ref]], told: Callable[[list[_Thing]], str]
) -> Reasons:
    both: dict[Ref, list[_Thing]] = defaultdict(list)
    for thing, sharing in among.items():
        for other in set(sharing) - {ref}:
            both[other].append(thing)
    return {
        other: RelationReason(_filled(len(among[thing]) for thing in things), told(things))
        for other, things in both.items()
    }


def _filled(sizes: Iterable[int]) -> float:
    """Add up the shared things, weighted less the more atoms share them; the sum is below 1."""
    total = sum(1 / log2(1 + size) for size in sizes)
    return total / (1 + total)


def _named(refs: list[Ref]) -> str:
    shown = ", ".join(sorted(refs)[:MAX_NAMED_REFS])
    return f"{shown} and {len(refs) - MAX_NAMED_REFS} more" if len(refs) > MAX_NAMED_REFS else shown
