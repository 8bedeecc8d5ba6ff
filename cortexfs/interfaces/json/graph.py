"""Links between atoms as JSON, and what atoms mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.entities import EntityCount, Mention
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.operations.explore_links import Backlinks, GraphResult, PathResult
    from cortexfs.operations.map_links import LinkMap
    from cortexfs.operations.related import RelatedAtoms

    Document = dict[str, object]


def to_graph_json(found: GraphResult) -> Document:
    """Return the atoms around one, each with its distance, and the links between them."""
    steps = found.graph.distances
    atoms = [{**_to_node_json(found.nodes[ref]), "distance": far} for ref, far in steps.items()]
    links = _to_links_json(found.graph.links)
    document: Document = {"ref": found.graph.start, "atoms": atoms, "edges": links}
    return (
        {**document, "omitted": found.graph.omitted_count}
        if found.graph.omitted_count
        else document
    )


def to_link_map_json(found: LinkMap) -> Document:
    """Return atoms with the place and community of each, and links by the numbers of atoms.

    Communities are numbered by size from 0; `inactive` marks atoms that are no longer current.
    """
    drawn = zip(found.nodes, *found.layout, found.count_links(), strict=True)
    atoms = [
        {
            **_to_node_json(node),
            "place": [round(x, 2), round(y, 2)],
            "community": community,
            "links": count,
            **({"inactive": True} if node.is_inactive else {}),
        }
        for node, (x, y), community, count in drawn
    ]
    document: Document = {"atoms": atoms, "edges": [list(pair) for pair in found.links]}
    return {**document, "omitted": found.omitted_count} if found.omitted_count else document


def to_backlinks_json(found: Backlinks) -> Document:
    """Return the atoms that link to one: the kinds of link, and the first line."""
    linking = [
        {**_to_node_json(found.nodes[link.source]), "link-kinds": link.kinds, "line": link.line}
        for link in found.links
    ]
    return {"ref": found.ref, "backlinks": linking}


def to_chain_json(found: PathResult) -> Document:
    """Return the shortest chain of atoms from one to another, and the links in it."""
    return {
        "chain": [_to_node_json(found.nodes[ref]) for ref in found.refs],
        "edges": _to_links_json(found.links),
    }


def to_related_atoms_json(found: RelatedAtoms) -> Document:
    """Return the atoms related to one, with each reason and its share of the score."""
    related = [
        {
            **_to_node_json(one.node),
            "score": round(one.score, 4),
            "reasons": {
                REASON_JSON_KEYS.get(word, word): {"share": round(reason.strength, 4)}
                | ({"detail": reason.description} if reason.description else {})
                for word, reason in one.reasons.items()
            },
        }
        for one in found.related
    ]
    return {"ref": found.ref, "related": related}


REASON_JSON_KEYS = {"reads": "shared-reads", "text": "similar-text", "evidence": "shared-evidence"}


def to_entity_json(found: EntityCount) -> Document:
    """Return one thing that atoms mention, and how many do."""
    return {"type": found.sort, "name": found.name, "atoms": found.atoms}


def to_mention_json(found: Mention) -> Document:
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


def _to_node_json(node: LinkedAtom) -> Document:
    document: Document = {"ref": node.ref, "path": node.path}
    optional = {"kind": node.kind, "status": node.status, "summary": node.summary}
    return document | {key: value for key, value in optional.items() if value}


def _to_links_json(links: Iterable[AtomLink]) -> list[Document]:
    return [
        {"from": link.source, "to": link.target, "link-kinds": link.kinds, "line": link.line}
        for link in links
    ]
