"""List the atoms related to one, the closest first, with the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.template_text import blank_template_lines
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.find.indexed_fields import extract_indexed_fields
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.graph.score_related_atoms import (
    RelatedAtom,
    is_evidence_link,
    score_by_evidence,
    score_by_links,
    score_by_shared_sessions,
    score_by_text,
    select_distinctive_terms,
)
from cortexfs.core.graph.score_related_atoms import rank_related_atoms as rank
from cortexfs.operations.explore_links import NO_FILTER
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.graph.score_related_atoms import RelationReason
    from cortexfs.session.annotation_types import LinkQueries
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit

DEFAULT_LIMIT = 10
"""Default number of atoms returned."""


class RelatedAtoms(NamedTuple):
    """The atoms related to one, the closest first."""

    ref: Ref
    related: list[RelatedAtom]


def related(
    session: Session, typed: str, cwd: str, limit: int = DEFAULT_LIMIT, only: AtomFilter = NO_FILTER
) -> RelatedAtoms:
    """Return the matching atoms that are related to one: by links, evidence, reads and words."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        queries = view.text_queries().link_queries()
        require_known_filter_names(view, only)
        ref, path = resolve_ref(view, typed, cwd)
        reasons = _score_by_reason(view, queries, ref, path)
        others = {other for scores in reasons.values() for other in scores}
        others = others if only == NO_FILTER else queries.filter_refs(others, only)
        kept = {
            word: {ref: scores[ref] for ref in scores if ref in others}
            for word, scores in reasons.items()
        }
        return RelatedAtoms(ref, rank(queries.read_nodes(others), kept, limit))


def _score_by_reason(
    view: TreeFilesAndGit, queries: LinkQueries, ref: Ref, path: str
) -> dict[str, Mapping[Ref, RelationReason]]:
    """Return the scores of the atoms related to one, by the reason."""
    links = queries.find_links({ref})
    evidence = {link.target for link in links if link.source == ref and is_evidence_link(link)}
    reasons: dict[str, Mapping[Ref, RelationReason]] = {
        "links": score_by_links(ref, links),
        "evidence": score_by_evidence(ref, queries.find_links(evidence)),
        "reads": score_by_shared_sessions(ref, queries.find_shared_sessions(path)),
        "text": {},
    }
    if fields := _read_indexed_fields(view, path):
        terms = select_distinctive_terms(fields, queries.count_terms)
        reasons["text"] = score_by_text(ref, queries.find_by_terms(terms))
    return reasons


def _read_indexed_fields(view: TreeFilesAndGit, path: str) -> IndexedFields | None:
    """Return the text of an atom, its frontmatter by field; None if it cannot be read."""
    where, source = parse_atom_path(path, view.kinds), view.tree.read_text_or_flaw(path)
    if where is None or isinstance(source, Flaw):
        return None
    atom, body = parse_atom(path, where, source.text), split_front_and_body(source.text)[1]
    said = blank_template_lines(body, view.tree.read_template_lines(atom.kind))
    return extract_indexed_fields(atom.fields, said)
