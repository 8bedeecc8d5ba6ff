"""What is tied to an atom as JSON documents: the shapes of docs/json.md, the same in every face."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.graph.resolve_links import Node, Tie
    from cortexfs.operations.graph import Around, Backlinks, Way
    from cortexfs.operations.related import Relations

    Document = dict[str, object]


def graph(found: Around) -> Document:
    """Give what is around an atom: each with its distance, and the ties between them."""
    steps = found.graph.steps
    atoms = [{**_node(found.nodes[ref]), "steps": far} for ref, far in steps.items()]
    said: Document = {"ref": found.graph.start, "atoms": atoms, "ties": _ties(found.graph.ties)}
    return {**said, "left_out": found.graph.left_out} if found.graph.left_out else said


def backlinks(found: Backlinks) -> Document:
    """Give the atoms that name one, in which ways, and on which line first."""
    named = [
        {**_node(found.nodes[tie.source]), "kinds": tie.kinds, "line": tie.line}
        for tie in found.ties
    ]
    return {"ref": found.ref, "backlinks": named}


def way(found: Way) -> Document:
    """Give the atoms on a way in their order, and the ties between them."""
    return {"way": [_node(found.nodes[ref]) for ref in found.refs], "ties": _ties(found.ties)}


def relations(found: Relations) -> Document:
    """Give what is related to an atom, with every reason and how much it says."""
    related = [
        {
            **_node(one.node),
            "score": round(one.score, 4),
            "reasons": {
                word: {"share": round(reason.share, 4)}
                | ({"told": reason.told} if reason.told else {})
                for word, reason in one.reasons.items()
            },
        }
        for one in found.related
    ]
    return {"ref": found.ref, "related": related}


def _node(node: Node) -> Document:
    return {key: value for key, value in node._asdict().items() if value}


def _ties(ties: Iterable[Tie]) -> list[Document]:
    return [
        {"from": tie.source, "to": tie.target, "kinds": tie.kinds, "line": tie.line} for tie in ties
    ]
