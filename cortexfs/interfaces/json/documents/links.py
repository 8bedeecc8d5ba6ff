"""Links between atoms, and what atoms mention."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class NodeDocument(TypedDict):
    """An atom in a graph."""

    ref: str
    path: str
    kind: NotRequired[str]
    status: NotRequired[str]
    summary: NotRequired[str]


class DistantNodeDocument(NodeDocument):
    """An atom, and its distance in links."""

    distance: int


EdgeBetweenAtomsDocument = TypedDict(
    "EdgeBetweenAtomsDocument",
    {"from": str, "to": str, "link-kinds": list[str], "line": int},
)


class GraphDocument(TypedDict):
    """The atoms around one, and the links between them."""

    format: int
    ref: str
    atoms: list[DistantNodeDocument]
    edges: list[EdgeBetweenAtomsDocument]
    omitted: NotRequired[int]


LinkingNodeDocument = TypedDict(
    "LinkingNodeDocument",
    {
        "ref": str,
        "path": str,
        "kind": NotRequired[str],
        "status": NotRequired[str],
        "summary": NotRequired[str],
        "link-kinds": list[str],
        "line": int,
    },
)


class BacklinksDocument(TypedDict):
    """The atoms that link to one."""

    format: int
    ref: str
    backlinks: list[LinkingNodeDocument]


class ChainDocument(TypedDict):
    """The shortest chain of atoms from one to another; empty if there is none."""

    format: int
    chain: list[NodeDocument]
    edges: list[EdgeBetweenAtomsDocument]


class ReasonDocument(TypedDict):
    """Why an atom is related, and the share of the score."""

    share: float
    detail: NotRequired[str]


class RelatedAtomDocument(NodeDocument):
    """A related atom."""

    score: float
    reasons: dict[str, ReasonDocument]


class RelatedAtomsDocument(TypedDict):
    """The atoms related to one, closest first."""

    format: int
    ref: str
    related: list[RelatedAtomDocument]


class EntityDocument(TypedDict):
    """One thing that atoms mention, and how many do."""

    type: str
    name: str
    atoms: int


class EntityListDocument(TypedDict):
    """The things that atoms mention, most mentioned first."""

    format: int
    entities: list[EntityDocument]


class MentionDocument(TypedDict):
    """One atom that mentions a thing."""

    type: str
    name: str
    ref: str
    path: str
    line: int
    status: str
    summary: str


class MentionListDocument(TypedDict):
    """The atoms that mention a thing."""

    format: int
    mentions: list[MentionDocument]
