"""Read what led to a decision and what followed from it, two steps in each direction."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.session.session import Session

MAX_FOLLOWED = 100
"""Maximum number of atoms, in each direction, of which the second step is read."""


class ChainStep(NamedTuple):
    """An atom that a decision cites or is cited by, and the atoms of its next step."""

    ref: Ref
    next_refs: tuple[Ref, ...]


class DecisionChain(NamedTuple):
    """What a decision cites, what cites it, and what is shown of these atoms."""

    rests_on: tuple[ChainStep, ...]
    leads_to: tuple[ChainStep, ...]
    nodes: Mapping[Ref, LinkedAtom]


def read_decision_chain(session: Session, ref: Ref) -> DecisionChain:
    """Return the chain of a decision; the one of an atom without links is empty."""
    with session.read(NeededContents.TEXTS) as view:
        queries = view.text_queries().link_queries()
        near = queries.find_links([ref])
        before, after = _list_cited(near, ref), _list_citing(near, ref)
        far = queries.find_links([*before[:MAX_FOLLOWED], *after[:MAX_FOLLOWED]])
        rests_on = tuple(ChainStep(each, _omit(_list_cited(far, each), ref)) for each in before)
        leads_to = tuple(ChainStep(each, _omit(_list_citing(far, each), ref)) for each in after)
        return DecisionChain(rests_on, leads_to, queries.read_nodes({*chain(before, after)}))


def _list_cited(links: Sequence[AtomLink], ref: Ref) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(each.target for each in links if each.source == ref))


def _list_citing(links: Sequence[AtomLink], ref: Ref) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(each.source for each in links if each.target == ref))


def _omit(refs: Iterable[Ref], omitted: Ref) -> tuple[Ref, ...]:
    return tuple(each for each in refs if each != omitted)
