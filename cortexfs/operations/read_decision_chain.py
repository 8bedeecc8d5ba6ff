"""List what decisions rest on, and what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import LinkedAtom
    from cortexfs.session.session import Session


class DecisionLinks(NamedTuple):
    """What a decision cites, and what cites it."""

    rests_on: tuple[Ref, ...]
    leads_to: tuple[Ref, ...]


def list_decision_links(
    session: Session, refs: Sequence[Ref]
) -> tuple[Mapping[Ref, DecisionLinks], Mapping[Ref, LinkedAtom]]:
    """Return the links of some decisions, and what is shown of the atoms at their other ends."""
    with session.read(NeededContents.TEXTS) as view:
        queries = view.text_queries().link_queries()
        found = queries.find_links(refs)
        links = {
            ref: DecisionLinks(
                tuple(dict.fromkeys(each.target for each in found if each.source == ref)),
                tuple(dict.fromkeys(each.source for each in found if each.target == ref)),
            )
            for ref in refs
        }
        ends = {ref for each in found for ref in (each.source, each.target)}
        return links, queries.read_nodes(ends)
