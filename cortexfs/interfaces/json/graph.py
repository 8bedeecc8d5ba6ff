"""Links between atoms as JSON, and what atoms mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.entities import Mention, Named
    from cortexfs.core.graph.resolve_links import Node, Tie
    from cortexfs.operations.graph import Around, Backlinks, Way
    from cortexfs.operations.related import Relations

    Document = dict[str, object]


def graph(found: Around) -> Document:
    """Return the atoms around one, each with its distance, and the links between them."""
    steps = found.graph.steps
    atoms = [{**_node(found.nodes[ref]), "distance": far} for ref, far in steps.items()]
    links = _links(found.graph.ties)
    document: Document = {"ref": found.graph.start, "atoms": atoms, "edges": links}
    return {**document, "omitted": found.graph.left_out} if found.graph.left_out else document


def backlinks(found: Backlinks) -> Document:
    """Return the atoms that link to one: the kinds of link, and the first line."""
    linking = [
        {**_node(found.nodes[tie.source]), "link-kinds": tie.kinds, "line": tie.line}
        for tie in found.ties
    ]
    return {"ref": found.ref, "backlinks": linking}


def chain(found: Way) -> Document:
    """Return the shortest chain of atoms from one to another, and the links in it."""
    return {"chain": [_node(found.nodes[ref]) for ref in found.refs], "edges": _links(found.ties)}


def relations(found: Relations) -> Document:
    """Return the atoms related to one, with each reason and its share of the score."""
    related = [
        {
            **_node(one.node),
            "score": round(one.score, 4),
            "reasons": {
                REASONS.get(word, word): {"share": round(reason.share, 4)}
                | ({"detail": reason.told} if reason.told else {})
                for word, reason in one.reasons.items()
            },
        }
        for one in found.related
    ]
    return {"ref": found.ref, "related": related}


REASONS = {"looks": "shared-reads", "text": "similar-text", "evidence": "shared-evidence"}


def entity(found: Named) -> Document:
    """Return one thing that atoms mention, and how many do."""
    return {"type": found.sort, "name": found.name, "atoms": found.atoms}


def mention(found: Mention) -> Document:
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


def _node(node: Node) -> Document:
    document: Document = {"ref": node.ref, "path": node.path}
    optional = {"kind": node.kind, "status": node.status, "summary": node.summary}
    return document | {key: value for key, value in optional.items() if value}


def _links(ties: Iterable[Tie]) -> list[Document]:
    return [
        {"from": tie.source, "to": tie.target, "link-kinds": tie.kinds, "line": tie.line}
        for tie in ties
    ]
