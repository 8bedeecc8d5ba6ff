"""Atoms related to an atom: by links, shared evidence, reads in the same session, and text.

The score is the weighted sum of reasons between 0 and 1, reduced for atoms that are not current.
Something that few atoms share counts more than something that many share (Adamic and Adar, 2003).
"""

from __future__ import annotations

from collections import defaultdict
from math import log, log2
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.kind import EVIDENCE_FIELDS
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS
from cortexfs.core.find.rank import STATUS_FACTORS
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.graph.render_graph import format_link_directions
from cortexfs.core.graph.resolve_links import PROSE_KINDS
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom

REASON_WEIGHTS = {"links": 0.35, "evidence": 0.2, "reads": 0.2, "text": 0.25}
"""Maximum contribution of each reason; the sum is 1."""
PROSE_LINK_STRENGTH = 0.6
"""Share of a link that is only in prose and in no field."""

MAX_QUERY_TERMS = 12
"""Number of words of an atom that are used to find similar ones."""
MAX_CANDIDATE_TERMS = 48
"""Number of highest-weighted words whose frequency is counted."""
MIN_TEXT_STRENGTH = 0.01
"""Text similarity below this share is ignored."""
MAX_NAMED_REFS = 3
"""Maximum number of shared atoms that are named; the others are counted."""

_Shared = TypeVar("_Shared", bound=str)


class RelationReason(NamedTuple):
    """Why an atom is related: a share from 0 to 1, and an explanation."""

    strength: float
    description: str = ""


Reasons = dict["Ref", RelationReason]


class RelatedAtom(NamedTuple):
    """A related atom with its score and the reasons for it."""

    node: LinkedAtom
    score: float
    reasons: Mapping[str, RelationReason]


def rank_related_atoms(
    nodes: Mapping[Ref, LinkedAtom], reasons: Mapping[str, Reasons], limit: int
) -> list[RelatedAtom]:
    """Return the related atoms by descending score, at most `limit`."""
    scored = [
        _score_atom(nodes[ref], reasons) for ref in {r for each in reasons.values() for r in each}
    ]
    return sorted(scored, key=lambda atom: (-atom.score, atom.node.ref))[:limit]


def _score_atom(node: LinkedAtom, reasons: Mapping[str, Reasons]) -> RelatedAtom:
    own = {name: by_ref[node.ref] for name, by_ref in reasons.items() if node.ref in by_ref}
    total = sum(REASON_WEIGHTS[name] * reason.strength for name, reason in own.items())
    factor = STATUS_FACTORS[parse_atom_status(node.status).section]
    return RelatedAtom(node, total * factor, own)


def is_evidence_link(link: AtomLink) -> bool:
    """Return whether an atom names the other one as evidence."""
    return not set(link.kinds).isdisjoint(EVIDENCE_FIELDS)


def score_by_links(ref: Ref, links: Iterable[AtomLink]) -> Reasons:
    """Return the atoms that link to an atom or that it links to."""
    pairs = {
        (link.source, link.target): link for link in links if ref in (link.source, link.target)
    }
    reasons: Reasons = {}
    for link in pairs.values():
        strength = 1.0 if set(link.kinds) - PROSE_KINDS else PROSE_LINK_STRENGTH
        other = link.other_end(ref)
        strength = max(strength, reasons[other].strength) if other in reasons else strength
        reasons[other] = RelationReason(strength, format_link_directions(ref, other, pairs))
    return reasons


def score_by_evidence(ref: Ref, links: Iterable[AtomLink]) -> Reasons:
    """Return the atoms with shared evidence; `links` are those of the evidence of the atom."""
    citing: dict[Ref, set[Ref]] = defaultdict(set)
    for link in filter(is_evidence_link, links):
        citing[link.target].add(link.source)
    shared = {evidence: refs for evidence, refs in citing.items() if ref in refs}
    return _score_shared(ref, shared, _format_refs)


def score_by_shared_sessions(ref: Ref, sessions: Mapping[str, Collection[Ref]]) -> Reasons:
    """Return the atoms that were read in the same sessions."""
    return _score_shared(ref, sessions, lambda shared: format_count(len(shared), "session"))


def score_by_text(ref: Ref, scores: Mapping[Ref, float]) -> Reasons:
    """Return the atoms with similar text, relative to the score of the atom itself."""
    full = scores.get(ref) or max(scores.values(), default=0.0)
    return {
        other: RelationReason(min(1.0, score / full))
        for other, score in scores.items()
        if other != ref and score > MIN_TEXT_STRENGTH * full
    }


def select_distinctive_terms(
    indexed: IndexedFields, count_terms: Callable[[Iterable[str]], Mapping[str, int]]
) -> tuple[str, ...]:
    """Return the characteristic words of an atom: high weight in it, rare in others.

    `count_terms` returns the number of atoms with each word.
    """
    weights: dict[str, float] = defaultdict(float)
    for field, weight in zip(indexed, FIELD_WEIGHTS, strict=True):
        for term in filter(_is_distinctive, field.split()):
            weights[term] += float(weight)
    chosen = sorted(weights, key=lambda term: (-weights[term], term))[:MAX_CANDIDATE_TERMS]
    counts = {term: count for term, count in count_terms(chosen).items() if count > 1}
    highest = max(counts.values(), default=0)
    scores = {term: weights[term] * log(1 + highest / count) for term, count in counts.items()}
    return tuple(sorted(scores, key=lambda term: (-scores[term], term))[:MAX_QUERY_TERMS])


def _is_distinctive(term: str) -> bool:
    """Return whether a term is a word: not a stop word, a number or a ref."""
    return term not in load_stop_words() and not term.rpartition("-")[2].isdecimal()


def _score_shared(
    ref: Ref, refs_by: Mapping[_Shared, Collection[Ref]], describe: Callable[[list[_Shared]], str]
) -> Reasons:
    """Return the atoms that share evidence or sessions with an atom."""
    shared: dict[Ref, list[_Shared]] = defaultdict(list)
    for each, refs in refs_by.items():
        for other in set(refs) - {ref}:
            shared[other].append(each)
    return {
        other: RelationReason(_sum_rarities(len(refs_by[each]) for each in both), describe(both))
        for other, both in shared.items()
    }


def _sum_rarities(sizes: Iterable[int]) -> float:
    """Return a strength below 1: the more atoms share a thing, the less it adds."""
    total = sum(1 / log2(1 + size) for size in sizes)
    return total / (1 + total)


def _format_refs(refs: list[Ref]) -> str:
    shown = ", ".join(sorted(refs)[:MAX_NAMED_REFS])
    return f"{shown} and {len(refs) - MAX_NAMED_REFS} more" if len(refs) > MAX_NAMED_REFS else shown
