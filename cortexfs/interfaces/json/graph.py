"""Links between atoms as JSON, and what atoms mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.entities import EntityCount, Mention
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.core.graph.score_related_atoms import RelationReason
    from cortexfs.interfaces.json.documents import links as documents
    from cortexfs.operations.explore_links import Backlinks, GraphResult, PathResult
    from cortexfs.operations.map_links import LinkMap
    from cortexfs.operations.related import RelatedAtoms


def to_graph_json(found: GraphResult) -> documents.GraphFields:
    """Return the atoms around one, each with its distance, and the links between them."""
    steps = found.graph.distances
    document: documents.GraphFields = {
        "ref": found.graph.start,
        "atoms": [
            {**_to_node_json(found.nodes[ref]), "distance": far} for ref, far in steps.items()
        ],
        "edges": _to_links_json(found.graph.links),
    }
    if found.graph.omitted_count:
        document["omitted"] = found.graph.omitted_count
    return document


def to_link_map_json(found: LinkMap) -> documents.LinkMapFields:
    """Return atoms with the place and community of each, and links by the numbers of atoms.

    Communities are numbered by size from 0; `inactive` marks atoms that are no longer current.
    """
    drawn = zip(found.nodes, *found.layout, found.count_links(), strict=True)
    atoms = [_to_placed_json(*each) for each in drawn]
    edges = [list(pair) for pair in found.links]
    document: documents.LinkMapFields = {"atoms": atoms, "edges": edges}
    return {**document, "omitted": found.omitted_count} if found.omitted_count else document


def _to_placed_json(
    node: LinkedAtom, place: tuple[float, float], community: int, links: int
) -> documents.PlacedNodeDocument:
    document: documents.PlacedNodeDocument = {
        **_to_node_json(node),
        "place": [round(each, 2) for each in place],
        "community": community,
        "links": links,
        "inactive": True,
    }
    if not node.is_inactive:
        del document["inactive"]
    return document


def to_backlinks_json(found: Backlinks) -> documents.BacklinksFields:
    """Return the atoms that link to one: the kinds of link, and the first line."""
    linking: list[documents.LinkingNodeDocument] = [
        {
            **_to_node_json(found.nodes[link.source]),
            "link-kinds": list(link.kinds),
            "line": link.line,
        }
        for link in found.links
    ]
    return {"ref": found.ref, "backlinks": linking}


def to_chain_json(found: PathResult) -> documents.ChainFields:
    """Return the shortest chain of atoms from one to another, and the links in it."""
    return {
        "chain": [_to_node_json(found.nodes[ref]) for ref in found.refs],
        "edges": _to_links_json(found.links),
    }


def to_related_atoms_json(found: RelatedAtoms) -> documents.RelatedAtomsFields:
    """Return the atoms related to one, with each reason and its share of the score."""
    related: list[documents.RelatedAtomDocument] = [
        {
            **_to_node_json(one.node),
            "score": round(one.score, 4),
            "reasons": {
                REASON_JSON_KEYS.get(word, word): _to_reason_json(reason)
                for word, reason in one.reasons.items()
            },
        }
        for one in found.related
    ]
    return {"ref": found.ref, "related": related}


def _to_reason_json(reason: RelationReason) -> documents.ReasonDocument:
    document: documents.ReasonDocument = {"share": round(reason.strength, 4)}
    return {**document, "detail": reason.description} if reason.description else document


REASON_JSON_KEYS = {"reads": "shared-reads", "text": "similar-text", "evidence": "shared-evidence"}


def to_entity_json(found: EntityCount) -> documents.EntityDocument:
    """Return one thing that atoms mention, and how many do."""
    return {"type": found.sort, "name": found.name, "atoms": found.atoms}


def to_mention_json(found: Mention) -> documents.MentionDocument:
    """Return one atom that mentions a thing."""
    return {
        "type": found.sort,
        "name": found.name,
        "ref": found.ref,
        "path": found.path,
        "line": found.line,
        "status": found.status,
        "summary": found.summary,
    }


def _to_node_json(node: LinkedAtom) -> documents.NodeDocument:
    document: documents.NodeDocument = {"ref": node.ref, "path": node.path}
    if node.kind:
        document["kind"] = node.kind
    if node.status:
        document["status"] = node.status
    if node.summary:
        document["summary"] = node.summary
    return document


def _to_links_json(links: Iterable[AtomLink]) -> list[documents.EdgeBetweenAtomsDocument]:
    return [
        {"from": link.source, "to": link.target, "link-kinds": list(link.kinds), "line": link.line}
        for link in links
    ]
